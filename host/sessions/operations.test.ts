import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringOf } from '../../shared/model/bundle.ts';
import type { Operation } from '../../shared/model/operation.ts';
import { problem } from '../../shared/model/problem.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import {
  createWorld,
  document,
  draft,
  errorAnswer,
  negotiated,
  standard,
  TOKEN,
  target,
  type World,
} from './testing/scripted.ts';

const ALL = ['async_operations', 'cancellation'];

/** A call that the Provider accepted; `states` answers each query in turn, the last one again and again. */
async function accepted(states: object[], pollAfterMs: unknown = 500, capabilities = ALL, operationId = 'op1') {
  const world = createWorld();
  const asked: { atMs: number; call: EncodedCall }[] = [];
  const script = { states, cancel: 'cancellation_requested', error: null as string | null };
  world.bridge.script = (call) => {
    if (call.method === 'negotiate') return negotiated({ capabilities });
    if (call.method === 'execute_tool') {
      const data = { operation_id: operationId, poll_after_ms: pollAfterMs };
      return document(call, data).map(
        (entry) => (entry.key === 'status' ? { ...entry, v: 'accepted' } : entry) as never,
      );
    }
    if (call.method === 'cancel_operation') {
      return script.cancel === 'CONFLICT'
        ? errorAnswer(call, 'CONFLICT')
        : document(call, { operation_id: operationId, state: script.cancel });
    }
    if (call.method !== 'get_operation') return standard(call);
    asked.push({ atMs: world.clock.now(), call });
    if (script.error !== null) return errorAnswer(call, script.error);
    const next = script.states.length > 1 ? script.states.shift() : script.states[0];
    return document(call, { operation_id: operationId, poll_after_ms: 500, ...next });
  };
  await world.sessions.catalog(target, false);
  const prepared = await world.sessions.prepare(draft({ tool: 'create_it' }));
  const record = await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
  return { world, asked, script, record, callId: record.id };
}

async function current(world: World): Promise<Operation[]> {
  for await (const list of world.sessions.watchOperations(new AbortController().signal)) return list;
  return [];
}

/** Moves the clock and waits for what became due. */
async function pass(world: World, ms: number): Promise<Operation> {
  world.clock.advance(ms);
  await new Promise<void>((resolve) => setImmediate(resolve));
  return (await current(world))[0]!;
}

const inline = { state: 'succeeded', result: { kind: 'inline', value: { ok: 1 } } };

