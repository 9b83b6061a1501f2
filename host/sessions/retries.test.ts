import { describe, expect, it } from 'vitest';
import { type Bundle, stringOf } from '../../shared/model/bundle.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import { problem } from '../../shared/model/problem.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import {
  createWorld,
  draft,
  errorAnswer,
  negotiated,
  standard,
  target,
  value,
  type World,
} from './testing/scripted.ts';

type Answer = (call: EncodedCall, nth: number) => Bundle | undefined;

/** A world whose executions are answered by `answer`; undefined leaves one waiting. */
async function ready(answer: Answer): Promise<World> {
  const world = createWorld();
  let nth = 0;
  world.bridge.script = (call) => (call.method === 'execute_tool' ? answer(call, ++nth) : standard(call));
  await world.sessions.catalog(target, false);
  return world;
}

async function run(world: World, over: Parameters<typeof draft>[0] = {}): Promise<CallRecord> {
  const prepared = await world.sessions.prepare(draft(over));
  return world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
}

function retryable(call: EncodedCall, code: string, waitMs: number | null): Bundle {
  const wait: Bundle = waitMs === null ? [] : [{ key: 'retry_after_ms', t: 'long', v: String(waitMs) }];
  return [...errorAnswer(call, code, 'later', true), ...wait];
}

/** The list, once it is as asked; each change is a new value of the stream. */
async function listWhen(world: World, is: (records: CallRecord[]) => boolean): Promise<CallRecord[]> {
  for await (const records of world.sessions.watchCalls(target, new AbortController().signal)) {
    if (is(records)) return records;
  }
  throw new Error('The stream ended.');
}

const executions = (world: World) => world.bridge.sent.filter((call) => call.method === 'execute_tool');
const text = (call: EncodedCall | undefined, key: string) => stringOf(call?.extras ?? [], key);
const deadline = (call: EncodedCall | undefined) => call?.extras?.find((entry) => entry.key === 'deadline_at_ms');
const retryBy = (world: World, callId: string, deliberate = false) =>
  world.sessions.retry({ callId, confirmed: true, deliberate });

/** Each negotiation brings the reads that 3.3 asks for, at a time of their own. */
const withoutReads = (world: World): string[] =>
  world.bridge.sent.map((call) => call.method).filter((method) => !/^(get_provider_info|list_tools)$/.test(method));

describe('v2 5 and 4.1: a retry by hand', () => {
  it('keeps request_id and args, takes a new deadline, and links the attempts', async () => {
    const world = await ready((call, nth) =>
      nth === 1 ? retryable(call, 'RATE_LIMITED', 5_000) : value(call, { ok: 1 }),
    );
    const first = await run(world, { tool: 'create_it', argsText: '{ "n": 1e2 }' });
    expect(first).toMatchObject({
      attempt: 1,
      previousCallId: null,
      retry: { kind: 'retryable', automatic: true, auto: null, notBeforeMs: world.clock.now() + 5_000 },
    });
    expect(first.retry?.safeUntilMs).toBe(first.startedAtMs + 86_400_000);
    await expect(retryBy(world, first.id)).rejects.toMatchObject({ problem: { code: 'retry-too-early' } });
    expect(executions(world)).toHaveLength(1);
    world.clock.advance(5_000);
    const second = await retryBy(world, first.id);
    expect(second).toMatchObject({ attempt: 2, previousCallId: first.id, retry: null, outcome: { kind: 'success' } });
    const [before, after] = executions(world);
    expect(text(after, 'request_id')).toBe(text(before, 'request_id'));
    expect(text(after, 'args')).toBe('{ "n": 1e2 }');
    expect(deadline(after)).not.toEqual(deadline(before));
    const [request] = world.journal.events(second.id);
    expect(JSON.parse(request?.data ?? '')).toMatchObject({ previousExchangeId: first.id });
  });

  it('early, or against retryable=false, only deliberately; a tool with an effect only with the act that it needs', async () => {
    const world = await ready((call) => errorAnswer(call, 'INVALID_ARGS'));
    const first = await run(world, { tool: 'create_it' });
    expect(first.retry).toBe(null);
    await expect(retryBy(world, first.id)).rejects.toMatchObject({ problem: { code: 'retry-not-offered' } });
    const unconfirmed = await world.sessions.retry({ callId: first.id, confirmed: false, deliberate: true });
    expect(unconfirmed.outcome).toMatchObject({ kind: 'refused', problem: { code: 'needs-confirmation' } });
    expect(executions(world)).toHaveLength(1);
    expect((await retryBy(world, first.id, true)).attempt).toBe(2);
  });

  it('the wait that the Provider asked for last counts, whichever attempt is asked again', async () => {
    const world = await ready((call, nth) => retryable(call, 'RATE_LIMITED', nth === 1 ? 100 : 9_000));
    const first = await run(world);
    world.clock.advance(100);
    await retryBy(world, first.id);
    world.clock.advance(1_000);
    await expect(retryBy(world, first.id)).rejects.toMatchObject({ problem: { code: 'retry-too-early' } });
  });

  it('v2 6: past the idempotency window it is not safe any more', async () => {
    const world = await ready((call) => retryable(call, 'UNAVAILABLE', null));
    const first = await run(world, { tool: 'create_it' });
    world.clock.advance(86_400_001);
    await expect(retryBy(world, first.id)).rejects.toMatchObject({ problem: { code: 'retry-window-over' } });
  });

  it('v2 4.1: after a time-out and after a device that went away the same id asks, in a new session', async () => {
    const world = await ready((call, nth) => (nth === 1 ? undefined : value(call, { ok: 1 })));
    const prepared = await world.sessions.prepare(draft({ tool: 'create_it' }));
    const running = world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    await world.bridge.waiting(1);
    world.sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 's' }));
    const first = await running;
    expect(first).toMatchObject({
      outcome: { kind: 'transport-failure' },
      retry: { kind: 'no-answer', automatic: false },
    });
    world.bridge.sent.length = 0;
    const second = await retryBy(world, first.id);
    expect(withoutReads(world)).toEqual(['negotiate', 'execute_tool']);
    expect(text(executions(world)[0], 'request_id')).toBe(prepared.requestId);
    expect(second).toMatchObject({ attempt: 2, outcome: { kind: 'success' } });
  });

  it('refuses while an attempt of the id is under way', async () => {
    const world = await ready((call, nth) => (nth === 1 ? retryable(call, 'UNAVAILABLE', null) : undefined));
    const first = await run(world);
    void retryBy(world, first.id);
    await world.bridge.waiting(1);
    await expect(retryBy(world, first.id, true)).rejects.toMatchObject({ problem: { code: 'retry-under-way' } });
  });
});

