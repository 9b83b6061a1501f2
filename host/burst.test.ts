import { createRouterClient } from '@orpc/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { HostClient } from '../shared/contract/client.ts';
import type { CallRecord } from '../shared/model/call.ts';
import type { RequestQueue } from '../shared/model/queue.ts';
import { createHost } from './host.ts';
import { serveAdbServer } from './simulator/adb-server/serve-adb-server.ts';
import { createVirtualAndroid } from './simulator/android/virtual-android.ts';
import { createErrorLab, ERROR_LAB_PACKAGE, errorLabPackage } from './simulator/provider-kit/error-lab.ts';
import { notesPackage } from './simulator/provider-kit/notes-weather.ts';
import { createDeviceServices } from './simulator/userland/services.ts';

/** 200 calls at once, and the worst in their middle: whole engine, embedded adb server, virtual device. */

const BURST = 200;
const SERIAL = 'BURST34';
const OF = {
  deviceKey: `local/${SERIAL}`,
  userId: null,
  providerKey: `${ERROR_LAB_PACKAGE}/${ERROR_LAB_PACKAGE}.cetp.ToolProviderService`,
};
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function first<T>(stream: Promise<AsyncIterable<T>>, fits: (value: T) => boolean): Promise<T> {
  for await (const value of await stream) if (fits(value)) return value;
  throw new Error('The stream ended.');
}

async function setUp() {
  const lab = createErrorLab();
  const hold = { on: false, held: Promise.withResolvers<void>(), inside: 0, four: Promise.withResolvers<void>() };
  // Executions stay with the Provider while they are held.
  const app: typeof lab = Object.create(lab, {
    call: {
      value: async (...args: Parameters<typeof lab.call>) => {
        if (args[1] === 'execute_tool' && hold.on) {
          if (++hold.inside === 4) hold.four.resolve();
          await hold.held.promise;
        }
        return lab.call(...args);
      },
    },
  });
  const android = createVirtualAndroid({ sdk: 34, packages: [notesPackage(), errorLabPackage(app)] });
  const server = await serveAdbServer({ host: '127.0.0.1' });
  const plug = () =>
    server.setDevices([{ services: createDeviceServices(android, { serial: SERIAL }), state: 'device' }]);
  plug();
  const host = await createHost({
    journalFile: ':memory:',
    assetsRoot: null,
    version: '0',
    demo: false,
    env: {},
    adb: { host: '127.0.0.1', port: server.port },
  });
  closers.push(
    () => server.close(),
    () => host.close(),
  );
  const client: HostClient = createRouterClient(host.router, { context: {} });
  await ready(client);
  return { android, server, plug, client, hold };
}

/** The device is there and its Provider can be called; the list is read. */
async function ready(client: HostClient): Promise<void> {
  await first(client.devices.watch(), ({ devices }) =>
    devices.some(({ key, state, sdk }) => key === OF.deviceKey && state === 'device' && sdk !== null),
  );
  await first(
    client.providers.watch(OF),
    ({ state, providers, origin }) =>
      state === 'ready' && origin === 'companion' && providers.some(({ key }) => key === OF.providerKey),
  );
  await vi.waitFor(async () => expect((await client.catalog.get({ ...OF, refresh: true })).problem).toBe(null), {
    timeout: 20_000,
  });
}

async function prepare(client: HostClient, timeoutMs = 60_000) {
  return client.calls.prepare({ ...OF, tool: 'slow', argsText: '{"ms":0}', timeoutMs, requestId: null });
}

/** Starts the burst and waits until some are with the Provider and the others in the queue. */
async function burst({ client, hold }: Awaited<ReturnType<typeof setUp>>): Promise<Promise<CallRecord>[]> {
  const prepared = [];
  for (let i = 0; i < BURST; i++) prepared.push(await prepare(client));
  hold.on = true;
  const runs = prepared.map(({ id }) => client.calls.run({ preparedId: id, confirmed: true, force: false }));
  await hold.four.promise;
  return runs;
}

function release({ hold }: Awaited<ReturnType<typeof setUp>>): void {
  hold.on = false;
  hold.held.resolve();
}

