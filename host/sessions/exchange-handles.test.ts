import { expect, test } from 'vitest';
import type { Bundle } from '../../shared/model/bundle.ts';
import type { SessionsDeps } from './deps.ts';
import { exchange } from './exchange.ts';
import { createWorld, target } from './testing/scripted.ts';

/** An answer with a descriptor and, nested, a PendingIntent. */
const ANSWER: Bundle = [
  { key: 'result_fd', t: 'fd', v: { handle: 'fd-1', size: 4 } },
  {
    key: 'more',
    t: 'bundle',
    v: [
      {
        key: 'resolution',
        t: 'pendingIntent',
        v: { handle: 'pi-1', creatorPackage: null, creatorUid: null, immutable: null, kind: null },
      },
    ],
  },
];

function ask(read: () => { value: string; end: { outcome: 'success'; errorCode: null }; keep?: readonly string[] }) {
  const world = createWorld();
  world.bridge.script = () => ANSWER;
  const call = world.bridge.encode('a', 'execute_tool', null, []);
  const spec = { ...target, id: 'e', tool: null, requestId: null, protocol: 'v2' as const, call, timeoutMs: 1_000 };
  const deps = { journal: world.journal, clock: world.clock } as unknown as SessionsDeps;
  return { world, result: exchange(deps, world.bridge, spec, { read }) };
}

const SUCCESS = { value: 'v', end: { outcome: 'success' as const, errorCode: null } };

test('a handle that the reader keeps is handed on, and every other is released', async () => {
  const { world, result } = ask(() => ({ ...SUCCESS, keep: ['fd-1'] }));
  expect(await result).toMatchObject({ kind: 'answer', kept: ['fd-1'] });
  expect(world.bridge.released).toEqual(['pi-1']);
});

test('without a wish all are released, nested ones too', async () => {
  const { world, result } = ask(() => SUCCESS);
  expect(await result).toMatchObject({ kind: 'answer', kept: [] });
  expect(world.bridge.released).toEqual(['fd-1', 'pi-1']);
});

test('only handles of this very answer can be kept', async () => {
  const { result } = ask(() => ({ ...SUCCESS, keep: ['fd-1', 'of-another-answer'] }));
  expect(await result).toMatchObject({ kept: ['fd-1'] });
});

test('a reader that throws keeps nothing', async () => {
  const { world, result } = ask(() => {
    throw new Error('a bug');
  });
  await expect(result).rejects.toThrow('a bug');
  expect(world.bridge.released).toEqual(['fd-1', 'pi-1']);
});
