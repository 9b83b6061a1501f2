import { describe, expect, it } from 'vitest';
import { companionSpec } from '../android/companion-package.ts';
import { createVirtualAndroid, type VirtualAndroidOptions } from '../android/virtual-android.ts';
import { buildApk } from '../apk/apk.ts';
import { signerOf } from '../apk/certificate.ts';
import { createEchoProvider, ECHO_PACKAGE, echoPackage } from '../provider-kit/echo.ts';
import { notesPackage } from '../provider-kit/notes-weather.ts';
import { oddManifestPackages } from '../provider-kit/odd-manifests.ts';
import { authorityOf } from '../provider-kit/package-builder.ts';
import { recording } from '../provider-kit/recorder.ts';
import { splitPackages } from '../provider-kit/split-packages.ts';
import type { BinderOutcome, PackageSpec } from '../virtual-device.ts';
import { ManualClock } from './clock.ts';
import { connectCompanion, TestClient } from './test-client.ts';
import { settle } from './vector-runner.ts';

const authority = authorityOf(ECHO_PACKAGE);
const COMPONENT = 'com.clawseed.inspector.companion/.BridgeInstrumentation';

function device(options: VirtualAndroidOptions = {}) {
  return createVirtualAndroid({ packages: [notesPackage(), echoPackage()], clock: new ManualClock(), ...options });
}

function call(method: string, extras: object | null = null, timeoutMs = 5_000) {
  return { authority, method, arg: null, extras, timeoutMs };
}

describe('instrumentation', () => {
  it('reports a random socket, a token of 64 hex digits and the protocol', () => {
    const android = device();
    const run = android.instrument(COMPONENT);
    expect(run?.statusCode).toBe(0);
    expect(run?.status).toEqual({
      'cetp.protocol': '1',
      'cetp.socket': expect.stringMatching(/^cetp-inspector-[0-9a-f]{16}$/),
      'cetp.token': expect.stringMatching(/^[0-9a-f]{64}$/),
      'cetp.version': '1.0.0',
    });
    expect(device().instrument(COMPONENT)?.status['cetp.token']).not.toBe(run?.status['cetp.token']);
  });

  it('ends the run before it as a crash, and closes its connections', async () => {
    const android = device();
    const first = android.instrument(COMPONENT);
    const stream = android.connectAbstract(first?.status['cetp.socket'] ?? '');
    const client = new TestClient(stream!);
    const second = android.instrument(COMPONENT);
    expect(await first?.ended).toEqual({ result: { shortMsg: 'Process crashed.' }, code: 0 });
    await client.closed;
    expect(android.connectAbstract(first?.status['cetp.socket'] ?? '')).toBeNull();
    expect(android.connectAbstract(second?.status['cetp.socket'] ?? '')).not.toBeNull();
  });

  it('is refused for another component, without the companion, and when it is disabled', () => {
    expect(device().instrument('com.clawseed.inspector.companion/.Other')).toBeNull();
    expect(device({ companionInstalled: false }).instrument(COMPONENT)).toBeNull();
    const android = device();
    android.setPackageEnabled('com.clawseed.inspector.companion', false);
    expect(android.instrument(COMPONENT)).toBeNull();
  });

  it('finishes after 120 s alone, and its process is gone', async () => {
    const clock = new ManualClock();
    const android = device({ clock });
    const run = android.instrument(COMPONENT);
    expect(android.pidOf('com.clawseed.inspector.companion')).not.toBeNull();
    clock.advance(119_999);
    expect(android.companion()?.isOpen).toBe(true);
    clock.advance(1);
    expect(await run?.ended).toEqual({ result: {}, code: -1 });
    await settle();
    expect(android.pidOf('com.clawseed.inspector.companion')).toBeNull();
    expect(android.companion()).toBeNull();
  });

  it('closes a connection of any other UID at once', async () => {
    const android = device();
    android.instrument(COMPONENT);
    const stream = android.companion()?.connect(10_123);
    await new TestClient(stream!).closed;
    expect(android.companion()?.connect(0)?.readableEnded).toBe(false);
  });
});

