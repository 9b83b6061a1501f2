import { afterEach, describe, expect, it } from 'vitest';
import { type Bundle, entryOf } from '../../shared/model/bundle.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import { problem } from '../../shared/model/problem.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import { createWorld, draft, errorAnswer, launchResult, target, value, type World } from './testing/scripted.ts';

/** The Consumer's side of v2 4.3, against a scripted Provider. */

const TOKEN = 'resume-0123456789';
const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.sessions.close();
});

function asks(call: EncodedCall, over: Bundle = [], handle = 'h-1'): Bundle {
  const intent = { handle, creatorPackage: 'com.acme', creatorUid: 10_100, immutable: true, kind: 'activity' as const };
  const all: Bundle = [
    ...errorAnswer(call, 'USER_ACTION_REQUIRED', 'Confirm it'),
    { key: 'resolution', t: 'pendingIntent', v: intent },
    { key: 'resume_token', t: 'string', v: TOKEN },
  ];
  return [...all.filter(({ key }) => !over.some((other) => other.key === key)), ...over];
}

const resumed = (call: EncodedCall) => entryOf(call.extras ?? [], 'resume_token') !== undefined;

/** A Provider that asks once, and answers a resumed call with `ok`. */
async function asking(over: Bundle = [], onResume = (call: EncodedCall): Bundle => value(call, { ok: true })) {
  const world = createWorld();
  worlds.push(world);
  const { script } = world.bridge;
  world.bridge.script = (call) => {
    if (call.method !== 'execute_tool') return script(call);
    return resumed(call) ? onResume(call) : asks(call, over);
  };
  await world.sessions.catalog(target, false);
  const record = await run(world);
  return { ...world, record };
}

async function run({ sessions }: World, over: Partial<Parameters<typeof draft>[0]> = {}): Promise<CallRecord> {
  const prepared = await sessions.prepare(draft({ tool: 'create_it', ...over }));
  return sessions.run({ preparedId: prepared.id, confirmed: true, force: false });
}

async function list({ sessions }: Pick<World, 'sessions'>): Promise<readonly Confirmation[]> {
  const stop = new AbortController();
  for await (const all of sessions.watchConfirmations(stop.signal)) {
    stop.abort();
    return all;
  }
  return [];
}

const kinds = (confirmation: Confirmation | undefined) => confirmation?.steps.map(({ kind }) => kind);

describe('v2 4.3: what asks for a person', () => {
  it('is listed with who made the PendingIntent, since when, and what waits; nothing is launched by itself', async () => {
    const world = await asking();
    const [one, more] = await list(world);
    expect(more).toBeUndefined();
    expect(one).toMatchObject({
      callId: world.record.id,
      tool: 'create_it',
      requestId: world.record.prepared.requestId,
      errorCode: 'USER_ACTION_REQUIRED',
      errorMessage: 'Confirm it',
      resolution: { creatorPackage: 'com.acme', creatorUid: 10_100, immutable: true, kind: 'activity' },
      state: 'waiting',
      canLaunch: true,
      canResume: true,
      sinceMs: world.clock.now(),
    });
    expect(world.bridge.launched).toEqual([]);
    expect(world.bridge.released).toEqual([]);
  });

  it('shows its findings (7.2: explicit and immutable; 4.3: a token)', async () => {
    const intent = {
      handle: 'h-2',
      creatorPackage: 'evil.app',
      creatorUid: 1,
      immutable: false,
      kind: 'broadcast' as const,
    };
    const world = await asking([
      { key: 'resolution', t: 'pendingIntent', v: intent },
      { key: 'resume_token', t: 'string', v: '' },
    ]);
    const [one] = await list(world);
    expect(one?.findings.map(({ rule }) => rule).sort()).toEqual([
      'resolution-foreign',
      'resolution-mutable',
      'resolution-not-activity',
      'resume-token-empty',
    ]);
    expect(one).toMatchObject({ hasResumeToken: false, canResume: false, canLaunch: true });
    await expect(world.sessions.prepareResume(world.record.id)).rejects.toMatchObject({
      problem: { code: 'resume-no-token' },
    });
  });

  it('without a PendingIntent still waits, and says why nothing can be opened', async () => {
    const world = await asking([{ key: 'resolution', t: 'null' }]);
    const [one] = await list(world);
    expect(one).toMatchObject({ resolution: null, canLaunch: false, canResume: true, state: 'waiting' });
    await expect(world.sessions.confirm(world.record.id, true)).rejects.toMatchObject({
      problem: { code: 'resolution-missing' },
    });
  });

  it('no secret of it leaves the host or reaches the journal', async () => {
    const world = await asking();
    const prepared = await world.sessions.prepareResume(world.record.id);
    await world.sessions.confirm(world.record.id, true);
    const seen = JSON.stringify([
      await list(world),
      prepared,
      world.record,
      world.journal.history({ search: '', beforeSeq: null, limit: 100 }).rows.map((row) => {
        return world.journal.events(row.exchangeId);
      }),
    ]);
    expect(seen).not.toContain(TOKEN);
    expect(seen).not.toContain('h-1');
  });
});

