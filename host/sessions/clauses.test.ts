import { describe, expect, it } from 'vitest';
import { createWorld, document, draft, standard, target, tool, value, type World } from './testing/scripted.ts';

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
  it('warns of a new id while a side-effecting call has no answer, until a retry with its id has one', async () => {
    const world = await ready([tool('create_it', 'create'), tool('read_it', 'read')]);
    const { sessions, bridge } = world;
    const first = await sessions.prepare(draft({ tool: 'create_it' }));
    expect(first.warnings).toEqual([]);
    const lost = sessions.run({ preparedId: first.id, confirmed: true, force: false });
    await bridge.waiting(1);
    sessions.cancel(first.id);
    await lost;

    const again = await sessions.prepare(draft({ tool: 'create_it' }));
    expect(again.warnings).toMatchObject([
      { code: 'outcome-still-open', params: { tool: 'create_it', requestId: first.requestId } },
    ]);
    expect((await sessions.prepare(draft({ tool: 'create_it', argsText: '{"n":2}' }))).warnings).toEqual([]);
    expect((await sessions.prepare(draft({ tool: 'read_it' }))).warnings).toEqual([]);
    const retry = await sessions.prepare(draft({ tool: 'create_it', requestId: first.requestId }));
    expect(codes(retry.warnings)).toEqual(['request-id-retry']);

    bridge.script = (call) => (call.method === 'execute_tool' ? value(call, { ok: true }) : standard(call));
    await sessions.run({ preparedId: retry.id, confirmed: true, force: false });
    expect((await sessions.prepare(draft({ tool: 'create_it' }))).warnings).toEqual([]);
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
