import { randomUUID } from 'node:crypto';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHost, type Host } from '../../host/host.ts';
import { DEVIANT_PACKAGE } from '../../host/simulator/provider-kit/deviant.ts';
import { DEVIATIONS, type DeviationName } from '../../host/simulator/provider-kit/deviations/deviations.ts';
import type { HostClient } from '../../shared/contract/client.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import type { Operation } from '../../shared/model/operation.ts';

/** The Deviant Provider of the demo through the whole engine: what breaks a rule visibly is told by the rule's name. */

const on = { deviceKey: 'demo/DEMO34PHONE01', userId: null };
const target = { ...on, providerKey: `${DEVIANT_PACKAGE}/${DEVIANT_PACKAGE}.cetp.ToolProviderService` };
/** Ends a test that hangs; nothing is measured by it. */
const PATIENCE = { timeout: 20_000, interval: 20 };

let host: Host;
let client: HostClient;
let operations: Operation[] = [];
const over = new AbortController();

beforeAll(async () => {
  host = await createHost({
    journalFile: ':memory:',
    assetsRoot: null,
    version: '0',
    demo: true,
    env: {},
    watchLocal: false,
  });
  client = createRouterClient(host.router, { context: {} });
  const stream = await client.operations.watch(undefined, { signal: over.signal });
  void (async () => {
    for await (const all of stream) operations = all;
  })();
  for await (const { state, origin } of await client.providers.watch(on)) {
    if (state === 'ready' && origin === 'companion') break;
  }
  await client.catalog.get({ ...target, refresh: false });
});
afterAll(async () => {
  over.abort();
  await host.close();
});

async function run(tool: DeviationName, requestId = randomUUID(), timeoutMs = 10_000): Promise<CallRecord> {
  for await (const session of await client.sessions.watch(target)) {
    if (session?.state !== 'open') await client.sessions.negotiate(target);
    break;
  }
  const { id } = await client.calls.prepare({ ...target, tool, argsText: '{}', timeoutMs, requestId });
  return client.calls.run({ preparedId: id, confirmed: true, force: false });
}

const rulesOf = (record: CallRecord) => (record.outcome?.findings ?? []).map(({ rule }) => rule);
const title = (name: DeviationName) => `${name} (${DEVIATIONS[name].clause})`;

describe('told by the answer alone', () => {
  test.each([
    ['no_resume_token', ['bundle-key-missing']],
    ['no_resolution', ['bundle-key-missing']],
    ['mutable_intent', ['resolution-mutable']],
    ['foreign_intent', ['resolution-foreign']],
    ['broadcast_intent', ['resolution-not-activity']],
    ['poll_after_negative', ['poll-after-unusable']],
    ['accepted_by_sync_tool', ['accepted-by-sync-tool']],
    ['inline_too_large', ['inline-too-large']],
    ['no_descriptor', ['bundle-key-missing']],
    ['echoes_other_request_id', ['echo-request-id-differs']],
    ['echoes_nothing', ['bundle-key-missing']],
    ['retryable_contradicts_table', ['retryable-contradicts-table']],
    ['unknown_error_code', ['error-code-unknown']],
    ['error_tells_internals', ['error-stack-trace']],
  ] as const)('%s', async (name, rules) => {
    expect([title(name), rulesOf(await run(name))]).toEqual([title(name), rules]);
  });

  test('result_breaks_schema (4.2): the verdict stands beside the value', async () => {
    const { outcome } = await run('result_breaks_schema');
    expect(outcome).toMatchObject({ kind: 'success', valueText: '{"ok":"yes"}', outputVerdict: { state: 'invalid' } });
  });

  test('error_tells_internals (5): the session_token in it is masked', async () => {
    const { outcome } = await run('error_tells_internals');
    if (outcome?.kind !== 'provider-error') throw new Error('No error');
    expect(JSON.parse(outcome.detailsText ?? '{}').session).not.toMatch(/^[\w-]{32}$/);
  });
});

test('ignores_denial (4.3): carried out after the person denied', async () => {
  const { id } = await run('ignores_denial');
  const [{ call }] = await Promise.all([
    client.confirmations.confirm({ callId: id, confirmed: true }),
    (async () => {
      for await (const [prompt] of await client.demo.screen()) {
        if (prompt === undefined) continue;
        await client.demo.answer({ promptId: prompt.promptId, decision: 'deny' });
        break;
      }
    })(),
  ]);
  expect(call?.outcome).toMatchObject({ kind: 'success', findings: [{ rule: 'carried-out-after-cancel' }] });
});

