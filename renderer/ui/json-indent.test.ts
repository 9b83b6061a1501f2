import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from './json-indent.ts';

test('indents as JSON.stringify does, and means the same for any value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(indentJson(text))).toEqual(JSON.parse(text));
      expect(indentJson(indentJson(text))).toBe(indentJson(text));
    }),
  );
  const value = { a: [1, { b: 'x,{"' }], c: {}, d: [] };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('keeps every digit, every repeated member and their order', () => {
  expect(indentJson('{"2":9007199254740993.10,"1":0,"1":1}')).toBe(
    '{\n  "2": 9007199254740993.10,\n  "1": 0,\n  "1": 1\n}',
  );
});
