import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../companion/clock.ts';
import { createDeviantProvider } from '../deviant.ts';
import { type Answer, answerOf, type ExecuteOptions, launchResolution, TestCaller } from '../test-caller.ts';
import type { UserDecision } from '../v2/definition.ts';
import type { V2Provider } from '../v2/provider.ts';
import { FILE_BYTES } from './deviation.ts';
import { DEVIATION_NAMES, DEVIATIONS, type DeviationName } from './deviations.ts';

let clock: ManualClock;
let decision: UserDecision;
let app: V2Provider;
let caller: TestCaller;

beforeEach(async () => {
  clock = new ManualClock();
  decision = 'approve';
  app = createDeviantProvider({ user: () => decision }, clock);
  caller = new TestCaller(app);
  await caller.negotiate();
});

const proven = new Set<string>();

/** One test a deviation; `tool` runs its tool. */
function proves(
  name: DeviationName,
  what: string,
  test: (run: (options?: ExecuteOptions, args?: object) => Promise<Answer>) => Promise<void>,
): void {
  proven.add(name);
  it(`${name}: ${what} (${DEVIATIONS[name].clause})`, () =>
    test((options = {}, args = {}) => caller.execute(name, args, options)));
}

const ok = { kind: 'inline', value: { ok: true } };
const code = (answer: Answer) => answer.values['error_code'];
const effects = () => app.ran.length;
const byId = (id: unknown) => [{ key: 'operation_id', t: 'string' as const, v: String(id) }];

/** Accepts, then asks until `count` answers came. */
async function queries(name: DeviationName, count: number): Promise<readonly Record<string, unknown>[]> {
  const requestId = randomUUID();
  const accepted = await caller.execute(name, {}, { requestId });
  const answers: Record<string, unknown>[] = [];
  for (let i = 0; i < count; i++) {
    answers.push((await caller.call('get_operation', byId(accepted.data['operation_id']), { requestId })).data);
  }
  return answers;
}

async function bytesOf(answer: Answer, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const file = answer.objects['result_fd'];
  if (file?.t !== 'fd') throw new Error('No descriptor');
  const parts: Uint8Array[] = [];
  for await (const part of file.read()) {
    parts.push(part);
    if (Buffer.concat(parts).length >= most) break;
  }
  return Buffer.concat(parts);
}

describe('idempotency', () => {
  const requestId = randomUUID();
  proves('executes_twice', 'one id, two effects', async (run) => {
    expect((await run({ requestId })).data).toEqual(ok);
    expect((await run({ requestId })).data).toEqual(ok);
    expect(effects()).toBe(2);
  });
  proves('forgets_after_restart', 'deduplicates until the process restarts', async (run) => {
    await run({ requestId });
    await run({ requestId });
    expect(effects()).toBe(1);
    app.restart();
    await caller.negotiate();
    await run({ requestId });
    expect(effects()).toBe(2);
  });
  proves('concurrent_executors', 'two arrivals at once, two effects; a later one is deduplicated', async (run) => {
    const both = [run({ requestId }), run({ requestId })];
    await Promise.resolve();
    clock.advance(200);
    await Promise.all(both);
    expect(effects()).toBe(2);
    await run({ requestId });
    expect(effects()).toBe(2);
  });
  proves('accepts_other_content', 'other arguments under one id run', async (run) => {
    await run({ requestId }, { note: 'a' });
    expect((await run({ requestId }, { note: 'b' })).data).toEqual(ok);
    expect(app.ran.map((ran) => ran.argsText)).toEqual(['{"note":"a"}', '{"note":"b"}']);
    await run({ requestId }, { note: 'b' });
    expect(effects()).toBe(2);
  });
  proves('another_outcome_on_repeat', 'one effect, two outcomes', async (run) => {
    expect((await run({ requestId })).data).toEqual(ok);
    expect((await run({ requestId })).data).toEqual({ kind: 'inline', value: { ok: false } });
    expect(effects()).toBe(1);
  });
  proves('dies_after_effect', 'dies with one effect; the same id then tells it', async (run) => {
    expect(await caller.executeRaw('dies_after_effect', {}, { requestId })).toEqual({ kind: 'died' });
    expect(effects()).toBe(1);
    expect((await run({ requestId })).data).toEqual(ok);
    expect(effects()).toBe(1);
  });
});

