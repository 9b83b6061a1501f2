import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import {
  cutText,
  headOf,
  isJsonObject,
  member,
  numberOf,
  parseJson,
  printJson,
  toPlainJson,
  utf8Length,
} from './json.ts';
import { indentJsonText, itemTexts, memberText } from './json-text.ts';

function parsed(text: string) {
  const result = parseJson(text);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe('parseJson', () => {
  test('agrees with JSON.parse on every valid document', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, 4), (text, indent) => {
        const plain = JSON.parse(text);
        expect(toPlainJson(parsed(JSON.stringify(plain, undefined, indent)).value)).toEqual(plain);
      }),
    );
  });

  test('accepts and refuses exactly what JSON.parse does', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\u00e9',
      '\\x',
      '0',
      '01',
      '-',
      '1.',
      '1e5',
      'true',
      'nul',
      ' ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, '\n', '\u00a0', '"\\"', 'null'), { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(parseJson(text).ok).toBe(valid);
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps every digit of every number', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,4})?$/);
    fc.assert(
      fc.property(digits, (source) => {
        expect(printJson(parsed(`[${source}]`).value)).toBe(`[${source}]`);
      }),
    );
    expect(parsed('9007199254740993').value).toEqual(new LosslessNumber('9007199254740993'));
    expect(parsed('7').value).toBe(7);
  });

  test('reports a repeated member, equal or not, and the last one wins', () => {
    const { value, duplicateKeys, duplicates } = parsed('{"a":1,"b":[{"x/y":2,"x/y":2}],"a":3}');
    expect(duplicateKeys).toEqual(['x/y', 'a']);
    expect(duplicates.map((d) => d.pointer)).toEqual(['/b/0/x~1y', '/a']);
    expect(toPlainJson(value)).toEqual({ a: 3, b: [{ 'x/y': 2 }] });
  });

  test('keeps __proto__ and constructor as plain own members', () => {
    const { value } = parsed('{"__proto__":{"polluted":true},"constructor":1}');
    if (!isJsonObject(value)) throw new Error('no object');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(member(value, '__proto__')).toEqual({ polluted: true });
    expect(member(value, 'toString')).toBeUndefined();
    expect(printJson(value)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.keys(toPlainJson(value) as object)).toEqual(['__proto__', 'constructor']);
  });

  test('bounds length and depth before it recurses', () => {
    expect(parseJson('['.repeat(500_000))).toEqual({ ok: false, error: { code: 'too-deep', limit: 200 } });
    expect(parseJson('"[[["', { maxLength: 10, maxDepth: 1 }).ok).toBe(true);
    expect(parseJson('[1,2,3]', { maxLength: 5, maxDepth: 9 })).toEqual({
      ok: false,
      error: { code: 'too-long', limit: 5, length: 7 },
    });
  });

  test('says where the text is wrong', () => {
    expect(parseJson('{"a":1,}')).toEqual({
      ok: false,
      error: { code: 'syntax', message: 'expected a quoted member name at offset 7' },
    });
  });
});

describe('JSON as text', () => {
  test('memberText cuts the source of the last member of a name', () => {
    expect(memberText('{"value":1,"value": {"n": 1.50, "s":"\\u00e9"} }', 'value')).toBe('{"n": 1.50, "s":"\\u00e9"}');
    expect(memberText('{"\\u0076alue":9007199254740993}', 'value')).toBe('9007199254740993');
    expect(memberText('{"x":{"value":1}}', 'value')).toBeNull();
    expect(memberText('["value"]', 'value')).toBeNull();
  });

  test('memberText and itemTexts find what the parser finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(0, 2),
        (object, indent) => {
          const text = JSON.stringify(object, undefined, indent);
          for (const key of Object.keys(object)) {
            const found = memberText(text, key);
            expect(JSON.stringify(JSON.parse(found ?? ''))).toBe(JSON.stringify(object[key]));
          }
        },
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), fc.constantFrom(0, 2), (array, indent) => {
        const items = itemTexts(JSON.stringify(array, undefined, indent)) ?? [];
        expect(items.map((item) => JSON.stringify(JSON.parse(item)))).toEqual(
          array.map((item) => JSON.stringify(item)),
        );
      }),
    );
  });

  test('indentJsonText changes nothing but space', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const plain = JSON.parse(text);
        expect(indentJsonText(JSON.stringify(plain))).toBe(JSON.stringify(plain, undefined, 2));
      }),
    );
    expect(indentJsonText('{"2":1.0,"1":{},"2":[ ]}')).toBe('{\n  "2": 1.0,\n  "1": {},\n  "2": []\n}');
  });
});

test('utf8Length counts as an encoder does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
  expect(utf8Length('\ud800')).toBe(3);
});

test('cutText never splits a surrogate pair', () => {
  expect(cutText('ab😀', 3)).toBe('ab…');
  expect(cutText('ab😀', 4)).toBe('ab😀');
});

test('headOf is the text itself, unmarked', () => {
  expect(headOf('ab😀', 3)).toBe('ab');
  expect(headOf('abc', 3)).toBe('abc');
});

test('numberOf keeps out what is no finite number', () => {
  const value = (text: string) => numberOf(parsed(text).value);
  expect([value('2.0'), value('1e400'), value('"2"'), value('null'), value('-7')]).toEqual([2, null, null, null, -7]);
});
