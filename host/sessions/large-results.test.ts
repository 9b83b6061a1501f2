import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { CallOutcome, CallRecord } from '../../shared/model/call.ts';
import { problem } from '../../shared/model/problem.ts';
import { createFileWorld, fileOf } from './testing/file-world.ts';
import { target } from './testing/scripted.ts';

/** How long a wait may take on a busy machine; nothing is measured by it. */
const PATIENCE = { timeout: 20_000 };

type World = Awaited<ReturnType<typeof createFileWorld>>;
const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function world(options: Parameters<typeof createFileWorld>[0] = {}): Promise<World> {
  const made = await createFileWorld(options);
  worlds.push(made);
  return made;
}

function success({ outcome }: { readonly outcome: CallOutcome | null }) {
  if (outcome?.kind !== 'success' || outcome.file === null) throw new Error(`no file: ${JSON.stringify(outcome)}`);
  return { ...outcome, file: outcome.file, received: outcome.file.received };
}

/** Every descriptor that came was closed, once, and no stream but the companion's own is open. */
async function nothingLeaks({ state, phone }: World): Promise<void> {
  await expect.poll(() => state.closed, PATIENCE).toBe(state.opened);
  await expect.poll(() => phone.openSockets(), PATIENCE).toBe(1);
}

const rules = ({ findings }: { readonly findings: readonly { rule: string }[] }) => findings.map(({ rule }) => rule);

/** Some bytes, then silence for ever. */
function silentAfter(first: string) {
  return async function* () {
    yield Buffer.from(first);
    await new Promise<never>(() => {});
  };
}

/** Some of the file has come, and the call is answered. */
const hasBytes = ({ outcome }: CallRecord) => outcome?.kind === 'success' && (outcome.file?.received?.bytes ?? 0) > 0;

test('v2 4.5: size, digest and output_schema are verified, the descriptor is closed, and the journal has it', async () => {
  const w = await world();
  const record = await w.run();
  const { received, outputVerdict, findings } = success(record);
  expect(received).toMatchObject({
    state: 'verified',
    bytes: 10,
    checks: { size: 'same', digest: 'same', mediaType: 'same' },
    problem: null,
  });
  expect(received?.sha256).toBe(success(record).file.sha256);
  expect(outputVerdict).toMatchObject({ state: 'valid' });
  expect(findings).toEqual([]);
  await nothingLeaks(w);
  const kinds = w.journal.events(record.id).map(({ kind }) => kind);
  expect(kinds).toEqual(['request', 'response', 'notice']);
  const notice = JSON.parse(w.journal.events(record.id).at(-1)?.data ?? '');
  expect(notice).toMatchObject({ resultFile: { received: { state: 'verified', bytes: 10 } } });
  const names = (await readdir(w.folder)).sort();
  expect(names).toEqual([`${record.id}.json`, `${record.id}.result`]);
  expect(await readFile(path.join(w.folder, `${record.id}.result`), 'utf8')).toBe('{"ok":1.0}');
  for (const name of names) expect((await stat(path.join(w.folder, name))).mode & 0o777).toBe(0o600);
});

test('v2 4.5: the schema is checked on the file, and breaking it does not unverify its bytes', async () => {
  const w = await world();
  w.state.answer = fileOf('{"other":1}');
  const { received, outputVerdict } = success(await w.run());
  expect(received?.state).toBe('verified');
  expect(outputVerdict).toMatchObject({ state: 'invalid', issues: [{ keyword: 'required' }] });
});

test.each([
  ['tampered', '{"ok":2}', { sha256: 'ab'.repeat(32) }, ['file-digest-differs']],
  ['short', '{"ok":2}', { size_bytes: 9 }, ['file-bytes-differ']],
  ['long', '{"ok":2}', { size_bytes: 7 }, ['file-bytes-differ']],
  ['no JSON', '{"ok":', {}, ['file-not-json']],
] as const)(
  'v2 4.5: a %s file is a mismatch with the exact numbers, and is kept',
  async (_name, text, over, expected) => {
    const w = await world();
    w.state.answer = fileOf(text, over);
    const record = await w.run();
    const outcome = success(record);
    expect(outcome.received).toMatchObject({ state: 'mismatch', bytes: text.length });
    expect(rules(outcome)).toEqual(expected);
    expect((await w.results.info(record.id))?.keptBytes).toBe(text.length);
    await nothingLeaks(w);
  },
);

test('a file of which no digest was declared is unverified, never verified', async () => {
  const w = await world();
  w.state.answer = fileOf('{"ok":1}', { sha256: undefined });
  expect(success(await w.run()).received).toMatchObject({ state: 'unverified', checks: { digest: 'not-declared' } });
});

