import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInvisible, type SafeSegment, segmentText } from './safe-segments.ts';

const seen = (segments: readonly SafeSegment[]) =>
  segments
    .map((part) => (part.kind === 'text' ? part.text : `[${part.label}${part.count > 1 ? `×${part.count}` : ''}]`))
    .join('');

test('shows bidi, control and escape characters by code point', () => {
  const { segments } = segmentText('a\u202Eb\u0000\u0000\u001b[31m', 100, false);
  expect(seen(segments)).toBe('a[U+202E]b[U+0000×2][U+001B][31m');
});

test('keeps line feeds only where lines are wanted', () => {
  expect(seen(segmentText('a\nb', 10, true).segments)).toBe('a\nb');
  expect(seen(segmentText('a\nb', 10, false).segments)).toBe('a[U+000A]b');
});

test('keeps the joiner of an emoji and of Persian, shows it between Latin letters', () => {
  expect(seen(segmentText('👩\u200d💻', 100, false).segments)).toBe('👩\u200d💻');
  expect(seen(segmentText('می\u200cخواهم', 100, false).segments)).toBe('می\u200cخواهم');
  expect(seen(segmentText('pay\u200dpal', 100, false).segments)).toBe('pay[U+200D]pal');
});

test('cuts a pile of combining marks and shows a lone surrogate', () => {
  expect(seen(segmentText(`e${'\u0301'.repeat(9)}`, 100, false).segments)).toBe(`e${'\u0301'.repeat(6)}[U+0301×3]`);
  expect(seen(segmentText('x\ud800y', 100, false).segments)).toBe('x[U+D800]y');
});

test('a limit never splits a pair, and says how much it covers', () => {
  expect(segmentText('😀😀', 1, false)).toEqual({ segments: [{ kind: 'text', text: '😀' }], shown: 2 });
});

test('no text segment of one line holds an invisible character, and none is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { segments, shown } = segmentText(text, text.length, false);
      expect(shown).toBe(text.length);
      let points = 0;
      for (const part of segments) {
        if (part.kind === 'code') points += part.count;
        else {
          for (const char of part.text) {
            const code = char.codePointAt(0) ?? 0;
            expect(isInvisible(code) && code !== 0x200c && code !== 0x200d).toBe(false);
            points++;
          }
        }
      }
      expect(points).toBe([...text].length);
    }),
  );
});