describe('v2 4.3: launch, result, resume', () => {
  it('is one deliberate act: same request_id, same tool, the same args bytes, the resume_token, in its own exchanges', async () => {
    const world = await asking();
    await expect(world.sessions.confirm(world.record.id, false)).rejects.toMatchObject({
      problem: { code: 'launch-needs-confirmation' },
    });
    expect(world.bridge.launched).toEqual([]);
    world.clock.advance(5_000);
    const { confirmation, call } = await world.sessions.confirm(world.record.id, true);
    expect(world.bridge.launched).toEqual(['h-1']);
    expect(call?.outcome?.kind).toBe('success');
    expect(call?.prepared).toMatchObject({ resumes: world.record.id, requestId: world.record.prepared.requestId });
    const [first, second] = world.bridge.sent.filter((sent) => sent.method === 'execute_tool');
    for (const key of ['request_id', 'tool_name', 'args', 'session_token', 'protocol_version']) {
      expect(entryOf(second?.extras ?? [], key), key).toEqual(entryOf(first?.extras ?? [], key));
    }
    expect(second?.extras).toContainEqual({ key: 'resume_token', t: 'string', v: TOKEN });
    expect(entryOf(second?.extras ?? [], 'deadline_at_ms')).toEqual({
      key: 'deadline_at_ms',
      t: 'long',
      v: String(world.clock.now() + 10_000),
    });
    expect(kinds(confirmation)).toEqual(['asked', 'launched', 'returned', 'resumed']);
    expect(confirmation).toMatchObject({ state: 'resumed', canLaunch: false, canResume: false });
    expect(confirmation.steps.at(-1)?.callId).toBe(call?.id);
    expect(confirmation.steps.at(-2)?.resultCode).toBe(-1);
    expect(world.bridge.released).toEqual(['h-1']);
    const rows = world.journal.history({ search: world.record.prepared.requestId ?? '', beforeSeq: null, limit: 9 });
    expect(rows.rows.map(({ method, state }) => `${method}: ${state}`)).toEqual([
      'execute_tool: success',
      'launch resolution: notice',
      'execute_tool: provider-error',
    ]);
    const [request] = world.journal.events(call?.id ?? '');
    expect(JSON.parse(request?.data ?? '')).toMatchObject({ resumes: world.record.id });
  });

  it('RESULT_CANCELED is resumed too: the Provider decides what it means', async () => {
    const world = await asking([], (call) => errorAnswer(call, 'USER_CANCELLED'));
    world.bridge.onLaunch = async () => launchResult(0);
    const { confirmation, call } = await world.sessions.confirm(world.record.id, true);
    expect(call?.outcome).toMatchObject({ kind: 'provider-error', errorCode: 'USER_CANCELLED' });
    expect(confirmation).toMatchObject({ state: 'resumed', canResume: false });
    expect(confirmation.steps.find(({ kind }) => kind === 'returned')?.resultCode).toBe(0);
  });

  it('a call that is carried out after RESULT_CANCELED is told as seen, beside the success that the Provider said', async () => {
    const world = await asking();
    world.bridge.onLaunch = async () => launchResult(0);
    const { call } = await world.sessions.confirm(world.record.id, true);
    expect(call?.outcome?.kind).toBe('success');
    expect(call?.outcome?.findings).toContainEqual({
      rule: 'carried-out-after-cancel',
      clause: 'v2 4.3',
      severity: 'should',
      params: { resultCode: 0, outcome: 'success' },
      where: null,
    });
  });

  it('what counts is how the screen closed the last time', async () => {
    const world = await asking();
    world.bridge.onLaunch = async () => launchResult(0);
    await world.sessions.launchConfirmation(world.record.id, true);
    world.bridge.onLaunch = async () => launchResult(-1);
    const { call } = await world.sessions.confirm(world.record.id, true);
    expect(call?.outcome).toMatchObject({ kind: 'success', findings: [] });
  });

  it('a resume waits for the result of the screen; sent before it by a deliberate act alone', async () => {
    const world = await asking();
    const codes = async () => (await world.sessions.prepareResume(world.record.id)).refusals.map(({ code }) => code);
    const early = await world.sessions.prepareResume(world.record.id);
    expect(early.refusals.map(({ code }) => code)).toEqual(['resume-before-result']);
    const refused = await world.sessions.run({ preparedId: early.id, confirmed: true, force: false });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: { code: 'resume-before-result' } });
    expect(world.bridge.sent.filter(resumed)).toHaveLength(0);
    await world.sessions.launchConfirmation(world.record.id, true);
    expect(await codes()).toEqual([]);
  });

  it('the token goes out once; a second resume sends nothing, forced or not', async () => {
    const world = await asking();
    const before = await world.sessions.prepareResume(world.record.id);
    const twin = await world.sessions.prepareResume(world.record.id);
    expect(before.extras).toContainEqual({ key: 'resume_token', t: 'masked', of: 'string', v: TOKEN.length });
    const [one, two] = await Promise.all(
      [before, twin].map(({ id }) => world.sessions.run({ preparedId: id, confirmed: true, force: true })),
    );
    expect(one?.outcome?.kind).toBe('success');
    expect(two?.outcome).toMatchObject({ kind: 'refused', problem: { code: 'resume-used' } });
    const late = await world.sessions.prepareResume(world.record.id);
    expect(late.refusals.map(({ code }) => code)).toContain('resume-used');
    const third = await world.sessions.run({ preparedId: late.id, confirmed: true, force: true });
    expect(third.outcome).toMatchObject({ kind: 'refused', problem: { code: 'resume-used' } });
    expect(world.bridge.sent.filter(resumed)).toHaveLength(1);
    expect((await list(world))[0]).toMatchObject({ state: 'resumed', canResume: false });
  });

  it('a token that the Provider did not look at, or that never left, can be sent again', async () => {
    let answers = 0;
    const world = await asking([], (call) =>
      answers++ === 0 ? errorAnswer(call, 'NEGOTIATION_REQUIRED', 'gone', true) : value(call, { ok: true }),
    );
    const { confirmation } = await world.sessions.confirm(world.record.id, true);
    expect(confirmation).toMatchObject({ state: 'returned', canResume: true, canLaunch: true });
    expect(confirmation.steps.at(-1)).toMatchObject({ kind: 'not-resumed', problem: { code: 'resume-not-taken' } });
    // The session has ended: our refusal, nothing sent, the token untouched.
    const refused = await world.sessions.prepareResume(world.record.id);
    expect(refused.refusals.map(({ code }) => code)).toContain('session-ended');
    const record = await world.sessions.run({ preparedId: refused.id, confirmed: true, force: false });
    expect(record.outcome?.kind).toBe('refused');
    await world.sessions.negotiate(target);
    const again = await world.sessions.prepareResume(world.record.id);
    const resumedCall = await world.sessions.run({ preparedId: again.id, confirmed: true, force: false });
    expect(resumedCall.outcome?.kind).toBe('success');
    expect((await list(world))[0]?.state).toBe('resumed');
  });

  it('a resumed call without an answer has used the token up (4.1: only the same request_id may ask on)', async () => {
    const world = await asking([], () => undefined as unknown as Bundle);
    const confirmed = world.sessions.confirm(world.record.id, true);
    const [pending] = await world.bridge.waiting(1);
    pending?.fail(problem('companion.dead-provider'));
    const { confirmation, call } = await confirmed;
    expect(call?.outcome).toMatchObject({ kind: 'transport-failure' });
    expect(call?.outcome?.findings.map(({ rule }) => rule)).toContain('effect-unknown');
    expect(confirmation).toMatchObject({ state: 'resumed', canResume: false });
  });

  it('a Provider that asks again after a resume opens a new confirmation', async () => {
    const world = await asking([], (call) => asks(call, [], 'h-again'));
    const { confirmation, call } = await world.sessions.confirm(world.record.id, true);
    expect(confirmation.state).toBe('resumed');
    const [newest, oldest] = await list(world);
    expect(newest).toMatchObject({ callId: call?.id, state: 'waiting', canLaunch: true });
    expect(oldest?.callId).toBe(world.record.id);
    expect(world.bridge.released).toEqual(['h-1']);
  });

  it('a later answer to the same request_id takes the place of what waited, and its handle is released', async () => {
    const world = await asking();
    world.bridge.script = (call) => value(call, { ok: true });
    const again = await run(world, { requestId: world.record.prepared.requestId });
    expect(again.outcome?.kind).toBe('success');
    const [one] = await list(world);
    expect(one).toMatchObject({ state: 'superseded', canLaunch: false });
    expect(one?.steps.at(-1)?.callId).toBe(again.id);
    expect(world.bridge.released).toEqual(['h-1']);
  });
});

