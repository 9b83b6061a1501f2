import { afterEach, expect, test } from 'vitest';
import type { Bundle } from '../../../shared/model/bundle.ts';
import { MAX_LINE_BYTES } from '../../../shared/protocols/companion/limits.ts';
import type { VirtualAndroidOptions } from '../../simulator/android/virtual-android.ts';
import type { BinderOutcome, PackageSpec } from '../../simulator/virtual-device.ts';
import type { BridgeAnswer } from '../bridge.ts';
import {
  bundle,
  GARDEN,
  GARDEN_AUTHORITY,
  gardenPackage,
  type Received,
  startVirtualPhone,
} from '../testing/virtual-phone.ts';
import { createCompanionBridge } from './companion-bridge.ts';
import { createCompanionManager } from './companion-manager.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function bridgeTo(
  answer: (received: Received) => BinderOutcome | Promise<BinderOutcome>,
  options: VirtualAndroidOptions = {},
  change: Partial<PackageSpec> = {},
) {
  const garden = gardenPackage(answer, change);
  const phone = await startVirtualPhone({ packages: [garden.spec], ...options });
  closers.push(() => phone.close());
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: () => null, foreignLooksMs: [0, 50] });
  closers.push(() => manager.close());
  await manager.discover('cetp');
  const bridge = createCompanionBridge(manager);
  const call = (extras: Bundle | null = null, signal = new AbortController().signal, timeoutMs = 5_000) =>
    bridge.call(bridge.encode(GARDEN_AUTHORITY, 'execute_tool', null, extras), timeoutMs, signal);
  return { phone, manager, bridge, call, received: garden.received };
}

function codeOf(answer: BridgeAnswer): string {
  return answer.kind === 'failure' ? answer.problem.code : answer.kind;
}

const never = () => new Promise<BinderOutcome>(() => {});

test('what is encoded is what the Provider receives', async () => {
  const { call, received, bridge } = await bridgeTo(() => bundle([{ key: 'status', t: 'string', v: 'success' }]));
  const extras: Bundle = [
    { key: 'consumer_versions', t: 'int[]', v: [2, 1] },
    { key: 'deadline_at_ms', t: 'long', v: '9007199254740993' },
    { key: 'args', t: 'string', v: '{"n": 1.0, "text": "\ud83c\udf31\\u0000"}' },
    { key: '__proto__', t: 'string', v: 'a key like any other' },
  ];
  expect(await call(extras)).toMatchObject({
    kind: 'answer',
    bundle: [{ key: 'status', t: 'string', v: 'success' }],
    nullKeys: 0,
  });
  expect(received[0]?.extras?.entries).toEqual(extras);
  expect(bridge.encode(GARDEN_AUTHORITY, 'list_tools', null, null).wireText).toBe('null');
  await call(null);
  expect(received[1]?.extras).toBeNull();
});

test('null, an empty Bundle, null keys', async () => {
  const answers: BinderOutcome[] = [{ kind: 'null' }, bundle([]), bundle([], { nullKeys: 2 })];
  const { call } = await bridgeTo(() => answers.shift() as BinderOutcome);
  expect(await call()).toMatchObject({ kind: 'answer', bundle: null });
  expect(await call()).toMatchObject({ kind: 'answer', bundle: [], nullKeys: 0 });
  expect(await call()).toMatchObject({ kind: 'answer', bundle: [], nullKeys: 2 });
});

test('a Provider that crashed and an answer too big for Binder are told apart', async () => {
  const crashing = await bridgeTo(() => {
    crashing.phone.android.kill(GARDEN);
    return { kind: 'died' };
  });
  expect(codeOf(await crashing.call())).toBe('companion.provider-crashed');
  const oversized = await bridgeTo(({ method }) => (method === 'list_tools' ? bundle([]) : { kind: 'too-large' }));
  const { bridge } = oversized;
  // The first call starts the process: it may have lived, or died and come back.
  expect(codeOf(await oversized.call())).toBe('companion.dead-provider');
  await bridge.call(bridge.encode(GARDEN_AUTHORITY, 'list_tools', null, null), 5_000, new AbortController().signal);
  const second = await oversized.call();
  expect(second).toMatchObject({
    kind: 'failure',
    problem: { code: 'companion.reply-too-big-for-binder', params: { process: GARDEN } },
  });
});

test.each<[string, BinderOutcome, object]>([
  [
    'an exception',
    { kind: 'exception', class: 'java.lang.IllegalStateException', message: 'database is locked' },
    {
      code: 'companion.provider-exception',
      params: { class: 'java.lang.IllegalStateException' },
      raw: 'database is locked',
    },
  ],
  ['a request too large', { kind: 'too-large', side: 'request' }, { code: 'companion.request-too-large' }],
])('%s', async (_, outcome, problem) => {
  const { call } = await bridgeTo(() => outcome);
  expect(await call()).toMatchObject({ kind: 'failure', problem });
});

