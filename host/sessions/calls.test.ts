import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../shared/model/call.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import { openJournal } from '../journal/open-journal.ts';
import {
  createWorld,
  document,
  draft,
  errorAnswer,
  negotiated,
  standard,
  TOKEN,
  target,
  tool,
  value,
  type World,
} from './testing/scripted.ts';

async function ready(over: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = createWorld(over);
  await world.sessions.catalog(target, false);
  return world;
}

/** Prepares, runs, and waits until the bridge has the call. */
async function start(world: World, over: Parameters<typeof draft>[0] = {}) {
  const prepared = await world.sessions.prepare(draft(over));
  const before = world.bridge.pending.length;
  const result = world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
  await world.bridge.waiting(before + 1);
  return { prepared, result, pending: world.bridge.pending[before]! };
}

/** The list as it is now. */
async function list(world: World): Promise<CallRecord[]> {
  for await (const records of world.sessions.watchCalls(target, new AbortController().signal)) return records;
  return [];
}

function codes(problems: readonly { code: string }[]): string[] {
  return problems.map((one) => one.code);
}

describe('prepare', () => {
  it('fixes everything, sends nothing, and shows what will be sent but for the token', async () => {
    const world = await ready();
    const sentBefore = world.bridge.sent.length;
    const prepared = await world.sessions.prepare(draft({ argsText: '{ "n" : 9007199254740993 }' }));
    expect(world.bridge.sent).toHaveLength(sentBefore);
    expect(prepared.deadlineAtMs).toBe(world.clock.now() + 10_000);
    expect(prepared.extras).toEqual([
      { key: 'protocol_version', t: 'int', v: 2 },
      { key: 'session_token', t: 'masked', of: 'string', v: 20 },
      { key: 'request_id', t: 'string', v: prepared.requestId },
      { key: 'deadline_at_ms', t: 'long', v: String(prepared.deadlineAtMs) },
      { key: 'tool_name', t: 'string', v: 'read_it' },
      { key: 'args', t: 'string', v: '{ "n" : 9007199254740993 }' },
    ]);
    expect(prepared).toMatchObject({
      argsBytes: 26,
      maxRequestBytes: 65_536,
      hasEffect: false,
      warnings: [],
      refusals: [],
    });
    expect(JSON.stringify(prepared)).not.toContain(TOKEN);
    expect(prepared.warnings).toEqual([]);
  });

  it.each([
    ['a tool that is not listed', { tool: 'other' }, ['tool-not-in-catalog'], true],
    [
      'arguments over the limit, in bytes',
      { argsText: JSON.stringify('价'.repeat(22_000)) },
      ['args-too-large'],
      false,
    ],
    ['a tool with an effect', { tool: 'create_it' }, [], true],
  ])('judges %s', async (_name, over, refusals, hasEffect) => {
    const world = await ready();
    const prepared = await world.sessions.prepare(draft(over));
    expect(codes(prepared.refusals)).toEqual(refusals);
    expect(prepared.hasEffect).toBe(hasEffect);
  });

  it('refuses a malformed tool by default, takes an undeclared effect for one, and warns of a repeated name', async () => {
    const world = createWorld();
    const tools = [
      tool('bad', 'read', { description: undefined }),
      tool('odd', 'read', { annotations: undefined }),
      tool('twice', 'read'),
      tool('twice', 'delete'),
    ];
    world.bridge.script = (call) =>
      call.method === 'list_tools' ? document(call, { revision: 'r', tools }) : standard(call);
    await world.sessions.catalog(target, false);
    const bad = await world.sessions.prepare(draft({ tool: 'bad' }));
    expect([codes(bad.refusals), bad.hasEffect]).toEqual([['tool-malformed'], false]);
    const odd = await world.sessions.prepare(draft({ tool: 'odd' }));
    expect([codes(odd.refusals), odd.hasEffect]).toEqual([['tool-malformed'], true]);
    const twice = await world.sessions.prepare(draft({ tool: 'twice' }));
    expect([codes(twice.warnings), twice.hasEffect]).toEqual([['tool-repeated'], true]);
  });

  it('warns of a short wait, of a session that ends first, and of request ids', async () => {
    const world = await ready();
    expect(codes((await world.sessions.prepare(draft({ timeoutMs: 999 }))).warnings)).toEqual(['wait-short']);
    world.clock.advance(3_595_000);
    expect(codes((await world.sessions.prepare(draft())).warnings)).toEqual(['session-expires-first']);
    const odd = await world.sessions.prepare(draft({ requestId: 'mine', timeoutMs: 1_000 }));
    expect(codes(odd.warnings)).toEqual(['request-id-not-uuid']);
    const id = 'f2d7c9ae-1111-4000-8000-000000000001';
    const { result, pending } = await start(world, { requestId: id, timeoutMs: 1_000 });
    pending.answer(value(pending.call, { ok: 1 }));
    await result;
    const again = draft({ requestId: id, timeoutMs: 1_000 });
    expect(codes((await world.sessions.prepare(again)).warnings)).toEqual(['request-id-retry']);
    const other = await world.sessions.prepare({ ...again, argsText: '{"n":2}' });
    expect(codes(other.warnings)).toEqual(['request-id-reused']);
  });

  it('has no session to send in before a negotiation, and can be forced to show what the Provider says', async () => {
    const world = createWorld();
    const prepared = await world.sessions.prepare(draft());
    expect([codes(prepared.refusals), codes(prepared.warnings)]).toEqual([['no-session'], ['catalog-unknown']]);
    expect(prepared.argsVerdict).toEqual({ state: 'not-checked', issues: [], reason: 'no-catalog' });
    const refused = await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: { code: 'no-session' } });
    const forced = world.sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    const [pending] = await world.bridge.waiting(1);
    pending?.answer(errorAnswer(pending.call, 'NEGOTIATION_REQUIRED', 'negotiate first', true));
    expect((await forced).outcome).toMatchObject({ kind: 'provider-error', errorCode: 'NEGOTIATION_REQUIRED' });
  });

  it('says where text is no JSON even without a schema', async () => {
    const world = createWorld({ protocol: 'v1' });
    const prepared = await world.sessions.prepare(draft({ argsText: '{n:1}' }));
    expect(prepared.argsVerdict).toMatchObject({ state: 'invalid', issues: [{ pointer: '', keyword: 'syntax' }] });
    expect(prepared).toMatchObject({ protocol: 'v1', deadlineAtMs: null, hasEffect: false, refusals: [] });
  });

  it('holds 200 prepared calls, the least recently used going first', async () => {
    const world = await ready();
    const first = await world.sessions.prepare(draft());
    const second = await world.sessions.prepare(draft({ tool: 'create_it' }));
    for (let i = 0; i < 198; i++) await world.sessions.prepare(draft());
    await world.sessions.run({ preparedId: second.id, confirmed: false, force: false });
    await world.sessions.prepare(draft());
    await expect(world.sessions.run({ preparedId: first.id, confirmed: true, force: false })).rejects.toThrow(
      'prepared-unknown',
    );
    const kept = await world.sessions.run({ preparedId: second.id, confirmed: false, force: false });
    expect(kept.outcome).toMatchObject({ problem: { code: 'needs-confirmation' } });
  });
});

