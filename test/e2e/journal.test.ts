import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { HostClient } from '../../shared/contract/client.ts';
import { RPC_PATH, RPC_PROTOCOL_PREFIX } from '../../shared/contract/security.ts';
import type { JournalEvent } from '../../shared/model/event.ts';
import { keyOf } from './pages.ts';

/** `cetp serve` is killed in the middle of a burst of calls; what a client was told is on disk. */
const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli', 'cetp.js');
const ON_PHONE = { deviceKey: 'demo/DEMO34PHONE01', userId: null };
const ALERTS = { ...ON_PHONE, providerKey: keyOf('org.example.pricealerts') };
const ENOUGH = 60;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-kill-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly client: HostClient;
  readonly ended: Promise<unknown>;
  hangUp(): void;
}

async function serve(journal: string): Promise<Serving> {
  const child = spawn(process.execPath, [CLI, 'serve', '--demo', '--journal', journal], {
    env: { ...process.env, ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1', ADB: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let stdout = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('\n')) resolve(stdout.trim());
    });
    void ended.then(() => reject(new Error(`serve ended: ${stdout}`)));
  });
  const address = new URL(url);
  const token = address.searchParams.get('token');
  const socket = new WebSocket(`ws://${address.host}${RPC_PATH}`, `${RPC_PROTOCOL_PREFIX}${token}`);
  await once(socket, 'open');
  const client: HostClient = createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
  return { child, url, client, ended, hangUp: () => socket.terminate() };
}

async function providersReady(client: HostClient): Promise<void> {
  for await (const { state, origin } of await client.providers.watch(ON_PHONE)) {
    if (state === 'ready' && origin === 'companion') return;
  }
}

async function oneCall(client: HostClient, tool: string, args: object) {
  const prepared = await client.calls.prepare({
    ...ALERTS,
    tool,
    argsText: JSON.stringify(args),
    timeoutMs: 30_000,
    requestId: null,
  });
  return client.calls.run({ preparedId: prepared.id, confirmed: true, force: false });
}

test('every call that was acknowledged before the kill is in the journal, request and response', async () => {
  const journal = path.join(folder, 'journal.sqlite');
  const first = await serve(journal);
  await providersReady(first.client);
  await first.client.catalog.get({ ...ALERTS, refresh: false });

  const acknowledged = new Map<string, { readonly kind: string; readonly sha256: string }>();
  const enough = Promise.withResolvers<void>();
  let killed = false;
  const lane = async (number: number) => {
    for (let round = 0; !killed; round++) {
      const effect = (number + round) % 2 === 0;
      const { id, outcome, prepared } = effect
        ? await oneCall(first.client, 'create_alert', { symbol: 'ACME', price: round + 1 })
        : await oneCall(first.client, 'get_quote', { symbol: 'ACME' });
      if (outcome === null) throw new Error('acknowledged without an end');
      acknowledged.set(id, { kind: outcome.kind, sha256: prepared.wireSha256 });
      if (acknowledged.size === ENOUGH) enough.resolve();
    }
  };
  const lanes = Promise.allSettled(Array.from({ length: 8 }, (_, number) => lane(number)));
  await Promise.race([enough.promise, lanes.then((ends) => Promise.reject(new Error(JSON.stringify(ends))))]);
  // The other lanes are in the middle of a call now.
  first.child.kill('SIGKILL');
  await first.ended;
  killed = true;
  first.hangUp();
  await lanes;
  expect(acknowledged.size).toBeGreaterThanOrEqual(ENOUGH);

  const second = await serve(journal);
  try {
    for (const [exchangeId, { kind, sha256 }] of acknowledged) {
      const events: readonly JournalEvent[] = await second.client.history.events({ exchangeId });
      const kinds = events.slice(0, 2).map((event) => event.kind);
      expect({ exchangeId, kinds }).toEqual({ exchangeId, kinds: ['request', 'response'] });
      expect(events[0]?.data).toContain(sha256);
      expect(events[0]?.deviceKey).toBe(ALERTS.deviceKey);
      expect(kind).toBe('success');
    }
    // The history lists them, and a call without an end says so.
    const rows = new Map<string, string>();
    let beforeSeq: number | null = null;
    for (;;) {
      const page: Awaited<ReturnType<HostClient['history']['list']>> = await second.client.history.list({
        search: '',
        beforeSeq,
        limit: 100,
      });
      for (const row of page.rows) rows.set(row.exchangeId, row.state);
      beforeSeq = page.rows.at(-1)?.seq ?? null;
      if (page.rows.length < 100) break;
    }
    for (const exchangeId of acknowledged.keys()) expect(rows.get(exchangeId)).toBe('success');
    expect([...rows.values()].filter((state) => !['success', 'open', 'notice'].includes(state))).toEqual([]);
    // The app works on with that file.
    await providersReady(second.client);
    await second.client.catalog.get({ ...ALERTS, refresh: false });
    expect(await oneCall(second.client, 'get_quote', { symbol: 'HOOLI' })).toMatchObject({
      outcome: { kind: 'success' },
    });
  } finally {
    second.hangUp();
    second.child.kill('SIGTERM');
    await second.ended;
  }
});
