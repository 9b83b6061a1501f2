import { afterEach, describe, expect, it } from 'vitest';
import type { Candidate, Provider, ProviderSnapshot } from '../../shared/model/provider.ts';
import { createAdbkitTransport } from '../adb/adbkit-transport.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import { createDeviceIo } from '../adb/device-io-adb.ts';
import { createCompanionManager } from '../bridge/companion/companion-manager.ts';
import { serveAdbServer } from '../simulator/adb-server/serve-adb-server.ts';
import { serveAdbd } from '../simulator/adbd/serve-adbd.ts';
import { startRealAdb } from '../simulator/adbd/test-adb.ts';
import { createVirtualAndroid, type VirtualAndroidOptions } from '../simulator/android/virtual-android.ts';
import { wellBehavedPackages } from '../simulator/provider-kit/kit.ts';
import { oddManifestPackages } from '../simulator/provider-kit/odd-manifests.ts';
import { splitPackages } from '../simulator/provider-kit/split-packages.ts';
import { createDeviceServices } from '../simulator/userland/services.ts';
import type { PackageSpec } from '../simulator/virtual-device.ts';
import { candidateFromCompanion } from './candidate-from-companion.ts';
import { createProviderWatcher } from './provider-watcher.ts';
import { discoverByShell } from './shell-discovery.ts';

const never = new AbortController().signal;
const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A virtual device behind the adb host protocol, reached as any device is. */
async function device(options: VirtualAndroidOptions) {
  const android = createVirtualAndroid(options);
  const server = await serveAdbServer();
  cleanUps.push(() => server.close());
  server.setDevices([{ services: createDeviceServices(android, { serial: 'virtual-1' }) }]);
  const connection = createAdbkitTransport({ host: '127.0.0.1', port: server.port });
  const io = createDeviceIo({ connection, serial: 'virtual-1', deviceKey: 'demo/virtual-1', sdk: android.sdk });
  return { android, io };
}

async function until(
  snapshots: AsyncIterator<ProviderSnapshot>,
  fits: (snapshot: ProviderSnapshot) => boolean,
): Promise<ProviderSnapshot> {
  for (;;) {
    const next = await snapshots.next();
    if (next.done === true) throw new Error('the stream ended');
    if (fits(next.value)) return next.value;
  }
}

const odd = oddManifestPackages();
const [front, back] = splitPackages();
const packages: PackageSpec[] = [...wellBehavedPackages(), front, back, ...Object.values(odd)];
const rulesOf = (provider: Provider | undefined) => provider?.findings.map((finding) => finding.rule);

describe.each([26, 28, 30, 33, 34, 36])('API level %i', (sdk) => {
  it('gives the facts that the packages were made with', async () => {
    const { io, android } = await device({ sdk, packages, companionInstalled: false });
    const { candidates, unreadable } = await discoverByShell(io, 0, never);
    expect(unreadable).toEqual([]);
    const listed = packages.filter((spec) => spec.services.some((service) => service.enabled));
    expect(candidates.map((candidate) => candidate.package).sort()).toEqual(listed.map((spec) => spec.package).sort());
    for (const candidate of candidates) {
      const spec = listed.find((item) => item.package === candidate.package)!;
      const installed = android.packages().find((item) => item.spec.package === spec.package)!;
      expect(candidate).toMatchObject({
        label: spec.label,
        versionName: spec.versionName,
        versionCode: String(spec.versionCode),
        uid: installed.uid,
        sharedUserId: spec.sharedUserId,
        definesPermissions: spec.definesPermissions,
        component: { name: spec.services[0]?.name, exported: spec.services[0]?.exported, enabled: true },
        unknown: [],
      });
      expect(candidate.signingCertSha256).toHaveLength(1);
      const [provider] = spec.providers;
      if (provider === undefined || spec.package === odd.noAuthority.package) continue;
      expect(candidate.provider).toMatchObject({
        package: spec.package,
        name: provider.name,
        authorities: provider.authorities,
        exported: provider.exported,
        enabled: provider.enabled,
        readPermission: provider.readPermission,
        writePermission: provider.writePermission,
        grantUriPermissions: provider.grantUriPermissions,
        initOrder: provider.initOrder,
      });
    }
    const frontDoor = candidates.find((candidate) => candidate.package === front.package);
    expect(frontDoor?.provider?.package).toBe(back.package);
  });
});

