import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bundle, stringOf } from '../../shared/model/bundle.ts';
import { cancelFate, type Operation } from '../../shared/model/operation.ts';
import { problem } from '../../shared/model/problem.ts';
import { openJournal } from '../journal/open-journal.ts';
import {
  createWorld,
  document,
  draft,
  errorAnswer,
  FakeClock,
  negotiated,
  standard,
  TOKEN,
  target,
  type World,
} from './testing/scripted.ts';

const ALL = ['async_operations', 'cancellation'];
const INLINE = { state: 'succeeded', result: { kind: 'inline', value: { ok: 1 } } };

interface Script {
  /** Answers a query; undefined leaves it waiting in the bridge. */
  query: (place: number) => object | string | undefined;
  cancel: object | string | undefined;
  retryable: boolean;
}

type WorldOptions = NonNullable<Parameters<typeof createWorld>[0]>;

/** One host's world; `asked` holds the monotonic time of each query that reached the Provider. */
function hostWorld(options: WorldOptions = {}, operationId = 'op1') {
  const world = createWorld(options);
  const asked: number[] = [];
  const script: Script = {
    query: () => ({ state: 'running' }),
    cancel: { state: 'cancellation_requested' },
    retryable: true,
  };
  const answer = (call: Parameters<typeof document>[0], said: object | string | undefined): Bundle | undefined => {
    if (said === undefined) return undefined;
    if (typeof said === 'string') return errorAnswer(call, said, 'no', script.retryable);
    return document(call, { operation_id: operationId, poll_after_ms: 500, ...said });
  };
  world.bridge.script = (call) => {
    if (call.method === 'negotiate') return negotiated({ capabilities: ALL });
    if (call.method === 'cancel_operation') return answer(call, script.cancel);
    if (call.method === 'get_operation') {
      asked.push(world.clock.monotonic());
      return answer(call, script.query(asked.length));
    }
    if (call.method !== 'execute_tool') return standard(call);
    const accepted = document(call, { operation_id: operationId, poll_after_ms: 500 });
    return accepted.map((entry) => (entry.key === 'status' ? { key: 'status', t: 'string', v: 'accepted' } : entry));
  };
  return { world, asked, script };
}

async function start(world: World, requestId: string | null = null): Promise<string> {
  await world.sessions.catalog(target, false);
  const prepared = await world.sessions.prepare(draft({ tool: 'create_it', requestId }));
  return (await world.sessions.run({ preparedId: prepared.id, confirmed: true, force: true })).id;
}