describe('hello', () => {
  it.each([
    ['last', true, 'granted'],
    ['first', 'first', 'denied'],
  ] as const)('companion installed %s: the permission is %s', async (_, companionInstalled, state) => {
    const { hello } = await connectCompanion(device({ companionInstalled }));
    expect(hello['ok']).toMatchObject({ permissions: { 'com.clawseed.permission.ACCESS_TOOLS': state } });
  });

  it('says undefined where nobody defines the permission', async () => {
    const { hello } = await connectCompanion(device({ packages: [echoPackage()] }));
    expect(hello['ok']).toMatchObject({ permissions: { 'com.clawseed.permission.ACCESS_TOOLS': 'undefined' } });
  });
});

describe('the companion installed from an APK of another signer', () => {
  it('shows the certificate of that APK', async () => {
    const android = device({ companionInstalled: false });
    android.installApk(buildApk({ ...companionSpec, signer: 'a release key' }));
    const { hello } = await connectCompanion(android);
    expect(hello['ok']).toMatchObject({ signingCertSha256: [signerOf('a release key').certificateSha256] });
  });
});

describe('what depends on the Android release', () => {
  const unreadable: BinderOutcome = {
    kind: 'bundle',
    bundle: {
      entries: [
        { key: 'status', t: 'string', v: 'success' },
        { key: 'icon', t: 'unreadable', v: { class: 'android.os.BadParcelableException', error: 'no class' } },
      ],
      objects: {},
    },
  };

  it.each([
    [32, { error: { code: 'PROVIDER_EXCEPTION', detail: { class: 'android.os.BadParcelableException' } } }],
    [33, { ok: { result: { icon: { t: 'unreadable' }, status: { v: 'success' } } } }],
  ])('API %i with a foreign Parcelable', async (sdk, expected) => {
    const app = recording(() => unreadable);
    const { client } = await connectCompanion(device({ sdk, packages: [notesPackage(), echoPackage(app)] }));
    expect(await client.request('call', call('x'))).toMatchObject(expected);
  });

  it.each([
    [30, null, null],
    [31, true, 'activity'],
  ])('API %i: what is known of a PendingIntent', async (sdk, immutable, kind) => {
    const { client } = await connectCompanion(device({ sdk }));
    const reply = await client.request('call', call('intent_ok'));
    expect(reply).toMatchObject({ ok: { result: { resolution: { v: { immutable, kind } } } } });
  });

  it('below API 31 a PendingIntent that starts no activity can only time out', async () => {
    const clock = new ManualClock();
    const { client } = await connectCompanion(device({ sdk: 30, clock }));
    const reply = (await client.request('call', call('intent_broadcast'))) as never as {
      ok: { result: { resolution: { v: { handle: string } } } };
    };
    const launched = client.request('launch', { handle: reply.ok.result.resolution.v.handle, timeoutMs: 10_000 });
    await settle();
    clock.advance(10_000);
    expect(await launched).toMatchObject({ error: { code: 'TIMEOUT' } });
  });
});

