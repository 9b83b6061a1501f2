import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createRouterClient } from '@orpc/server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { HostClient } from '../shared/contract/client.ts';
import type { CallRecord } from '../shared/model/call.ts';
import type { Operation } from '../shared/model/operation.ts';
import { createHost, type Host } from './host.ts';
import { openJournal } from './journal/open-journal.ts';
import { type AdbHostServer, serveAdbServer } from './simulator/adb-server/serve-adb-server.ts';
import { createVirtualAndroid } from './simulator/android/virtual-android.ts';
import { createNotesProvider, notesPackage } from './simulator/provider-kit/notes-weather.ts';
import { createPriceAlerts, PRICE_ALERTS_PACKAGE, priceAlertsPackage } from './simulator/provider-kit/price-alerts.ts';
import { createDeviceServices } from './simulator/userland/services.ts';

const SERIAL = 'RESTART34';
const DEVICE = `local/${SERIAL}`;
const PROVIDER = `${PRICE_ALERTS_PACKAGE}/${PRICE_ALERTS_PACKAGE}.cetp.ToolProviderService`;
const FIXTURE = path.join(import.meta.dirname, 'fixtures', 'operation-holder.ts');

const alerts = createPriceAlerts({ operationSteps: 4 });
let folder: string;
let server: AdbHostServer;
let child: ChildProcess | null = null;
let host: Host | null = null;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-restart-'));
  server = await serveAdbServer({ host: '127.0.0.1' });
  const android = createVirtualAndroid({
    sdk: 34,
    packages: [notesPackage(createNotesProvider()), priceAlertsPackage(alerts.app)],
  });
  server.setDevices([{ services: createDeviceServices(android, { serial: SERIAL }), state: 'device' }]);
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await host?.close();
  host = null;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A host in a process of its own with an operation under way, asked for at least once. */
async function holdOperation(journalFile: string, args: object): Promise<{ record: CallRecord; operation: Operation }> {
  const started = spawn(
    process.execPath,
    [FIXTURE, String(server.port), journalFile, DEVICE, PROVIDER, 'import_watchlist', JSON.stringify(args)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  child = started;
  if (started.stdout === null) throw new Error('no output');
  for await (const line of createInterface(started.stdout)) return JSON.parse(line);
  throw new Error('the host ended by itself');
}

async function kill(): Promise<void> {
  const ended = once(child as ChildProcess, 'exit');
  child?.kill('SIGKILL');
  await ended;
}

async function start(journalFile: string): Promise<HostClient> {
  host = await createHost({
    journalFile,
    assetsRoot: null,
    version: '0',
    demo: false,
    env: {},
    adb: { host: '127.0.0.1', port: server.port },
  });
  return createRouterClient(host.router, { context: {} });
}

test('v2 4.4: an operation is finished after kill -9 of the host, from the journal alone, with its request_id', async () => {
  const journalFile = path.join(folder, 'kill.sqlite');
  const { record, operation } = await holdOperation(journalFile, { symbols: ['ABC', 'DEF'] });
  await kill();
  const before = alerts.app.received.length;
  const client = await start(journalFile);
  const seen: Operation[] = [];
  for await (const [one] of await client.operations.watch()) {
    if (one === undefined) continue;
    seen.push(one);
    if (one.endedAtMs !== null) break;
  }
  const [first, last] = [seen[0], seen.at(-1)];
  expect(first).toMatchObject({
    callId: record.id,
    requestId: record.prepared.requestId,
    operationId: operation.operationId,
    argsSha256: operation.argsSha256,
    tool: 'import_watchlist',
    paused: { code: 'operation-picked-up' },
    queryCount: operation.queryCount,
    steps: [{ state: 'queued', exchangeId: operation.steps[0]?.exchangeId }],
  });
  expect(last).toMatchObject({
    state: 'succeeded',
    outcome: { kind: 'success', valueText: '{"imported":2}', outputVerdict: { state: 'valid' } },
  });
  const after = alerts.app.received.slice(before);
  expect(after.map(({ method }) => method).filter((method) => method !== 'get_operation')).toEqual(['negotiate']);
  const queries = after.filter(({ method }) => method === 'get_operation');
  expect(queries.map(({ extras }) => extras?.entries.find(({ key }) => key === 'request_id'))).toEqual(
    queries.map(() => ({ key: 'request_id', t: 'string', v: record.prepared.requestId })),
  );
  await host?.close();
  const journal = openJournal(journalFile);
  expect(journal.operations.unfinished(10)).toEqual([]);
  const story = journal.events(record.id).map(({ kind, data }) => JSON.parse(data).operation?.what ?? kind);
  expect(story).toEqual(expect.arrayContaining(['request', 'response', 'picked-up', 'state']));
  journal.close();
});

test('two living hosts never ask for one operation: the second says who does, and takes it over by a wish', async () => {
  const journalFile = path.join(folder, 'two.sqlite');
  const { record } = await holdOperation(journalFile, { symbols: ['GHI'] });
  child?.kill('SIGSTOP');
  const client = await start(journalFile);
  const before = alerts.app.received.length;
  for await (const [one] of await client.operations.watch()) {
    expect(one).toMatchObject({
      callId: record.id,
      paused: { code: 'operation-followed-elsewhere', params: { process: child?.pid } },
    });
    break;
  }
  expect(alerts.app.received.length).toBe(before);
  expect(await client.operations.follow({ callId: record.id, follow: true })).toMatchObject({ paused: null });
  for await (const [one] of await client.operations.watch()) if (one?.state === 'succeeded') break;
});
