import { describe, expect, it } from 'vitest';
import { stringOf } from '../../shared/model/bundle.ts';
import { problem } from '../../shared/model/problem.ts';
import {
  createWorld,
  document,
  draft,
  errorAnswer,
  negotiated,
  standard,
  target,
  tool,
  value,
  type World,
} from './testing/scripted.ts';

/** Rules that bind a Consumer, each with its clause, where no other test names it. */

async function ready(list: readonly Record<string, unknown>[], protocol: 'v1' | 'v2' = 'v2'): Promise<World> {
  const world = createWorld({ protocol });
  world.bridge.script = (call) => {
    if (call.method === 'list_tools') return document(call, { revision: 'r', tools: list });
    return call.method === 'execute_tool' ? undefined : standard(call);
  };
  await world.sessions.catalog(target, false);
  return world;
}

const codes = (problems: readonly { code: string }[]): string[] => problems.map((one) => one.code);

describe('v2 4.1: no new request_id to guess an outcome', () => {
  const create = [tool('create_it', 'create'), tool('read_it', 'read')];
  const answers = (world: World) => {
    world.bridge.script = (call) => (call.method === 'execute_tool' ? value(call, { ok: true }) : standard(call));
  };

  /** A call with an effect whose answer never came; its request_id. */
  async function lost({ sessions, bridge }: World): Promise<string | null> {
    const first = await sessions.prepare(draft({ tool: 'create_it' }));
    expect(first.refusals).toEqual([]);
    const ended = sessions.run({ preparedId: first.id, confirmed: true, force: false });
    await bridge.waiting(1);
    sessions.cancel(first.id);
    await ended;
    return first.requestId;
  }

  it('refuses a new id, also one that was typed, until a retry with the old id has an answer', async () => {
    const world = await ready(create);
    const { sessions } = world;
    const requestId = await lost(world);

    const again = await sessions.prepare(draft({ tool: 'create_it' }));
    const open = { code: 'outcome-still-open', params: { tool: 'create_it', requestId } };
    expect(again.refusals).toMatchObject([open]);
    const typed = '11111111-1111-4111-8111-111111111111';
    expect((await sessions.prepare(draft({ tool: 'create_it', requestId: typed }))).refusals).toMatchObject([open]);
    expect((await sessions.prepare(draft({ tool: 'create_it', argsText: '{"n":2}' }))).refusals).toEqual([]);
    expect((await sessions.prepare(draft({ tool: 'read_it' }))).refusals).toEqual([]);
    const retry = await sessions.prepare(draft({ tool: 'create_it', requestId }));
    expect(codes(retry.warnings)).toEqual(['request-id-retry']);
    expect(retry.refusals).toEqual([]);

    answers(world);
    const refused = await sessions.run({ preparedId: again.id, confirmed: true, force: false });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: open });
    await sessions.run({ preparedId: retry.id, confirmed: true, force: false });
    expect((await sessions.prepare(draft({ tool: 'create_it' }))).refusals).toEqual([]);
  });

  it('also where the call was prepared before the other lost its answer; forced, it is sent', async () => {
    const world = await ready(create);
    const { sessions, bridge } = world;
    const early = await sessions.prepare(draft({ tool: 'create_it' }));
    await lost(world);
    const sent = bridge.sent.length;
    const refused = await sessions.run({ preparedId: early.id, confirmed: true, force: false });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: { code: 'outcome-still-open' } });
    expect(bridge.sent).toHaveLength(sent);
    answers(world);
    const known = await sessions.prepare(draft({ tool: 'create_it' }));
    const forced = await sessions.run({ preparedId: known.id, confirmed: true, force: true });
    expect(forced.outcome?.kind).toBe('success');
    const row = world.journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0];
    expect(row).toMatchObject({ exchangeId: known.id, deliberate: true });
    expect(world.journal.events(known.id)[0]?.data).toContain('"deliberate":["new-request-id"]');
    expect((await sessions.run({ preparedId: early.id, confirmed: true, force: true })).outcome?.kind).toBe('success');
  });

  it('an error that may be retried is no answer to what the id came to', async () => {
    const world = await ready(create);
    const { sessions, bridge } = world;
    const requestId = await lost(world);
    bridge.script = (call) =>
      call.method === 'execute_tool' ? errorAnswer(call, 'RATE_LIMITED', 'later', true) : standard(call);
    const retry = await sessions.prepare(draft({ tool: 'create_it', requestId }));
    await sessions.run({ preparedId: retry.id, confirmed: true, force: false });
    expect(codes((await sessions.prepare(draft({ tool: 'create_it' }))).refusals)).toEqual(['outcome-still-open']);
  });

  it('a call that is still under way has lost nothing, and one that never left neither', async () => {
    const world = await ready(create);
    const { sessions, bridge } = world;
    const first = await sessions.prepare(draft({ tool: 'create_it' }));
    void sessions.run({ preparedId: first.id, confirmed: true, force: false });
    await bridge.waiting(1);
    const second = await sessions.prepare(draft({ tool: 'create_it' }));
    expect(second.refusals).toEqual([]);
  });

  it('in a later run too, from the journal alone, as long as the Provider remembers the id', async () => {
    const world = await ready(create);
    const requestId = await lost(world);
    const { journal, clock } = world;
    const later = createWorld({ journal, clock, owner: { name: 'b', isAlive: () => false } });
    const list = (call: Parameters<typeof standard>[0]) =>
      call.method === 'list_tools' ? document(call, { revision: 'r', tools: create }) : standard(call);
    later.bridge.script = (call) => (call.method === 'execute_tool' ? undefined : list(call));
    await later.sessions.catalog(target, false);
    expect((await later.sessions.prepare(draft({ tool: 'create_it' }))).refusals).toMatchObject([
      { code: 'outcome-still-open', params: { requestId } },
    ]);
    expect((await later.sessions.prepare(draft({ tool: 'create_it', requestId }))).refusals).toEqual([]);
    clock.advance(86_400_000 + 1);
    await later.sessions.negotiate(target);
    const fresh = await later.sessions.prepare(draft({ tool: 'create_it' }));
    expect(codes(fresh.refusals)).not.toContain('outcome-still-open');
  });
});

