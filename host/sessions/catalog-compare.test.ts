import { describe, expect, it } from 'vitest';
import { openJournal } from '../journal/open-journal.ts';
import { createWorld, document, FakeClock, standard, target, tool, type World } from './testing/scripted.ts';

function lists(world: World, revision: string, tools: readonly object[]): void {
  world.bridge.script = (call) => (call.method === 'list_tools' ? document(call, { revision, tools }) : standard(call));
}

const A = [tool('read_it', 'read'), tool('create_it', 'create')];

describe('what changed between two readings of a list (v2 3.3)', () => {
  it('tools, texts, schemas, scopes and each annotation, old and new; security semantics are marked', async () => {
    const world = createWorld();
    lists(world, 'r1', A);
    await world.sessions.catalog(target, false);
    expect(await world.sessions.catalogDiff(target)).toBeNull();
    const annotations = { ...(A[1]?.['annotations'] as object), risk: 'high', idempotent: true };
    const changed = tool('create_it', 'create', { title: 'New', scopes: ['a.b'], annotations });
    lists(world, 'r2', [tool('new_one', 'read'), changed]);
    world.clock.advance(1_000);
    await world.sessions.catalog(target, true);
    expect(await world.sessions.catalogDiff(target)).toMatchObject({
      before: { revision: 'r1', tools: 2, earlierRun: false },
      after: { revision: 'r2', tools: 2 },
      verdict: 'new-revision',
      changes: [
        { tool: 'new_one', kind: 'added' },
        {
          tool: 'create_it',
          kind: 'changed',
          members: [
            { member: 'title', before: '"create_it"', after: '"New"', security: false },
            { member: 'scopes', before: '[]', security: true },
            { member: 'annotations.risk', before: '"low"', after: '"high"', security: true },
          ],
        },
        { tool: 'read_it', kind: 'removed' },
      ],
    });
    await world.sessions.catalog(target, true);
    expect((await world.sessions.catalogDiff(target))?.changes).toHaveLength(3);
  });

  it('a change of meaning without a new revision, and a new revision without a change, are both told', async () => {
    const world = createWorld();
    lists(world, 'r1', A);
    await world.sessions.catalog(target, false);
    lists(world, 'r1', [A[0] as object, tool('create_it', 'delete')]);
    await world.sessions.catalog(target, true);
    expect(await world.sessions.catalogDiff(target)).toMatchObject({
      verdict: 'unchanged-revision',
      changes: [{ members: [{ member: 'annotations.effect' }] }],
    });
    lists(world, 'r2', [tool('create_it', 'delete'), A[0] as object]);
    await world.sessions.catalog(target, true);
    expect(await world.sessions.catalogDiff(target)).toMatchObject({ verdict: 'revision-alone', changes: [] });
  });

  it('the list of an earlier run of the app counts, from the journal', async () => {
    const clock = new FakeClock();
    const journal = openJournal(':memory:', { now: () => clock.now() });
    const first = createWorld({ clock, journal, owner: { name: '1:a', isAlive: () => false } });
    lists(first, 'r1', A);
    await first.sessions.catalog(target, false);
    clock.advance(60_000);
    const next = createWorld({ clock, journal, owner: { name: '2:b', isAlive: () => false } });
    lists(next, 'r2', [...A, tool('more', 'read')]);
    await next.sessions.catalog(target, false);
    const before = { revision: 'r1', tools: 2, earlierRun: true, atMs: clock.now() - 60_000 };
    const changes = [{ tool: 'more', kind: 'added' }];
    expect(await next.sessions.catalogDiff(target)).toMatchObject({ before, verdict: 'new-revision', changes });
  });

  it('a list that was not had is compared with nothing', async () => {
    const world = createWorld();
    lists(world, 'r1', A);
    await world.sessions.catalog(target, false);
    world.bridge.script = (call) => (call.method === 'list_tools' ? document(call, 'no JSON') : standard(call));
    await world.sessions.catalog(target, true);
    expect(await world.sessions.catalogDiff(target)).toBeNull();
  });
});
