import { afterEach, expect, test } from 'vitest';
import type { Bundle } from '../../../shared/model/bundle.ts';
import type { BinderOutcome } from '../../simulator/virtual-device.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../testing/virtual-phone.ts';
import { createShellBridge } from './content-call.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The shell bridge to a Provider on a virtual device of an API level; unprotected unless told otherwise. */
async function bridgeTo(sdk: number, answer: () => BinderOutcome, permission: string | null = null) {
  const garden = gardenPackage(answer, {}, permission);
  const phone = await startVirtualPhone({ sdk, packages: [garden.spec], companionInstalled: false });
  closers.push(() => phone.close());
  const bridge = createShellBridge(phone.io, sdk, 0);
  const call = (extras: Bundle | null, authority = GARDEN_AUTHORITY) =>
    bridge.call(bridge.encode(authority, 'execute_tool', null, extras), 10_000, new AbortController().signal);
  return { call, received: garden.received };
}

const levels = [26, 28, 29, 30, 33, 34, 36];

test.each(levels)('API %i: texts and longs arrive exactly, the answer is read exactly', async (sdk) => {
  const data = '{"note":"a, request_id=5 \\u003d \\"q\\"","n":1.0}';
  const { call, received } = await bridgeTo(sdk, () =>
    bundle([
      { key: 'status', t: 'string', v: 'success' },
      { key: 'data', t: 'string', v: data },
    ]),
  );
  const extras: Bundle = [
    { key: 'args', t: 'string', v: '{"path":"C:\\\\x","q":"it\'s $HOME `id`"}' },
    { key: 'deadline_at_ms', t: 'long', v: '9007199254740993' },
    { key: 'dry', t: 'boolean', v: true },
    { key: 'empty', t: 'string', v: '' },
  ];
  expect(await call(extras)).toEqual({
    kind: 'answer',
    bundle: [
      { key: 'status', t: 'text', v: 'success' },
      { key: 'data', t: 'text', v: data },
    ],
    nullKeys: 0,
    elapsedMs: null,
  });
  expect(received[0]?.extras?.entries).toEqual(extras);
});

test.each(levels.filter((sdk) => sdk >= 30))('API %i: ints arrive as ints', async (sdk) => {
  const { call, received } = await bridgeTo(sdk, () => bundle([]));
  const extras: Bundle = [{ key: 'protocol_version', t: 'int', v: 2 }];
  expect(await call(extras)).toMatchObject({ kind: 'answer', bundle: [] });
  expect(received[0]?.extras?.entries).toEqual(extras);
});

test.each(levels)('API %i: a null answer, a refusal, a missing Provider, an exception', async (sdk) => {
  const none = await bridgeTo(sdk, () => ({ kind: 'null' }));
  expect(await none.call(null)).toMatchObject({ kind: 'answer', bundle: null });
  expect(await none.call(null, 'no.such.authority')).toMatchObject({ problem: { code: 'shell-provider-not-found' } });
  const locked = await bridgeTo(sdk, () => bundle([]), 'com.clawseed.permission.ACCESS_TOOLS');
  expect(await locked.call(null)).toMatchObject({
    problem: { code: 'shell-permission-denied', params: { permission: 'com.clawseed.permission.ACCESS_TOOLS' } },
  });
  expect(locked.received).toEqual([]);
  const broken = await bridgeTo(sdk, () => ({
    kind: 'exception',
    class: 'java.lang.IllegalArgumentException',
    message: 'no such tool',
  }));
  expect(await broken.call(null)).toMatchObject({
    problem: {
      code: 'shell-provider-exception',
      params: { class: 'java.lang.IllegalArgumentException', message: 'no such tool' },
    },
  });
});

test.each(levels)('API %i: objects are shown as Android prints them', async (sdk) => {
  const { call } = await bridgeTo(sdk, () =>
    bundle(
      [
        { key: 'status', t: 'string', v: 'error' },
        { key: 'error_message', t: 'string', v: 'Sign in first, please (a=1)' },
      ],
      {
        objects: {
          resolution: {
            t: 'pendingIntent',
            creatorPackage: 'org.sample.garden',
            creatorUid: 10001,
            immutable: true,
            kind: 'activity',
            launch: async () => ({ resultCode: -1 }),
          },
        },
      },
    ),
  );
  const answer = await call(null);
  expect(answer).toMatchObject({
    kind: 'answer',
    bundle: [
      { key: 'error_message', v: 'Sign in first, please (a=1)' },
      { key: 'resolution', v: expect.stringMatching(sdk === 33 || sdk === 34 ? /^Supplier\{/ : /^PendingIntent\{/) },
      { key: 'status', v: 'error' },
    ],
  });
  expect(answer).not.toHaveProperty('notes');
});
