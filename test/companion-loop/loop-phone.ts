import path from 'node:path';
import type { RealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { serveAdbd } from '../../host/simulator/adbd/serve-adbd.ts';
import { COMPANION_PACKAGE } from '../../host/simulator/android/companion-package.ts';
import { createVirtualAndroid, type SimulatedAndroid } from '../../host/simulator/android/virtual-android.ts';
import { readSigningCertificate } from '../../host/simulator/apk/signing-block.ts';
import { ACCESS_TOOLS, CETP_ACTION } from '../../host/simulator/provider-kit/package-builder.ts';
import { createDeviceServices } from '../../host/simulator/userland/services.ts';
import type { ManifestMetaData, PackageSpec, VirtualAndroid } from '../../host/simulator/virtual-device.ts';
import type { CompanionJvm } from './companion-jvm.ts';

export const ASSETS = path.resolve(import.meta.dirname, '..', '..', 'assets');
export const SAMPLE_PACKAGE = 'com.clawseed.inspector.sample';
export const SAMPLE_APK = path.join(ASSETS, 'sample-provider.apk');

const text = (name: string, v: string): ManifestMetaData => ({
  name: `com.clawseed.tools.${name}`,
  value: { t: 'string', v },
});
const int = (name: string, v: number): ManifestMetaData => ({
  name: `com.clawseed.tools.${name}`,
  value: { t: 'int', v },
});

/** What the package manager's own commands print of the sample, as its manifest declares it. Its code runs on the JVM. */
const sampleSpec: PackageSpec = {
  package: SAMPLE_PACKAGE,
  label: 'CETP Sample Provider',
  labelIsResource: true,
  versionName: '1.0.0',
  versionCode: 1,
  sharedUserId: null,
  signer: SAMPLE_PACKAGE,
  services: [
    service('Notes', [text('authority', `${SAMPLE_PACKAGE}.notes`), int('version', 1)]),
    service('Alerts', [text('authority', `${SAMPLE_PACKAGE}.alerts`), int('version', 2), text('versions', '2')]),
  ],
  providers: [provider('Notes'), provider('Alerts')],
  definesPermissions: [ACCESS_TOOLS],
  usesPermissions: [],
  paddingBytes: 0,
  apps: {},
};

function service(name: string, metaData: readonly ManifestMetaData[]): PackageSpec['services'][number] {
  return {
    name: `${SAMPLE_PACKAGE}.${name}Service`,
    exported: true,
    enabled: true,
    permission: null,
    processName: null,
    actions: [CETP_ACTION],
    metaData,
  };
}

function provider(name: string): PackageSpec['providers'][number] {
  return {
    name: `${SAMPLE_PACKAGE}.${name}Provider`,
    authorities: [`${SAMPLE_PACKAGE}.${name.toLowerCase()}`],
    exported: true,
    enabled: true,
    readPermission: ACCESS_TOOLS,
    writePermission: ACCESS_TOOLS,
    grantUriPermissions: false,
    initOrder: 100,
    processName: null,
  };
}

export interface LoopPhone {
  readonly android: SimulatedAndroid;
  /** As the adb server names it. */
  readonly serial: string;
  close(): Promise<void>;
}

/** A device with nothing on it, behind the real adb server, whose companion process is the JVM's. */
export async function plugInLoop(server: RealAdbServer, jvm: CompanionJvm): Promise<LoopPhone> {
  const simulated = createVirtualAndroid({
    sdk: 34,
    model: 'Loop 14',
    serialno: 'LOOP34',
    companionInstalled: false,
    installable: [sampleSpec],
  });
  const faults: unknown[] = [];
  const tell = (work: Promise<unknown>): void => void work.catch((error: unknown) => faults.push(error));
  simulated.onPackageEvent((event) => {
    if (event.package === COMPANION_PACKAGE) tell(jvm.kill());
    if (event.package === SAMPLE_PACKAGE) tell(jvm.command(sampleCommand(simulated)));
    // The package manager's rules of granting are the virtual device's: the JVM is told how they came out.
    const companion = simulated.packages().find(({ spec }) => spec.package === COMPANION_PACKAGE);
    tell(jvm.command(`grant ${companion?.grantedPermissions.has(ACCESS_TOOLS) ? 'yes' : 'no'}`));
  });
  const services = createDeviceServices(withCompanion(simulated, jvm), { serial: 'LOOP34' });
  const adbd = await serveAdbd(services);
  await server.connection.connect('127.0.0.1', adbd.port);
  return {
    android: simulated,
    serial: `127.0.0.1:${adbd.port}`,
    close: async () => {
      await adbd.close();
      if (faults.length > 0) throw new AggregateError(faults, 'The JVM refused what the device told it');
    },
  };
}

function sampleCommand(android: SimulatedAndroid): string {
  const sample = android.packages().find(({ spec }) => spec.package === SAMPLE_PACKAGE);
  if (sample === undefined) return 'remove';
  const certificate = readSigningCertificate(android.apk(SAMPLE_PACKAGE) ?? new Uint8Array());
  return `install ${sample.uid} ${Buffer.from(certificate ?? []).toString('base64')}`;
}

/** The virtual device, but for the companion's process. */
function withCompanion(simulated: SimulatedAndroid, jvm: CompanionJvm): VirtualAndroid {
  const isInstalled = () => simulated.packages().some(({ spec }) => spec.package === COMPANION_PACKAGE);
  let pid = 4_000;
  return {
    sdk: simulated.sdk,
    release: simulated.release,
    properties: simulated.properties,
    users: simulated.users,
    packages: () => simulated.packages(),
    install: (spec) => simulated.install(spec),
    uninstall: (name) => simulated.uninstall(name),
    apk: (name) => simulated.apk(name),
    acquire: (uid, authority) => simulated.acquire(uid, authority),
    kill: (name) => {
      simulated.kill(name);
      if (name === COMPANION_PACKAGE) void jvm.kill();
    },
    pidOf: (name) => (name === COMPANION_PACKAGE ? (jvm.isRunning ? pid : null) : simulated.pidOf(name)),
    onPackageEvent: (listener) => simulated.onPackageEvent(listener),
    installApk: (apk) => simulated.installApk(apk),
    instrument: (component) => {
      if (!/^com\.clawseed\.inspector\.companion\/.*\.BridgeInstrumentation$/.test(component) || !isInstalled())
        return null;
      pid++;
      return jvm.launch();
    },
    connectAbstract: (name) => jvm.connect(name),
  };
}
