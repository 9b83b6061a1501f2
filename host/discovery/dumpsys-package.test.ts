import { describe, expect, it } from 'vitest';
import { parseAuthorities, parseDumpsysPackage, parsePermissionOwner } from './dumpsys-package.ts';

function dump(idLine: string, extra: string): string {
  return `Service Resolver Table:
  Non-Data Actions:
      com.clawseed.action.TOOL_PROVIDER:
        1a2b3c4 dev.sample.harbour/.cetp.HarbourService filter 5d6e7f8
          Action: "com.clawseed.action.TOOL_PROVIDER"

Permissions:
  Permission [dev.sample.harbour.READ] (77aa11b):
    sourcePackage=dev.sample.harbour
    uid=10077 gids=null type=0 prot=normal

Registered ContentProviders:
  dev.sample.harbour/.cetp.HarbourTools:
    Provider{9f8e7d6 dev.sample.harbour/.cetp.HarbourTools}

ContentProvider Authorities:
  [dev.sample.harbour.tools]:
    Provider{9f8e7d6 dev.sample.harbour/.cetp.HarbourTools}
      applicationInfo=ApplicationInfo{6c5b4a3 dev.sample.harbour}
  [dev.other.tools]:
    Provider{1f8e7d6 dev.other/lib.Tools$Inner}
      applicationInfo=ApplicationInfo{2c5b4a3 dev.other}

Key Set Manager:
  [dev.sample.harbour]
      Signing KeySets: 12

Packages:
  Package [dev.sample.harbour] (3e4d5c6):
    ${idLine}
    pkg=Package{0a1b2c3 dev.sample.harbour}
    codePath=/data/app/dev.sample.harbour-1
    versionCode=42 minSdk=26 targetSdk=34
    versionName=3.2 beta
${extra}    flags=[ HAS_CODE ALLOW_BACKUP ]
    signatures=PackageSignatures{aa11bb2 version:3, signatures:[2d3e4f50], past signatures:[]}
    declared permissions:
      dev.sample.harbour.READ: prot=normal, INSTALLED
    requested permissions:
      android.permission.INTERNET
      android.permission.CAMERA: restricted=true
    install permissions:
      android.permission.INTERNET: granted=true
    User 0: ceDataInode=9 installed=true hidden=false stopped=true notLaunched=false enabled=0 instant=false virtual=false
      gids=[3003]
      runtime permissions:
        android.permission.CAMERA: granted=false
      disabledComponents:
        dev.sample.harbour.cetp.HarbourTools
      enabledComponents:
        .cetp.HarbourService
    User 10: ceDataInode=0 installed=false hidden=false stopped=false enabled=3 instant=false

Queries:
  system apps queryable: false

Dexopt state:
  [dev.sample.harbour]
    path: /data/app/dev.sample.harbour-1/base.apk
`;
}

const versions = [
  ['8', dump('userId=10077', '')],
  ['9', dump('userId=10077', '    sharedUser=SharedUserSetting{c0ffee1 dev.sample.shared/10077}\n')],
  ['11', dump('userId=10077', '    forceQueryable=false\n    queriesPackages=[]\n')],
  ['13', dump('userId=10077', '    apkSigningVersion=3\n    queriesPackages=[]\n')],
  ['14', dump('appId=10077', '    minExtensionVersions=[]\n')],
  ['16', dump('appId=10077', '    pageSizeCompat=0\n    newKey=[a=b]\n')],
] as const;

describe('dumpsys package PKG', () => {
  it.each(versions)('Android %s', (version, text) => {
    const parsed = parseDumpsysPackage(text, 'dev.sample.harbour');
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        versionName: '3.2 beta',
        versionCode: '42',
        appId: 10077,
        sharedUserId: version === '9' ? 'dev.sample.shared' : null,
        declaredPermissions: ['dev.sample.harbour.READ'],
        requestedPermissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
      },
    });
    const users = parsed.ok ? parsed.value.users : new Map();
    expect(users.get(0)).toEqual({
      installed: true,
      stopped: true,
      enabled: 0,
      disabledComponents: new Set(['dev.sample.harbour.cetp.HarbourTools']),
      enabledComponents: new Set(['dev.sample.harbour.cetp.HarbourService']),
    });
    expect(users.get(10)).toMatchObject({ installed: false, enabled: 3 });
  });

  it('says when the package is not there', () => {
    expect(parseDumpsysPackage('Unable to find package: dev.nowhere\n', 'dev.nowhere')).toMatchObject({
      ok: false,
      error: { code: 'dumpsys-no-package' },
    });
  });

  it('does not take a cut dump for a whole one', () => {
    const cut = dump('appId=1', '').split('    declared permissions')[0];
    const text = `${cut}\n*** SERVICE 'package' DUMP TIMEOUT (10000ms) EXPIRED ***\n`;
    expect(parseAuthorities(text)).toMatchObject({ ok: false, error: { code: 'dumpsys-timeout' } });
    const early = `Packages:\n\n*** SERVICE 'package' DUMP TIMEOUT (10000ms) EXPIRED ***\n`;
    expect(parseDumpsysPackage(early, 'dev.sample.harbour')).toMatchObject({ error: { code: 'dumpsys-timeout' } });
    const inside = `Packages:\n  Package [a.b] (1):\n    appId=5\n    *** SERVICE 'package' DUMP TIMEOUT (10000ms) EXPIRED ***`;
    expect(parseDumpsysPackage(inside, 'a.b')).toMatchObject({ ok: false, error: { code: 'dumpsys-timeout' } });
  });
});

describe('authorities', () => {
  it('belong to components, of whatever package', () => {
    const parsed = parseAuthorities(dump('appId=10077', ''));
    expect(parsed.ok && [...parsed.value]).toEqual([
      ['dev.sample.harbour.tools', { package: 'dev.sample.harbour', name: 'dev.sample.harbour.cetp.HarbourTools' }],
      ['dev.other.tools', { package: 'dev.other', name: 'lib.Tools$Inner' }],
    ]);
  });
});

describe('the owner of a permission', () => {
  it('is its source package, or nobody', () => {
    const text = dump('appId=10077', '');
    expect(parsePermissionOwner(text, 'dev.sample.harbour.READ')).toEqual({ ok: true, value: 'dev.sample.harbour' });
    expect(parsePermissionOwner('', 'dev.sample.harbour.READ')).toEqual({ ok: true, value: null });
    expect(parsePermissionOwner('Permissions:\n  Permission [p] (1):\n    uid=3\n', 'p')).toMatchObject({ ok: false });
  });
});