describe('confirmation', () => {
  const requestId = randomUUID();
  /** Asks, lets the user decide, and gives the token. */
  const asked = async (name: DeviationName, args: object = {}): Promise<{ answer: Answer; resumeToken: string }> => {
    const answer = await caller.execute(name, args, { requestId });
    expect(code(answer)).toBe('USER_ACTION_REQUIRED');
    return { answer, resumeToken: String(answer.values['resume_token']) };
  };

  proves('effect_before_confirmation', 'the effect comes with the question', async (run) => {
    const { answer, resumeToken } = await asked('effect_before_confirmation');
    expect(effects()).toBe(1);
    await launchResolution(answer);
    expect((await run({ requestId, resumeToken })).data).toEqual(ok);
    expect(effects()).toBe(1);
  });
  proves('resume_token_twice', 'a token makes two effects', async (run) => {
    const { answer, resumeToken } = await asked('resume_token_twice');
    expect(effects()).toBe(0);
    await launchResolution(answer);
    for (let i = 0; i < 2; i++) expect((await run({ requestId, resumeToken })).data).toEqual(ok);
    expect(effects()).toBe(2);
  });
  proves('changed_args_on_resume', 'other arguments than confirmed run', async (run) => {
    const { answer, resumeToken } = await asked('changed_args_on_resume', { note: 'small' });
    await launchResolution(answer);
    expect((await run({ requestId, resumeToken }, { note: 'huge' })).data).toEqual(ok);
    expect(app.ran.map((ran) => ran.argsText)).toEqual(['{"note":"huge"}']);
  });
  proves('ignores_denial', 'a denied call runs', async (run) => {
    decision = 'deny';
    const { answer, resumeToken } = await asked('ignores_denial');
    expect(await launchResolution(answer)).toBe(0);
    expect((await run({ requestId, resumeToken })).data).toEqual(ok);
    expect(effects()).toBe(1);
  });
  proves('no_resume_token', 'an intent alone', async (run) => {
    const answer = await run();
    expect(answer.values).not.toHaveProperty('resume_token');
    expect(answer.objects).toHaveProperty('resolution');
  });
  proves('no_resolution', 'a token alone', async (run) => {
    const answer = await run();
    expect(answer.values).toHaveProperty('resume_token');
    expect(answer.objects).toEqual({});
  });
  proves('mutable_intent', 'FLAG_MUTABLE', async (run) => {
    expect((await run()).objects['resolution']).toMatchObject({ immutable: false, kind: 'activity', creatorUid: -1 });
  });
  proves('foreign_intent', 'of another app', async (run) => {
    expect((await run()).objects['resolution']).toMatchObject({
      creatorPackage: 'org.example.stranger',
      creatorUid: 10_001,
      immutable: true,
    });
  });
  proves('broadcast_intent', 'a broadcast', async (run) => {
    expect((await run()).objects['resolution']).toMatchObject({ kind: 'broadcast', immutable: true });
  });
  proves('dead_intent', 'cannot be sent', async (run) => {
    await expect(launchResolution(await run())).rejects.toThrow('cancelled');
  });
  proves('screen_never_finishes', 'no result, although the user approved', async (run) => {
    const { answer, resumeToken } = await asked('screen_never_finishes');
    const result = await Promise.race([launchResolution(answer), new Promise((done) => setImmediate(done, 'open'))]);
    expect(result).toBe('open');
    expect((await run({ requestId, resumeToken })).data).toEqual(ok);
  });
});

