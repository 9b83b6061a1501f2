import { describe, expect, it } from 'vitest';
import { ProblemError, problem } from '../../shared/model/problem.ts';
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
} from './testing/scripted.ts';

async function problemOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no problem',
    (error: unknown) => (error instanceof ProblemError ? error.problem : error),
  );
}

describe('negotiation', () => {
  it('opens a session, records it, and never shows the token', async () => {
    const { sessions, journal, bridge } = createWorld();
    const session = await sessions.negotiate(target);
    expect(session).toMatchObject({ state: 'open', selectedVersion: 2, tokenBytes: 20, problem: null, findings: [] });
    expect(JSON.stringify(session)).not.toContain(TOKEN);
    expect(bridge.sent[0]?.extras?.map((entry) => entry.key)).toEqual(['consumer_versions', 'consumer_capabilities']);
    const events = journal.events(session.id);
    expect(events.map((event) => event.kind)).toEqual(['request', 'response']);
    expect(JSON.stringify(events)).not.toContain(TOKEN);
    expect(journal.history({ search: '', beforeSeq: null, limit: 9 }).rows).toMatchObject([
      { method: 'negotiate', state: 'success' },
    ]);
  });

  it('is one at a time: who asks meanwhile gets the same', async () => {
    const { sessions, bridge } = createWorld();
    bridge.script = () => undefined;
    const both = [sessions.negotiate(target), sessions.negotiate({ ...target, userId: null })];
    const [pending] = await bridge.waiting(1);
    pending?.answer(negotiated());
    const [first, second] = await Promise.all(both);
    expect(second).toBe(first);
    expect(bridge.sent).toHaveLength(1);
  });

  it('expires by the clock, told to watchers', async () => {
    const { sessions, clock } = createWorld();
    await sessions.negotiate(target);
    const stop = new AbortController();
    const watch = sessions.watchSession(target, stop.signal)[Symbol.asyncIterator]();
    expect((await watch.next()).value?.state).toBe('open');
    clock.advance(3_599_999);
    const next = watch.next();
    clock.advance(1);
    expect((await next).value).toMatchObject({ state: 'expired', problem: { code: 'session-expired' } });
    const last = watch.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });

  it.each([
    [
      'an error',
      [
        { key: 'status', t: 'string', v: 'error' },
        { key: 'error_code', t: 'string', v: 'UNSUPPORTED_VERSION' },
      ],
      'provider-error',
    ],
    ['version 1', negotiated({ selected_version: 1 }), 'malformed'],
    ['no token', negotiated({ session_token: undefined }), 'malformed'],
    ['null', null, 'malformed'],
  ] as const)('disables a Provider that answers %s, and never falls back to v1', async (_name, answer, state) => {
    const { sessions, bridge, journal } = createWorld();
    bridge.script = () => (answer === null ? null : [...answer]) as ReturnType<typeof bridge.script>;
    const session = await sessions.negotiate(target);
    expect(session.state).toBe('failed');
    expect(session.problem).not.toBe(null);
    expect(journal.history({ search: '', beforeSeq: null, limit: 9 }).rows).toMatchObject([{ state }]);
    const catalog = await sessions.catalog(target, false);
    expect(catalog).toMatchObject({ protocol: 'v2', tools: [], problem: session.problem });
    const prepared = await sessions.prepare(draft());
    expect(prepared.protocol).toBe('v2');
    expect(prepared.refusals.map((refusal) => refusal.code)).toEqual(['provider-disabled']);
    const record = await sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    expect(record.outcome).toMatchObject({ kind: 'refused', problem: { code: 'provider-disabled' } });
    expect(bridge.sent.map((call) => call.method)).toEqual(['negotiate']);
  });

  it('hides a token that a broken answer or an error quotes', async () => {
    const { sessions, bridge, journal } = createWorld();
    bridge.script = () => [
      { key: 'status', t: 'string', v: 'success' },
      { key: 'data', t: 'string', v: `{"session_token":"${TOKEN}", broken` },
    ];
    const session = await sessions.negotiate(target);
    expect(session.state).toBe('failed');
    expect(JSON.stringify(session)).toContain('⟦masked:20⟧');
    bridge.script = (call) =>
      call.method === 'list_tools' ? errorAnswer(call, 'X', `token ${TOKEN}`) : standard(call);
    const catalog = await sessions.catalog(target, true);
    expect(catalog.problem?.raw).toContain('token ⟦masked:20⟧');
    expect(JSON.stringify([session, catalog])).not.toContain(TOKEN);
    const { rows } = journal.history({ search: '', beforeSeq: null, limit: 9 });
    expect(JSON.stringify(rows.map((row) => journal.events(row.exchangeId)))).not.toContain(TOKEN);
  });

  it('fails with the reason of the way there, and can be tried again', async () => {
    const { sessions, bridge } = createWorld();
    bridge.script = () => undefined;
    const failing = sessions.negotiate(target);
    (await bridge.waiting(1))[0]?.fail(problem('companion-gone', {}, 'socket closed'));
    expect(await failing).toMatchObject({ state: 'failed', problem: { code: 'companion-gone', raw: 'socket closed' } });
    bridge.script = standard;
    expect((await sessions.negotiate(target)).state).toBe('open');
  });

  it('says so where the Provider is out of reach or has no v2', async () => {
    const world = createWorld({ protocol: 'v1' });
    expect(await problemOf(world.sessions.negotiate(target))).toMatchObject({ code: 'negotiation-not-v2' });
    world.gone = problem('device-not-ready');
    expect(await problemOf(world.sessions.negotiate(target))).toMatchObject({ code: 'device-not-ready' });
  });
});

