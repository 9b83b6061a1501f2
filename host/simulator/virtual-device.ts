import type { Duplex } from 'node:stream';
import type { Bundle } from '../../shared/model/bundle.ts';

/**
 * The seams inside the virtual device. `adbd/` and `adb-server/` know only
 * `DeviceServices`; the userland and the companion endpoint know only
 * `VirtualAndroid`; Providers know only `ProviderApp`.
 */

/** What adbd hands a service request to. Null: refused (`FAIL closed`). */
export interface DeviceServices {
  readonly serial: string;
  /** The adb banner: `device::ro.product.name=…;ro.product.model=…;features=…`. */
  readonly banner: string;
  readonly features: readonly string[];
  open(service: string): Duplex | null;
}

export interface ManifestMetaData {
  readonly name: string;
  /** The compiled type: a quoted number is still compiled to an int, as aapt does. */
  readonly value:
    | { readonly t: 'string'; readonly v: string }
    | { readonly t: 'int'; readonly v: number }
    | { readonly t: 'boolean'; readonly v: boolean }
    | { readonly t: 'float'; readonly v: number }
    /** A reference to a string resource, stored in resources.arsc. */
    | { readonly t: 'stringRef'; readonly v: string };
}

export interface ManifestService {
  readonly name: string;
  readonly exported: boolean;
  readonly enabled: boolean;
  readonly permission: string | null;
  readonly processName: string | null;
  readonly actions: readonly string[];
  readonly metaData: readonly ManifestMetaData[];
}

export interface ManifestProvider {
  readonly name: string;
  readonly authorities: readonly string[];
  readonly exported: boolean;
  readonly enabled: boolean;
  readonly readPermission: string | null;
  readonly writePermission: string | null;
  readonly grantUriPermissions: boolean;
  readonly initOrder: number;
  readonly processName: string | null;
}

/** What a started Activity hands back: `setResult(resultCode, data)`. */
export interface ActivityResult {
  readonly resultCode: number;
  readonly data: DeviceIntent | null;
}

/** An Intent inside the device; null where a member is absent. */
export interface DeviceIntent {
  readonly action: string | null;
  readonly data: string | null;
  readonly type: string | null;
  readonly package: string | null;
  readonly component: string | null;
  readonly categories: readonly string[];
  readonly flags: number;
  readonly extras: DeviceBundle;
}

export interface ManifestActivity {
  /** Absolute class name. */
  readonly name: string;
  readonly exported: boolean;
  readonly enabled: boolean;
  readonly permission: string | null;
  readonly actions: readonly string[];
  /** What it does when it is started for a result; it may never settle (the user leaves it open). */
  readonly run: (caller: BinderCaller, intent: DeviceIntent) => Promise<ActivityResult>;
}

export interface PackageSpec {
  readonly package: string;
  readonly label: string;
  /** Whether the label is a string resource in resources.arsc. */
  readonly labelIsResource: boolean;
  readonly versionName: string;
  readonly versionCode: number;
  readonly sharedUserId: string | null;
  /** Seed of the made-up signing certificate. */
  readonly signer: string;
  readonly services: readonly ManifestService[];
  readonly providers: readonly ManifestProvider[];
  /** Absent: none. */
  readonly activities?: readonly ManifestActivity[];
  readonly definesPermissions: readonly string[];
  readonly usesPermissions: readonly string[];
  /** Extra bytes of an uncompressed asset, to make a large APK. */
  readonly paddingBytes: number;
  /** The code behind the ContentProviders, by authority. */
  readonly apps: Readonly<Record<string, ProviderApp>>;
}

/** What a Provider sees of its caller: `Binder.getCallingUid()` and what resolves from it. */
export interface BinderCaller {
  readonly uid: number;
  readonly packages: readonly string[];
}

/** A value that only the device can make; the endpoint turns it into a handle. */
export type DeviceObject =
  | {
      readonly t: 'pendingIntent';
      readonly creatorPackage: string;
      readonly creatorUid: number;
      readonly immutable: boolean;
      readonly kind: 'activity' | 'broadcast' | 'service' | 'foregroundService';
      /** Runs when it is launched; the Activity's result code. A rejection is `PendingIntent.CanceledException`. */
      readonly launch: () => Promise<{ readonly resultCode: number }>;
    }
  | {
      readonly t: 'fd';
      readonly size: number;
      readonly read: () => AsyncIterable<Uint8Array>;
      readonly close: () => void;
    };

