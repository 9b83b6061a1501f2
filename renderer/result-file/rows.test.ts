import { expect, test } from 'vitest';
import { rowAt, splitRows } from './rows.ts';

test('each row knows its bytes, a long line goes on in the next row, and no character is cut', () => {
  const rows = splitRows('ab\n记录🌱x\n\nend', 100, 3);
  expect(rows).toEqual([
    { offset: 100, text: 'ab', startsLine: true },
    { offset: 103, text: '记录', startsLine: true },
    { offset: 109, text: '🌱x', startsLine: false },
    { offset: 115, text: '', startsLine: true },
    { offset: 116, text: 'end', startsLine: true },
  ]);
  expect(new TextEncoder().encode('ab\n记录🌱x\n\n').length).toBe(16);
});

test('a line end at the end of a part starts no row of its own', () => {
  expect(splitRows('a\nb\n', 0, 80).map(({ text }) => text)).toEqual(['a', 'b']);
  expect(splitRows('', 5, 80)).toEqual([{ offset: 5, text: '', startsLine: true }]);
});

test('the row of an offset is the last one that starts at or before it', () => {
  const rows = splitRows('aaaa\nbbbb\ncccc', 50, 80);
  expect([49, 50, 54, 55, 59, 60, 999].map((offset) => rowAt(rows, offset))).toEqual([0, 0, 0, 1, 1, 2, 2]);
});
