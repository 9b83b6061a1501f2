import { afterEach, describe, expect, it } from 'vitest';
import { type Bundle, entryOf } from '../../shared/model/bundle.ts';
import type { CallDraft, CallRecord } from '../../shared/model/call.ts';
import { Deviation } from '../../shared/model/deviation.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import { createPriceAlerts, PRICE_ALERTS_PACKAGE } from '../simulator/provider-kit/price-alerts.ts';
import type { V2Options } from '../simulator/provider-kit/v2/definition.ts';
import type { DeviceObject } from '../simulator/virtual-device.ts';
import { createWorld, draft, target, type World } from './testing/scripted.ts';

/** Each deliberate break, as the correct Provider of the kit sees and answers it. */

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.sessions.close();
});

const CALLER = { uid: 10_300, packages: ['com.clawseed.inspector.companion'] };

/** The engine with the kit's Price Alerts behind it. */
async function ready(options: V2Options = {}) {
  const world = createWorld();
  worlds.push(world);
  const { provider } = world;
  world.provider = { ...provider, candidate: { ...provider.candidate, package: PRICE_ALERTS_PACKAGE } };
  const kit = createPriceAlerts({ now: () => world.clock.now(), ...options });
  const objects = new Map<string, DeviceObject>();
  world.bridge.call = async (call, _timeoutMs, _signal, onSent) => {
    world.bridge.sent.push(call);
    onSent?.();
    const extras = call.extras === null ? null : { entries: call.extras, objects: {} };
    const outcome = await kit.app.call(CALLER, call.method, call.arg, extras);
    if (outcome.kind !== 'bundle') throw new Error(`The kit answered ${outcome.kind}.`);
    const made = Object.entries(outcome.bundle.objects).flatMap(([key, object]): Bundle => {
      if (object.t !== 'pendingIntent') return [];
      const handle = `h-${objects.size}`;
      objects.set(handle, object);
      const { creatorPackage, creatorUid, immutable, kind } = object;
      return [{ key, t: 'pendingIntent', v: { handle, creatorPackage, creatorUid, immutable, kind } }];
    });
    return { kind: 'answer', bundle: [...outcome.bundle.entries, ...made], nullKeys: 0, elapsedMs: 1 };
  };
  world.bridge.onLaunch = async (handle) => {
    const object = objects.get(handle);
    if (object?.t !== 'pendingIntent') throw new Error('no such intent');
    const { resultCode } = await object.launch();
    return { kind: 'result', resultCode, data: null, elapsedMs: 1 };
  };
  await world.sessions.catalog(target, false);
  return { ...world, kit };
}

type Ready = Awaited<ReturnType<typeof ready>>;
const QUOTE = { tool: 'get_quote', argsText: '{"symbol":"NWND"}' };
const DELETE = { tool: 'delete_alert', argsText: '{"alert_id":"al-1"}' };

async function run({ sessions }: Ready, over: Partial<CallDraft>): Promise<CallRecord> {
  const prepared = await sessions.prepare(draft({ ...QUOTE, ...over }));
  return sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
}

const lastSent = ({ bridge }: Ready) => bridge.sent.at(-1) as EncodedCall;
const codeOf = ({ outcome }: CallRecord) => (outcome?.kind === 'provider-error' ? outcome.errorCode : outcome?.kind);
const keysOf = (call: EncodedCall) => (call.extras ?? []).map(({ key }) => key);
const sent = (call: EncodedCall, key: string) => entryOf(call.extras ?? [], key);

