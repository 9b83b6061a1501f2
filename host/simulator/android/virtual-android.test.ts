import { describe, expect, it } from 'vitest';
import { buildApk } from '../apk/apk.ts';
import { ManualClock } from '../companion/clock.ts';
import { string } from '../provider-kit/bundles.ts';
import { createEchoProvider, ECHO_PACKAGE, echoPackage } from '../provider-kit/echo.ts';
import { NOTES_PACKAGE, notesPackage } from '../provider-kit/notes-weather.ts';
import { oddManifestPackages } from '../provider-kit/odd-manifests.ts';
import { ACCESS_TOOLS, authorityOf, providerPackage, V1 } from '../provider-kit/package-builder.ts';
import { UNPROTECTED_PACKAGE, unprotectedPackage } from '../provider-kit/unprotected.ts';
import type { PackageEvent, PackageSpec } from '../virtual-device.ts';
import { COMPANION_PACKAGE, companionSpec } from './companion-package.ts';
import { createVirtualAndroid, type SimulatedAndroid } from './virtual-android.ts';

const odd = oddManifestPackages();
const SHELL = 2000;
const ROOT = 0;

function uidOf(android: SimulatedAndroid, name: string): number {
  return android.packages().find((item) => item.spec.package === name)!.uid;
}

function grants(android: SimulatedAndroid, name = COMPANION_PACKAGE): string[] {
  return [...android.packages().find((item) => item.spec.package === name)!.grantedPermissions];
}

function kinds(android: SimulatedAndroid, authority: string): Record<string, string> {
  const companion = uidOf(android, COMPANION_PACKAGE);
  const kind = (uid: number) => android.acquire(uid, authority).kind;
  return { shell: kind(SHELL), root: kind(ROOT), companion: kind(companion) };
}

describe('who may open a Provider', () => {
  const android = createVirtualAndroid({
    packages: [
      notesPackage(),
      unprotectedPackage(),
      odd.providerNotExported,
      odd.providerDisabled,
      odd.undefinedPermission,
      odd.readPermissionOnly,
    ],
  });

  it.each([
    ['a permission that the companion holds', NOTES_PACKAGE, 'security', 'ok', 'ok'],
    ['no permission', UNPROTECTED_PACKAGE, 'ok', 'ok', 'ok'],
    ['not exported', odd.providerNotExported.package, 'security', 'ok', 'security'],
    ['disabled', odd.providerDisabled.package, 'unknown-authority', 'unknown-authority', 'unknown-authority'],
    ['a permission that nobody defines', odd.undefinedPermission.package, 'security', 'ok', 'security'],
    ['a read permission only: the write side is open', odd.readPermissionOnly.package, 'ok', 'ok', 'ok'],
    ['not installed', 'org.example.nobody', 'unknown-authority', 'unknown-authority', 'unknown-authority'],
  ])('%s', (_, name, shell, root, companion) => {
    expect(kinds(android, authorityOf(name))).toEqual({ shell, root, companion });
  });

  it('says what the platform says', () => {
    expect(android.acquire(SHELL, authorityOf(NOTES_PACKAGE))).toEqual({
      kind: 'security',
      message: `Permission Denial: opening provider org.example.notes.cetp.ToolProvider from (null) (pid=4711, uid=2000) requires ${ACCESS_TOOLS} or ${ACCESS_TOOLS}`,
    });
    const uid = uidOf(android, odd.providerNotExported.package);
    const hidden = android.acquire(SHELL, authorityOf(odd.providerNotExported.package));
    expect(hidden).toMatchObject({
      message: expect.stringMatching(new RegExp(` that is not exported from UID ${uid}$`)),
    });
    expect(android.acquire(uid, authorityOf(odd.providerNotExported.package)).kind).toBe('ok');
  });

  it('a disabled package has no Provider', () => {
    const one = createVirtualAndroid({ packages: [unprotectedPackage()] });
    one.setPackageEnabled(UNPROTECTED_PACKAGE, false);
    expect(one.acquire(SHELL, authorityOf(UNPROTECTED_PACKAGE))).toEqual({
      kind: 'unknown-authority',
      resolved: false,
    });
  });

  it.each([
    [29, 'ok'],
    [30, 'unknown-authority'],
  ])('API %i: an app with <queries> only and a Provider whose Service is not exported', (sdk, kind) => {
    const consumer: PackageSpec = {
      ...companionSpec,
      package: 'org.example.consumer',
      usesPermissions: [ACCESS_TOOLS],
    };
    const one = createVirtualAndroid({ sdk, packages: [notesPackage(), odd.serviceNotExported, consumer] });
    const uid = uidOf(one, 'org.example.consumer');
    expect(one.acquire(uid, authorityOf(odd.serviceNotExported.package)).kind).toBe(kind);
    expect(one.acquire(uid, authorityOf(NOTES_PACKAGE)).kind).toBe('ok');
    expect(one.acquire(SHELL, authorityOf(odd.serviceNotExported.package)).kind).toBe('security');
  });
});