describe('run', () => {
  it('sends exactly what was prepared, records it before it leaves, and judges the value', async () => {
    const seen: unknown[] = [];
    const world = await ready({
      schemas: {
        validate: async (input) => {
          seen.push(input.valueText);
          return { state: 'valid', issues: [], reason: null };
        },
        example: async () => ({ ok: true, value: '{}' }),
        generate: async () => ({
          ok: true,
          value: { text: '{}', verdict: { state: 'valid', issues: [], reason: null }, leftOut: [] },
        }),
      },
    });
    const { prepared, result, pending } = await start(world);
    const wire = pending.call.wireText;
    expect(createHash('sha256').update(wire).digest('hex')).toBe(prepared.wireSha256);
    expect(Buffer.byteLength(wire)).toBe(prepared.wireBytes);
    const [request] = world.journal.events(prepared.id);
    expect(request?.kind).toBe('request');
    expect(JSON.parse(request?.data ?? '')).toMatchObject({ wireSha256: prepared.wireSha256, extras: prepared.extras });
    expect((await list(world))[0]).toMatchObject({ id: prepared.id, outcome: null, sentAtMs: world.clock.now() });
    world.clock.advance(42);
    pending.answer(document(pending.call, '{"kind":"inline","value": {"ok": 12345678901234567890.10} }'));
    const record = await result;
    expect(record).toMatchObject({ id: prepared.id, deviceLabel: 'Pixel', providerLabel: 'Acme', durationMs: 42 });
    expect(record.outcome).toMatchObject({
      kind: 'success',
      findings: [],
      valueText: '{"ok": 12345678901234567890.10}',
      valueTruncated: false,
      outputVerdict: { state: 'valid' },
    });
    expect(seen).toEqual(['{"n":1}', '{"ok": 12345678901234567890.10}']);
    expect(await list(world)).toEqual([record]);
    expect(world.journal.events(prepared.id).map((event) => event.kind)).toEqual(['request', 'response', 'notice']);
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows).toMatchObject([
      { exchangeId: prepared.id, state: 'success', tool: 'read_it', requestId: prepared.requestId },
    ]);
  });

  it('asks for a deliberate act where the tool has an effect, and runs a prepared call once', async () => {
    const world = await ready();
    const prepared = await world.sessions.prepare(draft({ tool: 'create_it' }));
    const run = (confirmed: boolean, force = false) =>
      world.sessions.run({ preparedId: prepared.id, confirmed, force });
    const refused = await run(false, true);
    expect(refused.outcome).toMatchObject({
      kind: 'refused',
      problem: { code: 'needs-confirmation', params: { tool: 'create_it', effect: 'create' } },
    });
    expect(refused.id).not.toBe(prepared.id);
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]).toMatchObject({
      state: 'refused',
    });
    const running = run(true);
    const second = await run(true, true);
    expect(second.outcome).toMatchObject({ kind: 'refused', problem: { code: 'prepared-used' } });
    const [pending] = await world.bridge.waiting(1);
    pending?.answer(value(pending.call, { ok: true }));
    expect((await running).outcome?.kind).toBe('success');
    expect(world.bridge.sent.filter((call) => call.method === 'execute_tool')).toHaveLength(1);
  });

  it('keeps an error as the Provider gave it', async () => {
    const world = await ready();
    const { result, pending } = await start(world);
    pending.answer(errorAnswer(pending.call, 'SOMETHING_NEW', '<b>你好</b>\u202e'));
    expect((await result).outcome).toMatchObject({
      kind: 'provider-error',
      errorCode: 'SOMETHING_NEW',
      known: false,
      errorMessage: '<b>你好</b>\u202e',
    });
  });

  it.each([
    ['null', null],
    ['an empty Bundle', []],
  ])('takes %s for a malformed answer, not for an empty value', async (_name, bundle) => {
    const world = await ready();
    const { result, pending } = await start(world);
    pending.answer(bundle);
    expect((await result).outcome).toMatchObject({ kind: 'malformed', bundle });
  });

  it('masks an echoed token in the record; a PendingIntent is held until it is set aside', async () => {
    const world = await ready();
    const { result, pending } = await start(world);
    const facts = { creatorPackage: 'com.acme', creatorUid: 1, immutable: true, kind: 'activity' as const };
    pending.answer([
      ...errorAnswer(pending.call, 'USER_ACTION_REQUIRED', `see ${TOKEN}`),
      { key: 'resolution', t: 'pendingIntent', v: { handle: 'pi-1', ...facts } },
      { key: 'resume_token', t: 'string', v: 'resume-0123456789' },
    ]);
    const record = await result;
    expect(record.outcome).toMatchObject({
      kind: 'provider-error',
      errorMessage: 'see ⟦masked:20⟧',
      hasResolution: true,
    });
    expect(JSON.stringify(record)).not.toMatch(/tok-0123|resume-0123|pi-1/);
    expect(world.bridge.released).toEqual([]);
    world.sessions.setAsideConfirmation(record.id);
    expect(world.bridge.released).toEqual(['pi-1']);
  });

  it('ends the session where the Provider asks for a negotiation, and does not retry', async () => {
    const world = await ready();
    const { result, pending } = await start(world, { tool: 'create_it' });
    pending.answer(errorAnswer(pending.call, 'NEGOTIATION_REQUIRED', 'expired', true));
    expect((await result).outcome).toMatchObject({ kind: 'provider-error' });
    const prepared = await world.sessions.prepare(draft());
    expect(codes(prepared.refusals)).toEqual(['session-ended']);
    expect(world.bridge.sent.filter((call) => call.method === 'execute_tool')).toHaveLength(1);
  });

  it('says that the Provider may still act after a time-out, with the id to query by', async () => {
    const world = await ready();
    world.bridge.obeysAbort = false;
    const { prepared, result, pending } = await start(world, { tool: 'create_it' });
    world.clock.advance(10_000 + 5_000);
    const record = await result;
    expect(record.outcome).toMatchObject({
      kind: 'transport-failure',
      problem: { code: 'call-timeout', params: { ms: 10_000 } },
      findings: [{ rule: 'effect-unknown', params: { requestId: prepared.requestId, tool: 'create_it' } }],
    });
    pending.answer(value(pending.call, { ok: true }));
    await Promise.resolve();
    await Promise.resolve();
    expect((await list(world))[0]?.outcome?.findings.map((finding) => finding.rule)).toEqual([
      'effect-unknown',
      'late-answer',
    ]);
    const events = world.journal.events(prepared.id);
    expect(events.map((event) => event.kind)).toEqual(['request', 'failure', 'response']);
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]?.state).toBe('transport-failure');
  });

  it('sends nothing where the request cannot be recorded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
    const journal = openJournal(join(folder, 'j.sqlite'));
    const world = await ready({ journal });
    const prepared = await world.sessions.prepare(draft());
    const sent = world.bridge.sent.length;
    journal.close();
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    expect(record.outcome).toMatchObject({ kind: 'refused', problem: { code: 'journal-write-failed' } });
    expect(record.outcome?.findings.map((finding) => finding.rule)).toEqual(['not-recorded']);
    expect(world.bridge.sent).toHaveLength(sent);
    rmSync(folder, { recursive: true });
  });
});