describe('operations', () => {
  proves('poll_after_negative', 'in the acceptance and in each query', async (run) => {
    expect((await run()).data['poll_after_ms']).toBe(-1);
    const [first, , last] = await queries('poll_after_negative', 3);
    expect(first).toMatchObject({ state: 'queued', poll_after_ms: -1 });
    expect(last).toMatchObject({ state: 'succeeded' });
    expect(last).not.toHaveProperty('poll_after_ms');
  });
  proves('state_goes_back', 'running, queued, succeeded', async () => {
    const states = (await queries('state_goes_back', 3)).map((data) => data['state']);
    expect(states).toEqual(['running', 'queued', 'succeeded']);
  });
  proves('two_terminals', 'succeeded, then failed', async () => {
    const ends = (await queries('two_terminals', 4)).slice(2);
    expect(ends).toMatchObject([
      { state: 'succeeded', result: ok },
      { state: 'failed', error: {} },
    ]);
    expect(effects()).toBe(1);
  });
  proves('succeeded_without_result', 'no result', async () => {
    const end = (await queries('succeeded_without_result', 3)).at(-1);
    expect(Object.keys(end ?? {})).toEqual(['operation_id', 'state']);
    expect(end).toMatchObject({ state: 'succeeded' });
  });
  proves('failed_without_error', 'no error', async () => {
    const end = (await queries('failed_without_error', 3)).at(-1);
    expect(Object.keys(end ?? {})).toEqual(['operation_id', 'state']);
    expect(end).toMatchObject({ state: 'failed' });
  });
  proves('unknown_state', 'paused', async () => {
    expect(await queries('unknown_state', 1)).toMatchObject([{ state: 'paused', poll_after_ms: 250 }]);
  });
  proves('other_operation_id', 'of another', async () => {
    expect(await queries('other_operation_id', 1)).toMatchObject([
      { state: 'queued', operation_id: 'op_of_somebody_else' },
    ]);
  });
  proves('never_ends', 'still running after the effect', async () => {
    expect((await queries('never_ends', 9)).at(-1)).toMatchObject({ state: 'running', progress: { current: 99 } });
    expect(effects()).toBe(1);
  });
  const cancelled = async (name: DeviationName) => {
    const requestId = randomUUID();
    const operation = byId((await caller.execute(name, {}, { requestId })).data['operation_id']);
    const cancel = await caller.call('cancel_operation', operation, { requestId });
    const query = () => caller.call('get_operation', operation, { requestId });
    return { cancel: cancel.data['state'], query };
  };
  proves('cancel_claims_end', 'cancelled is claimed, succeeded is the end', async () => {
    const { cancel, query } = await cancelled('cancel_claims_end');
    expect(cancel).toBe('cancelled');
    const states: unknown[] = [];
    for (let i = 0; i < 3; i++) states.push((await query()).data['state']);
    expect(states).toEqual(['queued', 'running', 'succeeded']);
  });
  proves('effect_after_cancelled', 'cancelled, with an effect', async () => {
    const { cancel, query } = await cancelled('effect_after_cancelled');
    expect(cancel).toBe('cancellation_requested');
    expect((await query()).data['state']).toBe('cancelled');
    expect(effects()).toBe(1);
  });
  proves('lost_after_restart', 'the operation is unknown', async (run) => {
    const requestId = randomUUID();
    const operation = byId((await run({ requestId })).data['operation_id']);
    expect((await caller.call('get_operation', operation, { requestId })).data['state']).toBe('queued');
    app.restart();
    await caller.negotiate();
    expect(code(await caller.call('get_operation', operation, { requestId }))).toBe('INVALID_REQUEST');
  });
  proves('accepted_not_negotiated', 'accepted without async_operations', async (run) => {
    expect((await caller.negotiate([])).data['capabilities']).toEqual([]);
    expect((await run()).values['status']).toBe('accepted');
  });
  proves('accepted_by_sync_tool', 'accepted by execution=sync', async (run) => {
    const list = (await caller.call('list_tools')).data['tools'] as { name: string; annotations: object }[];
    expect(list.find((tool) => tool.name === 'accepted_by_sync_tool')?.annotations).toMatchObject({
      execution: 'sync',
    });
    expect((await run()).values['status']).toBe('accepted');
  });
});