describe('call', () => {
  it('reaches the Provider with exactly the extras that were sent, from the companion', async () => {
    const app = createEchoProvider();
    const android = device({ packages: [notesPackage(), echoPackage(app)] });
    const { client, hello } = await connectCompanion(android);
    await client.request('call', call('echo', { deadline_at_ms: { t: 'long', v: '9223372036854775807' } }));
    const { uid } = hello['ok'] as { uid: number };
    expect(app.received).toEqual([
      {
        caller: { uid, packages: ['com.clawseed.inspector.companion'] },
        method: 'echo',
        arg: null,
        extras: { entries: [{ key: 'deadline_at_ms', t: 'long', v: '9223372036854775807' }], objects: {} },
      },
    ]);
  });

  it('closes the descriptors of a Bundle that comes too late, and frees its thread', async () => {
    const clock = new ManualClock();
    const late = Promise.withResolvers<BinderOutcome>();
    const app = recording(() => late.promise);
    const android = device({ clock, packages: [notesPackage(), echoPackage(app)] });
    const { client } = await connectCompanion(android);
    const running = client.request('call', call('x', null, 100));
    await settle();
    clock.advance(100);
    expect(await running).toMatchObject({ error: { code: 'TIMEOUT' } });
    expect(android.companion()?.abandonedCalls).toBe(1);
    let closed = 0;
    const fd = { t: 'fd' as const, size: 1, read: async function* () {}, close: () => closed++ };
    late.resolve({ kind: 'bundle', bundle: { entries: [], objects: { result_fd: fd } } });
    await settle();
    expect(closed).toBe(1);
    expect(android.companion()?.abandonedCalls).toBe(0);
  });

  it('abandons calls of a connection that closes', async () => {
    const android = device();
    const { client } = await connectCompanion(android);
    void client.request('call', call('hang'));
    await settle();
    client.stream.destroy();
    await settle();
    expect(android.companion()?.abandonedCalls).toBe(1);
  });

  it('answers REPLY_TOO_LARGE above the line limit and closes what came with it', async () => {
    let closed = 0;
    const app = recording(
      (): BinderOutcome => ({
        kind: 'bundle',
        bundle: {
          entries: [{ key: 'data', t: 'string', v: 'x'.repeat(4 * 1024 * 1024) }],
          objects: { result_fd: { t: 'fd', size: 1, read: async function* () {}, close: () => closed++ } },
        },
      }),
    );
    const packages = [notesPackage(), echoPackage(app)];
    const { client } = await connectCompanion(device({ packages, binderLimitBytes: Number.POSITIVE_INFINITY }));
    expect(await client.request('call', call('x'))).toMatchObject({ error: { code: 'REPLY_TOO_LARGE' } });
    expect(closed).toBe(1);
  });

  it('tells an authority that the system knows but cannot start', async () => {
    const android = device();
    android.setStartable(ECHO_PACKAGE, false);
    const { client } = await connectCompanion(android);
    const reply = await client.request('call', call('null'));
    expect(reply).toMatchObject({ error: { code: 'UNKNOWN_AUTHORITY', detail: { resolved: true } } });
  });

  it('dies with a Provider that is killed while it runs', async () => {
    const android = device();
    const { client } = await connectCompanion(android);
    const running = client.request('call', call('hang'));
    await settle();
    android.kill(ECHO_PACKAGE);
    expect(await running).toMatchObject({ error: { code: 'DEAD_PROVIDER' } });
  });

  it('passes a SecurityException of acquire on word by word', async () => {
    const { client, hello } = await connectCompanion(device({ companionInstalled: 'first' }));
    const { uid } = hello['ok'] as { uid: number };
    const reply = await client.request('call', call('null'));
    expect(reply).toMatchObject({
      error: {
        code: 'SECURITY',
        message: expect.stringMatching(
          new RegExp(
            `^Permission Denial: opening provider org.example.echo.cetp.ToolProvider from ProcessRecord\\{.*\\} \\(pid=[0-9]+, uid=${uid}\\) requires com.clawseed.permission.ACCESS_TOOLS or com.clawseed.permission.ACCESS_TOOLS$`,
          ),
        ),
      },
    });
  });
});

describe('discover', () => {
  type Found = { readonly ok: { readonly candidates: readonly Record<string, unknown>[] } };

  async function candidate(spec: PackageSpec, options: VirtualAndroidOptions = {}, disable = false) {
    const android = device({ packages: [spec], ...options });
    if (disable) android.setPackageEnabled(spec.package, false);
    const { client } = await connectCompanion(android);
    const reply = (await client.request('discover', { kind: 'cetp' })) as never as Found;
    return reply.ok.candidates.find((item) => item['package'] === spec.package);
  }

  const odd = oddManifestPackages();

  it('lists disabled components and packages as such', async () => {
    expect(await candidate(odd.serviceDisabled)).toMatchObject({
      component: { enabled: false },
      provider: { enabled: true },
    });
    expect(await candidate(odd.providerDisabled)).toMatchObject({
      component: { enabled: true },
      provider: { enabled: false },
    });
    const off = await candidate(echoPackage(), {}, true);
    expect(off).toMatchObject({ component: { enabled: false }, provider: { enabled: false } });
  });

  it('shows what <queries> would hide, and process names in full', async () => {
    expect(await candidate(odd.serviceNotExported)).toMatchObject({
      visibleByQueries: false,
      component: { exported: false },
    });
    const process = `${odd.ownProcess.package}:tools`;
    expect(await candidate(odd.ownProcess)).toMatchObject({
      component: { processName: process },
      provider: { processName: process },
    });
  });

  it('keeps the type of meta-data and resolves references', async () => {
    expect(await candidate(odd.intVersions)).toMatchObject({
      metaData: { 'com.clawseed.tools.versions': { t: 'int', v: 2 } },
    });
    expect(await candidate(odd.floatVersion)).toMatchObject({
      metaData: { 'com.clawseed.tools.version': { t: 'float', v: 1 } },
    });
    expect(await candidate(odd.authorityReference)).toMatchObject({
      metaData: { 'com.clawseed.tools.authority': { t: 'string', v: authorityOf(odd.authorityReference.package) } },
      provider: { package: odd.authorityReference.package },
    });
  });

  it('names the package that the authority really belongs to, or none', async () => {
    const [front, back] = splitPackages();
    expect(await candidate(front, { packages: [front, back] })).toMatchObject({ provider: { package: back.package } });
    expect(await candidate(odd.unknownAuthority)).toMatchObject({ provider: null });
    expect(await candidate(odd.noAuthority)).toMatchObject({ provider: null });
  });
});

