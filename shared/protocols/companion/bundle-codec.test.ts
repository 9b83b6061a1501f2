import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../base/json.ts';
import type { Bundle, BundleEntry } from '../../model/bundle.ts';
import { ProblemError } from '../../model/problem.ts';
import { decodeBundle } from './decode-bundle.ts';
import { encodeBundle } from './encode-bundle.ts';

const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '', 'toString', '7'));
const int = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 });
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const double = fc
  .double()
  .map((value) => (Number.isFinite(value) ? value : (String(value) as 'NaN' | 'Infinity' | '-Infinity')));
const text = fc.string({ unit: 'binary' });
const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value).toString('base64'));

const { bundle } = fc.letrec<{ bundle: Bundle; entry: BundleEntry }>((tie) => ({
  entry: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ key, t: fc.constant('string' as const), v: text }),
    fc.record({ key, t: fc.constant('null' as const) }),
    fc.record({ key, t: fc.constant('int' as const), v: int }),
    fc.record({ key, t: fc.constant('long' as const), v: long }),
    fc.record({ key, t: fc.constant('boolean' as const), v: fc.boolean() }),
    fc.record({ key, t: fc.constantFrom('float' as const, 'double' as const), v: double }),
    fc.record({ key, t: fc.constant('int[]' as const), v: fc.array(int) }),
    fc.record({ key, t: fc.constant('long[]' as const), v: fc.array(long) }),
    fc.record({ key, t: fc.constant('double[]' as const), v: fc.array(double) }),
    fc.record({ key, t: fc.constant('boolean[]' as const), v: fc.array(fc.boolean()) }),
    fc.record({ key, t: fc.constantFrom('string[]' as const, 'strings' as const), v: fc.array(fc.option(text)) }),
    fc.record({ key, t: fc.constant('bytes' as const), v: bytes }),
    fc.record({ key, t: fc.constant('bundle' as const), v: tie('bundle') }),
    fc.record({ key, t: fc.constant('bundle[]' as const), v: fc.array(tie('bundle'), { maxLength: 3 }) }),
  ) as fc.Arbitrary<BundleEntry>,
  bundle: fc.uniqueArray(tie('entry'), { selector: (entry) => entry.key, maxLength: 6 }),
}));

function decodeText(source: string) {
  const parsed = parseJson(source);
  if (!parsed.ok) throw new Error(parsed.error.code);
  expect(parsed.value.duplicateKeys).toEqual([]);
  return decodeBundle(parsed.value.value);
}

/** A JSON object puts members whose names are array indices first; a Bundle has no order. */
function sorted(value: Bundle): Bundle {
  return value
    .map((entry) => {
      if (entry.t === 'bundle') return { ...entry, v: sorted(entry.v) };
      if (entry.t === 'bundle[]') return { ...entry, v: entry.v.map(sorted) };
      return entry;
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

test('every Bundle that can be sent reads back as it was', () => {
  fc.assert(
    fc.property(bundle, (value) => {
      const decoded = decodeText(encodeBundle(value));
      expect(decoded.ok && sorted(decoded.value)).toEqual(sorted(value));
    }),
  );
});

test('encodes the example of section 4', () => {
  const value: Bundle = [
    { key: 'consumer_versions', t: 'int[]', v: [2, 1] },
    { key: 'deadline_at_ms', t: 'long', v: '1790000000000' },
  ];
  expect(encodeBundle(value)).toBe(
    '{"consumer_versions":{"t":"int[]","v":[2,1]},"deadline_at_ms":{"t":"long","v":"1790000000000"}}',
  );
});

test('writes a lone surrogate as an escape, and keeps __proto__ and -0', () => {
  const value: Bundle = [
    { key: '__proto__', t: 'string', v: 'a\ud800' },
    { key: 'zero', t: 'double', v: -0 },
  ];
  const source = encodeBundle(value);
  expect(source).toBe('{"__proto__":{"t":"string","v":"a\\ud800"},"zero":{"t":"double","v":-0.0}}');
  expect(decodeText(source)).toEqual({ ok: true, value });
});

test.each<[string, Bundle]>([
  ['bundle-device-only', [{ key: 'k', t: 'text', v: 'x' }]],
  ['bundle-device-only', [{ key: 'k', t: 'masked', of: 'string', v: 3 }]],
  ['bundle-device-only', [{ key: 'k', t: 'fd', v: { handle: 'h', size: 1 } }]],
  ['bundle-repeated-key', [1, 2].map((v) => ({ key: 'k', t: 'int' as const, v }))],
  ['bundle-bad-value', [{ key: 'k', t: 'int', v: 2_147_483_648 }]],
  ['bundle-bad-value', [{ key: 'k', t: 'int', v: 0.5 }]],
  ['bundle-bad-value', [{ key: 'k', t: 'long', v: '9223372036854775808' }]],
  ['bundle-bad-value', [{ key: 'k', t: 'long', v: '01' }]],
  ['bundle-bad-value', [{ key: 'k', t: 'bytes', v: 'not base64' }]],
  ['bundle-bad-value', [{ key: 'k', t: 'double', v: Number.NaN }]],
])('refuses to send what the device could not take: %s', (code, value) => {
  expect(() => encodeBundle(value)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code }) }) as unknown as ProblemError,
  );
});