/** Every record has its end, the list says the same as the answers, and the journal has no open end. */
async function expectTruthful(client: HostClient, records: readonly CallRecord[]): Promise<Record<string, number>> {
  const shown = await first(client.calls.watch(OF), () => true);
  const tally: Record<string, number> = {};
  for (const record of records) {
    expect(record.endedAtMs, record.id).not.toBe(null);
    expect(shown.find(({ id }) => id === record.id)?.outcome, record.id).toEqual(record.outcome);
    const { outcome, sentAtMs } = record;
    const key = `${outcome?.kind} ${sentAtMs === null ? 'unsent' : 'sent'}`;
    tally[key] = (tally[key] ?? 0) + 1;
    // What left without an answer says so, and what did not leave never does.
    const doubt = outcome?.findings.some(({ rule }) => rule === 'outcome-unknown' || rule === 'effect-unknown');
    expect(doubt, key).toBe(outcome?.kind === 'transport-failure' && sentAtMs !== null);
  }
  const { rows } = await client.history.list({ search: 'execute_tool', beforeSeq: null, limit: 500 });
  expect(rows.filter(({ state }) => state === 'open')).toEqual([]);
  expect(rows).toHaveLength(records.length);
  return tally;
}

const idle: RequestQueue = { limit: 4, running: 0, unknown: 0, waiting: [] };
const queue = (client: HostClient) => first(client.calls.queue(OF), () => true);
const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

async function expectWorks(client: HostClient): Promise<void> {
  const { id } = await prepare(client);
  const { outcome } = await client.calls.run({ preparedId: id, confirmed: true, force: false });
  expect(outcome?.kind).toBe('success');
}

test('v2 6: the cable is pulled in a burst of 200 calls: each ends truthfully, and it works when the device is back', async () => {
  const world = await setUp();
  const { client, server, plug } = world;
  const runs = await burst(world);
  server.setDevices([]);
  const records = await Promise.all(runs);
  const tally = await expectTruthful(client, records);
  expect(tally).toEqual({ 'transport-failure sent': 4, 'transport-failure unsent': BURST - 4 });
  expect(await queue(client)).toEqual(idle);
  expect((await first(client.sessions.watch(OF), () => true))?.state).toBe('ended');
  // What was open towards the device is closed; the watch of the server itself stays.
  await vi.waitFor(() => expect(sockets()).toBeLessThanOrEqual(2), { timeout: 10_000 });
  release(world);
  plug();
  await ready(client);
  await expectWorks(client);
});

test('the companion is killed in a burst of 200 calls: what was with it keeps its place in sight, until a new session', async () => {
  const world = await setUp();
  const { client, android } = world;
  const runs = await burst(world);
  android.companion()?.crash();
  // The Provider does not know that its caller died: it may still be at work on the four.
  const doubt = await first(client.calls.queue(OF), ({ unknown }) => unknown === 4);
  expect(doubt).toMatchObject({ limit: 4, running: 0 });
  expect(doubt.waiting).toHaveLength(BURST - 4);
  release(world);
  expect((await client.sessions.negotiate(OF)).state).toBe('open');
  const records = await Promise.all(runs);
  const tally = await expectTruthful(client, records);
  expect(tally).toEqual({ 'transport-failure sent': 4, 'refused unsent': BURST - 4 });
  expect(new Set(records.map(({ outcome }) => outcome?.kind === 'refused' && outcome.problem.code))).toEqual(
    new Set([false, 'prepared-stale']),
  );
  // The new session brings a read of the list (v2 3.3); this joins it.
  await client.catalog.get({ ...OF, refresh: false });
  expect(await queue(client)).toEqual(idle);
  await expectWorks(client);
});

test('the Provider crashes in a burst of 200 calls: those that were with it say so, and no place is lost', async () => {
  const world = await setUp();
  const { client, android } = world;
  const runs = await burst(world);
  android.kill(ERROR_LAB_PACKAGE);
  release(world);
  const records = await Promise.all(runs);
  const tally = await expectTruthful(client, records);
  // A Provider that lost its sessions says so to those that come next (v2 2.2); nothing more is sent in that session.
  expect(tally['transport-failure sent']).toBe(4);
  const rest = records.filter(({ outcome }) => outcome?.kind !== 'transport-failure').map(({ outcome }) => outcome);
  for (const outcome of rest) {
    if (outcome?.kind === 'provider-error') expect(outcome.errorCode).toBe('NEGOTIATION_REQUIRED');
    else expect(outcome).toMatchObject({ kind: 'refused', problem: { code: 'session-ended' } });
  }
  const lost = records.filter(({ outcome }) => outcome?.kind === 'transport-failure');
  expect(lost.every(({ retry }) => retry?.kind === 'no-answer')).toBe(true);
  expect(await queue(client)).toEqual(idle);
  const [again] = lost;
  const answered = await client.calls.retry({ callId: again?.id ?? '', confirmed: true, deliberate: false });
  expect(answered).toMatchObject({ attempt: 2, previousCallId: again?.id, outcome: { kind: 'success' } });
  await expectWorks(client);
});