describe('permission grants', () => {
  it('a companion installed before the definer holds nothing until it is installed again', () => {
    const android = createVirtualAndroid({ packages: [notesPackage()], companionInstalled: 'first' });
    expect(grants(android)).not.toContain(ACCESS_TOOLS);
    expect(android.installApk(buildApk(companionSpec))).toBeNull();
    expect(grants(android)).toContain(ACCESS_TOOLS);
  });

  it('go when the definer goes, and do not come back with it', () => {
    const android = createVirtualAndroid({ packages: [notesPackage()] });
    expect(grants(android)).toContain(ACCESS_TOOLS);
    android.uninstall(NOTES_PACKAGE);
    expect(grants(android)).not.toContain(ACCESS_TOOLS);
    android.install(notesPackage());
    expect(grants(android)).not.toContain(ACCESS_TOOLS);
  });

  it('stay when the definer is updated, and go when the update defines it no more', () => {
    const android = createVirtualAndroid({ packages: [notesPackage()] });
    android.install(notesPackage());
    expect(grants(android)).toContain(ACCESS_TOOLS);
    android.install({ ...notesPackage(), definesPermissions: [] });
    expect(grants(android)).not.toContain(ACCESS_TOOLS);
  });

  it('a definer holds its own permission', () => {
    const spec: PackageSpec = { ...notesPackage(), usesPermissions: [ACCESS_TOOLS] };
    expect(grants(createVirtualAndroid({ packages: [spec] }), NOTES_PACKAGE)).toEqual([ACCESS_TOOLS]);
  });
});