it('v2 3.4: an accepted answer of a tool that declares execution=sync', async () => {
  const { sessions, bridge } = await ready([tool('read_it', 'read')]);
  bridge.script = (call) => [
    ...document(call, { operation_id: 'op1', poll_after_ms: 500 }).filter((entry) => entry.key !== 'status'),
    { key: 'status', t: 'string', v: 'accepted' },
  ];
  const prepared = await sessions.prepare(draft());
  const record = await sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
  expect(record.outcome).toMatchObject({ kind: 'accepted', operationId: 'op1' });
  expect(record.outcome?.findings.map((finding) => finding.rule)).toContain('accepted-by-sync-tool');
});

describe('what runs only by a deliberate act', () => {
  it('v2 3.4: a read that declares destructive=true', async () => {
    const annotations = { ...(tool('x', 'read')['annotations'] as object), destructive: true, confirmation: 'always' };
    const { sessions } = await ready([tool('read_it', 'read', { annotations })]);
    const prepared = await sessions.prepare(draft());
    expect(prepared.hasEffect).toBe(true);
    const refused = await sessions.run({ preparedId: prepared.id, confirmed: false, force: false });
    expect(refused.outcome).toMatchObject({
      kind: 'refused',
      problem: { code: 'needs-confirmation', params: { effect: 'read, destructive' } },
    });
  });

  it('v2 8: a v1 tool that declares an effect; v1 tools otherwise are reads', async () => {
    const plain = { name: 'read_it', description: 'd', parameters: {} };
    const { sessions, bridge } = await ready(
      [plain, { ...plain, name: 'send_it', annotations: { effect: 'create' } }],
      'v1',
    );
    expect((await sessions.prepare(draft())).hasEffect).toBe(false);
    const prepared = await sessions.prepare(draft({ tool: 'send_it' }));
    expect(prepared.hasEffect).toBe(true);
    const refused = await sessions.run({ preparedId: prepared.id, confirmed: false, force: true });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: { code: 'needs-confirmation' } });
    expect(bridge.sent.map((call) => call.method)).toEqual(['get_provider_info', 'list_tools']);
  });
});

describe('v2 5 and 4.1: a list whose session was forgotten', () => {
  const forgetful = async (refusal: Parameters<typeof errorAnswer>[3], more: ReturnType<typeof errorAnswer> = []) => {
    const world = await ready([]);
    let refusals = 1;
    world.bridge.script = (call) =>
      call.method === 'list_tools' && refusals-- > 0
        ? [...errorAnswer(call, 'NEGOTIATION_REQUIRED', 'gone', refusal), ...more]
        : standard(call);
    const catalog = await world.sessions.catalog(target, true);
    return { catalog, sent: world.bridge.sent.slice(3) };
  };
  const idOf = (call: { extras: ReturnType<typeof errorAnswer> | null } | undefined) =>
    stringOf(call?.extras ?? [], 'request_id');

  it('is read again with the id of the read that was refused, and others are new reads', async () => {
    const { catalog, sent } = await forgetful(true);
    expect(catalog.problem).toBeNull();
    expect(sent.map((call) => call.method)).toEqual([
      'get_provider_info',
      'list_tools',
      'negotiate',
      'get_provider_info',
      'list_tools',
    ]);
    expect(idOf(sent[4])).toBe(idOf(sent[1]));
    expect(new Set([idOf(sent[0]), idOf(sent[1]), idOf(sent[3])]).size).toBe(3);
  });

  it.each([
    ['retryable=false', false, []],
    ['a wait', true, [{ key: 'retry_after_ms', t: 'long' as const, v: '60000' }]],
  ] as const)('is not read again by itself where the Provider says %s', async (_name, retryable, more) => {
    const { catalog, sent } = await forgetful(retryable, [...more]);
    expect(catalog.problem).toMatchObject({
      code: 'provider-answered-error',
      params: { code: 'NEGOTIATION_REQUIRED' },
    });
    expect(sent.map((call) => call.method)).toEqual(['get_provider_info', 'list_tools']);
  });
});

