import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../shared/base/json.ts';
import type { CompanionStatus } from '../../shared/model/device.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import { ProviderSnapshot } from '../../shared/model/provider.ts';
import { LatestValue } from '../base/latest-value.ts';
import type { CompanionSource } from './provider-look.ts';
import { createProviderWatcher, type ProviderWatcher } from './provider-watcher.ts';
import { createFakeDevice, servicesText } from './testing/fake-device-io.ts';

const harbour = readFileSync(new URL('apk/fixtures/harbour-aapt2-v3-rotated.apk', import.meta.url));
const PATH = '/data/app/h-1/base.apk';
const service = { package: 'dev.sample.harbour', name: 'dev.sample.harbour.cetp.HarbourService', sourceDir: PATH };
const KEY = `${service.package}/${service.name}`;

function device(services = [service]) {
  const fake = createFakeDevice(34);
  fake.files.set(PATH, harbour);
  fake.outputs.set('query-services', servicesText(services));
  fake.outputs.set('get-current-user', '0\n');
  fake.outputs.set('dumpsys package permission', '');
  return fake;
}

/** Takes snapshots until one fits; every one must be of the model's form. */
async function until(
  snapshots: AsyncIterator<ProviderSnapshot>,
  fits: (snapshot: ProviderSnapshot) => boolean,
): Promise<ProviderSnapshot> {
  for (;;) {
    const next = await snapshots.next();
    if (next.done === true) throw new Error('the stream ended');
    const snapshot = ProviderSnapshot.parse(next.value);
    if (fits(snapshot)) return snapshot;
  }
}
const ready = (snapshot: ProviderSnapshot) => snapshot.state === 'ready';
const keys = (snapshot: ProviderSnapshot) => snapshot.providers.map((provider) => provider.key);

function watching(watcher: ProviderWatcher, userId: number | null = 0) {
  const stop = new AbortController();
  return { stop, snapshots: watcher.watch(userId, stop.signal)[Symbol.asyncIterator]() };
}

