import { describe, expect, it } from 'vitest';
import { stringOf } from '../../shared/model/bundle.ts';
import { problem } from '../../shared/model/problem.ts';
import { openJournal } from '../journal/open-journal.ts';
import {
  createWorld,
  errorAnswer,
  FakeClock,
  negotiated,
  standard,
  TOKEN,
  target,
  type World,
} from './testing/scripted.ts';

const told = (world: World) => world.sessions.listSessions(target);

describe('negotiations as records (v2 2.2)', () => {
  it('each with its offer, its answer and why it ended, in this run and from the journal of an earlier one alike', async () => {
    const clock = new FakeClock();
    const journal = openJournal(':memory:', { now: () => clock.now() });
    const owner = { name: '1:first', isAlive: () => false };
    const first = createWorld({ clock, journal, owner });
    const { sessions } = first;
    await sessions.negotiate(target);
    clock.advance(1_000);
    await sessions.negotiate(target, { versions: [2], capabilities: ['cancellation'] });
    clock.advance(1_000);
    await sessions.dropSession(target);
    await sessions.catalog(target, false);
    clock.advance(3_600_000);
    first.bridge.script = (call) =>
      call.method === 'negotiate' ? errorAnswer(call, 'UNSUPPORTED_VERSION') : standard(call);
    await sessions.negotiate(target);
    first.bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated({ expires_at: undefined }) : standard(call);
    await sessions.negotiate(target);
    sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 'x' }));
    await sessions.negotiate(target);
    const before = await told(first);
    expect(before.map(({ state, cause, problem: reason }) => [state, cause, reason?.code ?? null])).toEqual([
      ['open', 'hand', null],
      ['ended', 'hand', 'device-gone'],
      ['failed', 'hand', 'negotiation-no-common-version'],
      ['expired', 'list', 'session-expired'],
      ['ended', 'hand', 'session-dropped'],
      ['ended', 'hand', 'session-renegotiated'],
    ]);
    expect(before[4]).toMatchObject({ offeredVersions: [2], offeredCapabilities: ['cancellation'] });
    expect(JSON.stringify(before)).not.toContain(TOKEN);

    sessions.close();
    const next = createWorld({ clock, journal, owner: { name: '2:second', isAlive: () => false } });
    const after = await told(next);
    expect(after[0]).toMatchObject({ state: 'ended', problem: { code: 'host-closed' } });
    const same = before.slice(1).map((session) => ({ ...session, earlierRun: true }));
    expect(after.slice(1)).toEqual(same);
  });

  it('what was killed has no recorded end, and says so', async () => {
    const journal = openJournal(':memory:');
    const first = createWorld({ journal, owner: { name: '1:first', isAlive: () => false } });
    await first.sessions.negotiate(target);
    const next = createWorld({ journal, owner: { name: '2:second', isAlive: () => false } });
    expect(await told(next)).toMatchObject([
      { state: 'ended', endedAtMs: null, problem: { code: 'session-end-not-recorded' }, earlierRun: true },
    ]);
  });

  it('dropping sends nothing, and where there is none it says so', async () => {
    const world = createWorld();
    expect(await world.sessions.dropSession(target)).toBeNull();
    await world.sessions.negotiate(target);
    const sent = world.bridge.sent.length;
    expect(await world.sessions.dropSession(target)).toMatchObject({
      state: 'ended',
      problem: { code: 'session-dropped' },
    });
    expect(world.bridge.sent.length).toBe(sent);
  });

  it('v2 2.3: what was not offered is not used, though the Provider named it', async () => {
    const world = createWorld();
    world.bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated({ capabilities: ['cancellation'] }) : standard(call);
    const session = await world.sessions.negotiate(target, { versions: [2, 1], capabilities: ['large_results'] });
    expect(stringOf(world.bridge.sent.at(-1)?.extras ?? [], 'consumer_capabilities')).toBe('["large_results"]');
    expect(session).toMatchObject({
      capabilities: [],
      otherCapabilities: ['cancellation'],
      findings: [{ rule: 'capability-not-offered' }],
    });
  });

  it('v2 3.1: a provider_id that is another one than in the session before, once', async () => {
    const world = createWorld();
    await world.sessions.negotiate(target);
    world.bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated({ provider_id: 'com.acme.other' }) : standard(call);
    const { findings, state } = await world.sessions.negotiate(target);
    expect(state).toBe('open');
    expect(findings).toMatchObject([
      { rule: 'provider-id-changed', clause: 'v2 3.1', params: { before: 'com.acme', now: 'com.acme.other' } },
    ]);
    expect((await world.sessions.negotiate(target)).findings).toEqual([]);
  });

  it('v2 2.3: other capabilities for the same offer are named, with what they were', async () => {
    const world = createWorld();
    await world.sessions.negotiate(target);
    world.bridge.script = (call) =>
      call.method === 'negotiate' ? negotiated({ capabilities: ['cancellation'] }) : standard(call);
    const { findings } = await world.sessions.negotiate(target);
    expect(findings).toMatchObject([
      { rule: 'capabilities-changed', clause: 'v2 2.3', params: { before: '–', now: 'cancellation' } },
    ]);
  });
});
