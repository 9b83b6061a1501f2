import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createCompanionBridge } from '../bridge/companion/companion-bridge.ts';
import { createCompanionManager } from '../bridge/companion/companion-manager.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../bridge/testing/virtual-phone.ts';
import { checkFile } from '../validation/check-file.ts';
import { SchemaCompiler } from '../validation/compile.ts';
import { OVERRUN_BYTES, type ReceiveOptions } from './receive-file.ts';
import { receivedOf } from './result-state.ts';
import { takeResult } from './take-result.ts';

/** How long a wait may take on a busy machine; nothing is measured by it. */
const PATIENCE = { timeout: 20_000 };

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A file result on a virtual phone behind the embedded adb server, and everything of ours that takes it. */
async function resultOf(read: () => AsyncGenerator<Uint8Array>) {
  let closed = 0;
  const close = () => {
    closed++;
  };
  const objects = { result_fd: { t: 'fd' as const, size: -1, read, close } };
  const phone = await startVirtualPhone({ packages: [gardenPackage(() => bundle([], { objects })).spec] });
  closers.push(() => phone.close());
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: () => null, foreignLooksMs: [0, 50] });
  closers.push(() => manager.close());
  await manager.discover('cetp');
  const bridge = createCompanionBridge(manager);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-take-'));
  closers.push(() => rm(folder, { recursive: true }));
  const answer = await bridge.call(
    bridge.encode(GARDEN_AUTHORITY, 'execute_tool', null, null),
    5_000,
    new AbortController().signal,
  );
  const entry = answer.kind === 'answer' ? answer.bundle?.[0] : undefined;
  if (entry?.t !== 'fd') throw new Error('no fd came');
  const { handle } = entry.v;
  const take = (declaredText: string, more: Partial<ReceiveOptions> = {}, from = handle) =>
    takeResult(
      bridge,
      from,
      {
        mediaType: 'application/json',
        sizeBytes: String(Buffer.byteLength(declaredText)),
        sha256: createHash('sha256').update(declaredText).digest('hex'),
      },
      { folder, callId: randomUUID(), monotonic: () => performance.now(), ...more },
      { outputSchema: null, dialect: null, checkFile: async (input) => checkFile(new SchemaCompiler(), input) },
    );
  return { phone, bridge, handle, take, closed: () => closed };
}

const text = (value: string) =>
  async function* () {
    yield Buffer.from(value);
  };

async function* silentAfterTwoBytes() {
  yield Buffer.from('[1');
  await new Promise(() => {});
}

/** A clock on which every look is a second later, so that every chunk is told as progress. */
function seconds() {
  let now = 0;
  return () => (now += 1_000);
}

test('v2 4.5: a good file is verified, its descriptor closed once, and no socket stays', async () => {
  const { take, closed, phone } = await resultOf(text('[1.0]'));
  const taken = await take('[1.0]');
  if (taken.kind !== 'file') throw new Error(taken.problem.code);
  expect(taken).toMatchObject({ file: { bytes: 5, stopped: null }, verdict: { verified: true, findings: [] } });
  expect(await readFile(taken.file.path, 'utf8')).toBe('[1.0]');
  await expect.poll(closed, PATIENCE).toBe(1);
  await expect.poll(() => phone.openSockets(), PATIENCE).toBe(1);
});

test('v2 4.5: a tampered file is kept and not verified', async () => {
  const { take, closed } = await resultOf(text('[2.0]'));
  const taken = await take('[1.0]');
  if (taken.kind !== 'file') throw new Error(taken.problem.code);
  expect(taken.verdict).toMatchObject({ verified: false, findings: [{ rule: 'file-digest-differs' }] });
  expect(await readFile(taken.file.path, 'utf8')).toBe('[2.0]');
  await expect.poll(closed, PATIENCE).toBe(1);
});

test('a device that fails in the middle leaves what came, unverified, with its own words', async () => {
  const { take, closed } = await resultOf(async function* () {
    yield Buffer.from('[1');
    throw new Error('EIO');
  });
  const taken = await take('[1.0]');
  expect(taken).toMatchObject({
    kind: 'file',
    file: { bytes: 2, stopped: { code: 'companion.provider-exception' } },
    verdict: { verified: false, outputVerdict: { reason: 'file-not-whole' } },
  });
  await expect.poll(closed, PATIENCE).toBe(1);
});

test('beyond the local limit the descriptor is closed and the rest is not read', async () => {
  const { take, closed, phone } = await resultOf(async function* () {
    for (;;) yield Buffer.alloc(64 * 1024);
  });
  const taken = await take('[1.0]', { maxBytes: 100_000 });
  expect(taken).toMatchObject({ file: { bytes: 100_000, stopped: { code: 'result-file-limit' } } });
  await expect.poll(closed, PATIENCE).toBe(1);
  await expect.poll(() => phone.openSockets(), PATIENCE).toBe(1);
});

test('v2 4.5: a descriptor that goes on beyond size_bytes is read a little further, closed, and told as longer', async () => {
  const { take, closed, phone } = await resultOf(async function* () {
    for (;;) yield Buffer.alloc(64 * 1024);
  });
  const taken = await take('[1.0]');
  const bytes = 5 + OVERRUN_BYTES;
  expect(taken).toMatchObject({
    file: { bytes, stopped: { code: 'result-file-overrun', params: { declared: 5 } } },
    verdict: {
      verified: false,
      checks: { size: 'differs', digest: 'not-checked' },
      findings: [{ rule: 'file-overrun', severity: 'must', params: { declared: '5', bytes } }],
    },
  });
  expect(receivedOf(taken)).toMatchObject({ state: 'mismatch', bytes });
  await expect.poll(closed).toBe(1);
  await expect.poll(() => phone.openSockets()).toBe(1);
});

test('cancelled while the device is silent: ends at once, and its descriptor with it', async () => {
  const abort = new AbortController();
  const { take, closed, phone } = await resultOf(silentAfterTwoBytes);
  const taken = await take('[1.0]', { signal: abort.signal, monotonic: seconds(), onProgress: () => abort.abort() });
  expect(taken).toMatchObject({
    file: { bytes: 2, stopped: { code: 'result-file-cancelled' } },
    verdict: { verified: false },
  });
  await expect.poll(() => phone.openSockets(), PATIENCE).toBe(1);
  await expect.poll(closed, PATIENCE).toBe(1);
});

test('cancelled before it began: nothing is read, and the handle is released', async () => {
  const { take, closed } = await resultOf(text('[1.0]'));
  const taken = await take('[1.0]', { signal: AbortSignal.abort() });
  expect(taken).toMatchObject({ kind: 'unopened', problem: { code: 'result-file-cancelled' } });
  await expect.poll(closed, PATIENCE).toBe(1);
});

test('a handle that nobody knows is told as the device told it', async () => {
  const { take } = await resultOf(text('[1.0]'));
  expect(await take('[1.0]', {}, 'unknown')).toMatchObject({
    kind: 'unopened',
    problem: { code: 'companion.stale-handle' },
  });
});

test('unplugged in the middle: what came is kept and never looks whole', async () => {
  const { take, closed, phone } = await resultOf(silentAfterTwoBytes);
  expect(await take('[1.0]', { monotonic: seconds(), onProgress: () => phone.unplug() })).toMatchObject({
    kind: 'file',
    file: { bytes: 2, stopped: { code: 'companion.read-cut' } },
    verdict: { verified: false },
  });
  await expect.poll(closed, PATIENCE).toBe(1);
});
