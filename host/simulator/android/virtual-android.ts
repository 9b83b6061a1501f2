import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { buildApk, readApkFacts } from '../apk/apk.ts';
import { signerOf } from '../apk/certificate.ts';
import { readSigningCertificate } from '../apk/signing-block.ts';
import { type Clock, systemClock } from '../companion/clock.ts';
import { CompanionEndpoint } from '../companion/endpoint.ts';
import type {
  AcquireOutcome,
  AndroidUser,
  InstalledPackage,
  InstrumentationRun,
  PackageEvent,
  PackageSpec,
  VirtualAndroid,
} from '../virtual-device.ts';
import { acquireProvider, SHELL_UID } from './acquire.ts';
import { startActivity } from './activities.ts';
import { bareSpec } from './bare-spec.ts';
import { buildProperties, releaseOf } from './build-properties.ts';
import { COMPANION_INSTRUMENTATION, COMPANION_PACKAGE, COMPANION_SERVICE, companionSpec } from './companion-package.ts';
import { PackageStore } from './package-store.ts';
import { BINDER_LIMIT_BYTES } from './parcel-size.ts';
import { Processes } from './processes.ts';

export interface VirtualAndroidOptions {
  /** API level, 26 to 36; default 34. */
  readonly sdk?: number;
  /** Default: the release of the API level. */
  readonly release?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialno?: string;
  readonly users?: readonly AndroidUser[];
  /** Installed in this order; one that the rules refuse throws. */
  readonly packages?: readonly PackageSpec[];
  /** Default true: after every package, so that it holds its grants; `first`: before the permission's definer. */
  readonly companionInstalled?: boolean | 'first';
  /** Specs that `installApk` recognises by package name, besides the companion and those given above. */
  readonly installable?: readonly PackageSpec[];
  /** Largest Binder transaction; a catalog of thousands of tools needs more than any real device has. */
  readonly binderLimitBytes?: number;
  readonly clock?: Clock;
}

/** A virtual Android with the knobs that tests and demos turn. */
export interface SimulatedAndroid extends VirtualAndroid {
  instrument(component: string): InstrumentationRun | null;
  /** The running companion, or null. */
  companion(): CompanionEndpoint | null;
  /** `pm disable-user` and `pm enable`. */
  setPackageEnabled(packageName: string, enabled: boolean): void;
  /** A vendor's autostart manager: the package's process never comes up. */
  setStartable(packageName: string, startable: boolean): void;
  /** A vendor's background rule: the companion's own activity never comes to the front. */
  setActivityBlocked(blocked: boolean): void;
  /** A vendor that refuses `am instrument`, in these words; null lifts it. */
  refuseInstrumentation(words: string | null): void;
  /** What the next `installApk` answers, once: a vendor's refusal such as `INSTALL_FAILED_USER_RESTRICTED: …`. */
  refuseNextInstall(failure: string): void;
}

/** Builds a device by its options. Throws `Error` where an option is impossible on Android. */
export function createVirtualAndroid(options: VirtualAndroidOptions = {}): SimulatedAndroid {
  return new Device(options);
}

class Device implements SimulatedAndroid {
  readonly sdk: number;
  readonly release: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly users: readonly AndroidUser[];
  private readonly store: PackageStore;
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly bootTimeMs: number;
  private readonly installable = new Map<string, PackageSpec>();
  private readonly apkBytes = new Map<string, Uint8Array>();
  private readonly unstartable = new Set<string>();
  private endpoint: CompanionEndpoint | null = null;
  private instrumentationWords: string | null = null;
  /** Whether the companion runs as its own Service. */
  private serviceRuns = false;
  private activityBlocked = false;
  private nextRefusal: string | null = null;

  constructor(options: VirtualAndroidOptions) {
    this.sdk = options.sdk ?? 34;
    this.release = options.release ?? releaseOf(this.sdk);
    this.users = options.users ?? [{ id: 0, name: 'Owner' }];
    this.properties = buildProperties({
      sdk: this.sdk,
      release: this.release,
      manufacturer: options.manufacturer ?? 'Google',
      model: options.model ?? 'Pixel 8',
      serialno: options.serialno ?? 'SIM0000000001',
    });
    this.clock = options.clock ?? systemClock;
    this.bootTimeMs = this.clock.now() - 3_600_000;
    this.store = new PackageStore(this.sdk);
    this.processes = new Processes(options.binderLimitBytes ?? BINDER_LIMIT_BYTES);
    for (const spec of [companionSpec, ...(options.installable ?? []), ...(options.packages ?? [])]) {
      this.installable.set(spec.package, spec);
    }
    const companion = options.companionInstalled ?? true;
    if (companion === 'first') this.install(companionSpec);
    for (const spec of options.packages ?? []) this.install(spec);
    if (companion === true) this.install(companionSpec);
  }

  packages(): readonly InstalledPackage[] {
    return this.store.list();
  }

  install(spec: PackageSpec): void {
    const refusal = this.put(spec, null);
    if (refusal !== null) throw new Error(refusal);
  }

  uninstall(packageName: string): boolean {
    const item = this.store.get(packageName);
    if (!item) return false;
    this.kill(packageName);
    const event = this.store.remove(packageName);
    this.apkBytes.delete(packageName);
    if (event) this.store.announce(event);
    return true;
  }