describe('installing', () => {
  const other = (change: Partial<PackageSpec>): PackageSpec => ({ ...echoPackage(), ...change });

  it('refuses a permission that another signer owns, and lets the same signer declare it', () => {
    const android = createVirtualAndroid({
      packages: [notesPackage()],
      installable: [other({ definesPermissions: [ACCESS_TOOLS] })],
    });
    expect(android.installApk(buildApk(other({ definesPermissions: [ACCESS_TOOLS] })))).toBe(
      `INSTALL_FAILED_DUPLICATE_PERMISSION: Package ${ECHO_PACKAGE} attempting to redeclare permission ${ACCESS_TOOLS} already owned by ${NOTES_PACKAGE}`,
    );
    android.install(other({ definesPermissions: [ACCESS_TOOLS], signer: NOTES_PACKAGE }));
    expect(android.packages().map((item) => item.spec.package)).toContain(ECHO_PACKAGE);
  });

  it('refuses another signer, an older version, a taken authority and a foreign shared user', () => {
    const android = createVirtualAndroid({ packages: [other({ versionCode: 5 })] });
    expect(() => android.install(other({ signer: 'someone', versionCode: 6 }))).toThrow(
      'INSTALL_FAILED_UPDATE_INCOMPATIBLE',
    );
    expect(() => android.install(other({ versionCode: 4 }))).toThrow('INSTALL_FAILED_VERSION_DOWNGRADE');
    const thief = providerPackage({
      package: 'org.example.thief',
      label: 'Thief',
      app: createEchoProvider(),
      authority: authorityOf(ECHO_PACKAGE),
      version: V1,
      versions: null,
    });
    expect(() => android.install(thief)).toThrow('INSTALL_FAILED_CONFLICTING_PROVIDER');
    android.install(odd.sharedUid);
    expect(() => android.install({ ...odd.ownProcess, sharedUserId: 'org.example.odd.shared' })).toThrow(
      'INSTALL_FAILED_SHARED_USER_INCOMPATIBLE',
    );
  });

  it('packages of one shared user have one UID', () => {
    const twin: PackageSpec = {
      ...odd.ownProcess,
      sharedUserId: 'org.example.odd.shared',
      signer: odd.sharedUid.signer,
    };
    const android = createVirtualAndroid({ packages: [odd.sharedUid, twin, echoPackage()] });
    expect(uidOf(android, twin.package)).toBe(uidOf(android, odd.sharedUid.package));
    expect(uidOf(android, ECHO_PACKAGE)).not.toBe(uidOf(android, twin.package));
  });

  it('an update keeps the UID, moves the code path and says replaced', () => {
    const events: PackageEvent[] = [];
    const android = createVirtualAndroid({ packages: [echoPackage()] });
    const before = android.packages().find((item) => item.spec.package === ECHO_PACKAGE)!;
    const stop = android.onPackageEvent((event) => events.push(event));
    android.install(echoPackage());
    android.uninstall(ECHO_PACKAGE);
    expect(android.uninstall(ECHO_PACKAGE)).toBe(false);
    android.install(echoPackage());
    stop();
    android.uninstall(ECHO_PACKAGE);
    expect(events.map((event) => event.action)).toEqual(['replaced', 'removed', 'added']);
    expect(before.codePath).toMatch(/^\/data\/app\/~~[\w-]+==\/org\.example\.echo-[\w-]+==$/);
    const old = createVirtualAndroid({ sdk: 29, packages: [echoPackage()] });
    expect(old.packages().find((item) => item.spec.package === ECHO_PACKAGE)!.codePath).toMatch(
      /^\/data\/app\/org\.example\.echo-[\w-]+==$/,
    );
  });

  it('recognises the companion by the manifest, keeps the bytes it was given, and refuses what is no APK', () => {
    const android = createVirtualAndroid({ packages: [notesPackage()], companionInstalled: false });
    const apk = buildApk({ ...companionSpec, versionName: '9.1', versionCode: 91, label: 'Built elsewhere' });
    expect(android.installApk(apk)).toBeNull();
    expect(android.apk(COMPANION_PACKAGE)).toBe(apk);
    const run = android.instrument(`${COMPANION_PACKAGE}/${COMPANION_PACKAGE}.BridgeInstrumentation`);
    expect(run?.status['cetp.version']).toBe('9.1');
    expect(android.installApk(Buffer.from('not an apk'))).toMatch(/^INSTALL_PARSE_FAILED_NOT_APK: /);
  });

  it('installs an APK that nobody knows as a package without code', () => {
    const android = createVirtualAndroid();
    expect(android.installApk(buildApk(notesPackage()))).toBeNull();
    expect(android.acquire(ROOT, authorityOf(NOTES_PACKAGE)).kind).toBe('unknown-authority');
  });

  it('answers a vendor refusal once', () => {
    const android = createVirtualAndroid({ companionInstalled: false });
    android.refuseNextInstall('INSTALL_FAILED_USER_RESTRICTED: Install canceled by user');
    expect(android.installApk(buildApk(companionSpec))).toBe(
      'INSTALL_FAILED_USER_RESTRICTED: Install canceled by user',
    );
    expect(android.installApk(buildApk(companionSpec))).toBeNull();
  });

  it('installing the companion over itself ends its run', async () => {
    const android = createVirtualAndroid({ clock: new ManualClock() });
    const run = android.instrument(`${COMPANION_PACKAGE}/.BridgeInstrumentation`);
    android.install(companionSpec);
    expect((await run?.ended)?.result).toEqual({ shortMsg: 'Process crashed.' });
  });
});