describe('a background operation (v2 4.4)', () => {
  it('is followed to its end with the request_id of the execution (4.1), each query in the journal', async () => {
    const states = [{ state: 'queued' }, { state: 'running', progress: { current: 1 }, poll_after_ms: 900 }, inline];
    const { world, asked, record } = await accepted(states);
    expect((await pass(world, 499)).queryCount).toBe(0);
    expect(await pass(world, 1)).toMatchObject({ state: 'queued', queryCount: 1 });
    expect(await pass(world, 500)).toMatchObject({ state: 'running', progressText: '{"current":1}', pollAfterMs: 900 });
    expect((await pass(world, 899)).queryCount).toBe(2);
    const end = await pass(world, 1);
    expect(end).toMatchObject({ state: 'succeeded', outcome: { kind: 'success', valueText: '{"ok":1}' } });
    expect([end.nextPollAtMs, end.paused]).toEqual([null, null]);
    await pass(world, 60_000);
    expect(asked.map(({ call }) => stringOf(call.extras ?? [], 'request_id'))).toEqual(
      Array(3).fill(record.prepared.requestId),
    );
    for (const query of end.queries) {
      expect(world.journal.events(query.exchangeId).map((event) => event.kind)).toEqual(['request', 'response']);
    }
  });

  it('is not followed where async_operations was not negotiated: the answer is shown with its finding', async () => {
    const { world, asked, record } = await accepted([inline], 500, []);
    expect(record.outcome).toMatchObject({ kind: 'accepted', findings: [{ rule: 'accepted-not-negotiated' }, {}] });
    expect(await current(world)).toEqual([]);
    await pass(world, 60_000);
    expect(asked).toEqual([]);
  });

  it('whose operation_id is the session_token is followed, and leaves no row with that secret on the disk', async () => {
    const { world } = await accepted([{ state: 'running' }, inline], 500, ALL, TOKEN);
    expect(world.journal.operations.unfinished(10)).toEqual([]);
    expect(JSON.stringify(await current(world))).not.toContain(TOKEN);
    await pass(world, 500);
    expect(await pass(world, 500)).toMatchObject({ state: 'succeeded', queryCount: 2 });
    const named = await accepted([inline]);
    expect(named.world.journal.operations.unfinished(10)).toMatchObject([{ operationId: 'op1' }]);
  });

  it('is listed with at most 4,096 characters of its operation_id and no half of a secret, and asked for with all of it', async () => {
    const id = 'o'.repeat(4_090) + TOKEN + 'o'.repeat(100_000);
    const { world, asked } = await accepted([{ state: 'running' }], 500, ALL, id);
    const [shown] = await current(world);
    expect(shown?.operationId.length).toBeLessThanOrEqual(4_096);
    expect(shown?.operationId).not.toContain(TOKEN.slice(0, 6));
    await pass(world, 500);
    expect(stringOf(asked[0]?.call.extras ?? [], 'operation_id')).toBe(id);
  });

  it('is never asked faster than the Provider wants, by timer or by hand', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: -5, max: 3_000 }), fc.constant(null)),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1_500 }), fc.boolean()), { maxLength: 15 }),
        async (pollAfterMs, steps) => {
          const states = [{ state: 'running', poll_after_ms: pollAfterMs }];
          const { world, asked, callId } = await accepted(states, pollAfterMs);
          const openedAt = world.clock.now();
          for (const [ms, byHand] of steps) {
            await pass(world, ms);
            if (byHand) await world.sessions.pollOperation(callId).catch(() => {});
          }
          const least = pollAfterMs === null || pollAfterMs <= 0 ? 1_000 : Math.max(200, pollAfterMs);
          const times = [openedAt, ...asked.map(({ atMs }) => atMs)];
          for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBeGreaterThanOrEqual(least);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keeps the request to cancel and the reported end apart, whoever wins', async () => {
    const lost = await accepted([{ state: 'running' }, inline]);
    await pass(lost.world, 500);
    const asked = await lost.world.sessions.cancelOperation(lost.callId);
    expect(asked).toMatchObject({ state: 'running', endedAtMs: null });
    expect(asked.cancelRequestedAtMs).toBe(lost.world.clock.now());
    const end = await pass(lost.world, 500);
    expect(end).toMatchObject({ state: 'succeeded', cancelRequestedAtMs: asked.cancelRequestedAtMs });
    const won = await accepted([{ state: 'cancelled' }]);
    await won.world.sessions.cancelOperation(won.callId);
    expect(await pass(won.world, 500)).toMatchObject({ state: 'cancelled', outcome: null });
  });

  it('does not take a CONFLICT for a cancel, and cancels only where it was negotiated', async () => {
    const { world, script, callId } = await accepted([{ state: 'running' }]);
    script.cancel = 'CONFLICT';
    const asked = await world.sessions.cancelOperation(callId);
    expect(asked.cancelRequestedAtMs).toBeNull();
    expect(asked.queries).toMatchObject([{ method: 'cancel_operation', errorCode: 'CONFLICT' }]);
    const without = await accepted([{ state: 'running' }], 500, ['async_operations']);
    await expect(without.world.sessions.cancelOperation(without.callId)).rejects.toMatchObject({
      problem: { code: 'cancellation-not-negotiated' },
    });
  });

  it('keeps the first end and finds a state that goes back', async () => {
    const { world, callId } = await accepted([{ state: 'running' }, { state: 'queued' }, inline, { state: 'running' }]);
    await pass(world, 500);
    const back = await pass(world, 500);
    expect(back.queries.at(-1)?.findings).toMatchObject([{ rule: 'operation-state-regressed', clause: 'v2 4.4' }]);
    await pass(world, 500);
    await pass(world, 500);
    const late = await world.sessions.pollOperation(callId);
    expect(late).toMatchObject({ state: 'succeeded', outcome: { kind: 'success' } });
    expect(late.queries.at(-1)).toMatchObject({ state: 'running', findings: [{ rule: 'operation-state-regressed' }] });
  });

  it('waits while the device is gone or the session lost, says why, and goes on in a new session (2.2)', async () => {
    const { world, asked, script } = await accepted([{ state: 'running' }]);
    world.sessions.deviceGone(target.deviceKey, problem('device-gone'));
    const gone = await pass(world, 500);
    expect([gone.paused?.code, gone.endedAtMs, asked.length]).toEqual(['device-gone', null, 0]);
    await world.sessions.negotiate(target);
    expect(await pass(world, 500)).toMatchObject({ paused: null, state: 'running' });
    script.error = 'NEGOTIATION_REQUIRED';
    const lost = await pass(world, 500);
    expect(lost).toMatchObject({ state: 'running', endedAtMs: null, paused: { code: 'operation-query-error' } });
    const before = asked.length;
    await pass(world, 60_000);
    expect(asked).toHaveLength(before);
  });
});

it('v2 4.4: an operation_id that quotes a secret is asked for as it is, and shown masked', async () => {
  const id = `op-${TOKEN}`;
  const { world, asked } = await accepted([{ state: 'running' }], 500, ALL, id);
  const shown = await pass(world, 500);
  expect(stringOf(asked[0]?.call.extras ?? [], 'operation_id')).toBe(id);
  expect(JSON.stringify(shown)).not.toContain(TOKEN);
  expect(shown.queries[0]?.findings).toEqual([]);
});

it('v2 4.4: a timer that fires a moment too early asks at the right time, and goes on', async () => {
  const { world, asked } = await accepted([{ state: 'running' }]);
  world.clock.earlyMs = 1;
  await pass(world, 500);
  const second = await pass(world, 500);
  expect(asked.map(({ atMs }) => atMs - (asked[0]?.atMs ?? 0))).toEqual([0, 500]);
  expect(second.paused).toBeNull();
});
