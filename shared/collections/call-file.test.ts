import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, printJson } from '../base/json.ts';
import { Comparison, OutcomeKind, type SavedCall } from '../model/collection.ts';
import { checkedCallFile, NO_EXPECTATIONS, printCallFile, readCallFile } from './call-file.ts';
import { printSecretsFile, readEnvironmentFile, readSecretsFile } from './environment-file.ts';
import { MAX_CALL_BYTES } from './file-shape.ts';

const CALL: SavedCall = {
  name: null,
  provider: 'org.example.pricealerts',
  tool: 'get_quote',
  device: null,
  argsText: '{}',
  variables: true,
  timeoutMs: null,
  allowEffects: false,
  force: false,
  expect: NO_EXPECTATIONS,
};

function read(text: string): SavedCall {
  const result = readCallFile(text);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const operand = (op: string): fc.Arbitrary<unknown> => {
  if (op === 'exists') return fc.boolean();
  if (op === 'type') return fc.constantFrom('null', 'integer', 'object');
  if (op === 'count') return fc.nat();
  if (/^(at|greater|less)/.test(op)) return fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.jsonValue();
};
const check = fc.constantFrom(...Comparison.options).chain((op) =>
  fc.record({
    at: fc.constantFrom('', '/price', '/a~1b/0', '/~0'),
    op: fc.constant(op),
    expected: operand(op).map((value) => JSON.stringify(value)),
  }),
);
/** JSON as people type it, with space of every kind around and inside, and texts that are no JSON at all. */
const argsText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.json(), fc.constantFrom(0, 1, 2, 4, '\t', '  '))
    .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent)),
  fc
    .tuple(fc.constantFrom('', ' ', '\n'), fc.json(), fc.constantFrom('', '\r\n', '\n\n'))
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('{', '}', '"a"', ':', '\n', '  ', '\n\n', '\n  \n', '1.50', ',', '[', ']', '\t'), {
      maxLength: 12,
    })
    .map((p) => p.join('')),
);
const call: fc.Arbitrary<SavedCall> = fc.record({
  name: fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }), { nil: null }),
  provider: fc.string({ minLength: 1, maxLength: 40 }),
  tool: fc.string({ minLength: 1, maxLength: 40 }),
  device: fc.option(fc.string({ minLength: 1, maxLength: 40 }), { nil: null }),
  argsText,
  variables: fc.boolean(),
  timeoutMs: fc.option(fc.integer({ min: 100, max: 600_000 }), { nil: null }),
  allowEffects: fc.boolean(),
  force: fc.boolean(),
  expect: fc.record({
    outcome: fc.option(fc.constantFrom(...OutcomeKind.options), { nil: null }),
    errorCode: fc.option(fc.constantFrom('INVALID_ARGS', 'X "y"'), { nil: null }),
    value: fc.array(check, { maxLength: 3 }),
    outputSchema: fc.boolean(),
    schemaText: fc.option(fc.constantFrom('{"type":"object","minimum":1.10}', 'true'), { nil: null }),
    maxDurationMs: fc.option(fc.integer({ min: 1, max: 600_000 }), { nil: null }),
  }),
});
/** Texts of JSON inside expectations may be set in differently; their tokens stay. */
const compact = (text: string | null) => {
  const parsed = text === null ? null : parseJson(text);
  return parsed?.ok === true ? printJson(parsed.value.value) : text;
};
const comparable = (one: SavedCall) => ({
  ...one,
  expect: {
    ...one.expect,
    schemaText: compact(one.expect.schemaText),
    value: one.expect.value.map((item) => ({ ...item, expected: compact(item.expected) })),
  },
});

