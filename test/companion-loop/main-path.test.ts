import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceIo } from '../../host/adb/device-io.ts';
import { createDeviceIo } from '../../host/adb/device-io-adb.ts';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { installApk } from '../../host/bridge/companion/install-companion.ts';
import { createHost, type Host } from '../../host/host.ts';
import type { HostClient } from '../../shared/contract/client.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import type { Operation } from '../../shared/model/operation.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import { CompanionJvm } from './companion-jvm.ts';
import { ASSETS, type LoopPhone, plugInLoop, SAMPLE_APK, SAMPLE_PACKAGE } from './loop-phone.ts';

/** The desktop through the real adb server to the companion's real code and real Providers, on Android's real Bundles. */
const NOTES = `${SAMPLE_PACKAGE}/${SAMPLE_PACKAGE}.NotesService`;
const ALERTS = `${SAMPLE_PACKAGE}/${SAMPLE_PACKAGE}.AlertsService`;

let jvm: CompanionJvm;
let server: RealAdbServer;
let phone: LoopPhone;
let host: Host;
let io: DeviceIo;
let client: HostClient;
let on: { deviceKey: string; userId: null };

beforeAll(async () => {
  [jvm, server] = await Promise.all([CompanionJvm.start(), startRealAdbServer()]);
  phone = await plugInLoop(server, jvm);
  host = await createHost({
    journalFile: ':memory:',
    assetsRoot: ASSETS,
    version: '0.0.0-test',
    demo: false,
    env: { PATH: '/nonexistent' },
    adb: { host: '127.0.0.1', port: server.port },
  });
  client = createRouterClient(host.router, { context: {} });
  const { connection } = server;
  io = createDeviceIo({ connection, serial: phone.serial, deviceKey: 'loop', sdk: 34 });
  on = { deviceKey: `local/${phone.serial}`, userId: null };
});
afterAll(async () => {
  await host?.close();
  await phone?.close();
  await server?.stop();
  await jvm?.stop();
});

async function first<T>(stream: Promise<AsyncIterable<T>>, enough: (value: T) => boolean): Promise<T> {
  for await (const value of await stream) if (enough(value)) return value;
  throw new Error('The stream ended before.');
}

const providers = (enough: (snapshot: ProviderSnapshot) => boolean) =>
  first<ProviderSnapshot>(client.providers.watch(on), (snapshot) => snapshot.state === 'ready' && enough(snapshot));

async function call(providerKey: string, tool: string, args: object, requestId: string | null = null) {
  const draft = { ...on, providerKey, tool, argsText: JSON.stringify(args), timeoutMs: 20_000, requestId };
  const prepared = await client.calls.prepare(draft);
  const record = await client.calls.run({ preparedId: prepared.id, confirmed: true, force: false });
  expect(record.prepared.wireSha256).toBe(prepared.wireSha256);
  return record;
}

const fileOf = (record: CallRecord | undefined) => (record?.outcome?.kind === 'success' ? record.outcome.file : null);

function valueIn({ outcome }: CallRecord): unknown {
  if (outcome?.kind !== 'success') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.valueText ?? 'null');
}

const ended = (callId: string) =>
  first<Operation[]>(client.operations.watch(), (all) =>
    all.some((operation) => operation.callId === callId && operation.endedAtMs !== null),
  ).then((all) => all.find((operation) => operation.callId === callId));

const stateOf = (permission: string) => ({ state: 'connected', version: '1.0.0', permission });

describe('an empty device', () => {
  test('the companion is installed and started, and says that nobody defines the permission', async () => {
    await first(client.devices.watch(), ({ devices }) => devices.some(({ sdk }) => sdk === 34));
    expect(await client.companion.install(on)).toMatchObject(stateOf('undefined'));
    expect((await providers(({ origin }) => origin === 'companion')).providers).toEqual([]);
  });

  test('the sample comes later: its Providers appear, the grant is missing, and reinstalling the companion cures it', async () => {
    await installApk(io, readFileSync(SAMPLE_APK), null, 30_000);
    await providers(({ providers: found }) => found.length === 2);
    await jvm.kill();
    await first(client.companion.watch(on), ({ state }) => state !== 'connected');
    expect(await client.companion.connect(on)).toMatchObject(stateOf('denied'));
    await expect(client.sessions.negotiate({ ...on, providerKey: ALERTS })).rejects.toMatchObject({
      data: { code: 'bridge-permission-denied' },
    });
    expect(await client.companion.install(on)).toMatchObject({ ...stateOf('granted'), problem: null });
  });
});

