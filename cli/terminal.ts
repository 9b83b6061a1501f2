import { visibleText } from '../shared/base/visible-text.ts';
import {
  type Locale,
  type MessageKey,
  type Params,
  pickLocale,
  translate,
  translateIfKnown,
} from '../shared/i18n/translate.ts';
import type { Finding } from '../shared/model/finding.ts';
import type { Problem } from '../shared/model/problem.ts';

/** stdout carries the answer, stderr everything else; device text is made visible and bounded. */
export class Terminal {
  readonly locale: Locale;
  /** The first reason why stdout did not take what was written; a reader that went away is none. */
  #unwritten: string | null = null;
  #said = false;
  #muted = false;

  constructor(env: NodeJS.ProcessEnv) {
    // POSIX: the first that is set decides, so that LC_ALL=C silences LANG.
    const chosen = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
    this.locale = pickLocale([chosen.replace('_', '-')]);
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      // `cetp … | head` has what it wanted; the command goes on to its own end and exit code.
      if (error.code !== 'EPIPE') this.#unwritten ??= error.message;
    });
    // Nowhere is left to tell it.
    process.stderr.on('error', () => {});
  }

  #out(text: string): void {
    if (!this.#muted) process.stdout.write(`${text}\n`);
  }

  /** Waits until stdout took everything; gives why it did not, or null. */
  async flush(): Promise<string | null> {
    await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
    return this.#unwritten;
  }

  t(key: MessageKey, params: Params = {}): string {
    return translate(this.locale, key, params);
  }

  /** The one JSON document of `--json`: whatever else would follow it stays away from stdout. */
  json(text: string): void {
    if (this.#said || this.#muted) return;
    this.#said = true;
    this.#out(text);
  }

  /** One line of a stream of JSON documents. */
  jsonLine(text: string): void {
    this.#out(text);
  }

  /** The document of a command that was interrupted. */
  cancelled(): void {
    this.#muted = false;
    this.json(JSON.stringify({ status: 'cancelled' }, null, 2));
    this.#muted = true;
  }

  /** From here on nothing is written: the command is over, though parts of it may still be ending. */
  mute(): void {
    this.#muted = true;
  }

  line(text: string): void {
    this.#out(visibleText(text, { keepNewlines: true }));
  }

  notice(text: string): void {
    if (!this.#muted) process.stderr.write(`${visibleText(text, { keepNewlines: true })}\n`);
  }

  /** A problem as text, remedy and the other side's own words. */
  problem(problem: Problem): void {
    this.notice(this.problemText(problem));
    const remedy = translateIfKnown(this.locale, `remedy.${problem.code}`, problem.params);
    if (remedy !== null) this.notice(`  → ${remedy}`);
    if (problem.raw !== null && problem.raw !== '') this.notice(`  | ${cut(problem.raw, 2000)}`);
    // What else an error of the Provider said (v2 5).
    for (const name of ['retryable', 'retry_after_ms', 'error_details']) {
      const value = problem.params[name];
      if (value !== undefined) this.notice(`  ${name}=${cut(String(value), 2000)}`);
    }
  }

  problemText(problem: Problem): string {
    return translateIfKnown(this.locale, `problem.${problem.code}`, problem.params) ?? problem.code;
  }

  findings(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const text = translateIfKnown(this.locale, `finding.${finding.rule}`, finding.params) ?? finding.rule;
      const where = finding.where === null ? '' : ` (${cut(finding.where, 200)})`;
      this.notice(`  [${finding.severity.toUpperCase()} ${finding.clause}] ${text}${where}`);
    }
  }

  /** Columns by the widest cell; CJK and emoji count two cells. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void {
    const shown = [head, ...rows].map((row) => row.map((cell) => visibleText(cut(cell, 120))));
    const widths = head.map((_, column) => Math.max(...shown.map((row) => cells(row[column] ?? ''))));
    for (const row of shown) {
      const text = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - cells(cell))).join('  ');
      this.#out(text.trimEnd());
    }
  }
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (+${text.length - length})`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function cells(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