describe('a launch that brings no result', () => {
  it('a refusal of the companion leaves it waiting, with the reason; nothing is resumed', async () => {
    const world = await asking();
    world.bridge.onLaunch = async () => ({ kind: 'failure', problem: problem('companion.launch-blocked') });
    const { confirmation, call } = await world.sessions.confirm(world.record.id, true);
    expect(call).toBeNull();
    expect(confirmation).toMatchObject({ state: 'waiting', canLaunch: true, canResume: true });
    expect(confirmation.steps.at(-1)).toMatchObject({
      kind: 'launch-failed',
      problem: { code: 'companion.launch-blocked' },
    });
    expect(world.bridge.sent.filter(resumed)).toHaveLength(0);
  });

  it('the wait can be stopped; the token stays, and a second launch meanwhile is refused', async () => {
    const world = await asking();
    const opened = Promise.withResolvers<void>();
    world.bridge.onLaunch = () => {
      opened.resolve();
      return new Promise(() => {});
    };
    const waiting = world.sessions.confirm(world.record.id, true);
    await opened.promise;
    expect((await list(world))[0]?.state).toBe('launched');
    await expect(world.sessions.confirm(world.record.id, true)).rejects.toMatchObject({
      problem: { code: 'launch-busy' },
    });
    expect(world.sessions.stopConfirmation(world.record.id)).toBe(true);
    const { confirmation, call } = await waiting;
    expect(call).toBeNull();
    expect(confirmation).toMatchObject({ state: 'waiting', canLaunch: true, canResume: true });
    expect(confirmation.steps.at(-1)).toMatchObject({ kind: 'launch-failed', problem: { code: 'launch-stopped' } });
    const cancelled = world.journal.history({ search: 'launch resolution', beforeSeq: null, limit: 1 }).rows[0];
    expect(cancelled).toMatchObject({ state: 'cancelled', errorCode: 'launch-stopped' });
    expect(world.sessions.stopConfirmation(world.record.id)).toBe(false);
  });

  it('a device that goes away takes the PendingIntent with it, also under way; the token stays', async () => {
    const world = await asking();
    const opened = Promise.withResolvers<void>();
    world.bridge.onLaunch = () => {
      opened.resolve();
      return new Promise(() => {});
    };
    const waiting = world.sessions.confirm(world.record.id, true);
    await opened.promise;
    world.sessions.deviceGone(target.deviceKey, problem('device-gone', { serial: 'S1' }));
    const { confirmation, call } = await waiting;
    expect(call).toBeNull();
    expect(confirmation).toMatchObject({ state: 'gone', canLaunch: false, canResume: true });
    expect(confirmation.steps.at(-1)).toMatchObject({ kind: 'gone', problem: { code: 'device-gone' } });
    expect(world.bridge.released).toEqual(['h-1']);
    await expect(world.sessions.launchConfirmation(world.record.id, true)).rejects.toMatchObject({
      problem: { code: 'device-gone' },
    });
  });

  it('a companion that ends takes it too', async () => {
    const world = await asking();
    world.bridge.lose(problem('companion.connection-lost', {}, 'EOF'));
    await expect.poll(async () => (await list(world))[0]?.state).toBe('gone');
    expect((await list(world))[0]?.steps.at(-1)?.problem).toMatchObject({ code: 'launch-handle-gone', raw: 'EOF' });
  });

  it('set aside: released, nothing sent', async () => {
    const world = await asking();
    expect(world.sessions.setAsideConfirmation(world.record.id)).toMatchObject({
      state: 'set-aside',
      canLaunch: false,
    });
    expect(world.bridge.released).toEqual(['h-1']);
    expect(world.bridge.sent.filter(resumed)).toHaveLength(0);
  });
});

it('every handle is released in the end, and the oldest of too many is let go', async () => {
  const world = createWorld();
  worlds.push(world);
  const { script } = world.bridge;
  let handles = 0;
  world.bridge.script = (call) =>
    call.method === 'execute_tool' ? asks(call, [], `h-${String(++handles).padStart(3, '0')}`) : script(call);
  await world.sessions.catalog(target, false);
  for (let n = 0; n < 102; n++) await run(world);
  expect(world.bridge.released).toEqual(['h-001', 'h-002']);
  const all = await list(world);
  expect(all.filter(({ canLaunch }) => canLaunch)).toHaveLength(100);
  expect(all.at(-1)?.steps.at(-1)?.problem?.code).toBe('confirmation-crowded-out');
  world.sessions.close();
  expect(new Set(world.bridge.released).size).toBe(102);
});