describe('a file of a call', () => {
  test('what is printed is read again, the arguments to the last character, and on disk as UTF-8', () => {
    fc.assert(
      fc.property(call, (one) => {
        const bytes = new TextEncoder().encode(printCallFile(one));
        const again = read(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
        expect(again.argsText).toBe(one.argsText);
        expect(comparable(again)).toEqual(comparable(one));
        expect(printCallFile(again)).toBe(printCallFile(one));
      }),
      { numRuns: 500 },
    );
  });

  test('git may check it out with the line ends of Windows: the arguments stay', () => {
    fc.assert(
      fc.property(call, (one) => {
        expect(read(printCallFile(one).replaceAll('\n', '\r\n')).argsText).toBe(one.argsText);
      }),
    );
  });

  test('arguments that are JSON stand in the file as typed, every digit and every repeated member', () => {
    const typed = '{\n  "price":   1234567890123456789.50,\n  "price": 1e400\n}';
    const text = printCallFile({ ...CALL, argsText: typed });
    expect(text).toContain('"args": {\n    "price":   1234567890123456789.50,\n    "price": 1e400\n  }');
    expect(read(text).argsText).toBe(typed);
  });

  test('members come in one order, whatever the order in memory', () => {
    const { expect: expectations, ...rest } = CALL;
    expect(printCallFile({ expect: expectations, ...rest })).toBe(printCallFile(CALL));
    expect(printCallFile(CALL)).toBe(
      '{\n  "v": 1,\n  "provider": "org.example.pricealerts",\n  "tool": "get_quote",\n  "args": {}\n}\n',
    );
  });

  test.each([
    ['no JSON', '{', 'saved-call-invalid', '/'],
    ['a list', '[]', 'saved-call-invalid', '/'],
    ['another version', '{"v":2,"provider":"p","tool":"t"}', 'saved-call-version', undefined],
    ['no version', '{"provider":"p","tool":"t"}', 'saved-call-invalid', '/v'],
    ['a misspelt member', '{"v":1,"provider":"p","tool":"t","alowEffects":true}', 'saved-call-invalid', '/'],
    ['a repeated member', '{"v":1,"provider":"p","tool":"t","tool":"u"}', 'saved-call-invalid', '/tool'],
    [
      'two texts of arguments',
      '{"v":1,"provider":"p","tool":"t","args":{},"argsText":"x"}',
      'saved-call-invalid',
      '/argsText',
    ],
    [
      'a comparison that there is not',
      '{"v":1,"provider":"p","tool":"t","expect":{"value":[{"at":"","eval":"1"}]}}',
      'saved-call-invalid',
      '/expect/value/0',
    ],
    [
      'two comparisons at once',
      '{"v":1,"provider":"p","tool":"t","expect":{"value":[{"at":"","equals":1,"count":1}]}}',
      'saved-call-invalid',
      '/expect/value/0',
    ],
    [
      'a pointer that is none',
      '{"v":1,"provider":"p","tool":"t","expect":{"value":[{"at":"price","equals":1}]}}',
      'saved-call-invalid',
      '/expect/value/0/at',
    ],
    [
      'nesting without end',
      `{"v":1,"provider":"p","tool":"t","args":${'['.repeat(100_000)}`,
      'saved-call-invalid',
      '/',
    ],
    ['a prototype', '{"v":1,"provider":"p","tool":"t","__proto__":{"force":true}}', 'saved-call-invalid', '/'],
    ['a file without end', `{"v":1,"provider":"p","tool":"${'x'.repeat(MAX_CALL_BYTES)}"}`, 'saved-call-invalid', '/'],
  ])('hostile: %s is refused with its place', (_name, text, code, at) => {
    const result = readCallFile(text);
    expect(result.ok).toBe(false);
    if (!result.ok) expect([result.error.code, result.error.params['at']]).toEqual([code, at]);
  });

  test('any text at all gives a call or a problem, never an exception', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readCallFile(text)));
  });

  test('what could not be read again is not written', () => {
    expect(checkedCallFile({ ...CALL, argsText: `"${'€'.repeat(1_500_000)}"` })).toMatchObject({
      error: { code: 'saved-call-too-large' },
    });
    const bad = { at: 'nowhere', op: 'equals' as const, expected: '1' };
    expect(checkedCallFile({ ...CALL, expect: { ...NO_EXPECTATIONS, value: [bad] } }).ok).toBe(false);
    const open = { at: '', op: 'equals' as const, expected: '1},{"at":"","equals":2' };
    expect(checkedCallFile({ ...CALL, expect: { ...NO_EXPECTATIONS, value: [open] } }).ok).toBe(false);
  });
});

describe('files of an environment', () => {
  test('variables and names of secrets', () => {
    const result = readEnvironmentFile('{"v":1,"variables":{"symbol":"ACME"},"secrets":["api_key","api_key"]}');
    expect(result).toEqual({ ok: true, value: { variables: new Map([['symbol', 'ACME']]), secrets: ['api_key'] } });
    expect(readEnvironmentFile('{"v":1,"variables":{"a b":"x"}}').ok).toBe(false);
    expect(readEnvironmentFile('{"v":1,"variables":{"a":1}}').ok).toBe(false);
  });

  test('secrets round trip, and a complaint about their file quotes nothing of it', () => {
    const secrets = new Map([
      ['b', 'two'],
      ['a', 'one\n"'],
    ]);
    expect(readSecretsFile(printSecretsFile(secrets))).toEqual({ ok: true, value: secrets });
    const broken = readSecretsFile('{"v":1,"secrets":{"a":"hunter2-hunter2" "b"}}');
    expect(JSON.stringify(broken)).not.toContain('hunter2');
    expect(broken.ok).toBe(false);
  });
});