describe('files', () => {
  const sha256 = createHash('sha256').update(FILE_BYTES).digest('hex');
  const right = { kind: 'file', media_type: 'application/json', size_bytes: FILE_BYTES.length, sha256 };

  proves('wrong_digest', 'right bytes, another digest', async (run) => {
    const answer = await run();
    expect(answer.data).toEqual({ ...right, sha256: '0'.repeat(64) });
    expect((await bytesOf(answer)).equals(FILE_BYTES)).toBe(true);
  });
  proves('wrong_size', 'right bytes, another size', async (run) => {
    const answer = await run();
    expect(answer.data).toEqual({ ...right, size_bytes: FILE_BYTES.length - 1 });
    expect((await bytesOf(answer)).equals(FILE_BYTES)).toBe(true);
  });
  proves('uppercase_digest', 'the digest in capitals', async (run) => {
    expect((await run()).data).toEqual({ ...right, sha256: sha256.toUpperCase() });
  });
  proves('short_file', 'fewer bytes than declared', async (run) => {
    const answer = await run();
    expect(answer.data).toEqual(right);
    expect(await bytesOf(answer)).toHaveLength(16_384);
  });
  proves('endless_file', 'more bytes than declared, without an end', async (run) => {
    const answer = await run();
    expect(answer.data).toEqual(right);
    expect((await bytesOf(answer, 1_000_000)).length).toBeGreaterThanOrEqual(1_000_000);
  });
  proves('stalled_descriptor', 'some bytes, then silence', async (run) => {
    const file = (await run()).objects['result_fd'];
    if (file?.t !== 'fd') throw new Error('No descriptor');
    const reading = file.read()[Symbol.asyncIterator]();
    expect((await reading.next()).value).toHaveLength(16_384);
    const next = await Promise.race([reading.next(), new Promise((done) => setImmediate(done, 'silent'))]);
    expect(next).toBe('silent');
  });
  proves('failing_descriptor', 'some bytes, then an I/O error', async (run) => {
    await expect(bytesOf(await run())).rejects.toThrow('EIO');
  });
  proves('no_descriptor', 'the facts alone', async (run) => {
    const answer = await run();
    expect(answer.data).toEqual(right);
    expect(answer.objects).toEqual({});
  });
  proves('file_breaks_schema', 'whole, with a value of another type', async (run) => {
    const answer = await run();
    const bytes = await bytesOf(answer);
    expect(bytes.toString()).toBe('{"ok":"yes"}');
    expect(answer.data['sha256']).toBe(createHash('sha256').update(bytes).digest('hex'));
  });
  proves('file_not_negotiated', 'a file without large_results', async (run) => {
    await caller.negotiate([]);
    expect((await run()).data).toEqual(right);
  });
  proves('inline_too_large', 'more than 262144 bytes inline', async (run) => {
    const answer = await run();
    expect(answer.data['kind']).toBe('inline');
    expect(String(answer.values['data']).length).toBeGreaterThan(262_144);
  });
});

describe('answers', () => {
  const requestId = randomUUID();
  proves('echoes_other_request_id', 'another id', async (run) => {
    const answer = await run({ requestId });
    expect(answer.data).toEqual(ok);
    expect(answer.values['request_id']).toBe('00000000-0000-4000-8000-000000000000');
  });
  proves('echoes_nothing', 'no id', async (run) => {
    expect((await run()).values).toEqual({ status: 'success', protocol_version: 2, data: expect.any(String) });
  });
  proves('result_breaks_schema', 'a string for a Boolean', async (run) => {
    expect((await run()).data).toEqual({ kind: 'inline', value: { ok: 'yes' } });
  });
  proves('ignores_deadline', 'an effect after the deadline', async (run) => {
    expect((await run({ deadlineAtMs: clock.now() - 1 })).data).toEqual(ok);
    expect(effects()).toBe(1);
  });
  proves('answers_after_deadline', 'an effect in time, an answer too late', async (run) => {
    let answered = false;
    const running = run({ deadlineAtMs: clock.now() + 500 }).then((answer) => {
      answered = true;
      return answer;
    });
    await new Promise((done) => setImmediate(done));
    clock.advance(699);
    await new Promise((done) => setImmediate(done));
    expect([effects(), answered]).toEqual([1, false]);
    clock.advance(1);
    expect((await running).data).toEqual(ok);
  });
  proves('crashes_in_call', 'no answer, no effect', async () => {
    expect(await caller.executeRaw('crashes_in_call')).toEqual({ kind: 'died' });
    expect(effects()).toBe(0);
  });
  proves('hangs_in_call', 'neither answer nor end', async () => {
    const running = caller.executeRaw('hangs_in_call');
    expect(await Promise.race([running, new Promise((done) => setImmediate(done, 'hangs'))])).toBe('hangs');
  });
  proves('retryable_contradicts_table', 'PERMISSION_DENIED that may be retried', async (run) => {
    expect((await run()).values).toMatchObject({ error_code: 'PERMISSION_DENIED', retryable: true });
  });
  proves('unknown_error_code', 'a code of its own', async (run) => {
    expect((await run()).values).toMatchObject({ error_code: 'MOON_PHASE', retryable: false });
  });
  proves('error_tells_internals', 'stack trace, path, session_token', async (run) => {
    const { values } = await run();
    expect(values['error_message']).toContain('\tat org.example.deviant.Store.open(Store.java:112)');
    expect(JSON.parse(String(values['error_details']))['session']).toBe(caller.token);
  });
  proves('retryable_for_ever', 'the same again, however often', async (run) => {
    for (let i = 0; i < 3; i++) {
      expect((await run({ requestId })).values).toMatchObject({ retryable: true, retry_after_ms: '0' });
    }
  });
});

