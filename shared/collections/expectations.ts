import { excerpt, isJsonObject, type Json, parseJson } from '../base/json.ts';
import type { CallOutcome, SchemaVerdict } from '../model/call.ts';
import type { CheckResult, Expectations, OutcomeKind, ValueCheck } from '../model/collection.ts';
import { compareNumbers } from './decimal.ts';
import { numberText, sameJson, typeNames, valueAt } from './json-compare.ts';

const EXCERPT = 300;

export interface Judged {
  readonly outcome: CallOutcome;
  readonly durationMs: number | null;
  /** The verdict of the collection's own schema; null where there is none. */
  readonly ownSchema: SchemaVerdict | null;
}

/** The end that is expected where the file does not say. */
export function expectedOutcome({ outcome, errorCode }: Expectations): OutcomeKind {
  return outcome ?? (errorCode === null ? 'success' : 'provider-error');
}

/** Every expectation beside what came. */
export function judge(expect: Expectations, { outcome, durationMs, ownSchema }: Judged): readonly CheckResult[] {
  const wanted = expectedOutcome(expect);
  const checks: CheckResult[] = [
    { ...blank('outcome', wanted), state: outcome.kind === wanted ? 'passed' : 'failed', actual: outcome.kind },
  ];
  if (expect.errorCode !== null) {
    const actual = outcome.kind === 'provider-error' ? outcome.errorCode : null;
    checks.push({
      ...blank('error-code', expect.errorCode),
      state: actual === expect.errorCode ? 'passed' : 'failed',
      actual,
    });
  }
  const value = jsonOf(outcome);
  for (const check of expect.value) checks.push(judgeValue(check, value));
  if (expect.outputSchema) {
    const verdict = outcome.kind === 'success' ? outcome.outputVerdict : null;
    checks.push(schemaCheck('output-schema', verdict));
  }
  if (expect.schemaText !== null) checks.push(schemaCheck('schema', ownSchema));
  if (expect.maxDurationMs !== null) {
    checks.push({
      ...blank('duration', `${expect.maxDurationMs} ms`),
      state: 'info',
      actual: durationMs === null ? null : `${Math.round(durationMs)} ms`,
      reason: durationMs === null ? 'no-duration' : durationMs <= expect.maxDurationMs ? 'within' : 'slower',
    });
  }
  return checks;
}

/** Whether a call with these checks passes: each that decides holds. */
export function allPass(checks: readonly CheckResult[]): boolean {
  return checks.every(({ state }) => state === 'passed' || state === 'info');
}

/** The value, or why there is none to look into. */
type Value = { readonly json: Json } | { readonly reason: string };

function jsonOf(outcome: CallOutcome): Value {
  if (outcome.kind !== 'success') return { reason: 'no-value' };
  if (outcome.valueText === null) return { reason: 'in-a-file' };
  if (outcome.valueTruncated) return { reason: 'too-long' };
  const parsed = parseJson(outcome.valueText);
  return parsed.ok ? { json: parsed.value.value } : { reason: 'not-json' };
}

function judgeValue(check: ValueCheck, value: Value): CheckResult {
  const result = { ...blank('value', check.expected.slice(0, EXCERPT)), at: check.at, op: check.op };
  if ('reason' in value) return { ...result, state: 'not-checked', reason: value.reason };
  const expected = parseJson(check.expected);
  if (!expected.ok) return { ...result, state: 'not-checked', reason: 'expectation-not-json' };
  const actual = valueAt(value.json, check.at);
  const holds = compare(check, actual, expected.value.value);
  return {
    ...result,
    state: holds === null ? 'not-checked' : holds ? 'passed' : 'failed',
    actual: actual === undefined ? null : shown(check, actual),
    reason: holds === null ? 'not-comparable' : actual === undefined && check.op !== 'exists' ? 'nothing-there' : null,
  };
}

/** Null where the two numbers cannot be compared. A place that is not there fails every comparison but `exists: false`. */
function compare({ op }: ValueCheck, actual: Json | undefined, expected: Json): boolean | null {
  if (op === 'exists') return (actual !== undefined) === expected;
  if (actual === undefined) return false;
  switch (op) {
    case 'equals':
      return sameJson(actual, expected);
    case 'notEquals':
      return !sameJson(actual, expected);
    case 'type':
      return typeNames(actual).includes(String(expected));
    case 'contains':
      if (typeof actual === 'string') return typeof expected === 'string' && actual.includes(expected);
      return Array.isArray(actual) && (actual as readonly Json[]).some((item) => sameJson(item, expected));
    case 'count': {
      const count = countOf(actual);
      return count !== null && String(count) === numberText(expected);
    }
    default: {
      const [left, right] = [numberText(actual), numberText(expected)];
      if (left === null || right === null) return false;
      const order = compareNumbers(left, right);
      if (order === null) return null;
      if (op === 'atLeast') return order >= 0;
      if (op === 'atMost') return order <= 0;
      return op === 'greaterThan' ? order > 0 : order < 0;
    }
  }
}

/** Items of an array, members of an object, characters (code points) of a text. */
function countOf(value: Json): number | null {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : null;
}

function shown({ op }: ValueCheck, actual: Json): string {
  if (op === 'count') return `${countOf(actual) ?? '–'}`;
  if (op === 'type') return typeNames(actual).join(', ');
  return excerpt(actual, EXCERPT);
}

function schemaCheck(kind: 'output-schema' | 'schema', verdict: SchemaVerdict | null): CheckResult {
  if (verdict === null) return { ...blank(kind, 'valid'), state: 'not-checked', reason: 'no-value' };
  const states = { valid: 'passed', invalid: 'failed', 'not-checked': 'not-checked' } as const;
  return { ...blank(kind, 'valid'), state: states[verdict.state], actual: verdict.state, verdict };
}

function blank(kind: CheckResult['kind'], expected: string): CheckResult {
  return { kind, state: 'failed', at: null, op: null, expected, actual: null, reason: null, verdict: null };
}
