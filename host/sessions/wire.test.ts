import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Bundle } from '../../shared/model/bundle.ts';
import type { Provider } from '../../shared/model/provider.ts';
import type { Bridge, EncodedCall } from '../bridge/bridge.ts';
import { createCompanionBridge } from '../bridge/companion/companion-bridge.ts';
import { createCompanionManager } from '../bridge/companion/companion-manager.ts';
import { createShellBridge } from '../bridge/shell/content-call.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../bridge/testing/virtual-phone.ts';
import { openJournal } from '../journal/open-journal.ts';
import { systemClock } from './deps.ts';
import { createSessions } from './sessions.ts';
import { draft, negotiated, TOKEN, target } from './testing/scripted.ts';

/** From `prepare` to the Provider behind each real bridge: what is previewed is what arrives. */

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const HOSTILE = [
  '{ "n" : 9007199254740993, "m":1.10, "n":-0, "e":1E400 }',
  '{"b":1,"a":2,"10":3,"2":4,"__proto__":{}}',
  '{"s":"🌱\\ud800 \\u0000 \u2028 \u00a0 e\u0301 ⟦masked:3⟧"}',
  `{"path":"C:\\\\x:y, z=1","q":"it's $HOME \`id\` --extra \\"quoted\\" \\n"}\n\n`,
  '',
  'no JSON at all',
];

async function world(protocol: 'v1' | 'v2', kind: Bridge['kind']) {
  const answer = ({ method }: { method: string }) =>
    bundle(method === 'negotiate' ? negotiated({ provider_id: 'com.acme', expires_at: '2100-01-01T00:00:00Z' }) : []);
  const garden = gardenPackage(answer, {}, kind === 'shell' ? null : undefined);
  const phone = await startVirtualPhone({ sdk: 34, packages: [garden.spec], companionInstalled: kind === 'companion' });
  closers.push(() => phone.close());
  const journal = openJournal(':memory:');
  closers.push(() => journal.close());
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: () => null, foreignLooksMs: [0, 50] });
  closers.push(() => manager.close());
  const newBridge = (userId = 0): Bridge =>
    kind === 'companion' ? createCompanionBridge(manager) : createShellBridge(phone.io, 34, userId);
  const encoded: EncodedCall[] = [];
  const state = { bridge: newBridge() };
  const spied = (): Bridge => ({
    ...state.bridge,
    encode: (...parts) => {
      const call = state.bridge.encode(...parts);
      encoded.push(call);
      return call;
    },
  });
  const provider: Provider = {
    key: target.providerKey,
    deviceKey: target.deviceKey,
    userId: 0,
    origin: kind,
    candidate: {
      package: 'com.acme',
      label: 'Acme',
      versionName: null,
      versionCode: '1',
      uid: null,
      sharedUserId: null,
      signingCertSha256: [],
      pastSigningCertSha256: [],
      component: { name: 'c', exported: true, enabled: true, permission: null, processName: null },
      metaData: [],
      provider: null,
      definesPermissions: [],
      visibleByQueries: true,
      unknown: [],
    },
    authority: GARDEN_AUTHORITY,
    versions: [protocol === 'v1' ? 1 : 2],
    protocol,
    protocolReason: '',
    bridge: kind,
    bridgeProblem: null,
    findings: [],
  };
  const sessions = createSessions({
    journal,
    schemas: {
      validate: async () => ({ state: 'not-checked', issues: [], reason: 'test' }),
      example: async () => ({ ok: true, value: '{}' }),
      generate: async () => ({
        ok: true,
        value: { text: '{}', verdict: { state: 'valid', issues: [], reason: null }, leftOut: [] },
      }),
    },
    clock: systemClock,
    uuid: () => crypto.randomUUID(),
    access: async () => ({ provider, deviceLabel: 'Phone', bridge: spied() }),
    owner: 'test',
    isAlive: () => false,
    currentUser: () => 0,
  });
  return { sessions, received: garden.received, encoded, state, newBridge, journal };
}

/** The preview with the token put back in the place of its mask. */
function unmasked(extras: Bundle): Bundle {
  return extras.map((entry) => (entry.t === 'masked' ? { key: entry.key, t: 'string' as const, v: TOKEN } : entry));
}

const cases = [
  ['v2', 'companion'],
  ['v1', 'companion'],
  ['v1', 'shell'],
] as const;

describe.each(cases)('%s through the %s', (protocol, kind) => {
  it.each([...HOSTILE, ...(kind === 'companion' ? ['{"lone":"\ud800"}', '\0'] : [])])('%j', async (argsText) => {
    const { sessions, received, encoded, journal } = await world(protocol, kind);
    if (protocol === 'v2') await sessions.negotiate(target);
    const prepared = await sessions.prepare(draft({ argsText }));
    const { wireText = '' } = encoded.at(-1) ?? {};
    expect(prepared.wireSha256).toBe(createHash('sha256').update(wireText).digest('hex'));
    const record = await sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    expect(record.outcome).toMatchObject({ kind: 'malformed', problem: { code: 'answer-empty' } });
    const arrived = received.at(-1);
    expect(arrived).toMatchObject({ method: prepared.method, arg: null });
    expect(arrived?.extras?.entries).toEqual(unmasked(prepared.extras));
    expect(arrived?.extras?.entries).toContainEqual({ key: 'args', t: 'string', v: argsText });
    const [request] = journal.events(prepared.id);
    expect(JSON.parse(request?.data ?? '')).toMatchObject({ wireSha256: prepared.wireSha256 });
    expect(encoded.filter((call) => call.method === 'execute_tool')).toHaveLength(1);
  });
});

describe('between prepare and run', () => {
  it('a bridge of the same kind made anew sends the same bytes', async () => {
    for (const kind of ['companion', 'shell'] as const) {
      const { sessions, received, state, newBridge } = await world('v1', kind);
      const prepared = await sessions.prepare(draft());
      state.bridge = newBridge();
      await sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
      expect(received.at(-1)?.extras?.entries).toEqual(prepared.extras);
    }
  });

  it('a shell bridge that would send another command sends nothing', async () => {
    const { sessions, received, state, newBridge } = await world('v1', 'shell');
    const prepared = await sessions.prepare(draft());
    state.bridge = newBridge(10);
    const record = await sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    expect(record.outcome?.kind).toBe('transport-failure');
    expect(record.sentAtMs).toBeNull();
    expect(received).toEqual([]);
  });
});