describe('without a companion', () => {
  it('says that it looks, then shows the Providers with the limit of this way', async () => {
    const watcher = createProviderWatcher({ io: device().io, companion: () => null });
    const { stop, snapshots } = watching(watcher, null);
    expect((await snapshots.next()).value).toMatchObject({ state: 'looking', providers: [], problem: null });
    expect(await until(snapshots, ready)).toMatchObject({
      userId: 0,
      origin: 'shell',
      problem: { code: 'discovery-shell-only' },
      providers: [{ key: KEY, userId: 0, protocol: 'v2', bridge: 'none', origin: 'shell' }],
    });
    stop.abort();
  });

  it('shows a package that is added, replaced and removed', async () => {
    const fake = device([]);
    const watcher = createProviderWatcher({ io: fake.io, companion: () => null, pollMs: 5 });
    const { stop, snapshots } = watching(watcher);
    expect(keys(await until(snapshots, ready))).toEqual([]);
    fake.outputs.set('query-services', servicesText([service]));
    await until(snapshots, (snapshot) => keys(snapshot).includes(KEY));
    fake.outputs.set('query-services', servicesText([{ ...service, versionCode: 50 }]));
    await until(snapshots, (snapshot) => snapshot.providers[0]?.candidate.versionCode === '50');
    fake.outputs.set('query-services', 'No services found\n');
    await until(snapshots, (snapshot) => keys(snapshot).length === 0);
    stop.abort();
  });

  it('takes a full look now and then, for what the listing does not show', async () => {
    const fake = device();
    const watcher = createProviderWatcher({ io: fake.io, companion: () => null, pollMs: 2, pollsToFullLook: 3 });
    const { stop, snapshots } = watching(watcher);
    const isDisabled = (snapshot: ProviderSnapshot) =>
      snapshot.providers[0]?.findings.some((finding) => finding.rule === 'manifest-provider-disabled') === true;
    expect(isDisabled(await until(snapshots, ready))).toBe(false);
    fake.outputs.set(
      'dumpsys package dev.sample.harbour',
      'Packages:\n  Package [dev.sample.harbour] (1):\n    User 0: enabled=2\n',
    );
    await until(snapshots, isDisabled);
    stop.abort();
  });

  it('keeps the last picture in sight when a look fails, and recovers', async () => {
    const fake = device();
    const watcher = createProviderWatcher({ io: fake.io, companion: () => null, pollMs: 5 });
    const { stop, snapshots } = watching(watcher);
    await until(snapshots, ready);
    fake.outputs.set('query-services', 'error: closed\n');
    const failed = await until(snapshots, (snapshot) => snapshot.state === 'failed');
    expect(failed.problem).toMatchObject({ code: 'query-services-failed', raw: 'error: closed' });
    expect(keys(failed)).toEqual([KEY]);
    fake.outputs.set('query-services', 'No services found\n');
    expect(keys(await until(snapshots, ready))).toEqual([]);
    stop.abort();
  });

  it('says when the user cannot be told, and goes on when it can', async () => {
    const fake = device();
    fake.outputs.set('get-current-user', 'Killed\n');
    const watcher = createProviderWatcher({ io: fake.io, companion: () => null, pollMs: 5 });
    const { stop, snapshots } = watching(watcher, null);
    expect((await until(snapshots, (snapshot) => snapshot.state === 'failed')).problem?.code).toBe(
      'current-user-unknown',
    );
    fake.outputs.set('get-current-user', '10\n');
    expect(await until(snapshots, ready)).toMatchObject({ userId: 10 });
    stop.abort();
  });

  it('lists a broken package with its reason', async () => {
    const fake = device([service, { package: 'dev.broken', name: 'dev.broken.S', sourceDir: '/data/app/b/base.apk' }]);
    fake.files.set('/data/app/b/base.apk', new Uint8Array(100));
    const { stop, snapshots } = watching(createProviderWatcher({ io: fake.io, companion: () => null }));
    const snapshot = await until(snapshots, ready);
    expect(keys(snapshot)).toEqual([KEY]);
    expect(snapshot.unreadable).toMatchObject([{ package: 'dev.broken', problem: { code: 'apk-unreadable' } }]);
    stop.abort();
  });

  it('reads again on refresh, which ends with the look', async () => {
    const fake = device();
    const watcher = createProviderWatcher({ io: fake.io, companion: () => null, pollMs: 60_000 });
    const { stop, snapshots } = watching(watcher);
    await until(snapshots, ready);
    const before = fake.log.filter((line) => line.startsWith('read')).length;
    await watcher.refresh(0);
    expect(fake.log.filter((line) => line.startsWith('read')).length).toBe(before * 2);
    expect((await until(snapshots, ready)).providers).toHaveLength(1);
    stop.abort();
  });

  it('shares one look between watchers and stops with the last one', async () => {
    const fake = device();
    const watcher = createProviderWatcher({ io: fake.io, companion: () => null, pollMs: 5 });
    const one = watching(watcher);
    const two = watching(watcher);
    await Promise.all([until(one.snapshots, ready), until(two.snapshots, ready)]);
    expect(fake.log.filter((line) => line.includes('--query-flags'))).toHaveLength(1);
    one.stop.abort();
    two.stop.abort();
    expect((await one.snapshots.next()).done).toBe(true);
    expect((await two.snapshots.next()).done).toBe(true);
    const third = watching(watcher);
    expect((await third.snapshots.next()).value.state).toBe('looking');
    third.stop.abort();
  });
});

const OTHER = `{"package":"dev.other","label":"Other","versionName":null,"versionCode":"1","uid":10088,"sharedUserId":null,
"signingCertSha256":["bb"],"pastSigningCertSha256":[],
"component":{"name":"dev.other.S","exported":true,"enabled":true,"permission":null,"processName":null},
"metaData":{"com.clawseed.tools.version":{"t":"int","v":1},"com.clawseed.tools.authority":{"t":"string","v":"dev.other"}},
"provider":{"authorities":["dev.other"],"package":"dev.other","name":"dev.other.P","exported":true,"enabled":true,
"readPermission":"com.clawseed.permission.ACCESS_TOOLS","writePermission":"com.clawseed.permission.ACCESS_TOOLS",
"grantUriPermissions":false,"initOrder":100,"processName":null},"definesPermissions":[],"visibleByQueries":true}`;

function row(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) throw new Error('no object');
  return parsed.value.value;
}