describe('a device without the companion', () => {
  it('shows each odd manifest with its finding', async () => {
    const { io } = await device({ sdk: 34, packages, companionInstalled: false });
    const stop = new AbortController();
    cleanUps.push(() => stop.abort());
    const snapshots = createProviderWatcher({ io, companion: () => null }).watch(null, stop.signal);
    const { providers } = await until(snapshots[Symbol.asyncIterator](), (snapshot) => snapshot.state === 'ready');
    const of = (spec: PackageSpec) => providers.find((provider) => provider.candidate.package === spec.package);
    expect(rulesOf(of(odd.intVersions))).toEqual(['manifest-versions-not-text']);
    expect(rulesOf(of(odd.floatVersion))).toEqual(['manifest-version-invalid']);
    expect(rulesOf(of(odd.messyVersions))).toEqual(['manifest-versions-invalid']);
    expect(rulesOf(of(odd.noVersion))).toEqual(['manifest-nothing-declared']);
    expect(rulesOf(of(odd.serviceNotExported))).toEqual(['manifest-service-not-exported']);
    expect(rulesOf(of(odd.providerNotExported))).toEqual(['manifest-provider-not-exported']);
    expect(rulesOf(of(odd.providerDisabled))).toEqual(['manifest-provider-disabled']);
    expect(rulesOf(of(odd.undefinedPermission))).toEqual([
      'manifest-provider-other-permission',
      'manifest-permission-undefined',
    ]);
    expect(rulesOf(of(odd.readPermissionOnly))).toEqual(['manifest-provider-open', 'manifest-provider-half-open']);
    expect(rulesOf(of(odd.authorityReference))).toEqual(['manifest-version-not-int']);
    expect(rulesOf(of(odd.noAuthority))).toEqual(['manifest-authority-missing']);
    expect(rulesOf(of(odd.unknownAuthority))).toEqual(['manifest-provider-missing']);
    expect(rulesOf(of(odd.grantsUris))).toEqual(['manifest-init-order-missing', 'manifest-grant-uri-permissions']);
    expect(rulesOf(of(odd.sharedUid))).toEqual(['manifest-shared-uid']);
    expect(rulesOf(of(odd.large))).toEqual([]);
    expect(rulesOf(of(front))).toEqual(['manifest-provider-other-package']);
    expect(of(front)).toMatchObject({ protocol: 'none', protocolReason: 'provider-other-package' });
    const bridges = new Set(providers.map((provider) => `${provider.protocol} ${provider.bridge}`));
    expect([...bridges].sort()).toEqual(['none none', 'v1 none', 'v1 shell', 'v2 none']);
  });

  it('shows a package added, replaced and removed', async () => {
    const { io, android } = await device({ sdk: 34, packages: [odd.sharedUid], companionInstalled: false });
    const stop = new AbortController();
    cleanUps.push(() => stop.abort());
    const watcher = createProviderWatcher({ io, companion: () => null, pollMs: 20 });
    const snapshots = watcher.watch(0, stop.signal)[Symbol.asyncIterator]();
    await until(snapshots, ({ providers }) => providers.length === 1);
    android.install(odd.ownProcess);
    await until(snapshots, ({ providers }) => providers.length === 2);
    android.install({ ...odd.ownProcess, versionCode: 9, label: 'Renamed' });
    await until(snapshots, ({ providers }) => providers[0]?.candidate.label === 'Renamed');
    android.uninstall(odd.ownProcess.package);
    await until(snapshots, ({ providers }) => providers.length === 1);
  });
});

describe('behind a real adb server', () => {
  it('gives the same facts, and reads little of a 200 MB APK', async () => {
    const adb = await startRealAdb();
    cleanUps.push(() => adb.stop());
    const android = createVirtualAndroid({ sdk: 33, packages: [odd.large, front, back], companionInstalled: false });
    const adbd = await serveAdbd(createDeviceServices(android, { serial: 'virtual-2' }));
    cleanUps.push(() => adbd.close());
    const serial = `127.0.0.1:${adbd.port}`;
    const connection = createAdbkitTransport({ host: '127.0.0.1', port: adb.port });
    expect(await connection.connect('127.0.0.1', adbd.port)).toContain('connected');
    const plain = createDeviceIo({ connection, serial, deviceKey: `local/${serial}`, sdk: 33 });
    let read = 0;
    const io: DeviceIo = {
      ...plain,
      async readRange(path, offset, length, signal) {
        const bytes = await plain.readRange(path, offset, length, signal);
        read += bytes.length;
        return bytes;
      },
    };
    const { candidates, unreadable } = await discoverByShell(io, null, never);
    expect(unreadable).toEqual([]);
    expect(candidates.map((candidate) => [candidate.package, candidate.provider?.package]).sort()).toEqual([
      [front.package, back.package],
      [odd.large.package, odd.large.package],
    ]);
    expect(read).toBeLessThan(1024 * 1024);
  });
});

describe('a device with the companion', () => {
  async function withCompanion() {
    const { io, android } = await device({ sdk: 34, packages });
    const manager = createCompanionManager({ io, userId: 0, apk: () => null });
    cleanUps.push(() => manager.close());
    await manager.ensure();
    return { io, android, manager };
  }

  it('tells the same facts as the shell, one by one', async () => {
    const { io, manager } = await withCompanion();
    const byShell = new Map((await discoverByShell(io, 0, never)).candidates.map((item) => [item.package, item]));
    const sorted = ({ metaData, component, provider, unknown, ...facts }: Candidate) => ({
      ...facts,
      metaData: metaData.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      component: { ...component, processName: null },
      provider: provider === null ? null : { ...provider, processName: null },
    });
    let compared = 0;
    for (const row of await manager.discover('cetp')) {
      const candidate = candidateFromCompanion(row);
      if (!candidate.ok) throw new Error(JSON.stringify(candidate.error));
      const shell = byShell.get(candidate.value.package);
      if (shell === undefined) continue;
      expect(sorted(shell)).toEqual(sorted(candidate.value));
      compared++;
    }
    expect(compared).toBe(byShell.size);
  });

  it('is live by its package events, and offers the bridge that the permission allows', async () => {
    const { io, android, manager } = await withCompanion();
    const stop = new AbortController();
    cleanUps.push(() => stop.abort());
    const watcher = createProviderWatcher({ io, companion: () => manager, pollMs: 50 });
    const snapshots = watcher.watch(0, stop.signal)[Symbol.asyncIterator]();
    const first = await until(snapshots, ({ state }) => state === 'ready');
    expect(first).toMatchObject({ origin: 'companion', problem: null });
    const alerts = first.providers.find((provider) => provider.candidate.package === 'org.example.pricealerts');
    expect(alerts).toMatchObject({ protocol: 'v2', bridge: 'companion', bridgeProblem: null, findings: [] });
    const count = first.providers.length;
    android.uninstall('org.example.pricealerts');
    await until(snapshots, ({ providers }) => providers.length === count - 1);
    await watcher.refresh(0);
  });
});
