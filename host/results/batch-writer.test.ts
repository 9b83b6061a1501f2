import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BatchWriter } from './batch-writer.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-batch-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  [[1, 2, 3]],
  [[1024 * 1024]],
  [[700_000, 700_000, 3_500_000, 1]],
  [Array.from({ length: 90 }, () => 131_071)],
])('pieces of %j bytes are the file in their order, though what they were given in is used again', async (sizes) => {
  const target = path.join(folder, 'file');
  const file = await open(target, 'wx');
  const writer = new BatchWriter(file);
  const sent: Buffer[] = [];
  for (const size of sizes) {
    const piece = randomBytes(size);
    sent.push(Buffer.from(piece));
    await writer.add(piece);
    piece.fill(0);
  }
  await writer.flush();
  await file.close();
  expect((await readFile(target)).equals(Buffer.concat(sent))).toBe(true);
});

test('what the disk refuses is thrown, at the latest when everything must be written', async () => {
  const file = await open(path.join(folder, 'file'), 'wx');
  const writer = new BatchWriter(file);
  await file.close();
  await writer.add(Buffer.alloc(10));
  await expect(writer.flush()).rejects.toMatchObject({ code: 'EBADF' });
});
