import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHost, type Host } from '../../host/host.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import { type Connected, TRANSPORTS } from './transports.ts';

const PHONE = 'demo/DEMO34PHONE01';
const ALERTS = 'org.example.pricealerts/org.example.pricealerts.cetp.ToolProviderService';
const LEDGER = 'org.example.ledger/org.example.ledger.cetp.ToolProviderService';
const target = { deviceKey: PHONE, userId: null, providerKey: ALERTS };
const draft = { ...target, tool: 'get_quote', argsText: '{"symbol":"ACME"}', timeoutMs: 10_000, requestId: null };

async function first<T>(stream: AsyncIterable<T>, enough: (value: T) => boolean): Promise<T> {
  for await (const value of stream) if (enough(value)) return value;
  throw new Error('The stream ended before.');
}

describe.each(Object.entries(TRANSPORTS))('the contract over %s', (_name, connect) => {
  let host: Host;
  let connected: Connected;

  beforeAll(async () => {
    host = await createHost({
      journalFile: ':memory:',
      assetsRoot: null,
      version: '9.9.9',
      demo: true,
      env: {},
      watchLocal: false,
    });
    connected = await connect(host);
  });
  afterAll(async () => {
    await connected.close();
    await host.close();
  });

  test('a plain command answers', async () => {
    expect(await connected.client.app.info()).toMatchObject({ version: '9.9.9', demoRunning: true });
  });

  test('a stream tells the devices, and ends when its reader leaves', async () => {
    const stop = new AbortController();
    const stream = await connected.client.devices.watch(undefined, { signal: stop.signal });
    const snapshot = await first(stream, ({ devices }) => devices.some(({ sdk }) => sdk === 34));
    expect(snapshot.devices.map(({ state }) => state).sort()).toEqual(['device', 'device', 'unauthorized']);
    stop.abort();
  });

  test('the companion is connected on a wish, and its state is told', async () => {
    const { client } = connected;
    const on = { deviceKey: PHONE, userId: null };
    expect(await client.companion.connect(on)).toMatchObject({ state: 'connected', permission: 'granted' });
    const tablet = { ...on, deviceKey: 'demo/DEMO30TABLET1' };
    await expect(client.companion.connect(tablet)).rejects.toMatchObject({ data: { code: 'companion.not-installed' } });
    await expect(client.companion.install(tablet)).rejects.toMatchObject({ data: { code: 'companion.apk-missing' } });
  });

  test('Providers, negotiation, catalog and a call give the same as in the other shells', async () => {
    const { client } = connected;
    const providers = await first<ProviderSnapshot>(
      await client.providers.watch({ deviceKey: PHONE, userId: null }),
      ({ state, origin }) => state === 'ready' && origin === 'companion',
    );
    expect(providers.providers.find(({ key }) => key === ALERTS)).toMatchObject({
      protocol: 'v2',
      bridge: 'companion',
    });
    expect(await client.sessions.negotiate(target)).toMatchObject({ state: 'open', selectedVersion: 2 });
    const catalog = await client.catalog.get({ ...target, refresh: false });
    const index = catalog.tools.findIndex(({ name }) => name === 'get_quote');
    expect((await client.catalog.tool({ ...target, index })).inputSchema).toContain('symbol');

    const prepared = await client.calls.prepare(draft);
    const record = await client.calls.run({ preparedId: prepared.id, confirmed: false, force: false });
    expect(record.prepared.wireSha256).toBe(prepared.wireSha256);
    expect(record.outcome).toMatchObject({
      kind: 'success',
      valueText: '{"symbol":"ACME","price":42.10,"volume":9223372036854775807}',
      outputVerdict: { state: 'valid' },
    });
  });

  test('a failure carries its problem', async () => {
    const unknown = { ...target, providerKey: 'no.such/Provider' };
    await expect(connected.client.sessions.negotiate(unknown)).rejects.toMatchObject({
      code: 'PROBLEM',
      data: { code: 'provider-gone', params: { provider: 'no.such/Provider' } },
    });
  });

  test('a negotiation that fails is told as the Provider told it', async () => {
    const session = await connected.client.sessions.negotiate({ ...target, providerKey: LEDGER });
    expect(session).toMatchObject({ state: 'failed', problem: { raw: 'This app needs CETP 3' } });
  });

  test('invalid input is refused before the engine sees it', async () => {
    await expect(connected.client.calls.prepare({ ...draft, timeoutMs: -1 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('200 calls at once: each result belongs to its call', async () => {
    const { client } = connected;
    const symbols = ['ACME', 'GLOBEX', 'HOOLI'];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const symbol = symbols[i % symbols.length] ?? '';
        const prepared = await client.calls.prepare({ ...draft, argsText: JSON.stringify({ symbol }) });
        const record = await client.calls.run({ preparedId: prepared.id, confirmed: false, force: false });
        return [record.id === prepared.id, symbol, JSON.stringify(record.outcome)] as const;
      }),
    );
    for (const [same, symbol, outcome] of answers) {
      expect(same).toBe(true);
      expect(outcome).toContain(symbol);
    }
  });

  test('history holds what was exchanged, without the token', async () => {
    const { rows } = await connected.client.history.list({ search: 'negotiate', beforeSeq: null, limit: 10 });
    const row = rows.find(({ providerKey, state }) => providerKey === ALERTS && state === 'success');
    const events = await connected.client.history.events({ exchangeId: row?.exchangeId ?? '' });
    expect(events.map(({ kind }) => kind)).toEqual(['request', 'response']);
    expect(events[1]?.redactions).toBeGreaterThan(0);
  });
});
