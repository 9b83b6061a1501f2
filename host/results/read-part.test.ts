import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SearchStep } from '../../shared/model/result-file.ts';
import { SecretRegistry } from '../../shared/redaction/secret-registry.ts';
import { maskPart } from './mask-part.ts';
import { readPart } from './read-part.ts';
import { searchFile } from './search-file.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-part-'));
  file = path.join(folder, 'result');
});
afterEach(() => rm(folder, { recursive: true }));

const plain = (text: string) => ({ text, masked: 0 });
const never = new AbortController().signal;

async function search(text: string, more: { offset?: number; limit?: number; signal?: AbortSignal } = {}) {
  const { offset = 0, limit = 1_000, signal = never } = more;
  const steps: SearchStep[] = [];
  for await (const step of searchFile(file, { text, offset, limit }, signal)) steps.push(step);
  return { steps, hits: steps.flatMap((step) => (step.kind === 'hits' ? step.offsets : [])), end: steps.at(-1) };
}

test('parts of any length put together are the whole text, and none cuts a character', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 16, max: 40 }),
      async (text, length) => {
        await writeFile(file, text);
        let whole = '';
        for (let offset = 0; ; ) {
          const part = await readPart(file, { offset, length, as: 'text' }, plain);
          expect(part).toMatchObject({ offset, invalid: 0, totalBytes: Buffer.byteLength(text) });
          whole += part.text;
          if (part.nextOffset === part.totalBytes) break;
          expect(part.nextOffset).toBeGreaterThan(offset);
          offset = part.nextOffset;
        }
        expect(whole).toBe(text);
      },
    ),
    { numRuns: 60 },
  );
});

test('a place inside a character starts with the whole character', async () => {
  await writeFile(file, 'a🌱b'.repeat(4));
  const part = await readPart(file, { offset: 3, length: 16, as: 'text' }, plain);
  expect(part).toMatchObject({ offset: 1, text: '🌱ba🌱ba🌱ba', nextOffset: 19 });
});

test('bytes that are no UTF-8 are told, a U+FFFD of the file is not, and base64 has the very bytes', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82, 0x63, ...Buffer.from('\ufffd')]);
  await writeFile(file, bytes);
  const part = await readPart(file, { offset: 0, length: 64, as: 'text' }, plain);
  expect(part).toMatchObject({ text: 'a\ufffdb\ufffdc\ufffd', invalid: 2, totalBytes: bytes.length });
  const raw = await readPart(file, { offset: 1, length: 64, as: 'base64' }, plain);
  expect(Buffer.from(raw.base64 ?? '', 'base64').equals(bytes.subarray(1))).toBe(true);
});

test('behind the end there is nothing', async () => {
  await writeFile(file, 'abc');
  expect(await readPart(file, { offset: 99, length: 16, as: 'text' }, plain)).toMatchObject({
    text: '',
    nextOffset: 3,
  });
});

test('a known secret is masked, also where a part ends in its middle, and what was cut off shows nothing of it', async () => {
  const registry = new SecretRegistry();
  registry.add('tok-SECRET-0123456789', null);
  await writeFile(file, `${'x'.repeat(10)}tok-SECRET-0123456789${'y'.repeat(30)}`);
  const mask = maskPart(registry, null);
  for (let offset = 0; offset < 40; offset++) {
    const part = await readPart(file, { offset, length: 16, as: 'text' }, mask);
    expect(part.text?.replace(/⟦masked:\d+⟧/g, '')).toMatch(/^x*y*$/);
    expect(part.masked).toBe(offset < 31 ? 1 : 0);
  }
});

test('a search finds every place, also over the border of two chunks, and goes on where it was limited', async () => {
  const chunk = 1024 * 1024;
  const bytes = Buffer.alloc(3 * chunk, '.');
  const places = [0, 17, chunk - 3, 2 * chunk - 1, 3 * chunk - 6];
  for (const place of places) bytes.write('记录', place);
  await writeFile(file, bytes);
  expect(await search('记录')).toMatchObject({ hits: places, end: { kind: 'end', whole: true } });
  const first = await search('记录', { limit: 2 });
  expect(first).toMatchObject({ hits: [0, 17], end: { kind: 'end', whole: false, nextOffset: 23 } });
  expect((await search('记录', { offset: 23 })).hits).toEqual(places.slice(2));
  expect(await search('nothing')).toMatchObject({ hits: [], end: { whole: true } });
});

test('places do not overlap', async () => {
  await writeFile(file, 'aaaa');
  expect((await search('aa')).hits).toEqual([0, 2]);
});

test('a search that is left ends without saying that it was whole', async () => {
  await writeFile(file, Buffer.alloc(3 * 1024 * 1024));
  expect((await search('a', { signal: AbortSignal.abort() })).steps).toEqual([]);
});