/** A Bundle inside the device: plain entries, and objects by key. */
export interface DeviceBundle {
  readonly entries: Bundle;
  readonly objects: Readonly<Record<string, DeviceObject>>;
  /** How many entries stand under a null key, which no entry here can show; absent: none. */
  readonly nullKeys?: number;
}

/** How `ContentProvider.call()` can end, as Binder would report it. */
export type BinderOutcome =
  | { readonly kind: 'bundle'; readonly bundle: DeviceBundle }
  | { readonly kind: 'null' }
  /** An exception that Parcel can carry; any other arrives as an empty Bundle (`docs` of the platform, android-facts 1.3). */
  | { readonly kind: 'exception'; readonly class: string; readonly message: string }
  | { readonly kind: 'died' }
  /** Absent `side`: the reply, which the caller sees as a dead object; `request`: TransactionTooLargeException. */
  | { readonly kind: 'too-large'; readonly side?: 'request' | 'reply' };

/** A Provider's code. It may take as long as it likes and need not obey the protocol. */
export interface ProviderApp {
  call(caller: BinderCaller, method: string, arg: string | null, extras: DeviceBundle | null): Promise<BinderOutcome>;
  /** The process was killed: session tokens may be lost, durable records not. */
  restart?(): void;
}

/** Everything that the process limits of Android decide before the Provider's code runs. */
export type AcquireOutcome =
  | { readonly kind: 'ok'; readonly app: ProviderApp; readonly package: string }
  | { readonly kind: 'unknown-authority'; readonly resolved: boolean }
  | { readonly kind: 'security'; readonly message: string };

export interface InstalledPackage {
  readonly spec: PackageSpec;
  readonly uid: number;
  /** The package's directory; its APK is `<codePath>/base.apk`. */
  readonly codePath: string;
  readonly enabled: boolean;
  readonly grantedPermissions: ReadonlySet<string>;
}

export type PackageEvent = { readonly action: 'added' | 'replaced' | 'removed'; readonly package: string };

/** A started instrumentation, as `am instrument -w -r` reports it. */
export interface InstrumentationRun {
  /** `INSTRUMENTATION_STATUS` keys of the one status it sends. */
  readonly status: Readonly<Record<string, string>>;
  readonly statusCode: number;
  readonly ended: Promise<{ readonly result: Readonly<Record<string, string>>; readonly code: number }>;
}

/** A user profile, as `pm list users` prints it. */
export interface AndroidUser {
  readonly id: number;
  readonly name: string;
}

/** The Android inside: packages, permissions, Providers, files, properties. */
export interface VirtualAndroid {
  readonly sdk: number;
  readonly release: string;
  readonly properties: Readonly<Record<string, string>>;
  /** User profiles; user 0 comes first and is the current one. */
  readonly users: readonly AndroidUser[];
  packages(): readonly InstalledPackage[];
  install(spec: PackageSpec): void;
  uninstall(packageName: string): boolean;
  /** The bytes of an installed `base.apk`, generated once from its spec. */
  apk(packageName: string): Uint8Array | null;
  /** The permission and visibility rules of `acquireContentProviderClient` / `getContentProviderExternal`. */
  acquire(callerUid: number, authority: string): AcquireOutcome;
  /** Kills a package's process: Provider calls in flight die. */
  kill(packageName: string): void;
  /** `pidof <package>`; null when its process does not run. A killed process comes back with another pid. */
  pidOf(packageName: string): number | null;
  onPackageEvent(listener: (event: PackageEvent) => void): () => void;
  /** `pm install`: null is `Success`, else the text inside `Failure […]`, such as `INSTALL_FAILED_…: …`. */
  installApk(apk: Uint8Array): string | null;
  /** `am instrument` of `<package>/<class>`; null where there is no such instrumentation. */
  instrument(component: string): InstrumentationRun | null | Promise<InstrumentationRun | null>;
  /** Words of a vendor that refuses every instrumentation; null or absent: none does. */
  instrumentationRefusal?(): string | null;
  /** `am start-foreground-service`: whether there is such a Service. Absent: there is none. */
  startService?(component: string): boolean;
  /** What a running Service prints for `dumpsys activity service`; null: it does not run. */
  dumpService?(component: string, args: readonly string[]): string | null;
  /** Opens an abstract-namespace socket that a process listens on; null is refused. */
  connectAbstract(name: string): Duplex | null;
}