async function all(world: World): Promise<Operation[]> {
  for await (const list of world.sessions.watchOperations(new AbortController().signal)) return list;
  return [];
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

async function pass(world: World, ms: number): Promise<Operation> {
  world.clock.advance(ms);
  await settle();
  const [first] = await all(world);
  if (first === undefined) throw new Error('no operation');
  return first;
}

describe('pacing (v2 4.4)', () => {
  it('no query comes faster than asked, whatever is answered, however the wall clock is set, whoever asks', async () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 4_000 }),
      jump: fc.oneof(fc.constant(0), fc.integer({ min: -7_200_000, max: 7_200_000 })),
      act: fc.constantFrom('none', 'poll', 'cancel', 'stop', 'go', 'unplug', 'replug', 'negotiate'),
    });
    const said = fc.oneof(
      fc.record({
        state: fc.constantFrom('queued', 'running', 'odd'),
        poll_after_ms: fc.constantFrom(null, -1, 0, 1, 300, 900, 2_500),
      }),
      fc.constantFrom('RATE_LIMITED', 'NEGOTIATION_REQUIRED', 'UNAVAILABLE', 'INVALID_REQUEST'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.array(said, { minLength: 1, maxLength: 8 }),
        async (steps, answers) => {
          const { world, asked, script } = hostWorld();
          const waits = [500];
          script.query = (place) => {
            const answer = answers[(place - 1) % answers.length] as object | string;
            const wanted =
              typeof answer === 'string' ? null : ((answer as { poll_after_ms: number | null }).poll_after_ms ?? 1_000);
            waits.push(wanted === null ? (waits.at(-1) ?? 0) : wanted <= 0 ? 1_000 : Math.max(200, wanted));
            return answer;
          };
          const callId = await start(world);
          const openedAt = world.clock.monotonic();
          for (const { ms, jump, act } of steps) {
            world.clock.jumpMs += jump;
            await pass(world, ms);
            const { sessions } = world;
            if (act === 'poll') await sessions.pollOperation(callId).catch(() => {});
            if (act === 'cancel') await sessions.cancelOperation(callId).catch(() => {});
            if (act === 'stop' || act === 'go') await sessions.followOperation(callId, act === 'go');
            if (act === 'unplug') sessions.deviceGone(target.deviceKey, problem('device-gone'));
            if (act === 'replug') sessions.deviceReady(target.deviceKey);
            if (act === 'negotiate') await sessions.negotiate(target);
          }
          const times = [openedAt, ...asked];
          for (let i = 1; i < times.length; i++) {
            expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(waits[i - 1] ?? 0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a wall clock that is set back does not stop the queries', async () => {
    const { world, asked } = hostWorld();
    await start(world);
    world.clock.jumpMs = -86_400_000;
    await pass(world, 500);
    expect(asked).toHaveLength(1);
  });

  it('one operation that two calls with one request_id are answered with is asked by one', async () => {
    const { world, asked } = hostWorld();
    const requestId = '11111111-2222-4333-8444-555555555555';
    const first = await start(world, requestId);
    const second = await start(world, requestId);
    expect(await all(world)).toMatchObject([{ callId: first, repeats: [second] }]);
    await pass(world, 500);
    expect(asked).toHaveLength(1);
    expect((await world.sessions.followOperation(second, false)).callId).toBe(first);
  });
});

describe('requests to cancel (v2 4.4)', () => {
  it('takes its turn after a query that is under way, and is not sent where that one brought the end', async () => {
    const { world, script } = hostWorld();
    script.query = () => undefined;
    const callId = await start(world);
    await pass(world, 500);
    const cancelling = world.sessions.cancelOperation(callId);
    await settle();
    expect(world.bridge.sent.filter(({ method }) => method === 'cancel_operation')).toEqual([]);
    const [query] = await world.bridge.waiting(1);
    query?.answer(document(query.call, { operation_id: 'op1', ...INLINE }));
    await expect(cancelling).rejects.toMatchObject({ problem: { code: 'operation-ended' } });
    expect(world.bridge.sent.filter(({ method }) => method === 'cancel_operation')).toEqual([]);
    expect(cancelFate((await all(world))[0] as Operation)).toBe('none');
  });

  it('a query that is due waits for the answer to the cancel', async () => {
    const { world, script, asked } = hostWorld();
    script.cancel = undefined;
    const callId = await start(world);
    const cancelling = world.sessions.cancelOperation(callId);
    const [cancel] = await world.bridge.waiting(1);
    await pass(world, 5_000);
    expect(asked).toEqual([]);
    cancel?.answer(document(cancel.call, { operation_id: 'op1', state: 'cancellation_requested' }));
    await cancelling;
    await settle();
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['won', { state: 'cancellation_requested' }, { state: 'cancelled' }],
    ['lost', { state: 'cancellation_requested' }, INLINE],
    ['lost', 'CONFLICT', INLINE],
  ])('%s: the request, its answer and the end are told apart with their times', async (fate, cancel, end) => {
    const { world, script } = hostWorld();
    script.cancel = cancel;
    script.retryable = false;
    const callId = await start(world);
    await pass(world, 100);
    const requestedAt = world.clock.now();
    const asked = await world.sessions.cancelOperation(callId);
    expect(asked).toMatchObject({ cancelAskedAtMs: requestedAt, endedAtMs: null });
    expect(asked.cancelRequestedAtMs).toBe(cancel === 'CONFLICT' ? null : requestedAt);
    expect(cancelFate(asked)).toBe(cancel === 'CONFLICT' ? 'refused' : 'acknowledged');
    script.query = () => end;
    const ended = await pass(world, 400);
    expect(ended).toMatchObject({ cancelAskedAtMs: requestedAt, endedAtMs: world.clock.now() });
    expect(cancelFate(ended)).toBe(fate);
    const story = world.journal.events(callId).map(({ data }) => JSON.parse(data).operation?.what);
    expect(story).toEqual(expect.arrayContaining(['cancel-asked', 'state']));
  });

  it('an answer that claims an end is no end, and a finding', async () => {
    const { world, script } = hostWorld();
    script.cancel = { state: 'cancelled' };
    const callId = await start(world);
    const asked = await world.sessions.cancelOperation(callId);
    expect(asked).toMatchObject({ endedAtMs: null, cancelRequestedAtMs: null, state: null });
    expect(asked.queries[0]?.findings).toMatchObject([{ rule: 'cancel-state-unexpected', clause: 'v2 4.4' }]);
  });
});

describe('a query without a usable answer', () => {
  it('v2 2.2, 5: a lost session is negotiated anew once by itself, and the cause is told', async () => {
    const { world, script, asked } = hostWorld();
    await start(world);
    script.query = (place) => (place === 1 ? 'NEGOTIATION_REQUIRED' : { state: 'running' });
    await pass(world, 500);
    const again = await pass(world, 500);
    expect(again).toMatchObject({ state: 'running', paused: null });
    const negotiations = world.bridge.sent.filter(({ method }) => method === 'negotiate');
    expect([negotiations.length, asked.length]).toEqual([2, 2]);
    const [row] = world.journal.history({ search: '"cause":"operation"', beforeSeq: null, limit: 5 }).rows;
    expect(row?.method).toBe('negotiate');
    script.query = () => 'NEGOTIATION_REQUIRED';
    for (let i = 0; i < 10; i++) await pass(world, 500);
    expect((await all(world))[0]?.paused?.code).toBe('operation-query-error');
    expect(world.bridge.sent.filter(({ method }) => method === 'negotiate').length).toBeLessThanOrEqual(3);
  });

  it('v2 6: a query without an answer is asked again a bounded number of times, then waits for a person', async () => {
    const { world, script, asked } = hostWorld();
    script.query = () => undefined;
    const callId = await start(world);
    for (let i = 0; i < 40; i++) {
      await pass(world, 2_000);
      for (const call of world.bridge.pending.splice(0)) call.fail(problem('call-timeout', { ms: 1 }));
      await settle();
    }
    expect(asked).toHaveLength(4);
    expect((await all(world))[0]).toMatchObject({ paused: { code: 'call-timeout' }, following: true, endedAtMs: null });
    script.query = () => INLINE;
    await world.sessions.followOperation(callId, true);
    expect(await pass(world, 60_000)).toMatchObject({ state: 'succeeded' });
  });

  it('an answer that comes after the wait is kept, as a finding of its query', async () => {
    const { world, script } = hostWorld();
    script.query = () => undefined;
    world.bridge.obeysAbort = false;
    await start(world);
    await pass(world, 500);
    const [query] = await world.bridge.waiting(1);
    world.clock.advance(20_000);
    await settle();
    query?.answer(document(query.call, { operation_id: 'op1', ...INLINE }));
    await settle();
    const [operation] = await all(world);
    expect(operation?.endedAtMs).toBeNull();
    expect(operation?.queries[0]?.findings).toMatchObject([{ rule: 'late-answer' }]);
  });
});

describe('after a restart, from the journal alone (v2 4.4)', () => {
  function twoRuns(operationId?: string) {
    const clock = new FakeClock();
    const journal = openJournal(':memory:', { now: () => clock.now() });
    const alive = new Set(['1:first', '2:second']);
    const isAlive = (owner: string) => alive.has(owner);
    const first = hostWorld({ clock, journal, owner: { name: '1:first', isAlive } }, operationId);
    const next = () => hostWorld({ clock, journal, owner: { name: '2:second', isAlive } }, operationId);
    /** As `kill -9` does: nothing more is done by the first run. */
    const kill = () => {
      first.world.bridge.script = () => undefined;
      first.script.query = () => undefined;
      alive.delete('1:first');
    };
    return { clock, journal, first, next, kill };
  }

  it('shows at once what was known, waits for the device, and goes on with the same id', async () => {
    const { first, next, kill } = twoRuns();
    const callId = await start(first.world);
    await pass(first.world, 500);
    await first.world.sessions.cancelOperation(callId);
    const before = (await all(first.world))[0] as Operation;
    kill();
    const second = next();
    second.world.sessions.pickUpOperations();
    const shown = (await all(second.world))[0] as Operation;
    const { pickedUpAtMs, nextPollAtMs: _, paused, ...rest } = shown;
    const { pickedUpAtMs: _a, nextPollAtMs: _b, paused: _c, ...known } = before;
    expect(rest).toEqual(known);
    expect([pickedUpAtMs, paused?.code]).toEqual([second.world.clock.now(), 'operation-picked-up']);
    await pass(second.world, 60_000);
    expect(second.asked).toEqual([]);
    second.world.sessions.deviceReady(target.deviceKey);
    expect((await pass(second.world, 499)).queryCount).toBe(before.queryCount);
    second.script.query = () => INLINE;
    const end = await pass(second.world, 1);
    expect(end).toMatchObject({ state: 'succeeded', outcome: { kind: 'success' }, requestId: before.requestId });
    expect(cancelFate(end)).toBe('lost');
    expect(second.world.bridge.sent.map(({ method }) => method)).toEqual(['negotiate', 'get_operation']);
  });

  it('asks for the operation_id as the Provider named it; one that holds a secret is shown masked and left to no later run', async () => {
    const id = `op-${TOKEN}`;
    const { first, next, kill } = twoRuns(id);
    await start(first.world);
    const shown = await pass(first.world, 500);
    const query = first.world.bridge.sent.find(({ method }) => method === 'get_operation');
    expect(stringOf(query?.extras ?? [], 'operation_id')).toBe(id);
    expect(JSON.stringify(shown)).not.toContain(TOKEN);
    kill();
    const second = next();
    second.world.sessions.pickUpOperations();
    expect(await all(second.world)).toEqual([]);
  });

  it('a query that was cut off says so, and an ended operation is not picked up again', async () => {
    const { first, next, kill, journal } = twoRuns();
    first.script.query = () => undefined;
    await start(first.world);
    await pass(first.world, 500);
    kill();
    const second = next();
    second.world.sessions.pickUpOperations();
    expect((await all(second.world))[0]?.queries).toMatchObject([
      { state: null, answeredAtMs: null, problem: { code: 'operation-query-cut-off' } },
    ]);
    second.script.query = () => ({ state: 'cancelled' });
    second.world.sessions.deviceReady(target.deviceKey);
    await pass(second.world, 500);
    expect(journal.operations.unfinished(10)).toEqual([]);
  });

  it('one that a person stopped stays stopped, and is not asked for by itself', async () => {
    const { first, next, kill } = twoRuns();
    const callId = await start(first.world);
    await first.world.sessions.followOperation(callId, false);
    kill();
    const second = next();
    second.world.sessions.pickUpOperations();
    second.world.sessions.deviceReady(target.deviceKey);
    const shown = await pass(second.world, 60_000);
    expect([shown.following, shown.paused?.code, second.asked.length]).toEqual([false, 'operation-not-followed', 0]);
    expect(second.world.bridge.sent).toEqual([]);
  });

  it('does not ask for what another living host asks for, until it is taken over; the other one stops then', async () => {
    const { first, next } = twoRuns();
    const callId = await start(first.world);
    const second = next();
    second.world.sessions.pickUpOperations();
    second.world.sessions.deviceReady(target.deviceKey);
    expect((await all(second.world))[0]?.paused?.code).toBe('operation-followed-elsewhere');
    await second.world.sessions.followOperation(callId, true);
    first.world.clock.advance(500);
    await settle();
    await settle();
    expect([first.asked.length, second.asked.length]).toEqual([0, 1]);
    expect((await all(first.world))[0]?.paused?.code).toBe('operation-followed-elsewhere');
  });
});