  apk(packageName: string): Uint8Array | null {
    const item = this.store.get(packageName);
    return item ? (this.apkBytes.get(packageName) ?? buildApk(item.spec)) : null;
  }

  acquire(callerUid: number, authority: string): AcquireOutcome {
    const { sdk, store, processes, unstartable } = this;
    return acquireProvider({ sdk, store, processes, unstartable }, callerUid, authority);
  }

  kill(packageName: string): void {
    this.processes.kill(packageName, this.store.get(packageName)?.spec ?? null);
    if (packageName === COMPANION_PACKAGE) {
      this.endpoint?.crash();
      this.endpoint = null;
      this.serviceRuns = false;
    }
  }

  pidOf(packageName: string): number | null {
    return this.processes.pidOf(packageName);
  }

  onPackageEvent(listener: (event: PackageEvent) => void): () => void {
    return this.store.onEvent(listener);
  }

  installApk(apk: Uint8Array): string | null {
    const refusal = this.nextRefusal;
    this.nextRefusal = null;
    if (refusal !== null) return refusal;
    const facts = readApkFacts(apk);
    if (facts === null) {
      return 'INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1.tmp/base.apk: Failed to load asset path';
    }
    // Only the manifest is believed; the code behind the components comes from the known spec.
    const known = this.installable.get(facts.package);
    const { versionCode, versionName } = facts;
    return this.put(known ? { ...known, versionCode, versionName } : bareSpec(facts), apk);
  }

  instrument(component: string): InstrumentationRun | null {
    const self = this.companionOf(component, COMPANION_INSTRUMENTATION);
    return self === null ? null : this.startCompanion(self).run;
  }

  instrumentationRefusal(): string | null {
    return this.instrumentationWords;
  }

  startService(component: string): boolean {
    const self = this.companionOf(component, COMPANION_SERVICE);
    if (self !== null && this.endpoint === null) {
      this.startCompanion(self);
      this.serviceRuns = true;
    }
    return self !== null;
  }

  dumpService(component: string, args: readonly string[]): string | null {
    const { endpoint } = this;
    if (this.companionOf(component, COMPANION_SERVICE) === null || endpoint === null || !this.serviceRuns) return null;
    if (!args.includes('--announce')) return 'cetp.connected=0\n';
    return Object.entries(endpoint.run.status)
      .map(([key, value]) => `${key}=${value}\n`)
      .join('');
  }

  /** The installed companion, where the component is that class of it. */
  private companionOf(component: string, wanted: string): InstalledPackage | null {
    const [packageName, className = ''] = component.split('/', 2);
    const full = className.startsWith('.') ? `${packageName}${className}` : className;
    const self = this.store.get(COMPANION_PACKAGE);
    return packageName === COMPANION_PACKAGE && full === wanted && self?.enabled ? self : null;
  }

  private startCompanion(self: InstalledPackage): CompanionEndpoint {
    // The target is force-stopped first: an earlier run ends as a crash.
    this.kill(COMPANION_PACKAGE);
    const process = this.processes.start(COMPANION_PACKAGE);
    const endpoint = new CompanionEndpoint(
      {
        android: this,
        clock: this.clock,
        self,
        signingCertSha256: (item) => [this.certificateSha256(item)],
        isPermissionDefined: (permission) => this.store.isDefined(permission),
        startActivity: (uid, target, intent) => startActivity(this.store, uid, target, intent),
        isActivityBlocked: () => this.activityBlocked,
      },
      this.bootTimeMs,
    );
    this.endpoint = endpoint;
    void endpoint.run.ended.then(() => {
      // finish() force-stops the package; a later process is not this one's.
      if (this.processes.pidOf(COMPANION_PACKAGE) === process.pid) this.processes.kill(COMPANION_PACKAGE, null);
      if (this.endpoint === endpoint) this.endpoint = null;
    });
    return endpoint;
  }

  connectAbstract(name: string): Duplex | null {
    return this.endpoint?.socketName === name ? this.endpoint.connect(SHELL_UID) : null;
  }

  companion(): CompanionEndpoint | null {
    return this.endpoint;
  }

  setPackageEnabled(packageName: string, enabled: boolean): void {
    this.store.setEnabled(packageName, enabled);
    if (!enabled) this.kill(packageName);
  }

  setStartable(packageName: string, startable: boolean): void {
    if (startable) this.unstartable.delete(packageName);
    else this.unstartable.add(packageName);
  }

  setActivityBlocked(blocked: boolean): void {
    this.activityBlocked = blocked;
  }

  refuseInstrumentation(words: string | null): void {
    this.instrumentationWords = words;
  }

  refuseNextInstall(failure: string): void {
    this.nextRefusal = failure;
  }

  /** Of the APK that was really installed, where one was. */
  private certificateSha256(item: InstalledPackage): string {
    const apk = this.apkBytes.get(item.spec.package);
    const certificate = apk ? readSigningCertificate(apk) : null;
    if (certificate === null) return signerOf(item.spec.signer).certificateSha256;
    return createHash('sha256').update(certificate).digest('hex');
  }

  private put(spec: PackageSpec, apk: Uint8Array | null): string | null {
    const refusal = this.store.refusal(spec);
    if (refusal !== null) return refusal;
    this.kill(spec.package);
    const event = this.store.put(spec);
    if (apk) this.apkBytes.set(spec.package, apk);
    else this.apkBytes.delete(spec.package);
    this.store.announce(event);
    return null;
  }
}