function companion(rows: JsonObject[]) {
  const status = new LatestValue<CompanionStatus>({
    state: 'connected',
    version: '1',
    uid: 10200,
    permission: 'granted',
    userId: 0,
    bundledVersion: null,
    isOlder: false,
    startedBy: 'instrumentation',
    connectedSinceMs: 0,
    clock: null,
    problem: null,
  });
  const events = new LatestValue(0);
  const source: CompanionSource = {
    status: () => status.value,
    watch: (signal) => status.watch(signal),
    async discover() {
      if (rows.length === 0) throw new ProblemError(problem('companion.dead', {}, 'EOF'));
      return rows;
    },
    async *packageEvents(signal) {
      for await (const count of events.watch(signal)) if (count > 0) yield { action: 'added', package: 'x' };
    },
  };
  return { source, status, rows, changed: () => events.set(events.value + 1) };
}

describe('with a companion', () => {
  it('takes its facts, and adds what only the shell sees with that finding', async () => {
    const { source } = companion([row(OTHER)]);
    const { stop, snapshots } = watching(createProviderWatcher({ io: device().io, companion: () => source }));
    const snapshot = await until(snapshots, ready);
    expect(snapshot).toMatchObject({ origin: 'companion', problem: null });
    expect(snapshot.providers).toMatchObject([
      { key: 'dev.other/dev.other.S', origin: 'companion', bridge: 'companion', protocol: 'v1' },
      { key: KEY, origin: 'shell', bridge: 'none', bridgeProblem: { code: 'bridge-companion-cannot-see' } },
    ]);
    expect(snapshot.providers[1]?.findings.map((finding) => finding.rule)).toContain('manifest-only-shell-sees');
    expect(snapshot.providers[0]?.findings.map((finding) => finding.rule)).toEqual(['manifest-permission-undefined']);
    stop.abort();
  });

  it('looks again at a package event and when its status changes', async () => {
    const fake = createFakeDevice(34);
    fake.outputs.set('query-services', 'No services found\n');
    const { source, rows, changed, status } = companion([row(OTHER)]);
    const { stop, snapshots } = watching(
      createProviderWatcher({ io: fake.io, companion: () => source, pollMs: 60_000 }),
    );
    await until(snapshots, (snapshot) => ready(snapshot) && snapshot.providers.length === 1);
    rows.push(row(OTHER.replaceAll('dev.other', 'dev.third')));
    changed();
    await until(snapshots, (snapshot) => snapshot.providers.length === 2);
    status.set({ ...status.value, permission: 'denied' });
    await until(snapshots, (snapshot) => snapshot.providers[0]?.bridgeProblem?.code === 'bridge-permission-denied');
    status.set({ ...status.value, state: 'failed' });
    expect(await until(snapshots, (snapshot) => snapshot.origin === 'shell')).toMatchObject({ providers: [] });
    stop.abort();
  });

  it('lists invalid facts as unreadable, and falls back to the shell with the reason when it fails', async () => {
    const invalid = row(OTHER.replace('"uid":10088', '"uid":"x"'));
    const first = companion([invalid]);
    const one = watching(createProviderWatcher({ io: device([]).io, companion: () => first.source }));
    expect((await until(one.snapshots, ready)).unreadable).toMatchObject([
      { package: 'dev.other', problem: { code: 'candidate-invalid' } },
    ]);
    one.stop.abort();
    const failing = companion([]);
    const two = watching(createProviderWatcher({ io: device().io, companion: () => failing.source }));
    const snapshot = await until(two.snapshots, ready);
    expect(snapshot).toMatchObject({ origin: 'shell', problem: { code: 'discovery-companion-failed', raw: 'EOF' } });
    expect(keys(snapshot)).toEqual([KEY]);
    two.stop.abort();
  });

  it('keeps the companion’s picture when the shell fails, and says so', async () => {
    const { source } = companion([row(OTHER)]);
    const { stop, snapshots } = watching(
      createProviderWatcher({ io: createFakeDevice(34).io, companion: () => source }),
    );
    expect(await until(snapshots, ready)).toMatchObject({
      origin: 'companion',
      problem: { code: 'discovery-shell-failed' },
      providers: [{ key: 'dev.other/dev.other.S' }],
    });
    stop.abort();
  });
});
