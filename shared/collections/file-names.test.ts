import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFiles, fileNameFor, isCallPath } from './file-names.ts';

test.each([
  ['quote.cetp.json', true],
  ['alerts/01 create.cetp.json', true],
  ['报价/查询.cetp.json', true],
  ['../quote.cetp.json', false],
  ['a/../../quote.cetp.json', false],
  ['/etc/quote.cetp.json', false],
  ['C:/quote.cetp.json', false],
  ['a\\b.cetp.json', false],
  ['.git/x.cetp.json', false],
  ['.cetp.json', false],
  ['a//b.cetp.json', false],
  ['quote.json', false],
  ['nul.cetp.json', false],
  ['a\u0000.cetp.json', false],
  ['a\u202e.cetp.json', false],
  ['environments/x.cetp.json', false],
  [`${'d/'.repeat(8)}x.cetp.json`, false],
])('%j may name a call: %s', (file, expected) => {
  expect(isCallPath(file)).toBe(expected);
});

test('any name gives a file name that may name a call', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(isCallPath(fileNameFor(name))).toBe(true);
    }),
  );
  expect(fileNameFor('Quote of ACME!')).toBe('quote-of-acme.cetp.json');
  expect(fileNameFor('查询 报价')).toBe('查询-报价.cetp.json');
  expect(fileNameFor('con')).toBe('call-con.cetp.json');
  expect(fileNameFor('…')).toBe('call.cetp.json');
});

test('the order is by name, numbers by value, and total', () => {
  const sorted = ['b.cetp.json', '10-x.cetp.json', '2-x.cetp.json', 'a/z.cetp.json', 'a.cetp.json'].sort(compareFiles);
  expect(sorted).toEqual(['2-x.cetp.json', '10-x.cetp.json', 'a/z.cetp.json', 'a.cetp.json', 'b.cetp.json']);
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(Math.sign(compareFiles(a, b)) + Math.sign(compareFiles(b, a))).toBe(0);
      expect(compareFiles(a, b) === 0).toBe(a === b);
    }),
  );
});
