import { translateIfKnown } from '../shared/i18n/translate.ts';
import type { CheckResult, SavedCallResult } from '../shared/model/collection.ts';
import { cut, type Terminal } from './terminal.ts';

const SHOWN_ISSUES = 10;

/** An expectation in one line: what was wanted, and what came where it does not hold. */
export function checkLine(terminal: Terminal, check: CheckResult): string {
  const word = (key: string) => translateIfKnown(terminal.locale, key) ?? key;
  const at = check.at === null ? '' : ` ${check.at === '' ? '(root)' : check.at}`;
  const op = check.op === null ? '' : ` ${word(`savedOp.${check.op}`)}`;
  const wanted = `${word(`savedCheck.${check.kind}`)}${at}${op} ${cut(check.expected, 200)}`;
  if (check.state === 'passed') return wanted;
  const came = terminal.t('cli.runCame', { actual: cut(check.actual ?? terminal.t('cli.runNothing'), 300) });
  const reason = check.reason === null ? '' : ` (${word(`savedReason.${check.reason}`)})`;
  return `${wanted}; ${came}${reason}`;
}

/** What keeps a call from passing, in lines. */
export function trouble(terminal: Terminal, result: SavedCallResult): string[] {
  const { problem, checks, answer } = result;
  const lines: string[] = [];
  if (problem !== null) {
    lines.push(terminal.problemText(problem));
    const remedy = translateIfKnown(terminal.locale, `remedy.${problem.code}`, problem.params);
    if (remedy !== null) lines.push(`→ ${remedy}`);
    if (problem.raw !== null && problem.raw !== '') lines.push(`| ${cut(problem.raw, 1_000)}`);
  }
  for (const check of checks) {
    if (check.state !== 'failed' && check.state !== 'not-checked') continue;
    lines.push(checkLine(terminal, check));
    const issues = check.verdict?.issues ?? [];
    for (const issue of issues.slice(0, SHOWN_ISSUES))
      lines.push(`  ${issue.pointer || '/'}: ${cut(issue.message, 300)}`);
    if (issues.length > SHOWN_ISSUES) lines.push(`  … (+${issues.length - SHOWN_ISSUES})`);
  }
  if (result.state !== 'passed' && answer?.errorCode != null) {
    const { errorCode: code, errorMessage: message } = answer;
    lines.push(terminal.t('cli.providerError', { code, message: cut(message ?? '', 500) }));
  }
  if (result.state === 'failed' && answer !== null && answer.problem !== null) {
    lines.push(terminal.problemText(answer.problem));
  }
  return lines;
}
