import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostClient } from '../shared/contract/client.ts';
import { createHost, type Host, type HostOptions } from './host.ts';
import { openJournal } from './journal/open-journal.ts';

const PHONE = 'demo/DEMO34PHONE01';
const LAB = 'org.example.errorlab/org.example.errorlab.cetp.ToolProviderService';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-host-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const make = (over: Partial<HostOptions> = {}): Promise<Host> =>
  createHost({
    journalFile: ':memory:',
    assetsRoot: null,
    version: '0',
    demo: false,
    env: {},
    watchLocal: false,
    ...over,
  });
const clientOf = (host: Host): HostClient => createRouterClient(host.router, { context: {} });

test('remembered servers that are none do not keep the app from starting', async () => {
  const file = path.join(folder, 'servers.sqlite');
  const journal = openJournal(file);
  const list = ['10.0.0.1:99999', 'no port', '-x y:5037', ':0', '127.0.0.1:1'];
  journal.putSetting('adb.servers', JSON.stringify([...list, 7, null]));
  journal.close();
  const host = await make({ journalFile: file });
  for await (const { servers } of await clientOf(host).devices.watch()) {
    expect(servers.map(({ id }) => id)).toEqual(['127.0.0.1:1']);
    break;
  }
  await host.close();
});

test('the demo comes once however often it is asked for, and again after it was removed', async () => {
  const host = await make();
  const client = clientOf(host);
  await Promise.all([client.app.startDemo(), client.app.startDemo(), client.app.startDemo()]);
  const server = host.demo();
  await client.devices.removeServer({ serverId: 'demo' });
  await client.app.startDemo();
  expect(host.demo()).toBe(server);
  for await (const { servers } of await client.devices.watch()) {
    expect(servers.map(({ id }) => id)).toEqual(['demo']);
    break;
  }
  await host.close();
});

test('closing takes along a demo that is still starting', async () => {
  const host = await make();
  const starting = host.startDemo();
  await Promise.all([host.close(), host.close()]);
  await starting.catch(() => {});
  await expect(fetch(`http://127.0.0.1:${host.demo()?.port ?? 1}/`)).rejects.toThrow();
  await expect(host.startDemo()).rejects.toMatchObject({ problem: { code: 'host-closed' } });
});

test('closing settles the calls under way, and the journal holds their end', async () => {
  const file = path.join(folder, 'close.sqlite');
  const host = await make({ journalFile: file, demo: true });
  const client = clientOf(host);
  const target = { deviceKey: PHONE, userId: null, providerKey: LAB };
  for await (const { state } of await client.providers.watch(target)) if (state === 'ready') break;
  const prepared = await client.calls.prepare({
    ...target,
    tool: 'slow',
    argsText: '{"ms":20000}',
    timeoutMs: 30_000,
    requestId: null,
  });
  const under = client.calls.run({ preparedId: prepared.id, confirmed: true, force: true });
  const stop = new AbortController();
  for await (const [call] of await client.calls.watch(target, { signal: stop.signal })) if (call?.sentAtMs) break;
  const [record] = await Promise.all([under, host.close()]);
  expect(record.outcome).toMatchObject({ kind: 'transport-failure', problem: { code: 'host-closed' } });
  const journal = openJournal(file);
  expect(journal.events(prepared.id).map(({ kind }) => kind)).toEqual(['request', 'failure']);
  journal.close();
});

test('a user that the device does not have is a failure, not a user without apps', async () => {
  const host = await make({ demo: true });
  const client = clientOf(host);
  for await (const { devices } of await client.devices.watch()) {
    if (devices.find(({ key }) => key === PHONE)?.users.length) break;
  }
  for await (const snapshot of await client.providers.watch({ deviceKey: PHONE, userId: 99 })) {
    if (snapshot.state === 'looking') continue;
    expect(snapshot).toMatchObject({ state: 'failed', problem: { code: 'user-unknown', params: { user: 99 } } });
    break;
  }
  await host.close();
});
