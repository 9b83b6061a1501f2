import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CallRecord } from '../../shared/model/call.ts';
import { createFileWorld, type FileAnswer, fileOf } from './testing/file-world.ts';
import { target } from './testing/scripted.ts';

const MIB = 1024 * 1024;
/** How long a test may take, and a wait in it, in ms; nothing is measured by them. */
const TEST_MS = 180_000;
const PATIENCE = { timeout: 20_000 };

/** A file of so many MiB that nobody ever holds whole. */
function streamOf(mib: number): FileAnswer {
  const block = Buffer.alloc(MIB / 4, 'cetp large result ');
  const hash = createHash('sha256');
  for (let at = 0; at < mib * 4; at++) hash.update(block);
  return {
    declared: { media_type: 'application/json', size_bytes: mib * MIB, sha256: hash.digest('hex') },
    read: async function* () {
      for (let at = 0; at < mib * 4; at++) yield block;
    },
  };
}

const receivedOf = ({ outcome }: CallRecord) => (outcome?.kind === 'success' ? (outcome.file?.received ?? null) : null);

test('v2 4.5: a result of 1 GiB is verified while it streams, within 200 MB of memory above idle', {
  timeout: TEST_MS,
}, async () => {
  const world = await createFileWorld();
  try {
    expect(receivedOf(await world.run())?.state).toBe('verified');
    world.state.answer = streamOf(1024);
    const idle = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - idle);
    }, 20);
    const record = await world.run();
    clearInterval(watch);
    expect(receivedOf(record)).toMatchObject({ state: 'verified', bytes: 1024 * MIB });
    expect(record.outcome).toMatchObject({ outputVerdict: { state: 'not-checked', reason: 'file-too-large' } });
    expect((await stat(path.join(world.folder, `${record.id}.result`))).size).toBe(1024 * MIB);
    // The virtual phone and its adb server are in this process too.
    expect(most / 1e6).toBeLessThan(200);
    await expect.poll(() => world.state.closed, PATIENCE).toBe(world.state.opened);
  } finally {
    await world.close();
  }
});

test('unplugged in the middle of 256 MiB: a truthful record, nothing left open, and the next result comes', {
  timeout: TEST_MS,
}, async () => {
  const world = await createFileWorld();
  try {
    world.state.answer = streamOf(256);
    const running = world.run();
    await world.records((newest) => (receivedOf(newest)?.bytes ?? 0) > 16 * MIB);
    world.phone.unplug();
    const record = await running;
    const received = receivedOf(record);
    expect(received).toMatchObject({ state: 'cut', problem: { code: 'companion.read-cut' } });
    expect(received?.bytes).toBeGreaterThan(16 * MIB);
    expect(received?.bytes).toBeLessThan(256 * MIB);
    expect((await stat(path.join(world.folder, `${record.id}.result`))).size).toBe(received?.bytes);
    const events = world.journal.events(record.id);
    expect(events.map(({ kind }) => kind)).toEqual(['request', 'response', 'notice']);
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ resultFile: { received: { state: 'cut' } } });
    await expect.poll(() => world.state.closed, PATIENCE).toBe(world.state.opened);
    await expect.poll(() => world.phone.openSockets(), PATIENCE).toBe(0);
    world.phone.plugIn();
    await world.sessions.negotiate(target);
    world.state.answer = fileOf('{"ok":1}');
    expect(receivedOf(await world.run())?.state).toBe('verified');
    await expect.poll(() => world.phone.openSockets(), PATIENCE).toBe(1);
  } finally {
    await world.close();
  }
});