test('an unknown authority, and a Provider that does not start', async () => {
  const { bridge, phone, call } = await bridgeTo(() => bundle([]));
  const live = new AbortController().signal;
  expect(codeOf(await bridge.call(bridge.encode('no.such.authority', 'm', null, null), 5_000, live))).toBe(
    'companion.unknown-authority',
  );
  phone.android.setStartable(GARDEN, false);
  phone.android.kill(GARDEN);
  expect(codeOf(await call())).toBe('companion.provider-did-not-start');
});

test('a companion without the permission is refused in the words of Android', async () => {
  const { call } = await bridgeTo(() => bundle([]), { companionInstalled: 'first' });
  const answer = await call();
  expect(answer).toMatchObject({ problem: { code: 'companion.security' } });
  expect(answer.kind === 'failure' && answer.problem.raw).toContain('Permission Denial: opening provider');
});

test('time-out and cancel', async () => {
  const { call, received } = await bridgeTo(never);
  expect(codeOf(await call(null, new AbortController().signal, 100))).toBe('companion.timeout');
  const abort = new AbortController();
  const calling = call(null, abort.signal, 60_000);
  await expect.poll(() => received.length).toBe(2);
  abort.abort();
  expect(await calling).toMatchObject({ problem: { code: 'call-cancelled', params: { sent: 'yes' } } });
  expect(await call(null, abort.signal)).toMatchObject({ problem: { code: 'call-cancelled', params: { sent: 'no' } } });
  expect(received).toHaveLength(2);
});

test('40 calls at once are all answered, each with its own answer', async () => {
  const { call } = await bridgeTo(({ extras }) => bundle(extras?.entries ?? []));
  const extrasOf = (i: number): Bundle => [{ key: 'n', t: 'int', v: i }];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => call(extrasOf(i))));
  answers.forEach((answer, i) => {
    expect(answer).toMatchObject({ kind: 'answer', bundle: extrasOf(i) });
  });
});

test('the line limit of 4 MiB, both ways, as the endpoint keeps it', async () => {
  const answerBytes = [10, 5 * 1024 * 1024];
  const { bridge, call, received } = await bridgeTo(
    () => bundle([{ key: 'data', t: 'string', v: 'x'.repeat(answerBytes.shift() ?? 0) }]),
    { binderLimitBytes: 64 * 1024 * 1024 },
  );
  const extras = (length: number): Bundle => [{ key: 'args', t: 'string', v: 'x'.repeat(length) }];
  const overhead = bridge.encode(GARDEN_AUTHORITY, 'execute_tool', null, extras(0)).wireText.length;
  const over = await call(extras(MAX_LINE_BYTES - overhead));
  expect(codeOf(over)).toBe('companion.line-too-long');
  const excess = over.kind === 'failure' ? Number(over.problem.params['bytes']) - MAX_LINE_BYTES : 0;
  // The id has as many digits in the next request.
  expect(await call(extras(MAX_LINE_BYTES - overhead - excess))).toMatchObject({ kind: 'answer' });
  expect(received).toHaveLength(1);
  expect(codeOf(await call())).toBe('companion.reply-too-large');
  expect(await call()).toMatchObject({ kind: 'answer' });
});

test('unplugged in the middle of a call: the failure says that it had been sent', async () => {
  const { phone, call, received } = await bridgeTo(never);
  const calling = call(null, new AbortController().signal, 60_000);
  await expect.poll(() => received.length).toBe(1);
  phone.unplug();
  expect(codeOf(await calling)).toBe('companion.lost-after-send');
  const after = await call();
  expect(after.kind).toBe('failure');
  expect(codeOf(after)).not.toBe('companion.lost-after-send');
});

test('handles: an fd is read to its end and closed, a released one is closed, no socket stays', async () => {
  let closed = 0;
  const bytes = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => at % 251));
  const fd = () =>
    bundle([], {
      objects: {
        result_fd: {
          t: 'fd',
          size: bytes.length,
          read: async function* () {
            yield bytes;
          },
          close: () => {
            closed++;
          },
        },
      },
    });
  const { phone, bridge, call } = await bridgeTo(fd);
  const handleOf = (answer: BridgeAnswer) => {
    const entry = answer.kind === 'answer' ? answer.bundle?.[0] : undefined;
    if (entry?.t !== 'fd') throw new Error('no fd came');
    expect(entry.v.size).toBe(bytes.length);
    return entry.v.handle;
  };
  const stream = await bridge.readHandle(handleOf(await call()));
  expect(stream.size).toBe(bytes.length);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.chunks) chunks.push(Buffer.from(chunk));
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  await expect.poll(() => closed).toBe(1);
  await bridge.release([handleOf(await call())]);
  await expect.poll(() => closed).toBe(2);
  const left = await bridge.readHandle(handleOf(await call()));
  expect(left.size).toBe(bytes.length);
  left.close();
  await expect.poll(() => closed).toBe(3);
  await expect.poll(() => phone.openSockets()).toBe(1);
});

test('a bridge that holds no companion releases nothing and starts nothing', async () => {
  const { manager, bridge, phone } = await bridgeTo(() => bundle([]));
  manager.close();
  await bridge.release(['old']);
  await expect(bridge.readHandle('old')).rejects.toMatchObject({ problem: { code: 'companion.handle-gone' } });
  await expect.poll(() => phone.openSockets()).toBe(0);
});