describe('sessions and catalog', () => {
  const list = async () => (await caller.call('list_tools')).data;
  const steady = (data: Record<string, unknown>) =>
    (data['tools'] as { name: string; annotations: object }[]).find((tool) => tool.name === 'steady_read');

  proves('session_ends_early', 'refused right after, an hour before its end', async (run) => {
    expect((await run()).data).toEqual(ok);
    expect(code(await caller.call('list_tools'))).toBe('NEGOTIATION_REQUIRED');
    await caller.negotiate();
    expect((await caller.call('list_tools')).values['status']).toBe('success');
  });
  proves('accepts_any_token', 'a made-up token of a stranger', async (run) => {
    const stranger = new TestCaller(app, 10_999);
    stranger.token = 'made-up';
    expect(code(await stranger.call('list_tools'))).toBe('NEGOTIATION_REQUIRED');
    await run();
    expect((await stranger.call('list_tools')).values['status']).toBe('success');
  });
  proves('capability_changes_silently', 'refused in the session that negotiated it', async (run) => {
    const requestId = randomUUID();
    const operation = byId((await caller.execute('never_ends', {}, { requestId })).data['operation_id']);
    await run();
    expect(code(await caller.call('get_operation', operation, { requestId }))).toBe('UNSUPPORTED_CAPABILITY');
    expect((await caller.call('list_tools')).values['status']).toBe('success');
  });
  proves('catalog_changes_without_revision', 'a tool less, the same revision', async (run) => {
    const before = await list();
    await run();
    const after = await list();
    expect([steady(before)?.name, steady(after)?.name]).toEqual(['steady_read', undefined]);
    expect(after['revision']).toBe(before['revision']);
  });
  proves('semantics_change_without_revision', 'destructive now, the same revision', async (run) => {
    const before = await list();
    await run();
    const after = await list();
    expect(steady(before)?.annotations).toMatchObject({ effect: 'read', destructive: false });
    expect(steady(after)?.annotations).toMatchObject({ effect: 'delete', destructive: true, confirmation: 'always' });
    expect(after['revision']).toBe(before['revision']);
  });
  proves('revision_changes_without_change', 'the same tools, another revision', async (run) => {
    const before = await list();
    await run();
    const after = await list();
    expect(after['tools']).toEqual(before['tools']);
    expect(after['revision']).not.toBe(before['revision']);
  });
});

describe('the list', () => {
  it('has a test for every deviation', () => {
    expect([...proven].sort()).toEqual([...DEVIATION_NAMES].sort());
  });

  it('is the table of the README, by name and clause', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| `(\w+)` *\| ([\d.]+) *\| (.+?) *\|$/gm)].map(([, ...cells]) => cells);
    expect(rows).toEqual(DEVIATION_NAMES.map((name) => [name, DEVIATIONS[name].clause, DEVIATIONS[name].what]));
  });

  it('deviates alone: everything else about each tool obeys', async () => {
    const named = (await caller.call('list_tools')).data['tools'] as { name: string; description: string }[];
    expect(named.map((tool) => tool.name)).toEqual(['steady_read', ...DEVIATION_NAMES]);
    for (const tool of named.slice(1)) expect(tool.description).toMatch(/: .+ \(v2 [\d.]+\)$/);
    const allowed = named.filter((tool) => tool.description.startsWith('Allowed, ')).map((tool) => tool.name);
    expect(allowed).toEqual(['dies_after_effect', 'retryable_for_ever']);
    expect((await caller.execute('steady_read')).data).toEqual(ok);
    const raw = answerOf(await caller.rawCall('drop_everything'));
    expect(code(raw)).toBe('METHOD_NOT_FOUND');
  });
});