describe('v2 2.2: max_concurrent_requests', () => {
  const one = { max_request_bytes: 65_536, max_inline_result_bytes: 262_144, idempotency_window_seconds: 86_400 };

  it('counts a negotiation and a list like any other request', async () => {
    const { sessions, bridge } = createWorld();
    bridge.script = (call) => {
      if (call.method === 'negotiate') return negotiated({ limits: { ...one, max_concurrent_requests: 1 } });
      return call.method === 'execute_tool' ? undefined : standard(call);
    };
    await sessions.catalog(target, false);
    const prepared = await sessions.prepare(draft());
    const running = sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
    const [pending] = await bridge.waiting(1);
    const before = bridge.sent.length;
    const list = sessions.catalog(target, true);
    const session = sessions.negotiate(target);
    await new Promise((resolve) => setImmediate(resolve));
    expect(bridge.sent).toHaveLength(before);
    if (pending !== undefined) pending.answer(value(pending.call, { ok: true }));
    expect((await running).outcome?.kind).toBe('success');
    expect((await session).state).toBe('open');
    await list;
  });

  it('a negotiation that waits for its turn ends with the device', async () => {
    const { sessions, bridge } = createWorld();
    bridge.script = (call) => {
      if (call.method === 'negotiate') return negotiated({ limits: { ...one, max_concurrent_requests: 1 } });
      return call.method === 'execute_tool' ? undefined : standard(call);
    };
    await sessions.negotiate(target);
    const prepared = await sessions.prepare(draft());
    void sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    await bridge.waiting(1);
    const session = sessions.negotiate(target);
    await new Promise((resolve) => setImmediate(resolve));
    sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 's' }));
    expect(await session).toMatchObject({ state: 'failed', problem: { code: 'device-gone' } });
    expect(bridge.sent.filter((call) => call.method === 'negotiate')).toHaveLength(1);
  });
});

describe('v2 3.3: the revision is checked once in each new negotiation', () => {
  const lists = (world: World) => world.bridge.sent.filter((call) => call.method === 'list_tools').length;

  it('by hand, where a list is held; a tool that became a write asks before it runs', async () => {
    const world = await ready([tool('read_it', 'read')]);
    const { sessions, bridge } = world;
    expect((await sessions.prepare(draft())).hasEffect).toBe(false);
    bridge.script = (call) =>
      call.method === 'list_tools'
        ? document(call, { revision: 'r2', tools: [tool('read_it', 'create')] })
        : standard(call);
    await sessions.negotiate(target);
    // Joins the read that the negotiation began.
    const catalog = await sessions.catalog(target, false);
    expect(catalog).toMatchObject({ revision: 'r2', problem: null });
    expect(lists(world)).toBe(2);
    expect((await sessions.prepare(draft())).hasEffect).toBe(true);
  });

  it('not where no list is held: nobody asked for one', async () => {
    const world = createWorld();
    await world.sessions.negotiate(target);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lists(world)).toBe(0);
  });

  it('a Provider that forgets every session is not negotiated with in a loop (v2 5)', async () => {
    const world = await ready([tool('read_it', 'read')]);
    const { sessions, bridge } = world;
    bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated() : errorAnswer(call, 'NEGOTIATION_REQUIRED', 'again', true);
    const before = bridge.sent.filter((call) => call.method === 'negotiate').length;
    await sessions.negotiate(target);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(bridge.sent.filter((call) => call.method === 'negotiate')).toHaveLength(before + 1);
  });
});

it('v2 3.3: a list that changed while its revision did not', async () => {
  const world = await ready([tool('read_it', 'read')]);
  world.bridge.script = (call) =>
    call.method === 'list_tools'
      ? document(call, { revision: 'r', tools: [tool('read_it', 'create')] })
      : standard(call);
  const rules = (await world.sessions.catalog(target, true)).findings.map((finding) => finding.rule);
  expect(rules).toEqual(['revision-unchanged']);
  expect((await world.sessions.catalog(target, true)).findings).toEqual([]);
});

it('v2 7.3: an entry that nests a million deep has a detail like any other', async () => {
  const deep = `{"name":"deep","input_schema":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
  const world = await ready([]);
  world.bridge.script = (call) =>
    call.method === 'list_tools' ? document(call, `{"revision":"r2","tools":[${deep}]}`) : standard(call);
  const catalog = await world.sessions.catalog(target, true);
  expect(catalog.tools).toMatchObject([{ state: 'malformed', findings: [{ rule: 'tool-over-limit' }] }]);
  const detail = await world.sessions.tool(target, 0);
  expect(detail.truncated).toBe(true);
  expect(JSON.parse(`${detail.raw}"`)).toBe(deep.slice(0, JSON.parse(`${detail.raw}"`).length));
});