test('v2 4.5: beyond the local limit reading stops, and says so', async () => {
  const w = await world({ maxFileBytes: 4 });
  const { received } = success(await w.run());
  expect(received).toMatchObject({ state: 'cut', bytes: 4, problem: { code: 'result-file-limit' } });
  await nothingLeaks(w);
});

test('the call is answered while its file comes, gives its place back, and a cancel stops the reading alone', async () => {
  const w = await world();
  const read = silentAfter('{"ok"');
  w.state.answer = { ...fileOf('{"ok":1}'), read };
  const running = w.run();
  const record = await w.records(hasBytes);
  expect(record).toMatchObject({
    endedAtMs: null,
    outcome: { kind: 'success', file: { received: { state: 'receiving' } } },
  });
  expect(record.durationMs).not.toBe(null);
  expect(w.sessions.cancel(record.id)).toBe(true);
  const ended = await running;
  expect(success(ended).received).toMatchObject({ state: 'cancelled', problem: { code: 'result-file-cancelled' } });
  expect(ended.endedAtMs).not.toBe(null);
  expect(w.sessions.cancel(record.id)).toBe(false);
  await nothingLeaks(w);
});

test('unplugged in the middle: the answer stands, the file says how far it came, and the next call works', async () => {
  const w = await world();
  const read = silentAfter('{"ok"');
  w.state.answer = { ...fileOf('{"ok":1}'), read };
  const running = w.run();
  await w.records(hasBytes);
  w.phone.unplug();
  const { received } = success(await running);
  expect(received).toMatchObject({ state: 'cut', bytes: 5, problem: { code: 'companion.read-cut' } });
  await expect.poll(() => w.phone.openSockets(), PATIENCE).toBe(0);
  await expect.poll(() => w.state.closed, PATIENCE).toBe(1);
  w.phone.plugIn();
  w.state.answer = fileOf('{"ok":3}');
  await w.sessions.negotiate(target);
  expect(success(await w.run()).received?.state).toBe('verified');
  await expect.poll(() => w.phone.openSockets(), PATIENCE).toBe(1);
});

test('a device that is known to be gone ends the reading with that reason', async () => {
  const w = await world();
  const read = silentAfter('{"ok"');
  w.state.answer = { ...fileOf('{"ok":1}'), read };
  const running = w.run();
  await w.records(hasBytes);
  w.sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 'X' }));
  expect(success(await running).received).toMatchObject({ problem: { code: 'device-gone' } });
});

test('a descriptor that fails on the device is told in its own words', async () => {
  const w = await world();
  w.state.answer = {
    ...fileOf('{"ok":1}'),
    // biome-ignore lint/correctness/useYield: a descriptor that cannot be read at all
    read: async function* () {
      throw new Error('EIO');
    },
  };
  const { received } = success(await w.run());
  expect(received).toMatchObject({ state: 'failed', bytes: 0, problem: { code: 'companion.provider-exception' } });
  await nothingLeaks(w);
});

test('v2 4.5: a file result of an operation is read the same way, once', async () => {
  const w = await world({ asOperation: true });
  const record = await w.run();
  expect(record.outcome).toMatchObject({ kind: 'accepted' });
  for await (const [operation] of w.sessions.watchOperations(AbortSignal.timeout(20_000))) {
    const outcome = operation?.outcome;
    if (outcome?.kind !== 'success' || outcome.file?.received?.state !== 'verified') continue;
    expect(outcome.outputVerdict.state).toBe('valid');
    expect(await w.results.info(record.id)).toMatchObject({ callId: record.id, keptBytes: 10 });
    await nothingLeaks(w);
    expect(w.state.opened).toBe(1);
    return;
  }
  throw new Error('the operation brought no verified file');
});

test('the end of the app ends a reading with a record, and after a restart what is kept is still shown', async () => {
  const w = await world();
  const read = silentAfter('{"ok"');
  w.state.answer = { ...fileOf('{"ok":1}'), read };
  const running = w.run();
  const record = await w.records(hasBytes);
  await w.results.close();
  expect(success(await running).received).toMatchObject({ problem: { code: 'host-closed' } });
  const again = w.reopened();
  const kept = await again.info(record.id);
  expect(kept?.file.received).toMatchObject({ state: 'cut', bytes: 5 });
});

test('a reading that the app did not end itself is shown as interrupted after the restart', async () => {
  const w = await world();
  const record: CallRecord = await w.run();
  const sidecar = path.join(w.folder, `${record.id}.json`);
  const entry = JSON.parse(await readFile(sidecar, 'utf8'));
  await writeFile(sidecar, JSON.stringify({ ...entry, endedAtMs: null }));
  expect((await w.reopened().info(record.id))?.file.received).toMatchObject({
    state: 'cut',
    bytes: 10,
    problem: { code: 'result-file-interrupted' },
    checks: { digest: 'not-checked' },
  });
});
