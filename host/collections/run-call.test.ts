import { expect, test } from 'vitest';
import type { SavedCall, SavedCallEntry } from '../../shared/model/collection.ts';
import { createWorld, draft, errorAnswer, standard, target, value, type World } from '../sessions/testing/scripted.ts';
import { runSavedCall } from './run-call.ts';

/** Duties of a Consumer (v2) that hold for saved calls as for any other. */

function entry(over: Partial<SavedCall> = {}): SavedCallEntry {
  const call: SavedCall = {
    name: null,
    provider: 'com.acme',
    tool: 'create_it',
    device: null,
    argsText: '{"n":1}',
    variables: false,
    timeoutMs: 1_000,
    allowEffects: true,
    force: false,
    expect: {
      outcome: null,
      errorCode: null,
      value: [],
      outputSchema: false,
      schemaText: null,
      maxDurationMs: null,
    },
    ...over,
  };
  return { file: 'one.cetp.json', sha256: '', call, needs: [], problem: null };
}

function runOf(world: World, saved: SavedCallEntry) {
  const deps = {
    sessions: world.sessions,
    schemas: world.schemas,
    secrets: world.journal.secrets,
    devices: async () => [],
    discover: async () => ({ providers: [world.provider] }) as never,
    negotiate: (of: typeof target) => world.sessions.negotiate(of),
  };
  const values = { values: new Map(), secretNames: new Set<string>() };
  const on = { deviceKey: target.deviceKey, userId: 0 };
  return runSavedCall(deps, saved, { values, device: on, confirmed: true, signal: new AbortController().signal });
}

test('v2 4.1: a saved call that lost its answer is not sent under a new request_id by the next run', async () => {
  const world = createWorld();
  const first = runOf(world, entry());
  const [lost] = await world.bridge.waiting(1);
  lost?.fail({ code: 'call-timeout', params: { ms: 1_000, sent: 'yes' }, raw: null });
  expect(await first).toMatchObject({ state: 'error', problem: { code: 'call-timeout' } });

  world.bridge.script = (call) => (call.method === 'execute_tool' ? value(call, { ok: true }) : standard(call));
  const sent = () => world.bridge.sent.filter(({ method }) => method === 'execute_tool').length;
  expect(await runOf(world, entry())).toMatchObject({ state: 'error', problem: { code: 'outcome-still-open' } });
  expect(sent()).toBe(1);
  expect(await runOf(world, entry({ argsText: '{"n":2}' }))).toMatchObject({ state: 'passed' });

  const { requestId } = (await runOf(world, entry())).problem?.params ?? {};
  const again = await world.sessions.prepare(draft({ tool: 'create_it', requestId: String(requestId) }));
  await world.sessions.run({ preparedId: again.id, confirmed: true, force: false });
  expect(await runOf(world, entry())).toMatchObject({ state: 'passed' });
});

test('v2 4.3: a saved call that asks for a person ends there: nothing is launched, and no token is in its result', async () => {
  const world = createWorld();
  const token = 'resume-0123456789';
  world.bridge.script = (call) =>
    call.method === 'execute_tool'
      ? [
          ...errorAnswer(call, 'USER_ACTION_REQUIRED', `Confirm with ${token}`, true),
          { key: 'resume_token', t: 'string', v: token },
        ]
      : standard(call);
  const result = await runOf(world, entry());
  expect(result).toMatchObject({ state: 'failed', answer: { errorCode: 'USER_ACTION_REQUIRED' } });
  expect(JSON.stringify(result)).not.toContain(token);
  expect(world.bridge.launched).toEqual([]);
  expect(world.bridge.sent.filter(({ method }) => method === 'execute_tool')).toHaveLength(1);
});