describe('v2 5: automatic retries', () => {
  it('wait as asked, are bounded, and each is a call of its own', async () => {
    const world = await ready((call) => retryable(call, 'RATE_LIMITED', 2_000));
    const first = await run(world, { autoRetry: { max: 2 } });
    expect(first.retry?.auto).toEqual({ left: 2, nextAtMs: world.clock.now() + 2_000, stopped: null });
    world.clock.advance(1_999);
    expect(executions(world)).toHaveLength(1);
    world.clock.advance(1);
    await listWhen(world, ([newest]) => newest?.attempt === 2 && newest.retry?.auto?.nextAtMs != null);
    world.clock.advance(2_000);
    const records = await listWhen(world, ([newest]) => newest?.attempt === 3 && newest.retry?.auto != null);
    expect(records[0]?.retry?.auto).toMatchObject({ left: 0, nextAtMs: null, stopped: { code: 'retry-exhausted' } });
    expect(records.map((record) => record.attempt)).toEqual([3, 2, 1]);
    expect(new Set(executions(world).map((call) => text(call, 'request_id'))).size).toBe(1);
    world.clock.advance(3_600_000);
    expect(executions(world)).toHaveLength(3);
  });

  it('wait 1 s, then 2 s, where the error names no wait; a timer that is early is no reason to be', async () => {
    const world = await ready((call) => retryable(call, 'UNAVAILABLE', null));
    world.clock.earlyMs = 5;
    await run(world, { autoRetry: { max: 5 } });
    world.clock.advance(999);
    expect(executions(world)).toHaveLength(1);
    world.clock.advance(1);
    const [second] = await listWhen(world, ([newest]) => newest?.attempt === 2 && newest.retry?.auto?.nextAtMs != null);
    expect(second?.retry?.auto?.nextAtMs).toBe(world.clock.now() + 2_000);
  });

  it.each([
    ['AUTH_REQUIRED', true],
    ['USER_ACTION_REQUIRED', true],
    ['INVALID_ARGS', true],
    ['INVALID_REQUEST', true],
    ['PERMISSION_DENIED', true],
    ['CONFLICT', false],
  ])('v2 5: never for %s (retryable=%s)', async (code, declared) => {
    const world = await ready((call) => errorAnswer(call, code, 'x', declared));
    const record = await run(world, { autoRetry: { max: 5 } });
    expect(record.retry?.auto ?? null).toEqual(
      declared ? { left: 5, nextAtMs: null, stopped: { code: 'retry-not-automatic', params: {}, raw: null } } : null,
    );
    world.clock.advance(3_600_000);
    expect(executions(world)).toHaveLength(1);
  });

  it('do not wait for hours: that is left to a person', async () => {
    const world = await ready((call) => retryable(call, 'RATE_LIMITED', 3_600_000));
    const record = await run(world, { autoRetry: { max: 5 } });
    expect(record.retry?.auto?.stopped?.code).toBe('retry-wait-too-long');
  });

  it('v2 2.2: NEGOTIATION_REQUIRED is a new negotiation and then the same id, once for each retry', async () => {
    const world = await ready((call, nth) =>
      nth === 1 ? retryable(call, 'NEGOTIATION_REQUIRED', 0) : value(call, { ok: 1 }),
    );
    const script = world.bridge.script;
    world.bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated({ session_token: 'tok-second-0123456789' }) : script(call);
    await run(world, { tool: 'create_it', autoRetry: { max: 1 } });
    world.bridge.sent.length = 0;
    world.clock.advance(1);
    const [second] = await listWhen(world, ([newest]) => newest?.attempt === 2 && newest.endedAtMs !== null);
    expect(withoutReads(world)).toEqual(['negotiate', 'execute_tool']);
    expect(text(executions(world)[0], 'session_token')).toBe('tok-second-0123456789');
    expect(second?.outcome?.kind).toBe('success');
    expect(JSON.stringify(second)).not.toContain('tok-second');
  });

  it('can be stopped, and stop with the device', async () => {
    const world = await ready((call) => retryable(call, 'UNAVAILABLE', 500));
    const one = await run(world, { autoRetry: { max: 5 } });
    const two = await run(world, { autoRetry: { max: 5 } });
    expect(world.sessions.stopRetry(one.id)).toBe(true);
    expect(world.sessions.stopRetry(one.id)).toBe(false);
    world.sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 's' }));
    world.clock.advance(3_600_000);
    expect(executions(world)).toHaveLength(2);
    const records = await listWhen(world, () => true);
    const stopped = (id: string) => records.find((record) => record.id === id)?.retry?.auto;
    expect(stopped(one.id)).toMatchObject({ nextAtMs: null, stopped: { code: 'retry-stopped' } });
    expect(stopped(two.id)).toMatchObject({ nextAtMs: null, stopped: { code: 'device-gone' } });
  });

  it('end where a person asks again by hand', async () => {
    const world = await ready((call) => retryable(call, 'UNAVAILABLE', 500));
    const first = await run(world, { autoRetry: { max: 5 } });
    const second = await retryBy(world, first.id, true);
    expect(second.retry?.auto).toBe(null);
    const records = await listWhen(world, () => true);
    expect(records.at(-1)?.retry?.auto).toMatchObject({ nextAtMs: null, stopped: { code: 'retry-by-hand' } });
    world.clock.advance(3_600_000);
    expect(executions(world)).toHaveLength(2);
  });

  it('one that cannot be sent says why, and nothing follows', async () => {
    const world = await ready((call) => retryable(call, 'UNAVAILABLE', 500));
    const first = await run(world, { autoRetry: { max: 5 } });
    world.gone = problem('device-gone', { serial: 's' });
    world.clock.advance(500);
    const records = await listWhen(world, ([newest]) => newest?.retry?.auto?.stopped != null);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ id: first.id, retry: { auto: { stopped: { code: 'device-gone' } } } });
  });
});