describe('the main path', () => {
  test('discovery (v2 2.1): both Services with their versions and the certificate of the APK', async () => {
    const { providers: found } = await providers(
      ({ providers: all }) => all.length === 2 && all.every(({ bridge }) => bridge === 'companion'),
    );
    expect(found.map(({ key, protocol, bridge }) => [key, protocol, bridge])).toEqual([
      [ALERTS, 'v2', 'companion'],
      [NOTES, 'v1', 'companion'],
    ]);
    const apk = JSON.parse(readFileSync(path.join(ASSETS, 'sample-provider.json'), 'utf8')) as Record<string, unknown>;
    expect(found[0]?.candidate.signingCertSha256).toEqual([apk['certificateSha256']]);
    // Which the protocol asks for, and which keeps a second signer's Provider out.
    expect(new Set(found.flatMap(({ findings }) => findings.map(({ rule }) => rule)))).toEqual(
      new Set(['manifest-permission-declared-here']),
    );
  });

  test('v1: tools are listed and run without a session (v1 2.3), and an error stays the Provider\u2019s', async () => {
    const catalog = await client.catalog.get({ ...on, providerKey: NOTES, refresh: false });
    expect(catalog.tools.map(({ name }) => name)).toEqual(['list_notes', 'get_note']);
    expect(valueIn(await call(NOTES, 'get_note', { number: 2 }))).toEqual({ text: '给小王回电话' });
    expect((await call(NOTES, 'get_note', { number: 9 })).outcome).toMatchObject({
      kind: 'provider-error',
      errorCode: 'INVALID_ARGS',
    });
  });

  test('v2: int[] and long arrive, a session opens, the tools obey the rules (v2 2.2, 3.3, 3.4)', async () => {
    expect(await client.sessions.negotiate({ ...on, providerKey: ALERTS })).toMatchObject({
      state: 'open',
      selectedVersion: 2,
      providerId: SAMPLE_PACKAGE,
      capabilities: ['async_operations', 'cancellation', 'large_results'],
      findings: [],
    });
    const catalog = await client.catalog.get({ ...on, providerKey: ALERTS, refresh: false });
    expect(catalog.tools.map(({ name }) => name)).toEqual([
      'list_alerts',
      'create_alert',
      'delete_alerts',
      'refresh_prices',
      'export_history',
    ]);
    expect(catalog.tools.flatMap(({ findings }) => findings)).toEqual([]);
  });

  test('an execution with an effect happens once however often it is sent (v2 6)', async () => {
    const requestId = '3f8c6f0e-5d0a-4b53-9c59-0d9b3f3f5a01';
    const one = await call(ALERTS, 'create_alert', { symbol: 'ACME', price: 42.5 }, requestId);
    expect(one.outcome).toMatchObject({ kind: 'success', outputVerdict: { state: 'valid' } });
    const again = await call(ALERTS, 'create_alert', { symbol: 'ACME', price: 42.5 }, requestId);
    expect(valueIn(again)).toEqual(valueIn(one));
    expect(valueIn(await call(ALERTS, 'list_alerts', {}))).toEqual({
      alerts: [{ ...(valueIn(one) as object), symbol: 'ACME', price: 42.5 }],
    });
    const other = await call(ALERTS, 'create_alert', { symbol: 'OTHER', price: 1 }, requestId);
    expect(other.outcome).toMatchObject({ kind: 'provider-error', errorCode: 'INVALID_REQUEST' });
  });

  test('a background operation is followed to its end (v2 4.4)', async () => {
    const record = await call(ALERTS, 'refresh_prices', {});
    expect(record.outcome).toMatchObject({ kind: 'accepted', pollAfterMs: 300 });
    const operation = await ended(record.id);
    expect(operation).toMatchObject({
      state: 'succeeded',
      outcome: { kind: 'success', valueText: '{"refreshed":1}', findings: [] },
    });
    expect(operation?.queries.map(({ state }) => state)).toEqual(['running', 'running', 'succeeded']);
  });

  test('an operation is cancelled only when it says so (v2 4.4)', async () => {
    const record = await call(ALERTS, 'refresh_prices', {});
    expect(await client.operations.cancel({ callId: record.id })).toMatchObject({ endedAtMs: null });
    expect(await ended(record.id)).toMatchObject({ state: 'cancelled', outcome: null });
  });

  test('what comes as a file is read whole, and is as declared (v2 4.5)', async () => {
    const { id, outcome } = await call(ALERTS, 'export_history', { symbol: 'ACME' });
    expect(outcome).toMatchObject({ kind: 'success', valueText: null, findings: [] });
    const received = await first<CallRecord[]>(client.calls.watch({ ...on, providerKey: ALERTS }), (all) =>
      all.some(
        (record) =>
          record.id === id && !['receiving', 'checking'].includes(fileOf(record)?.received?.state ?? 'receiving'),
      ),
    );
    const file = fileOf(received.find((record) => record.id === id));
    expect(file).toMatchObject({
      mediaType: 'application/json',
      received: { state: 'verified', checks: { size: 'same', digest: 'same' }, problem: null },
    });
    expect(file?.received?.sha256).toBe(file?.sha256);
    expect(String(file?.received?.bytes)).toBe(file?.sizeBytes);
  });

  test('a confirmation asks for a person, and nothing has happened before (v2 4.3)', async () => {
    const { outcome } = await call(ALERTS, 'delete_alerts', { symbol: 'ACME' });
    expect(outcome).toMatchObject({
      kind: 'provider-error',
      errorCode: 'USER_ACTION_REQUIRED',
      hasResolution: true,
      bundle: expect.arrayContaining([
        expect.objectContaining({
          key: 'resolution',
          t: 'pendingIntent',
          v: expect.objectContaining({ creatorPackage: SAMPLE_PACKAGE, immutable: true, kind: 'activity' }),
        }),
      ]),
    });
    expect(valueIn(await call(ALERTS, 'list_alerts', {}))).toMatchObject({ alerts: [{ symbol: 'ACME' }] });
  });

  test('a person who denies it ends it, for good (v2 4.3, USER_CANCELLED)', async () => {
    const asked = await call(ALERTS, 'delete_alerts', { symbol: 'ACME' });
    const confirmed = client.confirmations.confirm({ callId: asked.id, confirmed: true });
    await jvm.tap('Deny');
    const { confirmation, call: resumed } = await confirmed;
    expect(confirmation.steps.map(({ kind, resultCode }) => [kind, resultCode])).toEqual([
      ['asked', null],
      ['launched', null],
      ['returned', 0],
      ['resumed', null],
    ]);
    expect(resumed?.outcome).toMatchObject({ kind: 'provider-error', errorCode: 'USER_CANCELLED', findings: [] });
    const again = await call(ALERTS, 'delete_alerts', { symbol: 'ACME' }, asked.prepared.requestId);
    expect(again.outcome).toMatchObject({ kind: 'provider-error', errorCode: 'USER_CANCELLED' });
  });

  test('a person who leaves the screen has decided nothing: the Provider asks anew', async () => {
    const asked = await call(ALERTS, 'delete_alerts', { symbol: 'ACME' });
    const confirmed = client.confirmations.confirm({ callId: asked.id, confirmed: true });
    await jvm.tap('Back');
    expect((await confirmed).call?.outcome).toMatchObject({ errorCode: 'USER_ACTION_REQUIRED', hasResolution: true });
  });

  test('a person who allows it, on the screen that says what happens, lets it happen once (v2 4.3, 7.2)', async () => {
    const asked = await call(ALERTS, 'delete_alerts', { symbol: 'ACME' });
    const confirmed = client.confirmations.confirm({ callId: asked.id, confirmed: true });
    expect(await jvm.tap('Allow')).toBe('Delete all price alerts of ACME? This cannot be undone.\nAllow\nDeny');
    const { confirmation, call: resumed } = await confirmed;
    expect(confirmation).toMatchObject({ state: 'resumed', findings: [] });
    expect(resumed?.outcome).toMatchObject({ kind: 'success', valueText: '{"deleted":1}', findings: [] });
    expect(resumed?.prepared.requestId).toBe(asked.prepared.requestId);
    const again = await call(ALERTS, 'delete_alerts', { symbol: 'ACME' }, asked.prepared.requestId);
    expect(valueIn(again)).toEqual({ deleted: 1 });
    expect(valueIn(await call(ALERTS, 'list_alerts', {}))).toEqual({ alerts: [] });
  });

  test('a companion that was killed in between is started anew, and the session goes on (the Provider\u2019s process lives)', async () => {
    await jvm.kill();
    await first(client.companion.watch(on), ({ state }) => state !== 'connected');
    expect(await client.companion.connect(on)).toMatchObject(stateOf('granted'));
    expect(valueIn(await call(ALERTS, 'list_alerts', {}))).toEqual({ alerts: [] });
  });

  test('the sample is uninstalled: its Providers go, and so does the permission', async () => {
    phone.android.uninstall(SAMPLE_PACKAGE);
    await providers(({ providers: found }) => found.length === 0);
    await jvm.kill();
    await first(client.companion.watch(on), ({ state }) => state !== 'connected');
    expect(await client.companion.connect(on)).toMatchObject(stateOf('undefined'));
  });
});
