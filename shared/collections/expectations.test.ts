import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../base/json.ts';
import type { CallOutcome } from '../model/call.ts';
import type { Comparison, Expectations } from '../model/collection.ts';
import { problem } from '../model/problem.ts';
import { NO_EXPECTATIONS } from './call-file.ts';
import { compareNumbers, isWhole } from './decimal.ts';
import { allPass, judge } from './expectations.ts';
import { sameJson, valueAt } from './json-compare.ts';

const valid = { state: 'valid' as const, issues: [], reason: null };
const success = (valueText: string | null): CallOutcome => ({
  kind: 'success',
  findings: [],
  bundle: [],
  valueText,
  valueLength: valueText?.length ?? 0,
  valueTruncated: false,
  file: null,
  outputVerdict: valid,
});
const json = (text: string) => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value.value;
};
const check = (expectations: Partial<Expectations>, outcome: CallOutcome) =>
  judge({ ...NO_EXPECTATIONS, ...expectations }, { outcome, durationMs: 12, ownSchema: null });

describe('comparisons of a value', () => {
  const VALUE =
    '{"price":42.10,"volume":9223372036854775807,"name":"Acme Inc","tags":["a",{"b":1}],"none":null,"a/b":{"~":5}}';
  test.each<[string, Comparison, string, string]>([
    ['/price', 'equals', '42.1', 'passed'],
    ['/volume', 'equals', '9223372036854775807', 'passed'],
    ['/volume', 'equals', '9223372036854775808', 'failed'],
    ['/volume', 'greaterThan', '9223372036854775806', 'passed'],
    ['/volume', 'lessThan', '9223372036854775807', 'failed'],
    ['/price', 'atLeast', '42.10', 'passed'],
    ['/price', 'atMost', '42.09999999999999999999', 'failed'],
    ['/price', 'notEquals', '42.10', 'failed'],
    ['/name', 'contains', '"cme"', 'passed'],
    ['/name', 'contains', '1', 'failed'],
    ['/tags', 'contains', '{"b":1.0}', 'passed'],
    ['/tags', 'count', '2', 'passed'],
    ['/tags/1', 'equals', '{"b":1}', 'passed'],
    ['/tags/01', 'exists', 'false', 'passed'],
    ['/tags/2', 'exists', 'true', 'failed'],
    ['/none', 'exists', 'true', 'passed'],
    ['/none', 'type', '"null"', 'passed'],
    ['/volume', 'type', '"integer"', 'passed'],
    ['/volume', 'type', '"number"', 'passed'],
    ['/price', 'type', '"integer"', 'failed'],
    ['/a~1b/~0', 'equals', '5', 'passed'],
    ['/toString', 'exists', 'false', 'passed'],
    ['/missing', 'notEquals', '1', 'failed'],
    ['', 'type', '"object"', 'passed'],
    ['/price', 'equals', '{', 'not-checked'],
  ])('%s %s %s: %s', (at, op, expected, state) => {
    const [, result] = check({ value: [{ at, op, expected }] }, success(VALUE));
    expect(result?.state).toBe(state);
  });

  test('a value that cannot be looked into is not checked, and that does not pass', () => {
    const value = [{ at: '', op: 'exists' as const, expected: 'true' }];
    for (const [outcome, reason] of [
      [success(null), 'in-a-file'],
      [{ ...success('{"a":1'), valueTruncated: true } as CallOutcome, 'too-long'],
      [{ kind: 'refused', findings: [], problem: problem('x') } as CallOutcome, 'no-value'],
    ] as const) {
      const checks = check({ value }, outcome);
      expect(checks[1]).toMatchObject({ state: 'not-checked', reason });
      expect(allPass(checks)).toBe(false);
    }
  });
});

describe('the end of a call', () => {
  const failure = {
    kind: 'provider-error',
    findings: [],
    bundle: [],
    errorCode: 'INVALID_ARGS',
  } as unknown as CallOutcome;
  test('success is expected where nothing is said; an error code stands for an error', () => {
    expect(allPass(check({}, success('1')))).toBe(true);
    expect(allPass(check({}, failure))).toBe(false);
    expect(allPass(check({ errorCode: 'INVALID_ARGS' }, failure))).toBe(true);
    expect(allPass(check({ errorCode: 'RATE_LIMITED' }, failure))).toBe(false);
    expect(check({ errorCode: 'INVALID_ARGS' }, success('1')).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test('a duration never decides', () => {
    const checks = check({ maxDurationMs: 1 }, success('1'));
    expect(checks[1]).toMatchObject({ kind: 'duration', state: 'info', reason: 'slower', actual: '12 ms' });
    expect(allPass(checks)).toBe(true);
  });

  test('a schema that was not checked does not pass', () => {
    const notChecked = { state: 'not-checked' as const, issues: [], reason: 'no-schema' };
    expect(allPass(check({ outputSchema: true }, { ...success('1'), outputVerdict: notChecked } as CallOutcome))).toBe(
      false,
    );
    expect(allPass(check({ outputSchema: true }, success('1')))).toBe(true);
    expect(allPass(check({ schemaText: '{}' }, success('1')))).toBe(false);
  });
});

describe('numbers by their digits', () => {
  test('as BigInt and as doubles order them', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
        expect(Math.sign(compareNumbers(String(a), String(b)) ?? Number.NaN) + 0).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (a, b) => {
        const [x, y] = [JSON.stringify(a), JSON.stringify(b)];
        expect(Math.sign(compareNumbers(x, y) ?? Number.NaN) + 0).toBe(
          Math.sign(a - b) + 0 || (a < b ? -1 : a > b ? 1 : 0),
        );
        expect(isWhole(x)).toBe(Number.isInteger(a));
      }),
    );
  });

  test('one value in several notations', () => {
    for (const [a, b] of [
      ['1e2', '100'],
      ['0.10', '1e-1'],
      ['-0', '0'],
      ['0e5', '0.0'],
      ['1.50e1', '15'],
    ]) {
      expect(compareNumbers(a as string, b as string)).toBe(0);
      expect(sameJson(json(a as string), json(b as string))).toBe(true);
    }
    expect(compareNumbers('1e999999999999999999', '1')).toBeNull();
    expect(compareNumbers('1e999999999999999', '1')).toBeGreaterThan(0);
  });
});

test('JSON Pointer (RFC 6901) reaches every place', () => {
  const root = json('{"":{"a":[0,{"m~n":1}]},"__proto__":2}');
  expect(valueAt(root, '//a/1/m~0n')).toBe(1);
  expect(valueAt(root, '/__proto__')).toBe(2);
  expect(valueAt(root, '/constructor')).toBeUndefined();
});
