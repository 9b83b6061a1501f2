import { createRouterClient } from '@orpc/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHost, type Host } from '../host/host.ts';
import { PRICE_ALERTS_PACKAGE } from '../host/simulator/provider-kit/price-alerts.ts';
import type { HostClient } from '../shared/contract/client.ts';
import { attendDemo } from './demo-answer.ts';
import { parseOptions } from './options.ts';
import { Terminal } from './terminal.ts';

const on = { deviceKey: 'demo/DEMO34PHONE01', userId: null };
const target = { ...on, providerKey: `${PRICE_ALERTS_PACKAGE}/${PRICE_ALERTS_PACKAGE}.cetp.ToolProviderService` };

let host: Host;
let client: HostClient;
let told: string[];
beforeEach(async () => {
  told = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0);
  host = await createHost({
    journalFile: ':memory:',
    assetsRoot: null,
    version: '0',
    demo: true,
    env: {},
    watchLocal: false,
  });
  client = createRouterClient(host.router, { context: {} });
  for await (const { state, origin } of await client.providers.watch(on)) {
    if (state === 'ready' && origin === 'companion') break;
  }
  await client.catalog.get({ ...target, refresh: false });
});
afterEach(async () => {
  await host.close();
  vi.restoreAllMocks();
});

/** Runs a call that needs a person; answers its id. */
async function asked(): Promise<string> {
  const draft = {
    ...target,
    tool: 'delete_alert',
    argsText: '{"alert_id":"al-1"}',
    timeoutMs: 10_000,
    requestId: null,
  };
  const { id } = await client.calls.prepare(draft);
  const { outcome } = await client.calls.run({ preparedId: id, confirmed: true, force: false });
  expect(outcome).toMatchObject({ errorCode: 'USER_ACTION_REQUIRED' });
  return id;
}

test.each([
  ['approve', { kind: 'success', valueText: '{"deleted":true}' }],
  ['deny', { kind: 'provider-error', errorCode: 'USER_CANCELLED' }],
  ['close', { kind: 'provider-error', errorCode: 'USER_ACTION_REQUIRED' }],
] as const)('--demo-answer %s decides, and says what it did (v2 4.3)', async (decision, outcome) => {
  const leave = attendDemo(client, new Terminal({ LANG: 'en_US.UTF-8' }), decision);
  const { call } = await client.confirmations.confirm({ callId: await asked(), confirmed: true });
  leave();
  expect(call?.outcome).toMatchObject(outcome);
  expect(told.join('')).toContain('The demo phone asked "Delete price alert" (confirm)');
});

test('without it nobody decides, and that is said', async () => {
  const leave = attendDemo(client, new Terminal({ LANG: 'en_US.UTF-8' }), null);
  const callId = await asked();
  const waiting = client.confirmations.confirm({ callId, confirmed: true });
  await expect.poll(() => told.join(''), { timeout: 20_000 }).toContain('--demo-answer answers');
  leave();
  await client.confirmations.stop({ callId });
  expect((await waiting).call).toBeNull();
});

test('it is for the demo: a real device has a person', () => {
  expect(parseOptions(['call', 'p', 't', '--demo', '--demo-answer', 'deny']).demoAnswer).toBe('deny');
  expect(() => parseOptions(['call', 'p', 't', '--demo-answer', 'deny'])).toThrow('--demo');
  expect(() => parseOptions(['call', 'p', 't', '--demo', '--demo-answer', 'yes'])).toThrow('approve | deny | close');
});