describe('each deviation arrives as it is named, and is marked', () => {
  it('a call without one is none', async () => {
    const world = await ready();
    const record = await run(world, {});
    expect(record.prepared.deliberate).toEqual([]);
    expect(codeOf(record)).toBe('success');
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]?.deliberate).toBe(false);
  });

  it('v2 4.1: an expired deadline passes our own refusal', async () => {
    const world = await ready();
    const record = await run(world, { deliberate: ['expired-deadline'] });
    expect(codeOf(record)).toBe('DEADLINE_EXCEEDED');
    expect(sent(lastSent(world), 'deadline_at_ms')).toEqual({
      key: 'deadline_at_ms',
      t: 'long',
      v: String(world.clock.now() - 60_000),
    });
    expect(record.prepared.deliberate).toEqual(['expired-deadline']);
    const [request] = world.journal.events(record.id);
    expect(JSON.parse(request?.data ?? '')).toMatchObject({ deliberate: ['expired-deadline'] });
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]?.deliberate).toBe(true);
  });

  it('v2 2.2: no token, a made-up one, and the one of the session before', async () => {
    const world = await ready();
    expect(codeOf(await run(world, { deliberate: ['no-token'] }))).toBe('NEGOTIATION_REQUIRED');
    expect(keysOf(lastSent(world))).not.toContain('session_token');
    const stale = sent(world.bridge.sent.find(({ method }) => method === 'list_tools') as EncodedCall, 'session_token');
    // What the Provider says is about the token that was sent, and not about the session in force.
    expect((await world.sessions.listSessions(target))[0]).toMatchObject({ state: 'open', problem: null });
    expect(codeOf(await run(world, {}))).toBe('success');
    const madeUp = await run(world, { deliberate: ['wrong-token'] });
    expect(codeOf(madeUp)).toBe('NEGOTIATION_REQUIRED');
    expect(sent(lastSent(world), 'session_token')).not.toEqual(stale);
    await world.sessions.negotiate(target);
    await run(world, { deliberate: ['stale-session'] });
    expect(sent(lastSent(world), 'session_token')).toEqual(stale);
    await run(world, {});
    expect(sent(lastSent(world), 'session_token')).not.toEqual(stale);
  });

  it('v2 2.2: a stale session needs one that is over', async () => {
    const world = await ready();
    await expect(run(world, { deliberate: ['stale-session'] })).rejects.toMatchObject({
      problem: { code: 'deliberate-no-stale-session' },
    });
  });

  it('v2 4: without protocol_version a dual-stack Provider answers as v1, and it is read so', async () => {
    const world = await ready();
    const record = await run(world, { deliberate: ['no-protocol-version'] });
    expect(keysOf(lastSent(world))).toEqual(['tool_name', 'args']);
    expect(codeOf(record)).toBe('success');
    expect(codeOf(await run(world, { ...DELETE, deliberate: ['no-protocol-version'] }))).toBe('TOOL_NOT_FOUND');
    expect(world.kit.app.ran).toEqual([]);
  });

  it('v2 4: an unknown method', async () => {
    const world = await ready();
    const record = await run(world, { deliberate: ['unknown-method'] });
    expect(lastSent(world).method).toBe('cetp_inspector_unknown');
    expect(record.prepared.method).toBe('cetp_inspector_unknown');
    expect(codeOf(record)).toBe('METHOD_NOT_FOUND');
  });

  it('v2 4.1: wrong types', async () => {
    const world = await ready();
    expect(codeOf(await run(world, { deliberate: ['wrong-types'] }))).toBe('INVALID_REQUEST');
    expect(sent(lastSent(world), 'protocol_version')).toEqual({ key: 'protocol_version', t: 'string', v: '2' });
    expect(sent(lastSent(world), 'deadline_at_ms')).toMatchObject({ t: 'int' });
  });

  it('v2 4.1: oversized by one byte, shown as it is sent', async () => {
    const world = await ready();
    const prepared = await world.sessions.prepare(draft({ ...QUOTE, deliberate: ['oversized'] }));
    expect(prepared).toMatchObject({ argsBytes: 65_537, maxRequestBytes: 65_536, refusals: [] });
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: false, force: false });
    expect(codeOf(record)).toBe('INVALID_REQUEST');
    expect(sent(lastSent(world), 'args')).toEqual(entryOf(prepared.extras, 'args'));
    expect(sent(lastSent(world), 'args')).toMatchObject({ v: QUOTE.argsText.padEnd(65_537, ' ') });
  });

  it('v2 2.3: a capability that was not negotiated', async () => {
    const world = await ready({ capabilities: ['async_operations'] });
    expect(codeOf(await run(world, { deliberate: ['unnegotiated-capability'] }))).toBe('UNSUPPORTED_CAPABILITY');
    expect(lastSent(world).method).toBe('cancel_operation');
    const all = await ready();
    await expect(run(all, { deliberate: ['unnegotiated-capability'] })).rejects.toMatchObject({
      problem: { code: 'deliberate-all-negotiated' },
    });
  });

  it('v2 6: the same request_id with other arguments, and after its answer', async () => {
    const world = await ready();
    const create = {
      tool: 'create_alert',
      argsText: '{"symbol":"NWND","price":1,"direction":"above"}',
      requestId: crypto.randomUUID(),
    };
    expect((await run(world, create)).prepared.deliberate).toEqual([]);
    expect((await run(world, create)).prepared.deliberate).toEqual(['repeated-request-id']);
    const other = await run(world, { ...create, argsText: create.argsText.replace('1', '2') });
    expect(other.prepared.deliberate).toEqual(['reused-request-id']);
    expect(codeOf(other)).toBe('INVALID_REQUEST');
  });

  it('what cannot be one call is refused, and nothing is sent', async () => {
    const world = await ready();
    const before = world.bridge.sent.length;
    const pairs: [Deviation, Deviation][] = [
      ['no-token', 'wrong-token'],
      ['unknown-method', 'unnegotiated-capability'],
      ['no-protocol-version', 'expired-deadline'],
    ];
    for (const deliberate of pairs) {
      await expect(run(world, { deliberate })).rejects.toMatchObject({ problem: { code: 'deliberate-conflict' } });
    }
    await expect(run(world, { deliberate: ['resume-token-twice'] })).rejects.toMatchObject({
      problem: { code: 'deliberate-needs-resume' },
    });
    expect(world.bridge.sent).toHaveLength(before);
    const v1 = createWorld({ protocol: 'v1' });
    worlds.push(v1);
    for (const name of Deviation.options.filter((one) => one !== 'unknown-method')) {
      await expect(v1.sessions.prepare(draft({ deliberate: [name] })), name).rejects.toMatchObject({
        problem: { code: 'deliberate-needs-v2' },
      });
    }
  });

  it('other refusals of ours stay: an effect still needs the deliberate act', async () => {
    const world = await ready();
    const prepared = await world.sessions.prepare(draft({ ...DELETE, deliberate: ['expired-deadline'] }));
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: false, force: false });
    expect(record.outcome).toMatchObject({ kind: 'refused', problem: { code: 'needs-confirmation' } });
  });
});

