import { visibleText } from '../shared/base/visible-text.ts';
import type { SavedCallResult } from '../shared/model/collection.ts';

/** One run of one folder, as JUnit's readers want it. */
export interface JunitSuite {
  readonly name: string;
  /** Epoch ms. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly results: readonly SavedCallResult[];
  /** What the suite ran with, such as its environment. */
  readonly properties: Readonly<Record<string, string>>;
}

/** Texts for people, in the language of the terminal. */
export interface JunitTexts {
  /** One line on what went wrong. */
  message(result: SavedCallResult): string;
  /** Everything that is known of it. */
  detail(result: SavedCallResult): string;
}

/**
 * JUnit XML: a `failure` is an expectation that does not hold, an `error` a
 * call without an answer to check (our refusal, no way to the Provider),
 * `skipped` one whose turn did not come.
 */
export function printJunit(suites: readonly JunitSuite[], texts: JunitTexts): string {
  const all = suites.flatMap(({ results }) => results);
  const total = suites.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="cetp run" ${counts(all)} time="${seconds(total)}">`,
    ...suites.flatMap((suite) => printSuite(suite, texts)),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function printSuite(suite: JunitSuite, texts: JunitTexts): string[] {
  const { name, startedAtMs, durationMs, results, properties } = suite;
  const timestamp = new Date(startedAtMs).toISOString().replace(/\.\d+Z$/, '');
  const entries = Object.entries(properties);
  return [
    `  <testsuite name="${attribute(name)}" ${counts(results)} timestamp="${timestamp}" time="${seconds(durationMs)}">`,
    ...(entries.length === 0 ? [] : ['    <properties>']),
    ...entries.map(([key, value]) => `      <property name="${attribute(key)}" value="${attribute(value)}"/>`),
    ...(entries.length === 0 ? [] : ['    </properties>']),
    ...results.flatMap((result) => printCase(result, texts)),
    '  </testsuite>',
  ];
}

function printCase(result: SavedCallResult, texts: JunitTexts): string[] {
  const { file, name, provider, tool, state, problem, answer } = result;
  const head = [
    `name="${attribute(name ?? file)}"`,
    `classname="${attribute(`${provider}.${tool}`)}"`,
    `file="${attribute(file)}"`,
    `time="${seconds(answer?.durationMs ?? 0)}"`,
  ].join(' ');
  const body: string[] = [];
  if (state === 'skipped') body.push('      <skipped/>');
  if (state === 'failed' || state === 'error') {
    const element = state === 'failed' ? 'failure' : 'error';
    const type = state === 'failed' ? 'expectation' : (problem?.code ?? 'error');
    body.push(
      `      <${element} type="${attribute(type)}" message="${attribute(texts.message(result))}">${content(texts.detail(result))}</${element}>`,
    );
  }
  if (answer?.valueText != null) body.push(`      <system-out>${content(answer.valueText)}</system-out>`);
  if (body.length === 0) return [`    <testcase ${head}/>`];
  return [`    <testcase ${head}>`, ...body, '    </testcase>'];
}

function counts(results: readonly SavedCallResult[]): string {
  const count = (state: SavedCallResult['state']) => results.filter((result) => result.state === state).length;
  return `tests="${results.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3);
}

/** What XML 1.0 cannot hold, and what nobody could see, is named. */
function content(text: string): string {
  return visibleText(text, { keepNewlines: true })
    .replace(
      /[\ufffe\uffff]|\p{Noncharacter_Code_Point}/gu,
      (character) => `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟧`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The same inside quotation marks, where a bare line end would become a space. */
function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
