import { apkPathOf } from '../../files/file-store.ts';
import type { InstalledPackage, VirtualAndroid } from '../../virtual-device.ts';
import { appIdOf, identityHash, javaHash, shortComponent } from './format.ts';

/** The sections of `dumpsys package`, in their order; `filters` prints each filter's actions. */
export function dumpPackages(android: VirtualAndroid, packages: readonly InstalledPackage[], filters: boolean): string {
  const permissions = packages.flatMap((installed) =>
    installed.spec.definesPermissions.flatMap((name) => permissionLines(android, name)),
  );
  return [
    dumpServices(packages, filters),
    section('Permissions:', permissions),
    dumpProviders(packages),
    'Key Set Manager:\n',
    section(
      'Packages:',
      packages.flatMap((installed) => packageLines(android, installed)),
    ),
    ...(android.sdk >= 30 ? [section('Queries:', ['system apps queryable: false'])] : []),
    dumpSharedUsers(android, packages),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`;
}

export function dumpServices(packages: readonly InstalledPackage[], filters: boolean): string {
  const byAction = new Map<string, string[]>();
  for (const { spec } of packages) {
    for (const service of spec.services) {
      const component = shortComponent(spec.package, service.name);
      const permission = service.permission === null ? '' : ` permission ${service.permission}`;
      for (const action of service.actions) {
        const lines = byAction.get(action) ?? [];
        const filter = identityHash(`filter ${component} ${action}`);
        lines.push(`      ${identityHash(component)} ${component} filter ${filter}${permission}`);
        if (filters) lines.push(`        Action: "${action}"`);
        byAction.set(action, lines);
      }
    }
  }
  if (byAction.size === 0) return '';
  const lines = [...byAction].flatMap(([action, entries]) => [`    ${action}:`, ...entries]);
  return section('Service Resolver Table:', ['Non-Data Actions:', ...lines]);
}

export function dumpProviders(packages: readonly InstalledPackage[]): string {
  const registered: string[] = [];
  const authorities: string[] = [];
  for (const { spec } of packages) {
    for (const provider of spec.providers) {
      const component = shortComponent(spec.package, provider.name);
      const own = `Provider{${identityHash(component)} ${component}}`;
      registered.push(`${component}:`, `  ${own}`);
      for (const authority of provider.authorities) {
        const application = `ApplicationInfo{${identityHash(`app ${spec.package}`)} ${spec.package}}`;
        authorities.push(`[${authority}]:`, `  ${own}`, `    applicationInfo=${application}`);
      }
    }
  }
  return [section('Registered ContentProviders:', registered), section('ContentProvider Authorities:', authorities)]
    .filter((text) => text !== '')
    .join('\n');
}

/** The definition of a permission and who holds it. A permission that nobody defines prints nothing of it. */
export function dumpPermission(android: VirtualAndroid, name: string): string {
  const holders = android
    .packages()
    .filter((installed) => installed.grantedPermissions.has(name))
    .flatMap((installed) => [
      `Package [${installed.spec.package}] (${identityHash(`pkg ${installed.spec.package}`)}):`,
      `  ${idKey(android)}=${appIdOf(installed)}`,
      '  install permissions:',
      `    ${name}: granted=true`,
    ]);
  return [section('Permissions:', permissionLines(android, name)), section('Packages:', holders)]
    .filter((text) => text !== '')
    .join('\n');
}

/** `userId=` up to API 33, `appId=` from 34 on. */
const idKey = (android: VirtualAndroid): string => (android.sdk >= 34 ? 'appId' : 'userId');

function permissionLines(android: VirtualAndroid, name: string): readonly string[] {
  const definer = android.packages().find(({ spec }) => spec.definesPermissions.includes(name));
  if (definer === undefined) return [];
  return [
    `Permission [${name}] (${identityHash(`permission ${name}`)}):`,
    `  sourcePackage=${definer.spec.package}`,
    `  uid=${appIdOf(definer)} gids=${android.sdk >= 31 ? '[]' : 'null'} type=0 prot=normal`,
    `  perm=${android.sdk >= 31 ? 'PermissionInfo' : 'Permission'}{${identityHash(`perm ${name}`)} ${name}}`,
    ...(android.sdk >= 30 ? ['  flags=0x0'] : []),
  ];
}

/** `Arrays.hashCode` of the certificate: 32 bits, no digest. */
const signatureHash = (signer: string): string => (javaHash(`certificate of ${signer}`) >>> 0).toString(16);

function signatures(sdk: number, { spec }: InstalledPackage): string {
  const hash = signatureHash(spec.signer);
  const own = identityHash(`signatures ${spec.package}`);
  return sdk >= 28
    ? `PackageSignatures{${own} version:2, signatures:[${hash}], past signatures:[]}`
    : `PackageSignatures{${own} [${hash}]}`;
}

function packageLines(android: VirtualAndroid, installed: InstalledPackage): readonly string[] {
  const { sdk } = android;
  const { spec } = installed;
  const apk = apkPathOf(installed);
  const folder = apk.slice(0, apk.lastIndexOf('/'));
  const flags = '[ HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP ]';
  const since = (level: number, ...lines: readonly string[]): readonly string[] => (sdk >= level ? lines : []);
  const lines = [
    `${idKey(android)}=${appIdOf(installed)}`,
    ...(spec.sharedUserId === null
      ? []
      : [
          `sharedUser=SharedUserSetting{${identityHash(spec.sharedUserId)} ${spec.sharedUserId}/${appIdOf(installed)}}`,
        ]),
    `pkg=Package{${identityHash(`parsed ${spec.package}`)} ${spec.package}}`,
    `codePath=${folder}`,
    `resourcePath=${folder}`,
    `legacyNativeLibraryDir=${folder}/lib`,
    ...since(34, 'extractNativeLibs=false'),
    'primaryCpuAbi=null',
    'secondaryCpuAbi=null',
    ...since(34, 'cpuAbiOverride=null'),
    `versionCode=${spec.versionCode} minSdk=26 targetSdk=34`,
    ...since(33, 'minExtensionVersions=[]'),
    `versionName=${spec.versionName}`,
    ...since(29, 'usesNonSdkApi=false'),
    'splits=[base]',
    'apkSigningVersion=2',
    `flags=${flags}`,
    ...since(30, 'forceQueryable=false', 'queriesPackages=[]'),
    `dataDir=/data/user/0/${spec.package}`,
    'supportsScreens=[small, medium, large, xlarge, resizeable, anyDensity]',
    'timeStamp=2024-01-01 00:00:00',
    ...(sdk < 34 ? ['firstInstallTime=2024-01-01 00:00:00'] : []),
    'lastUpdateTime=2024-01-01 00:00:00',
    ...since(34, 'installerPackageName=null'),
    `signatures=${signatures(sdk, installed)}`,
    `installPermissionsFixed=true${sdk < 28 ? ' installStatus=1' : ''}`,
    `pkgFlags=${flags}`,
    ...permissionBlock('declared permissions:', spec.definesPermissions, (name) => `${name}: prot=normal, INSTALLED`),
    ...permissionBlock('requested permissions:', spec.usesPermissions, (name) => name),
    ...permissionBlock(
      'install permissions:',
      spec.usesPermissions.filter((name) => installed.grantedPermissions.has(name)),
      (name) => `${name}: granted=true`,
    ),
    ...android.users.flatMap((user) => userLines(sdk, installed, user.id)),
  ];
  return [`Package [${spec.package}] (${identityHash(`pkg ${spec.package}`)}):`, ...lines.map((line) => `  ${line}`)];
}

const permissionBlock = (title: string, names: readonly string[], line: (name: string) => string): readonly string[] =>
  names.length === 0 ? [] : [title, ...names.map((name) => `  ${line(name)}`)];

function userLines(sdk: number, installed: InstalledPackage, userId: number): readonly string[] {
  const distraction = sdk >= 29 ? ' distractionFlags=0' : '';
  // 0: as the manifest says; 2: disabled.
  const enabled = installed.enabled ? 0 : 2;
  return [
    `User ${userId}: ceDataInode=123456 installed=true hidden=false suspended=false${distraction} stopped=false notLaunched=false enabled=${enabled} instant=false virtual=false`,
    ...(sdk >= 34 ? ['  installReason=0', '  firstInstallTime=2024-01-01 00:00:00', '  uninstallReason=0'] : []),
    '  gids=[3003]',
    '  runtime permissions:',
  ];
}

function dumpSharedUsers(android: VirtualAndroid, packages: readonly InstalledPackage[]): string {
  const byName = new Map<string, InstalledPackage>();
  for (const installed of packages)
    if (installed.spec.sharedUserId !== null) byName.set(installed.spec.sharedUserId, installed);
  return section(
    'Shared users:',
    [...byName].flatMap(([name, installed]) => [
      `SharedUser [${name}] (${identityHash(name)}):`,
      `  ${idKey(android)}=${appIdOf(installed)}`,
    ]),
  );
}
