import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import { decodeBundle, encodeBundle } from './bundle-codec.ts';
import { ProtocolError } from './protocol-error.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('__proto__', 'constructor', '', '\ud800', '\u202e', '\u0000'),
);
const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('NaN' as const, 'Infinity' as const, '-Infinity' as const),
);
const base64 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'));

const { bundle } = fc.letrec<{ bundle: Bundle; entry: BundleEntry }>((tie) => ({
  bundle: fc.uniqueArray(tie('entry'), { selector: (entry) => entry.key, maxLength: 6 }),
  entry: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ key: text, t: fc.constant('string' as const), v: text }),
    fc.record({ key: text, t: fc.constant('int' as const), v: int }),
    fc.record({ key: text, t: fc.constant('long' as const), v: long }),
    fc.record({ key: text, t: fc.constant('boolean' as const), v: fc.boolean() }),
    fc.record({ key: text, t: fc.constantFrom('float' as const, 'double' as const), v: double }),
    fc.record({ key: text, t: fc.constant('null' as const) }),
    fc.record({ key: text, t: fc.constant('int[]' as const), v: fc.array(int) }),
    fc.record({ key: text, t: fc.constant('long[]' as const), v: fc.array(long) }),
    fc.record({ key: text, t: fc.constant('boolean[]' as const), v: fc.array(fc.boolean()) }),
    fc.record({ key: text, t: fc.constant('double[]' as const), v: fc.array(double) }),
    fc.record({
      key: text,
      t: fc.constantFrom('string[]' as const, 'strings' as const),
      v: fc.array(fc.option(text)),
    }),
    fc.record({ key: text, t: fc.constant('bytes' as const), v: base64 }),
    fc.record({ key: text, t: fc.constant('bundle' as const), v: tie('bundle') }),
    fc.record({ key: text, t: fc.constant('bundle[]' as const), v: fc.array(tie('bundle'), { maxLength: 3 }) }),
  ) as fc.Arbitrary<BundleEntry>,
}));

/** Order carries nothing, and integer-like keys come first in a parsed object. */
function sorted(entries: Bundle): Bundle {
  return [...entries]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((entry): BundleEntry => {
      if (entry.t === 'bundle') return { ...entry, v: sorted(entry.v) };
      if (entry.t === 'bundle[]') return { ...entry, v: entry.v.map(sorted) };
      return entry;
    });
}

describe('Bundle codec', () => {
  it('keeps every value through print and parse, down to the sign of zero', () => {
    fc.assert(
      fc.property(bundle, (entries) => {
        const again = decodeBundle(JSON.parse(encodeBundle(entries)));
        expect(sorted(again)).toEqual(sorted(entries));
      }),
      { numRuns: 300 },
    );
  });

  it('prints the sign of a negative zero', () => {
    expect(encodeBundle([{ key: 'z', t: 'double', v: -0 }])).toBe('{"z":{"t":"double","v":-0.0}}');
  });

  it('prints a lone surrogate as an escape, so that the line stays valid UTF-8', () => {
    expect(encodeBundle([{ key: 's', t: 'string', v: '\ud83d' }])).toBe('{"s":{"t":"string","v":"\\ud83d"}}');
  });

  it('prints a repeated key once, with its last value', () => {
    const entries: Bundle = [
      { key: 'k', t: 'int', v: 1 },
      { key: 'k', t: 'int', v: 2 },
    ];
    expect(encodeBundle(entries)).toBe('{"k":{"t":"int","v":2}}');
  });

  it('cuts the text of an opaque value to 256 characters', () => {
    const printed = encodeBundle([{ key: 'o', t: 'opaque', v: { class: 'C', text: 'x'.repeat(300) } }]);
    expect(printed).toBe(`{"o":{"t":"opaque","v":{"class":"C","text":"${'x'.repeat(256)}"}}}`);
  });

  it('reads any JSON value or refuses it as BAD_PARAMS, nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          decodeBundle(value);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
          expect((error as ProtocolError).code).toBe('BAD_PARAMS');
        }
      }),
    );
  });

  it('says where the fault is', () => {
    expect(() => decodeBundle({ a: { t: 'bundle', v: { b: { t: 'int[]', v: [1, 'x'] } } } })).toThrow('extras.a.b[1]');
  });
});