describe('races', () => {
  it('cancel before the answer: abandoned, and the Provider may still act', async () => {
    const world = await ready();
    const { prepared, result } = await start(world, { tool: 'create_it' });
    expect(world.sessions.cancel(prepared.id)).toBe(true);
    expect(world.sessions.cancel(prepared.id)).toBe(false);
    expect((await result).outcome).toMatchObject({
      kind: 'cancelled',
      problem: { code: 'call-cancelled' },
      findings: [{ rule: 'effect-unknown' }],
    });
    expect(world.journal.events(prepared.id).map((event) => event.kind)).toEqual(['request', 'cancel', 'failure']);
    expect(world.sessions.cancel(prepared.id)).toBe(false);
  });

  it('answer before the cancel: the answer stands', async () => {
    const world = await ready();
    const { prepared, result, pending } = await start(world);
    pending.answer(value(pending.call, { ok: true }));
    world.sessions.cancel(prepared.id);
    expect((await result).outcome?.kind).toBe('success');
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]?.state).toBe('success');
  });

  it('a cancel that the bridge does not answer ends after a while', async () => {
    const world = await ready();
    world.bridge.obeysAbort = false;
    const { prepared, result } = await start(world);
    world.sessions.cancel(prepared.id);
    world.clock.advance(3_000);
    expect((await result).outcome).toMatchObject({ kind: 'cancelled', findings: [{ rule: 'outcome-unknown' }] });
  });

  it('expiry during a call: the call keeps its answer, the next one is refused unless forced', async () => {
    const world = await ready();
    world.clock.advance(3_595_000);
    const next = await world.sessions.prepare(draft());
    const { result, pending } = await start(world);
    world.clock.advance(5_000);
    const run = (force: boolean) => world.sessions.run({ preparedId: next.id, confirmed: true, force });
    expect((await run(false)).outcome).toMatchObject({ kind: 'refused', problem: { code: 'session-expired' } });
    const forced = run(true);
    await world.bridge.waiting(2);
    world.bridge.pending[1]?.answer(errorAnswer(pending.call, 'NEGOTIATION_REQUIRED', 'x', true));
    pending.answer(value(pending.call, { ok: true }));
    expect((await result).outcome?.kind).toBe('success');
    expect((await forced).outcome?.kind).toBe('provider-error');
  });

  it('renegotiation during a call: the call keeps its answer, what was prepared before is stale', async () => {
    const world = await ready();
    const stale = await world.sessions.prepare(draft());
    const { result, pending } = await start(world);
    const script = world.bridge.script;
    world.bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated({ session_token: 'tok-other-0123456789' }) : script(call);
    const session = await world.sessions.negotiate(target);
    const sent = world.bridge.sent.length;
    const refused = await world.sessions.run({ preparedId: stale.id, confirmed: true, force: true });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: { code: 'prepared-stale' } });
    expect(world.bridge.sent).toHaveLength(sent);
    pending.answer(errorAnswer(pending.call, 'NEGOTIATION_REQUIRED', 'old', true));
    await result;
    const current = await first(world.sessions.watchSession(target, new AbortController().signal));
    expect(current).toMatchObject({ id: session.id, state: 'open' });
  });

  it('an app that is replaced makes what was prepared for it stale', async () => {
    const world = createWorld({ protocol: 'v1' });
    const prepared = await world.sessions.prepare(draft());
    world.provider = { ...world.provider, candidate: { ...world.provider.candidate, versionCode: '2' } };
    const record = await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    expect(record).toMatchObject({ sentAtMs: null, outcome: { kind: 'refused', problem: { code: 'prepared-stale' } } });
    expect(world.bridge.sent).toEqual([]);
  });

  it('a device that goes away ends every call and the session', async () => {
    const world = await ready();
    world.bridge.obeysAbort = false;
    const runs = [];
    for (let i = 0; i < 6; i++) {
      const prepared = await world.sessions.prepare(draft());
      runs.push(world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false }));
    }
    await world.bridge.waiting(4);
    world.gone = problem('device-gone');
    world.sessions.deviceGone(target.deviceKey, problem('device-gone'));
    const records = await Promise.all(runs);
    expect(records.map((record) => record.outcome?.kind)).toEqual(Array(6).fill('transport-failure'));
    expect(records.map((record) => [record.sentAtMs !== null, record.outcome?.findings.length])).toEqual([
      ...Array(4).fill([true, 1]),
      ...Array(2).fill([false, 0]),
    ]);
    expect((await first(world.sessions.watchSession(target, new AbortController().signal)))?.state).toBe('ended');
    await expect(world.sessions.prepare(draft())).rejects.toBeInstanceOf(ProblemError);
  });

  it('a deadline that passes while a call waits for its turn is not sent', async () => {
    const world = await ready();
    world.bridge.obeysAbort = false;
    const busy = [];
    for (let i = 0; i < 4; i++) busy.push(await start(world, { timeoutMs: 60_000 }));
    const late = await world.sessions.prepare(draft({ timeoutMs: 1_000 }));
    const waiting = world.sessions.run({ preparedId: late.id, confirmed: true, force: false });
    expect((await list(world))[0]).toMatchObject({ id: late.id, sentAtMs: null, outcome: null });
    world.clock.advance(2_000);
    busy[0]?.pending.answer(value(busy[0].pending.call, { ok: true }));
    expect(await waiting).toMatchObject({
      sentAtMs: null,
      outcome: { kind: 'refused', problem: { code: 'deadline-passed' } },
    });
    expect(world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]).toMatchObject({
      exchangeId: late.id,
      state: 'refused',
    });
  });

  it('a waiting call is cancelled without being sent', async () => {
    const world = await ready();
    for (let i = 0; i < 4; i++) await start(world);
    const prepared = await world.sessions.prepare(draft());
    const waiting = world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    expect(world.sessions.cancel(prepared.id)).toBe(true);
    expect(await waiting).toMatchObject({ sentAtMs: null, outcome: { kind: 'cancelled', findings: [] } });
    expect(world.bridge.pending).toHaveLength(4);
  });

  it('200 calls at once: never more than the limit in flight, each result at its call, all recorded', async () => {
    const world = await ready();
    let most = 0;
    const prepared = [];
    for (let i = 0; i < 200; i++) prepared.push(await world.sessions.prepare(draft({ argsText: `{"n":${i}}` })));
    const runs = prepared.map(({ id }) => world.sessions.run({ preparedId: id, confirmed: true, force: false }));
    for (let done = 0; done < 200; ) {
      await world.bridge.waiting(1);
      const batch = world.bridge.pending.splice(0);
      most = Math.max(most, batch.length);
      // The last to arrive is answered first.
      for (const { call, answer } of batch.reverse()) {
        const args = call.extras?.find((entry) => entry.key === 'args');
        answer(value(call, { echo: args?.t === 'string' ? JSON.parse(args.v).n : null }));
        done++;
      }
    }
    const records = await Promise.all(runs);
    expect(most).toBeLessThanOrEqual(4);
    expect(records.map((record) => record.outcome?.kind === 'success' && record.outcome.valueText)).toEqual(
      prepared.map((_, i) => `{"echo":${i}}`),
    );
    expect(await list(world)).toHaveLength(200);
    expect(world.journal.history({ search: 'execute_tool', beforeSeq: null, limit: 1 }).total).toBe(200);
  });
});

async function first<T>(stream: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of stream) return item;
  return undefined;
}