describe('v2 4.3: breaks of a resume', () => {
  it('changed argument bytes are refused by the Provider, and nothing happened', async () => {
    const world = await ready();
    const asked = await run(world, DELETE);
    expect(codeOf(asked)).toBe('USER_ACTION_REQUIRED');
    await world.sessions.launchConfirmation(asked.id, true);
    const prepared = await world.sessions.prepareResume(asked.id, ['changed-args-on-resume']);
    expect(entryOf(prepared.extras, 'args')).toMatchObject({ v: `${DELETE.argsText} ` });
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    expect(codeOf(record)).toBe('INVALID_REQUEST');
    expect(record.prepared.deliberate).toEqual(['changed-args-on-resume']);
    expect(world.kit.app.ran).toEqual([]);
  });

  it('the token a second time has no second effect', async () => {
    const world = await ready();
    const asked = await run(world, DELETE);
    await world.sessions.confirm(asked.id, true);
    expect(world.kit.app.ran).toHaveLength(1);
    const prepared = await world.sessions.prepareResume(asked.id, ['resume-token-twice']);
    expect(prepared.refusals).toEqual([]);
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    expect(record.sentAtMs).not.toBeNull();
    expect(sent(lastSent(world), 'resume_token')).toBeDefined();
    expect(world.kit.app.ran).toHaveLength(1);
  });
});

describe('v2 6: the same bytes several times at once', () => {
  it('are calls of their own with one encoding; the Provider executes once', async () => {
    const world = await ready();
    const create = { tool: 'create_alert', argsText: '{"symbol":"NWND","price":1,"direction":"above"}' };
    const before = world.bridge.sent.length;
    const first = await run(world, { ...create, times: 4 });
    const copies = world.bridge.sent.slice(before);
    expect(copies).toHaveLength(4);
    expect(new Set(copies.map(({ wireText }) => wireText)).size).toBe(1);
    expect(world.kit.app.ran).toHaveLength(1);
    expect(first.prepared).toMatchObject({
      deliberate: ['times'],
      burst: { of: first.id, index: 0, count: 4 },
    });
    const rows = world.journal.history({ search: first.prepared.requestId ?? '', beforeSeq: null, limit: 9 }).rows;
    expect(new Set(rows.map(({ exchangeId }) => exchangeId)).size).toBe(4);
    expect(rows.every(({ deliberate }) => deliberate)).toBe(true);
  });

  it('leave at once, whatever the negotiated limit says', async () => {
    const world = await ready({ limits: { max_concurrent_requests: 2 } });
    const { call } = world.bridge;
    let under = 0;
    let most = 0;
    const release = Promise.withResolvers<void>();
    const all = Promise.withResolvers<void>();
    world.bridge.call = async (...parts) => {
      most = Math.max(most, ++under);
      if (under === 6) all.resolve();
      await release.promise;
      return call.call(world.bridge, ...parts);
    };
    const running = run(world, { times: 6 });
    await all.promise;
    expect(most).toBe(6);
    release.resolve();
    await running;
  });

  it('a refusal is told once', async () => {
    const world = await ready();
    const prepared = await world.sessions.prepare(draft({ ...DELETE, times: 3 }));
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: false, force: false });
    expect(record.outcome?.kind).toBe('refused');
    expect(world.journal.history({ search: 'needs-confirmation', beforeSeq: null, limit: 9 }).rows).toHaveLength(1);
  });
});
