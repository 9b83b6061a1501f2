import { describe, expect, it } from 'vitest';
import { type Problem, problem } from '../../shared/model/problem.ts';
import type { RequestQueue } from '../../shared/model/queue.ts';
import { createWorld, draft, negotiated, standard, target, value, type World } from './testing/scripted.ts';

const LIMITS = { max_request_bytes: 65_536, max_inline_result_bytes: 262_144, idempotency_window_seconds: 86_400 };

/** A Provider that takes one request at a time; executions wait for the test's word. */
async function ready(): Promise<World> {
  const world = createWorld();
  world.bridge.script = (call) => {
    if (call.method === 'negotiate') return negotiated({ limits: { ...LIMITS, max_concurrent_requests: 1 } });
    return call.method === 'execute_tool' ? undefined : standard(call);
  };
  await world.sessions.catalog(target, false);
  return world;
}

async function start(world: World, over: Parameters<typeof draft>[0] = {}) {
  const prepared = await world.sessions.prepare(draft(over));
  return {
    id: prepared.id,
    prepared,
    run: world.sessions.run({ preparedId: prepared.id, confirmed: true, force: false }),
  };
}

async function queue(world: World): Promise<RequestQueue> {
  for await (const now of world.sessions.watchQueue(target, new AbortController().signal)) return now;
  throw new Error('The stream ended.');
}

/** One call whose wait ended as `failure` says, or by a cancel, and another that follows it. */
async function lost(failure: Problem | null) {
  const world = await ready();
  const first = await start(world);
  const [pending] = await world.bridge.waiting(1);
  if (failure === null) world.sessions.cancel(first.id);
  else pending?.fail(failure);
  await first.run;
  const second = await start(world, { timeoutMs: 60_000 });
  return { world, first, second, pending };
}

describe('v2 2.2 and 4.1: a request that nobody waits for any more may still be worked on', () => {
  it.each([
    ['a cancel', null],
    ['a time-out', problem('call-timeout', { ms: 10_000, sent: 'yes' })],
    ['a companion that was lost', problem('companion.connection-lost', { sent: 'yes' })],
  ])('%s keeps its place until the deadline and a grace', async (_name, failure) => {
    const { world, second } = await lost(failure);
    expect(await queue(world)).toEqual({ limit: 1, running: 0, unknown: 1, waiting: [second.id] });
    world.clock.advance(14_999);
    expect(world.bridge.pending).toHaveLength(1);
    world.clock.advance(1);
    await world.bridge.waiting(2);
    expect(await queue(world)).toEqual({ limit: 1, running: 1, unknown: 0, waiting: [] });
  });

  it.each(['companion.provider-crashed', 'companion.security', 'companion.provider-exception'])(
    '%s gives it back at once',
    async (code) => {
      const { world } = await lost(problem(code, { sent: 'yes' }));
      await world.bridge.waiting(2);
      expect(await queue(world)).toMatchObject({ running: 1, unknown: 0 });
    },
  );

  it('a late answer gives it back', async () => {
    const world = await ready();
    world.bridge.obeysAbort = false;
    const first = await start(world);
    const [pending] = await world.bridge.waiting(1);
    world.clock.advance(15_000);
    await first.run;
    await start(world, { timeoutMs: 60_000 });
    expect(await queue(world)).toMatchObject({ unknown: 1 });
    if (pending !== undefined) pending.answer(value(pending.call, { ok: true }));
    await world.bridge.waiting(2);
    expect(await queue(world)).toMatchObject({ unknown: 0, running: 1 });
  });

  it('an attempt with the same request_id takes it over (v2 6: one executor)', async () => {
    const { world, first, second } = await lost(null);
    world.sessions.cancel(second.id);
    await second.run;
    void world.sessions.retry({ callId: first.id, confirmed: true, deliberate: false });
    const [, again] = await world.bridge.waiting(2);
    expect(again?.call.extras).toContainEqual({ key: 'request_id', t: 'string', v: first.prepared.requestId });
    expect(await queue(world)).toMatchObject({ unknown: 0, running: 1 });
  });

  it('a new negotiation does not wait for it, and ends it with the session', async () => {
    const { world } = await lost(null);
    const session = await world.sessions.negotiate(target);
    expect(session.state).toBe('open');
    expect(await queue(world)).toMatchObject({ unknown: 0 });
  });

  it('so does the end of the session', async () => {
    const { world, second } = await lost(null);
    world.sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 's' }));
    await second.run;
    expect(await queue(world)).toEqual({ limit: 1, running: 0, unknown: 0, waiting: [] });
  });
});

it('the queue names the calls that wait, in their order, and those that leave it', async () => {
  const world = await ready();
  const calls = [];
  for (let i = 0; i < 4; i++) calls.push(await start(world));
  await world.bridge.waiting(1);
  const ids = calls.map(({ id }) => id);
  expect(await queue(world)).toEqual({ limit: 1, running: 1, unknown: 0, waiting: ids.slice(1) });
  world.sessions.cancel(ids[2] ?? '');
  expect((await queue(world)).waiting).toEqual([ids[1], ids[3]]);
});
