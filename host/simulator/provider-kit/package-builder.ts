import { ACCESS_TOOLS } from '../android/companion-package.ts';
import { CETP_ACTION } from '../android/visibility.ts';
import type {
  ManifestMetaData,
  ManifestProvider,
  ManifestService,
  PackageSpec,
  ProviderApp,
} from '../virtual-device.ts';

export { ACCESS_TOOLS, CETP_ACTION };

export interface ProviderPackageOptions {
  readonly package: string;
  readonly label: string;
  readonly app: ProviderApp;
  /** Default `<package>.clawseed.tools`. */
  readonly authority?: string;
  /** Meta-data `com.clawseed.tools.version`; null leaves it out. */
  readonly version: ManifestMetaData['value'] | null;
  /** Meta-data `com.clawseed.tools.versions`; null leaves it out. */
  readonly versions: ManifestMetaData['value'] | null;
  /** Default ACCESS_TOOLS; null is an unprotected Provider. */
  readonly permission?: string | null;
  readonly definesPermissions?: readonly string[];
  readonly service?: Partial<ManifestService>;
  readonly provider?: Partial<ManifestProvider>;
  readonly spec?: Partial<PackageSpec>;
}

export const V1: ManifestMetaData['value'] = { t: 'int', v: 1 };
/** `android:value="2"` compiles to an int. */
export const V2_INT: ManifestMetaData['value'] = { t: 'int', v: 2 };

export function text(v: string): ManifestMetaData['value'] {
  return { t: 'string', v };
}

export function authorityOf(packageName: string): string {
  return `${packageName}.clawseed.tools`;
}

/** A package with one Service and one ContentProvider, declared as the specification's example does. */
export function providerPackage(options: ProviderPackageOptions): PackageSpec {
  const authority = options.authority ?? authorityOf(options.package);
  const permission = options.permission === undefined ? ACCESS_TOOLS : options.permission;
  const metaData: ManifestMetaData[] = [{ name: 'com.clawseed.tools.authority', value: text(authority) }];
  if (options.version) metaData.push({ name: 'com.clawseed.tools.version', value: options.version });
  if (options.versions) metaData.push({ name: 'com.clawseed.tools.versions', value: options.versions });
  return {
    package: options.package,
    label: options.label,
    labelIsResource: false,
    versionName: '1.0',
    versionCode: 1,
    sharedUserId: null,
    signer: options.package,
    services: [
      {
        name: `${options.package}.cetp.ToolProviderService`,
        exported: true,
        enabled: true,
        permission: null,
        processName: null,
        actions: [CETP_ACTION],
        metaData,
        ...options.service,
      },
    ],
    providers: [
      {
        name: `${options.package}.cetp.ToolProvider`,
        authorities: [authority],
        exported: true,
        enabled: true,
        readPermission: permission,
        writePermission: permission,
        grantUriPermissions: false,
        initOrder: 100,
        processName: null,
        ...options.provider,
      },
    ],
    definesPermissions: options.definesPermissions ?? [],
    usesPermissions: [],
    paddingBytes: 0,
    apps: { [authority]: options.app },
    ...options.spec,
  };
}
