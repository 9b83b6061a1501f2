import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

function readAll(reader: LineReader): string[] {
  const lines: string[] = [];
  for (let next = reader.next(); next !== null; next = reader.next()) {
    if (!next.ok) throw new Error(next.error.code);
    lines.push(next.value);
  }
  return lines;
}

test('lines come out as they went in, however the bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const reader = new LineReader();
      const read: string[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = cuts[i % cuts.length] ?? 1;
        reader.push(bytes.subarray(at, at + size));
        read.push(...readAll(reader));
        at += size;
      }
      expect(read).toEqual(lines);
      expect(reader.length).toBe(0);
    }),
  );
});

test('the line end counts: a line of the limit passes, one byte more does not', () => {
  const passes = new LineReader(8);
  passes.push(Buffer.from('1234567\n'));
  expect(passes.next()).toEqual({ ok: true, value: '1234567' });
  const fails = new LineReader(8);
  fails.push(Buffer.from('12345678\n'));
  expect(fails.next()).toEqual({ ok: false, error: { code: 'too-long', limit: 8 } });
});

test('a line without end is refused at the limit, not collected', () => {
  const reader = new LineReader(8);
  reader.push(Buffer.from('1234567'));
  expect(reader.next()).toBeNull();
  reader.push(Buffer.from('8'));
  expect(reader.next()).toEqual({ ok: false, error: { code: 'too-long', limit: 8 } });
});

test('bytes that are no UTF-8 are refused, and a byte order mark stays', () => {
  const bad = new LineReader();
  bad.push(Buffer.from([0x22, 0xc3, 0x28, 0x0a]));
  expect(bad.next()).toEqual({ ok: false, error: { code: 'not-utf8' } });
  const marked = new LineReader();
  marked.push(Buffer.from('\ufeff{}\n'));
  expect(marked.next()).toEqual({ ok: true, value: '\ufeff{}' });
});

test('plain bytes follow a line', () => {
  const reader = new LineReader();
  reader.push(Buffer.from('{}\nab\nc'));
  expect(reader.next()).toEqual({ ok: true, value: '{}' });
  expect(Buffer.from(reader.take(3) ?? []).toString()).toBe('ab\n');
  expect(reader.take(2)).toBeNull();
  reader.push(Buffer.from('d'));
  expect(Buffer.from(reader.take(2) ?? []).toString()).toBe('cd');
});