describe('v2 6: a repeated id has the same terminal outcome', () => {
  const rules = (record: CallRecord) => record.outcome?.findings.map(({ rule }) => rule) ?? [];
  const twice = async (over: Parameters<typeof draft>[0], first: Answer, second: Answer) => {
    const world = await ready((call, nth) => (nth === 1 ? first(call, 1) : second(call, nth)));
    const before = await run(world, over);
    return rules(await run(world, { ...over, requestId: before.prepared.requestId }));
  };
  const asValue =
    (json: string): Answer =>
    (call) =>
      value(call, '§').map((entry) =>
        entry.key === 'data' && entry.t === 'string' ? { ...entry, v: entry.v.replace('"§"', json) } : entry,
      );
  const asError =
    (code: string): Answer =>
    (call) =>
      errorAnswer(call, code);

  it.each([
    ['the same value', asValue('{"a":1,"b":[1.0]}'), asValue('{ "b" : [1], "a" : 1e0 }'), []],
    ['another value', asValue('{"a":1}'), asValue('{"a":2}'), ['repeat-outcome-differs']],
    [
      'digits that a double would lose',
      asValue('{"a":9007199254740993}'),
      asValue('{"a":9007199254740992}'),
      ['repeat-outcome-differs'],
    ],
    ['a success after a denial', asError('USER_CANCELLED'), asValue('1'), ['repeat-outcome-differs']],
    ['a success after an error of the moment', asError('PERMISSION_DENIED'), asValue('1'), []],
    ['an error of the moment after a success', asValue('1'), asError('UNAVAILABLE'), []],
  ])('%s', async (_name, first, second, expected) => {
    expect(await twice({ tool: 'create_it' }, first, second)).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0)
      expect(await twice({ tool: 'create_it' }, first, second)).not.toContain('repeat-outcome-differs');
  });

  it('says nothing of a plain read, which need not remember its calls', async () => {
    expect(await twice({ tool: 'read_it' }, asValue('{"a":1}'), asValue('{"a":2}'))).not.toContain(
      'repeat-outcome-differs',
    );
  });

  it('says nothing past the window', async () => {
    const world = await ready((call, nth) => value(call, nth));
    const before = await run(world, { tool: 'create_it' });
    world.clock.advance(86_400_001);
    await world.sessions.negotiate(target);
    expect(rules(await run(world, { tool: 'create_it', requestId: before.prepared.requestId }))).not.toContain(
      'repeat-outcome-differs',
    );
  });
});