describe('descriptors', () => {
  it('go on being read when the connection that received the handle closes', async () => {
    const bytes = Buffer.alloc(300_000, 7);
    const app = recording(
      (): BinderOutcome => ({
        kind: 'bundle',
        bundle: {
          entries: [],
          objects: {
            result_fd: {
              t: 'fd',
              size: bytes.length,
              read: async function* () {
                yield bytes.subarray(0, 200_000);
                await settle();
                yield bytes.subarray(200_000);
              },
              close: () => {},
            },
          },
        },
      }),
    );
    const android = device({ packages: [notesPackage(), echoPackage(app)] });
    const { client } = await connectCompanion(android);
    const reply = (await client.request('call', call('x'))) as never as {
      ok: { result: { result_fd: { v: { handle: string } } } };
    };
    const run = android.companion();
    const reader = run?.connect(2000);
    reader?.write(
      `${JSON.stringify({ id: 1, op: 'hello', params: { protocol: 1, token: run?.run.status['cetp.token'] } })}\n`,
    );
    reader?.write(`${JSON.stringify({ id: 2, op: 'read', params: { handle: reply.ok.result.result_fd.v.handle } })}\n`);
    await settle();
    client.stream.destroy();
    const parts: Buffer[] = [];
    for await (const chunk of reader!) parts.push(chunk as Buffer);
    const all = Buffer.concat(parts);
    let at = all.indexOf('\n', all.indexOf('\n') + 1) + 1;
    let total = 0;
    for (;;) {
      const length = all.readUInt32BE(at);
      if (length === 0) break;
      expect(length).toBeLessThanOrEqual(65_536);
      total += length;
      at += 4 + length;
    }
    expect(total).toBe(bytes.length);
  });

  it('are closed when the reader leaves', async () => {
    let closed = 0;
    const app = recording(
      (): BinderOutcome => ({
        kind: 'bundle',
        bundle: {
          entries: [],
          objects: {
            result_fd: {
              t: 'fd',
              size: -1,
              read: async function* () {
                for (;;) yield Buffer.alloc(65_536);
              },
              close: () => closed++,
            },
          },
        },
      }),
    );
    const { client } = await connectCompanion(device({ packages: [notesPackage(), echoPackage(app)] }));
    const reply = (await client.request('call', call('x'))) as never as {
      ok: { result: { result_fd: { v: { handle: string } } } };
    };
    client.stream.removeAllListeners('data');
    client.stream.pause();
    client.stream.write(
      `${JSON.stringify({ id: 90, op: 'read', params: { handle: reply.ok.result.result_fd.v.handle } })}\n`,
    );
    await settle();
    client.stream.destroy();
    await settle();
    expect(closed).toBe(1);
  });
});

describe('framing', () => {
  it('keeps the order of bytes when an answer brings more requests at once', async () => {
    const android = device();
    const run = android.instrument(COMPONENT);
    const stream = android.connectAbstract(run?.status['cetp.socket'] ?? '')!;
    const ids: unknown[] = [];
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        ids.push((JSON.parse(text.slice(0, end)) as { id: unknown }).id);
        text = text.slice(end + 1);
        // A request in two halves, from inside the delivery of the answer.
        if (ids.length === 1) {
          stream.write('{"id":4,"op":');
          stream.write('"ping"}\n');
        }
      }
    });
    const hello = JSON.stringify({ id: 1, op: 'hello', params: { protocol: 1, token: run?.status['cetp.token'] } });
    stream.write(`${hello}\n{"id":2,"op":"ping"}\n{"id":3,"op":"pi`);
    await settle();
    stream.write('ng"}\n');
    await settle();
    expect(ids[0]).toBe(1);
    // The halves arrive after what was written before them, so the third line is theirs and broken.
    expect(ids.slice(1)).toEqual([2, null]);
  });
});