test('nests 32 deep and no deeper', () => {
  const nested = (depth: number): Bundle => (depth === 1 ? [] : [{ key: 'k', t: 'bundle', v: nested(depth - 1) }]);
  const decoded = decodeText(encodeBundle(nested(32)));
  expect(decoded).toEqual({ ok: true, value: nested(32) });
  expect(() => encodeBundle(nested(33))).toThrow(ProblemError);
});

test('reads what only a device can make', () => {
  const source = `{"r":{"t":"pendingIntent","v":{"handle":"h1","creatorPackage":null,"creatorUid":10051,"immutable":null,"kind":null}},
    "f":{"t":"fd","v":{"handle":"h2","size":-1}},
    "o":{"t":"opaque","v":{"class":"java.util.HashMap","text":"{}"}},
    "u":{"t":"unreadable","v":{"class":"android.os.BadParcelableException","error":"no class"}},
    "d":{"t":"double","v":1.0E10}}`;
  expect(decodeText(source)).toEqual({
    ok: true,
    value: [
      {
        key: 'r',
        t: 'pendingIntent',
        v: { handle: 'h1', creatorPackage: null, creatorUid: 10051, immutable: null, kind: null },
      },
      { key: 'f', t: 'fd', v: { handle: 'h2', size: -1 } },
      { key: 'o', t: 'opaque', v: { class: 'java.util.HashMap', text: '{}' } },
      { key: 'u', t: 'unreadable', v: { class: 'android.os.BadParcelableException', error: 'no class' } },
      { key: 'd', t: 'double', v: 1e10 },
    ],
  });
});

test.each([
  ['[]', ''],
  ['{"a":1}', 'a'],
  ['{"a":{"v":1}}', 'a'],
  ['{"a":{"t":"int","v":1.5}}', 'a'],
  ['{"a":{"t":"int","v":"1"}}', 'a'],
  ['{"a":{"t":"long","v":12345678901234567890}}', 'a'],
  ['{"a":{"t":"double","v":1e999}}', 'a'],
  ['{"a":{"t":"someday","v":1}}', 'a'],
  ['{"a":{"t":"bundle","v":{"b":{"t":"boolean","v":"true"}}}}', 'a/b'],
  ['{"a":{"t":"text","v":"x"}}', 'a'],
])('a Bundle that breaks the rules is a fault that names the place: %s', (source, path) => {
  const decoded = decodeText(source);
  expect(decoded.ok ? 'read' : decoded.error.path).toBe(path);
});

test('hostile JSON never throws', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (source) => {
      expect(typeof decodeText(source).ok).toBe('boolean');
    }),
  );
});
