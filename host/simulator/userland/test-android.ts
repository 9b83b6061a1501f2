import type { Duplex } from 'node:stream';
import type {
  AndroidUser,
  InstalledPackage,
  InstrumentationRun,
  ManifestProvider,
  ManifestService,
  PackageSpec,
  ProviderApp,
  VirtualAndroid,
} from '../virtual-device.ts';

/** What a test wants of its Android; everything else is a small default. */
export interface TestAndroidOptions {
  readonly sdk?: number;
  readonly packages?: readonly InstalledPackage[];
  readonly users?: readonly AndroidUser[];
  readonly apks?: Readonly<Record<string, Uint8Array>>;
  readonly security?: Readonly<Record<string, string>>;
  readonly installApk?: (apk: Uint8Array) => string | null;
  readonly instrument?: (component: string) => InstrumentationRun | null;
  readonly connectAbstract?: (name: string) => Duplex | null;
}

/** A stand-in for the Android model with no rules of its own: the tests here are about the wire and the words. */
export function testAndroid(options: TestAndroidOptions = {}): VirtualAndroid {
  const packages = [...(options.packages ?? [])];
  const sdk = options.sdk ?? 34;
  return {
    sdk,
    release: String(sdk - 20),
    properties: {
      'ro.build.version.sdk': String(sdk),
      'ro.product.name': 'kiwi',
      'ro.product.model': 'Kiwi 7 (test)',
      'ro.product.device': 'kiwi7',
    },
    users: options.users ?? [{ id: 0, name: 'Owner' }],
    packages: () => packages,
    install: () => undefined,
    uninstall: (name) => {
      const at = packages.findIndex(({ spec }) => spec.package === name);
      if (at >= 0) packages.splice(at, 1);
      return at >= 0;
    },
    apk: (name) => options.apks?.[name] ?? null,
    acquire: (_uid, authority) => {
      const message = options.security?.[authority];
      if (message !== undefined) return { kind: 'security', message };
      for (const { spec } of packages) {
        const app = spec.apps[authority];
        if (app !== undefined) return { kind: 'ok', app, package: spec.package };
      }
      return { kind: 'unknown-authority', resolved: false };
    },
    kill: () => undefined,
    pidOf: (name) => (packages.some(({ spec }) => spec.package === name) ? 5150 : null),
    onPackageEvent: () => () => undefined,
    installApk: options.installApk ?? (() => null),
    instrument: options.instrument ?? (() => null),
    connectAbstract: options.connectAbstract ?? (() => null),
  };
}

export const NOTES = 'org.sample.notes';
export const NOTES_AUTHORITY = 'org.sample.notes.tools';
export const ACTION = 'com.clawseed.action.TOOL_PROVIDER';
export const PERMISSION = 'com.clawseed.permission.ACCESS_TOOLS';

export const notesService: ManifestService = {
  name: 'org.sample.notes.tool.EntryService',
  exported: true,
  enabled: true,
  permission: null,
  processName: null,
  actions: [ACTION],
  metaData: [],
};

export const notesProvider: ManifestProvider = {
  name: 'org.sample.notes.ToolProvider',
  authorities: [NOTES_AUTHORITY],
  exported: true,
  enabled: true,
  readPermission: PERMISSION,
  writePermission: PERMISSION,
  grantUriPermissions: false,
  initOrder: 0,
  processName: null,
};

export const notesSpec: PackageSpec = {
  package: NOTES,
  label: 'Notes',
  labelIsResource: true,
  versionName: '2.1',
  versionCode: 21,
  sharedUserId: null,
  signer: 'notes key',
  services: [notesService],
  providers: [notesProvider],
  definesPermissions: [PERMISSION],
  usesPermissions: ['android.permission.INTERNET'],
  paddingBytes: 0,
  apps: {},
};

/** An installed package under a code path of its own. */
export function installed(spec: PackageSpec, overrides: Partial<InstalledPackage> = {}): InstalledPackage {
  return {
    spec,
    uid: 10_321,
    codePath: `/data/app/~~c2FtcGxl==/${spec.package}-bm90ZXM=`,
    enabled: true,
    grantedPermissions: new Set(['android.permission.INTERNET']),
    ...overrides,
  };
}

/** An installed package whose Provider is one function. */
export function notesWith(app: ProviderApp['call']): InstalledPackage {
  return installed({ ...notesSpec, apps: { [NOTES_AUTHORITY]: { call: app } } });
}
