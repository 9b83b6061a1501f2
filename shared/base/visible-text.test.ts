import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleSegments, visibleText } from './visible-text.ts';

test('bidi, control and invisible characters get a visible name', () => {
  expect(visibleText('pay\u202Eeno\u0007\u200B\u{E0041}')).toBe('pay⟦U+202E⟧eno⟦U+0007⟧⟦U+200B⟧⟦U+E0041⟧');
  expect(visibleText('\u001b[31mred')).toBe('⟦U+001B⟧[31mred');
  expect(visibleText('a\ud800b')).toBe('a⟦U+D800⟧b');
});

test('ordinary text of any script stays as it is', () => {
  for (const text of ['价格提醒', 'עברית', 'naïve – “quoted”', '👍🏽']) expect(visibleText(text)).toBe(text);
});

test('newlines stay only where asked', () => {
  expect(visibleText('a\nb\tc')).toBe('a⟦U+000A⟧b⟦U+0009⟧c');
  expect(visibleText('a\nb\r', { keepNewlines: true })).toBe('a\nb⟦U+000D⟧');
});

test('segments join to the visible text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(
        visibleSegments(text)
          .map((segment) => segment.text)
          .join(''),
      ).toBe(visibleText(text));
    }),
  );
});
