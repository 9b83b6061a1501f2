import { afterEach, expect, test } from 'vitest';
import type { DeviceObject } from '../../simulator/virtual-device.ts';
import type { LaunchAnswer } from '../bridge.ts';
import { HELLO, scriptedDevice } from '../testing/scripted-companion.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../testing/virtual-phone.ts';
import { createCompanionBridge } from './companion-bridge.ts';
import { connectCompanion } from './companion-client.ts';
import { createCompanionManager } from './companion-manager.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Launch = Extract<DeviceObject, { t: 'pendingIntent' }>['launch'];

/** A phone whose Provider answers with one PendingIntent; the bridge to it, and the intent's handle. */
async function withIntent(launch: Launch, kind: 'activity' | 'broadcast' = 'activity') {
  const intent: DeviceObject = {
    t: 'pendingIntent',
    creatorPackage: 'org.sample.garden',
    creatorUid: 10_200,
    immutable: true,
    kind,
    launch,
  };
  const garden = gardenPackage(() => bundle([], { objects: { resolution: intent } }));
  const phone = await startVirtualPhone({ sdk: 34, packages: [garden.spec] });
  closers.push(() => phone.close());
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: () => null, foreignLooksMs: [0, 50] });
  closers.push(() => manager.close());
  const bridge = createCompanionBridge(manager);
  const call = bridge.encode(GARDEN_AUTHORITY, 'execute_tool', null, []);
  const answer = await bridge.call(call, 5_000, new AbortController().signal);
  const entry = answer.kind === 'answer' ? answer.bundle?.[0] : undefined;
  if (entry?.t !== 'pendingIntent') throw new Error('no intent came');
  const stop = new AbortController();
  return { phone, manager, bridge, stop, handle: entry.v.handle };
}

const codeOf = (answer: LaunchAnswer) => (answer.kind === 'failure' ? answer.problem.code : answer.kind);

test("the activity's result code comes back as it is; the handle stays until it is released", async () => {
  const codes = [-1, 0, 7];
  const { bridge, stop, handle } = await withIntent(async () => ({ resultCode: codes.shift() ?? 99 }));
  for (const resultCode of [-1, 0, 7]) {
    expect(await bridge.launch(handle, 5_000, stop.signal)).toMatchObject({ kind: 'result', resultCode, data: null });
  }
  await bridge.release([handle]);
  expect(codeOf(await bridge.launch(handle, 5_000, stop.signal))).toBe('launch-handle-gone');
});

test('each refusal of the companion is a problem of its own', async () => {
  const broadcast = await withIntent(async () => ({ resultCode: -1 }), 'broadcast');
  expect(codeOf(await broadcast.bridge.launch(broadcast.handle, 5_000, broadcast.stop.signal))).toBe(
    'companion.not-activity',
  );
  const cancelled = await withIntent(() => Promise.reject(new Error('one-shot')));
  expect(codeOf(await cancelled.bridge.launch(cancelled.handle, 5_000, cancelled.stop.signal))).toBe(
    'companion.intent-canceled',
  );
});

test('one screen at a time; a wait that is over or cancelled gives the place back', async () => {
  const { bridge, stop, handle } = await withIntent(() => new Promise(() => {}));
  const first = bridge.launch(handle, 600_000, stop.signal);
  expect(codeOf(await bridge.launch(handle, 600_000, new AbortController().signal))).toBe('launch-busy');
  stop.abort();
  expect(codeOf(await first)).toBe('call-cancelled');
  expect(await bridge.launch(handle, 100, new AbortController().signal)).toMatchObject({
    kind: 'failure',
    problem: { code: 'launch-timeout', params: { ms: 100 } },
  });
});

test('a lost device ends the launch, and the handles are told as gone', async () => {
  const open = Promise.withResolvers<void>();
  const { phone, bridge, stop, handle } = await withIntent(() => {
    open.resolve();
    return new Promise(() => {});
  });
  const gone = bridge.handlesGone();
  const launch = bridge.launch(handle, 600_000, stop.signal);
  await open.promise;
  phone.unplug();
  expect(codeOf(await launch)).toBe('companion.lost-after-send');
  expect((await gone).code).toBe('companion.connection-lost');
  expect(codeOf(await bridge.launch(handle, 5_000, stop.signal))).toBe('launch-handle-gone');
});

test('a result Intent is read; one that is none is a failure with its raw text', async () => {
  const answers: object[] = [
    {
      resultCode: 3,
      data: {
        action: 'a',
        data: null,
        type: null,
        package: null,
        component: 'p/c',
        categories: ['x'],
        flags: 0,
        extras: { n: { t: 'int', v: 1 } },
      },
      elapsedMs: 4,
    },
    { resultCode: 1, data: 'text' },
    { data: null },
  ];
  const { io } = scriptedDevice((request, peer) => peer.ok(request.id, answers.shift() ?? {}));
  const client = await connectCompanion(io, { socket: 's', token: HELLO.package });
  closers.push(() => client.close());
  const launch = () => client.launch('h-1', 1_000, new AbortController().signal);
  expect(await launch()).toMatchObject({
    kind: 'result',
    resultCode: 3,
    data: { action: 'a', component: 'p/c', categories: ['x'], extras: [{ key: 'n', t: 'int', v: 1 }] },
  });
  expect(await launch()).toMatchObject({ kind: 'failed', problem: { code: 'companion.bad-reply' } });
  expect(await launch()).toMatchObject({ kind: 'failed', problem: { code: 'companion.bad-reply' } });
});