describe('processes', () => {
  function echo(android: SimulatedAndroid) {
    const acquired = android.acquire(ROOT, authorityOf(ECHO_PACKAGE));
    if (acquired.kind !== 'ok') throw new Error(acquired.kind);
    return (method: string, pad = '') =>
      acquired.app.call({ uid: 0, packages: ['root'] }, method, null, {
        entries: [string('pad', pad)],
        objects: {},
      });
  }

  it('start when a Provider is opened; a killed one takes its calls along and comes back with another pid', async () => {
    const android = createVirtualAndroid({ packages: [echoPackage()] });
    expect(android.pidOf(ECHO_PACKAGE)).toBeNull();
    const call = echo(android);
    const pid = android.pidOf(ECHO_PACKAGE);
    expect(pid).not.toBeNull();
    const hanging = [call('hang'), call('hang')];
    android.kill(ECHO_PACKAGE);
    expect(await Promise.all(hanging)).toEqual([{ kind: 'died' }, { kind: 'died' }]);
    expect(android.pidOf(ECHO_PACKAGE)).toBeNull();
    expect(await call('empty')).toEqual({ kind: 'died' });
    expect((await echo(android)('empty')).kind).toBe('bundle');
    expect(android.pidOf(ECHO_PACKAGE)).not.toBe(pid);
  });

  it('a crash in one call ends the others, and tells the app to restart', async () => {
    let restarts = 0;
    const app = { ...createEchoProvider(), restart: () => restarts++ };
    const android = createVirtualAndroid({ packages: [echoPackage(app)] });
    const call = echo(android);
    const hanging = call('hang');
    expect(await call('die')).toEqual({ kind: 'died' });
    expect(await hanging).toEqual({ kind: 'died' });
    expect(restarts).toBe(1);
  });

  it('bounds both directions as Binder does, unless the option widens it', async () => {
    const call = echo(createVirtualAndroid({ packages: [echoPackage()] }));
    expect(await call('echo', 'x'.repeat(400_000))).toMatchObject({ kind: 'bundle' });
    expect(await call('echo', 'x'.repeat(600_000))).toEqual({ kind: 'too-large', side: 'request' });
    expect(await call('too_large')).toEqual({ kind: 'too-large', side: 'reply' });
    const wide = echo(createVirtualAndroid({ packages: [echoPackage()], binderLimitBytes: Number.POSITIVE_INFINITY }));
    expect((await wide('too_large')).kind).toBe('bundle');
  });

  it('an exception that no Parcel carries arrives as an empty Bundle', async () => {
    const app = {
      call: async () => ({ kind: 'exception' as const, class: 'java.lang.ClassCastException', message: 'x' }),
    };
    const call = echo(
      createVirtualAndroid({
        packages: [providerPackage({ package: ECHO_PACKAGE, label: 'E', app, version: V1, versions: null })],
      }),
    );
    expect(await call('x')).toEqual({ kind: 'bundle', bundle: { entries: [], objects: {} } });
  });

  it('the system fills in the creator of a PendingIntent', async () => {
    const android = createVirtualAndroid({ packages: [echoPackage()] });
    const outcome = await echo(android)('intent_ok');
    expect(outcome).toMatchObject({
      bundle: { objects: { resolution: { creatorUid: uidOf(android, ECHO_PACKAGE) } } },
    });
  });
});

describe('build', () => {
  it('knows the releases of API 26 to 36, and no other', () => {
    const releases = [26, 28, 30, 32, 34, 36].map(
      (sdk) => createVirtualAndroid({ sdk }).properties['ro.build.version.release'],
    );
    expect(releases).toEqual(['8.0.0', '9', '11', '12', '14', '16']);
    expect(() => createVirtualAndroid({ sdk: 25 })).toThrow('API level 25');
  });

  it('an APK of 200 MiB is built once', () => {
    const android = createVirtualAndroid({ packages: [odd.large] });
    const apk = android.apk(odd.large.package)!;
    expect(apk.byteLength).toBeGreaterThan(200 * 1024 * 1024);
    expect(android.apk(odd.large.package)).toBe(apk);
  });
});