describe('catalog', () => {
  it('negotiates first, then keeps the list for the session', async () => {
    const { sessions, bridge } = createWorld();
    const catalog = await sessions.catalog(target, false);
    expect(catalog).toMatchObject({ protocol: 'v2', revision: 'r1', problem: null, infoProblem: null });
    expect(catalog.tools.map((row) => [row.name, row.consumerName])).toEqual([
      ['read_it', 'com.acme/read_it'],
      ['create_it', 'com.acme/create_it'],
    ]);
    expect(await sessions.catalog(target, false)).toEqual(catalog);
    expect(bridge.sent.map((call) => call.method)).toEqual(['negotiate', 'get_provider_info', 'list_tools']);
    await sessions.negotiate(target);
    await sessions.catalog(target, false);
    expect(bridge.sent.map((call) => call.method).slice(3)).toEqual(['negotiate', 'get_provider_info', 'list_tools']);
  });

  it('reads v1 without a session', async () => {
    const { sessions, bridge } = createWorld({ protocol: 'v1' });
    bridge.script = (call) =>
      document(call, { tools: [{ name: 'x', description: 'd', parameters: { type: 'object' } }] });
    const catalog = await sessions.catalog(target, false);
    expect(catalog).toMatchObject({ protocol: 'v1', sessionId: null, tools: [{ name: 'x', consumerName: 'Acme__x' }] });
    expect(bridge.sent.map((call) => [call.method, call.extras])).toEqual([
      ['get_provider_info', null],
      ['list_tools', null],
    ]);
  });

  it('flags names that collide with another Provider of the device', async () => {
    const { sessions, bridge } = createWorld({ protocol: 'v1' });
    bridge.script = (call) => document(call, { tools: [{ name: 'x', description: 'd', parameters: {} }] });
    const other = { ...target, providerKey: 'org.other/org.other.S' };
    await sessions.catalog(other, false);
    await sessions.catalog({ ...other, deviceKey: 'demo/second' }, false);
    const catalog = await sessions.catalog(target, false);
    expect(catalog.tools[0]?.collidesWith).toEqual(['org.other/org.other.S#x']);
  });

  it('shows a list that was not had as a problem, never as empty, and tries again when asked', async () => {
    const { sessions, bridge } = createWorld();
    bridge.script = (call) => (call.method === 'list_tools' ? errorAnswer(call, 'UNAVAILABLE') : standard(call));
    const catalog = await sessions.catalog(target, false);
    expect(catalog).toMatchObject({ tools: [], problem: { code: 'provider-answered-error' } });
    bridge.script = standard;
    expect((await sessions.catalog(target, false)).tools).toHaveLength(2);
  });

  it('negotiates again where the Provider has forgotten the session', async () => {
    const { sessions, bridge } = createWorld();
    await sessions.catalog(target, false);
    let refusals = 1;
    bridge.script = (call) => {
      if (call.method !== 'negotiate' && refusals-- > 0) return errorAnswer(call, 'NEGOTIATION_REQUIRED', 'gone', true);
      return standard(call);
    };
    expect((await sessions.catalog(target, true)).problem).toBe(null);
    expect(bridge.sent.map((call) => call.method).slice(3)).toEqual([
      'get_provider_info',
      'negotiate',
      'get_provider_info',
      'list_tools',
    ]);
  });

  it('gives a tool whole, with texts cut at 1 MiB, and hides an echoed token', async () => {
    const { sessions, bridge } = createWorld();
    const long = tool('long', 'read', { description: `${TOKEN} ${'长'.repeat(1_100_000)}` });
    bridge.script = (call) => {
      return call.method === 'list_tools' ? document(call, { revision: 'r', tools: [long] }) : standard(call);
    };
    const detail = await sessions.tool(target, 0);
    expect(detail.truncated).toBe(true);
    expect(detail.description.length).toBeLessThanOrEqual(1024 * 1024);
    expect(detail.description.startsWith('⟦masked:20⟧ 长')).toBe(true);
    expect(detail.row.description).not.toContain(TOKEN);
    expect(detail.example).toBe('{}');
    expect(await problemOf(sessions.tool(target, 1))).toMatchObject({ code: 'tool-not-in-catalog' });
  });
});
