import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import type { HandleStream } from '../bridge/companion/handle-stream.ts';
import { discardFile, receiveFile, resultPath } from './receive-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-results-'));
});
afterEach(() => rm(folder, { recursive: true }));

function stream(chunks: () => Iterable<Uint8Array>): HandleStream & { closed: () => number } {
  let closed = 0;
  return {
    size: null,
    chunks: (async function* () {
      yield* chunks();
    })(),
    close: () => {
      closed++;
    },
    closed: () => closed,
  };
}

function receive(source: HandleStream, more: Partial<Parameters<typeof receiveFile>[1]> = {}) {
  return receiveFile(source, { folder, callId: randomUUID(), monotonic: () => performance.now(), ...more });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('every byte is in the file, digested, readable by its owner only, and the stream is closed', async () => {
  const parts = [Buffer.from('[1,'), Buffer.alloc(70_000, 32), Buffer.from('2]')];
  const source = stream(() => parts);
  const told: number[] = [];
  const received = await receive(source, { onProgress: ({ bytes }) => told.push(bytes) });
  const whole = Buffer.concat(parts);
  expect(received).toMatchObject({ bytes: whole.length, sha256: sha256(whole), stopped: null });
  expect((await readFile(received.path)).equals(whole)).toBe(true);
  expect((await stat(received.path)).mode & 0o777).toBe(0o600);
  expect(told.at(-1)).toBe(whole.length);
  expect(source.closed()).toBe(1);
});

test('an empty stream is an empty file', async () => {
  expect(await receive(stream(() => []))).toMatchObject({ bytes: 0, sha256: sha256(Buffer.alloc(0)), stopped: null });
});

test('a stream that fails keeps what came and says why', async () => {
  const cut = problem('companion.read-cut', { bytes: 3 });
  const source = stream(function* () {
    yield Buffer.from('abc');
    throw new ProblemError(cut);
  });
  const received = await receive(source);
  expect(received).toMatchObject({ bytes: 3, sha256: sha256(Buffer.from('abc')), stopped: cut });
  expect(await readFile(received.path, 'utf8')).toBe('abc');
  expect(source.closed()).toBe(1);
});

test('the local limit is exact: one byte more stops it, and no byte beyond it is written', async () => {
  const source = stream(() => [Buffer.from('abcde')]);
  const received = await receive(source, { maxBytes: 4 });
  expect(received).toMatchObject({ bytes: 4, stopped: { code: 'result-file-limit', params: { limit: 4 } } });
  expect(await readFile(received.path, 'utf8')).toBe('abcd');
  expect(source.closed()).toBe(1);
  expect(
    await receive(
      stream(() => [Buffer.from('abcd')]),
      { maxBytes: 4 },
    ),
  ).toMatchObject({ bytes: 4, stopped: null });
});

test('cancelled in the middle: stops at once, closes, and says how far it came', async () => {
  const abort = new AbortController();
  const source = stream(function* () {
    yield Buffer.from('abc');
    abort.abort();
    yield Buffer.from('def');
    throw new Error('read on after the cancel');
  });
  const received = await receive(source, { signal: abort.signal });
  expect(received).toMatchObject({ bytes: 6, stopped: { code: 'result-file-cancelled', params: { bytes: 6 } } });
  expect(source.closed()).toBe(1);
});

test('a result that is there already is never written over', async () => {
  const callId = randomUUID();
  const first = await receive(
    stream(() => [Buffer.from('first')]),
    { callId },
  );
  const source = stream(() => [Buffer.from('second')]);
  const second = await receive(source, { callId });
  expect(second).toMatchObject({ bytes: 0, stopped: { code: 'result-file-disk', params: { code: 'EEXIST' } } });
  expect(await readFile(first.path, 'utf8')).toBe('first');
  expect(source.closed()).toBe(1);
});

test('a disk that is full keeps no part of the file, so that the journal has room again', async () => {
  const full = async (target: string) => {
    const file = await open(target, 'wx');
    file.writev = () =>
      Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' }));
    return file;
  };
  const source = stream(() => [Buffer.alloc(3 * 1024 * 1024)]);
  const received = await receive(source, { openFile: full });
  expect(received.stopped).toMatchObject({ code: 'result-file-disk', params: { code: 'ENOSPC' } });
  expect(await readdir(folder)).toEqual([]);
  expect(source.closed()).toBe(1);
});

test.each(['../secret', '', 'a/b', 'CON', `${randomUUID()}/..`])('%j names no file', async (callId) => {
  expect(resultPath(folder, callId)).toBeNull();
  expect(await discardFile(folder, callId)).toBe(false);
  const source = stream(() => [Buffer.from('x')]);
  await expect(receive(source, { callId })).rejects.toThrow('Not the id of a call');
  expect(source.closed()).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('a discarded result is gone, and discarding it again is no error', async () => {
  const callId = randomUUID();
  await receive(
    stream(() => [Buffer.from('x')]),
    { callId },
  );
  expect(await discardFile(folder, callId)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
  expect(await discardFile(folder, callId)).toBe(true);
});

test('256 MiB pass through without being held', async () => {
  const chunk = Buffer.alloc(64 * 1024, 120);
  const count = 4_096;
  let peak = 0;
  const before = process.memoryUsage().rss;
  const source = stream(function* () {
    for (let i = 0; i < count; i++) {
      if (i % 64 === 0) peak = Math.max(peak, process.memoryUsage().rss);
      yield chunk;
    }
  });
  const received = await receive(source);
  expect(received).toMatchObject({ bytes: count * chunk.length, stopped: null });
  expect(peak - before).toBeLessThan(128 * 1024 * 1024);
}, 60_000);
