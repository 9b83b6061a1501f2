import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectIssues } from './issues.ts';
import { childPointer, isNumberToken, isPlainText, visibleToken } from './values.ts';

test('a number is a JSON number as it stands', () => {
  for (const text of ['0', '-0', '1.10', '9007199254740993', '1E400', '1e-7'])
    expect(isNumberToken(text), text).toBe(true);
  for (const text of ['', '-', '01', '1.', '.5', '+1', ' 1', '1 ', '0x1', '1,5', 'NaN', '１'])
    expect(isNumberToken(text), text).toBe(false);
});

test('what a text box would change or hide is shown as a token that means the same', () => {
  expect(isPlainText('two\nlines\tand é 😀')).toBe(true);
  for (const text of ['a\r\nb', '\u202e', '\u200b', '\ud800', '\u0000', '\ufeff']) {
    expect(isPlainText(text)).toBe(false);
    expect(isPlainText(visibleToken(text))).toBe(true);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(visibleToken(text))).toBe(text);
      expect(isPlainText(visibleToken(text))).toBe(true);
    }),
  );
});

test('issues are found at their place and counted below it', () => {
  const issues = collectIssues(
    ['', '/a', '/a/0', '/ab', '/a/0'].map((pointer, i) => ({ pointer, keyword: 'k', message: `m${i % 4}` })),
    false,
  );
  expect(issues.at.get('/a/0')).toEqual(['m2', 'm0']);
  expect([issues.below(''), issues.below('/a'), issues.below('/a/0'), issues.below('/x')]).toEqual([5, 3, 2, 0]);
  expect(childPointer('/a', 'b/~c')).toBe('/a/b~1~0c');
});
