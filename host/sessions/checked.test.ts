import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSchemaService } from '../validation/schema-service.ts';
import { createWorld, document, draft, standard, target, tool, value } from './testing/scripted.ts';

const schemas = createSchemaService();
afterAll(() => schemas.close());

describe('with the real schema service', () => {
  it('warns of invalid arguments, sends them all the same, and finds an invalid value', async () => {
    const world = createWorld({ schemas });
    await world.sessions.catalog(target, false);
    const prepared = await world.sessions.prepare(draft({ argsText: '{"n":"one"}' }));
    expect(prepared.argsVerdict).toMatchObject({ state: 'invalid', issues: [{ pointer: '/n', keyword: 'type' }] });
    expect(prepared.refusals).toEqual([]);
    const running = world.sessions.run({ preparedId: prepared.id, confirmed: false, force: false });
    const [pending] = await world.bridge.waiting(1);
    pending?.answer(value(pending.call, { other: 1 }));
    const { outcome } = await running;
    expect(outcome).toMatchObject({
      kind: 'success',
      valueText: '{"other":1}',
      outputVerdict: { state: 'invalid', issues: [{ keyword: 'required' }] },
    });
    const verdicts = world.journal.events(prepared.id).filter((event) => event.kind === 'notice');
    expect(JSON.parse(verdicts[0]?.data ?? '')).toMatchObject({ outputVerdict: { state: 'invalid' } });
  });

  it('makes an example that is valid, and calls nothing valid that it could not check', async () => {
    const world = createWorld({ schemas });
    const remote = tool('remote', 'read', { input_schema: { type: 'object', $ref: 'https://acme.test/s.json' } });
    world.bridge.script = (call) => {
      if (call.method !== 'list_tools') return standard(call);
      return document(call, { revision: 'r', tools: [tool('read_it', 'read'), remote] });
    };
    const detail = await world.sessions.tool(target, 0);
    expect(JSON.parse(detail.example ?? 'null')).toEqual({ n: 0 });
    expect((await world.sessions.tool(target, 1)).exampleProblem).not.toBe(null);
    const prepared = await world.sessions.prepare(draft({ tool: 'remote' }));
    expect(prepared.argsVerdict).toMatchObject({ state: 'not-checked', reason: 'schema-remote-ref' });
  });
});

describe('arguments made from the schema', () => {
  it('come with the verdict on them, and nothing is sent', async () => {
    const world = createWorld({ schemas });
    const odd = tool('odd', 'read', { input_schema: { type: 'object', properties: { a: { default: 1 } }, not: {} } });
    const bare = tool('bare', 'read', { input_schema: null });
    world.bridge.script = (call) => {
      if (call.method !== 'list_tools') return standard(call);
      return document(call, { revision: 'r', tools: [tool('read_it', 'read'), odd, bare] });
    };
    const made = await world.sessions.generate(target, 0, 'all');
    expect(made).toMatchObject({ verdict: { state: 'valid' }, leftOut: [] });
    const sent = world.bridge.sent.length;
    expect((await world.sessions.generate(target, 1, 'example')).verdict.state).toBe('invalid');
    expect(world.bridge.sent.length).toBe(sent);
    await expect(world.sessions.generate(target, 2, 'all')).rejects.toMatchObject({
      problem: { code: 'no-input-schema' },
    });
    await expect(world.sessions.generate(target, 9, 'all')).rejects.toMatchObject({
      problem: { code: 'tool-not-in-catalog' },
    });
  });
});

describe('the preview', () => {
  it('is what is sent, whatever the arguments are', async () => {
    const world = createWorld();
    await world.sessions.catalog(target, false);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), async (argsText) => {
        const prepared = await world.sessions.prepare(draft({ argsText }));
        const running = world.sessions.run({ preparedId: prepared.id, confirmed: false, force: false });
        await world.bridge.waiting(1);
        const [pending] = world.bridge.pending.splice(0);
        const sent = pending?.call.extras ?? [];
        expect(sent.find((entry) => entry.key === 'args')).toEqual({ key: 'args', t: 'string', v: argsText });
        const masked = sent.map((entry) =>
          entry.key === 'session_token' ? { key: entry.key, t: 'masked', of: 'string', v: 20 } : entry,
        );
        expect(prepared.extras).toEqual(masked);
        pending?.answer(null);
        expect((await running).outcome?.kind).toBe('malformed');
      }),
      { numRuns: 50 },
    );
  });
});