describe('told by a file (4.5)', () => {
  test.each([
    ['wrong_digest', 'mismatch', ['file-digest-differs']],
    ['wrong_size', 'mismatch', ['file-size-differs', 'file-bytes-differ']],
    ['short_file', 'mismatch', ['file-bytes-differ', 'file-digest-differs', 'file-not-json']],
    ['endless_file', 'mismatch', ['file-overrun']],
    ['failing_descriptor', 'failed', ['file-not-whole']],
    ['uppercase_digest', 'verified', ['file-member-invalid']],
  ] as const)('%s', async (name, state, rules) => {
    const record = await run(name);
    expect(record.outcome).toMatchObject({ kind: 'success', file: { received: { state } } });
    expect(rulesOf(record)).toEqual(rules);
  });

  test('file_breaks_schema: whole, and not what the schema says', async () => {
    const { outcome } = await run('file_breaks_schema');
    expect(outcome).toMatchObject({ file: { received: { state: 'verified' } }, outputVerdict: { state: 'invalid' } });
  });
});

describe('told by an operation (4.4)', () => {
  test.each([
    ['state_goes_back', 'succeeded', 'operation-state-regressed'],
    ['succeeded_without_result', 'succeeded', 'operation-result-missing'],
    ['failed_without_error', 'failed', 'operation-error-missing'],
    ['other_operation_id', 'succeeded', 'operation-id-differs'],
    ['unknown_state', 'paused', 'operation-state-unknown'],
  ] as const)('%s', async (name, state, rule) => {
    const { id } = await run(name);
    const found = () => operations.find(({ callId }) => callId === id);
    const rules = () => found()?.queries.flatMap(({ findings }) => findings.map((finding) => finding.rule)) ?? [];
    await expect.poll(() => [found()?.state, rules().includes(rule)], PATIENCE).toEqual([state, true]);
    await client.operations.follow({ callId: id, follow: false });
  });
});

describe('told by a repeat or a silence (5, 6)', () => {
  // A death takes the session with it.
  beforeEach(async () => {
    await client.sessions.negotiate(target);
  });

  test('another_outcome_on_repeat: two ends of one request_id', async () => {
    const requestId = randomUUID();
    await run('another_outcome_on_repeat', requestId);
    expect(rulesOf(await run('another_outcome_on_repeat', requestId))).toEqual(['repeat-outcome-differs']);
  });

  test.each(['dies_after_effect', 'crashes_in_call'] as const)(
    '%s: the app ended, the effect is not known',
    async (name) => {
      // The death before took the session with it.
      await client.sessions.negotiate(target);
      const { outcome } = await run(name);
      expect(outcome).toMatchObject({ kind: 'transport-failure', problem: { code: 'companion.provider-crashed' } });
      expect(outcome?.findings.map(({ rule }) => rule)).toEqual(['effect-unknown']);
    },
  );

  test.each(['hangs_in_call', 'answers_after_deadline'] as const)(
    '%s: no answer in time, the effect is not known',
    async (name) => {
      const { outcome } = await run(name, randomUUID(), 300);
      expect(outcome).toMatchObject({ kind: 'transport-failure', problem: { code: 'companion.timeout' } });
      expect(outcome?.findings.map(({ rule }) => rule)).toEqual(['effect-unknown']);
    },
  );
});

describe('told by the next session or list (2.2, 3.3)', () => {
  test('session_ends_early: the same call is refused by the Provider, and the session is shown as ended', async () => {
    const requestId = randomUUID();
    await run('session_ends_early', requestId);
    expect((await run('session_ends_early', requestId)).outcome).toMatchObject({ errorCode: 'NEGOTIATION_REQUIRED' });
    for await (const session of await client.sessions.watch(target)) {
      expect(session).toMatchObject({ state: 'ended', problem: { code: 'session-ended-by-provider' } });
      break;
    }
  });

  test.each(['semantics_change_without_revision', 'catalog_changes_without_revision'] as const)('%s', async (name) => {
    await client.sessions.negotiate(target);
    await client.catalog.get({ ...target, refresh: true });
    await run(name);
    const { findings } = await client.catalog.get({ ...target, refresh: true });
    expect(findings.map(({ rule }) => rule)).toContain('revision-unchanged');
  });
});
