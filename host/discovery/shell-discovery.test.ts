import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildApk } from '../simulator/apk/apk.ts';
import { createEchoProvider } from '../simulator/provider-kit/echo.ts';
import { providerPackage, V1 } from '../simulator/provider-kit/package-builder.ts';
import { createApkCache } from './apk-cache.ts';
import { discoverByShell } from './shell-discovery.ts';
import { createFakeDevice, servicesText } from './testing/fake-device-io.ts';

const harbour = readFileSync(new URL('apk/fixtures/harbour-aapt2-v3-rotated.apk', import.meta.url));
const unsigned = readFileSync(new URL('apk/fixtures/harbour-v1-only.apk', import.meta.url));
const PATH = '/data/app/~~Q==/dev.sample.harbour-R==/base.apk';
const service = { package: 'dev.sample.harbour', name: 'dev.sample.harbour.cetp.HarbourService', sourceDir: PATH };
const tide = { ...service, name: 'dev.sample.harbour.TideService' };
const never = new AbortController().signal;

function device(services = [service], sdk: number | null = 34) {
  const fake = createFakeDevice(sdk);
  fake.files.set(PATH, harbour);
  fake.outputs.set('query-services', servicesText(services));
  fake.outputs.set(
    'dumpsys package permission com.clawseed',
    'Permissions:\n  Permission [com.clawseed.permission.ACCESS_TOOLS] (1a):\n    sourcePackage=dev.sample.harbour\n',
  );
  fake.outputs.set('dumpsys package permission', '');
  fake.outputs.set(
    'dumpsys package dev.sample.harbour',
    'Packages:\n  Package [dev.sample.harbour] (1):\n    appId=10077\n',
  );
  return fake;
}

describe('discovery through the shell', () => {
  it('puts a Candidate together from the package manager and the APK', async () => {
    const { candidates, unreadable, permissionOwners } = await discoverByShell(device().io, 0, never);
    expect(unreadable).toEqual([]);
    expect(candidates).toMatchObject([
      {
        package: 'dev.sample.harbour',
        label: 'Harbour',
        versionName: '3.2 beta',
        versionCode: '42',
        uid: 10077,
        sharedUserId: null,
        component: { name: 'dev.sample.harbour.cetp.HarbourService', exported: true, enabled: true, permission: null },
        provider: {
          package: 'dev.sample.harbour',
          name: 'dev.sample.harbour.cetp.HarbourTools',
          authorities: ['dev.sample.harbour.tools', 'dev.sample.harbour.alt'],
        },
        definesPermissions: ['com.clawseed.permission.ACCESS_TOOLS'],
        visibleByQueries: true,
        unknown: ['label.locale'],
      },
    ]);
    expect(candidates[0]?.signingCertSha256).toHaveLength(1);
    expect([...permissionOwners]).toEqual([['com.clawseed.permission.ACCESS_TOOLS', 'dev.sample.harbour']]);
  });

  it('keeps the other packages when one is broken', async () => {
    const broken = { package: 'dev.broken', name: 'dev.broken.S', sourceDir: '/data/app/broken/base.apk' };
    const gone = { package: 'dev.gone', name: 'dev.gone.S', sourceDir: '/data/app/gone/base.apk' };
    const other = { package: 'dev.liar', name: 'dev.liar.S', sourceDir: PATH };
    const missing = { ...service, name: 'dev.sample.harbour.NotThere' };
    const fake = device([broken, service, gone, other, missing]);
    fake.files.set(broken.sourceDir, harbour.subarray(0, 4000));
    const { candidates, unreadable } = await discoverByShell(fake.io, 0, never);
    expect(candidates.map((candidate) => candidate.component.name)).toEqual([service.name]);
    expect(unreadable.map((item) => [item.package, item.problem.code])).toEqual([
      ['dev.broken', 'apk-unreadable'],
      ['dev.gone', 'file-not-found'],
      ['dev.liar', 'apk-other-package'],
      ['dev.sample.harbour', 'service-not-in-apk'],
    ]);
  });

  it('lists a Service that only a split declares', async () => {
    const fake = device([
      { ...service, sourceDir: '/data/app/base/base.apk', splitSourceDirs: [PATH] } as typeof service,
    ]);
    fake.files.set('/data/app/base/base.apk', unsigned);
    const { candidates } = await discoverByShell(fake.io, 0, never);
    expect(candidates).toHaveLength(1);
  });

  it('finds a ContentProvider that only a split declares', async () => {
    const spec = providerPackage({
      package: 'dev.halves',
      label: 'Halves',
      app: createEchoProvider(),
      version: V1,
      versions: null,
    });
    const base = { package: spec.package, name: spec.services[0]!.name, sourceDir: '/data/app/h/base.apk' };
    const split = '/data/app/h/split_tools.apk';
    const fake = device([{ ...base, splitSourceDirs: [split] } as typeof service]);
    fake.files.set(base.sourceDir, buildApk({ ...spec, providers: [] }));
    fake.files.set(split, buildApk({ ...spec, services: [] }));
    const [authority] = spec.providers[0]!.authorities;
    fake.outputs.set(
      'dumpsys package providers',
      `ContentProvider Authorities:\n  [${authority}]:\n    Provider{1 dev.halves/.Tools}\n`,
    );
    const { candidates } = await discoverByShell(fake.io, 0, never);
    expect(candidates[0]?.provider).toMatchObject({ package: spec.package, name: spec.providers[0]?.name });
    fake.files.delete(split);
    const without = await discoverByShell(fake.io, 0, never);
    expect(without.candidates[0]).toMatchObject({ provider: null, unknown: ['componentState', 'provider'] });
  });

  it('says that the owner is unverified where the authority is foreign and unreadable, or nothing tells (v2 2.1)', async () => {
    const spec = providerPackage({
      package: 'dev.lure',
      label: 'Lure',
      app: createEchoProvider(),
      version: V1,
      versions: null,
    });
    const fake = device([
      { package: spec.package, name: spec.services[0]!.name, sourceDir: '/data/app/l/base.apk' } as typeof service,
    ]);
    fake.files.set('/data/app/l/base.apk', buildApk({ ...spec, providers: [] }));
    const unverified = { provider: null, unknown: ['componentState', 'provider', 'provider.package'] };
    expect((await discoverByShell(fake.io, 0, never)).candidates[0]).toMatchObject(unverified);
    const [authority] = spec.providers[0]!.authorities;
    fake.outputs.set(
      'dumpsys package providers',
      `ContentProvider Authorities:\n  [${authority}]:\n    Provider{1 dev.victim/.Tools}\n`,
    );
    expect((await discoverByShell(fake.io, 0, never)).candidates[0]).toMatchObject(unverified);
  });

  it('names what it cannot tell', async () => {
    const fake = device();
    fake.files.set(PATH, unsigned);
    fake.outputs.delete('dumpsys package dev.sample.harbour');
    const [candidate] = (await discoverByShell(fake.io, 0, never)).candidates;
    expect(candidate?.unknown).toEqual([
      'componentState',
      'signingCertSha256',
      'pastSigningCertSha256',
      'label.locale',
    ]);
  });

  it('lets the run-time state rule over the manifest, for its own user', async () => {
    const fake = device([service, tide]);
    fake.outputs.delete('dumpsys package dev.sample.harbour');
    fake.outputs.set(
      'dumpsys package dev.sample.harbour',
      `Packages:
  Package [dev.sample.harbour] (1):
    appId=10077
    sharedUser=SharedUserSetting{1 dev.sample.group/10077}
    User 0: installed=true enabled=0
      disabledComponents:
        dev.sample.harbour.cetp.HarbourTools
        dev.sample.harbour.TideService
      enabledComponents:
        dev.sample.harbour.TideTools
    User 10: installed=true enabled=3
`,
    );
    const states = async (userId: number) =>
      (await discoverByShell(fake.io, userId, never)).candidates.map(({ component, provider }) => [
        component.enabled,
        provider?.enabled,
      ]);
    expect(await states(0)).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(await states(10)).toEqual([
      [false, false],
      [false, false],
    ]);
    expect((await discoverByShell(fake.io, 0, never)).candidates[0]?.sharedUserId).toBe('dev.sample.group');
  });

  it('asks for disabled Services where the device can tell, and does without elsewhere', async () => {
    const newer = device();
    await discoverByShell(newer.io, 10, never);
    expect(newer.log[0]).toBe(
      'cmd package query-services --query-flags 33280 --user 10 -a com.clawseed.action.TOOL_PROVIDER',
    );
    const older = device([service], 29);
    await discoverByShell(older.io, null, never);
    expect(older.log[0]).toBe('cmd package query-services -a com.clawseed.action.TOOL_PROVIDER');
    const refusing = device();
    refusing.outputs.clear();
    refusing.outputs.set('--query-flags', 'Error: Unknown option: --query-flags');
    refusing.outputs.set('query-services', 'No services found\n');
    expect((await discoverByShell(refusing.io, 0, never)).candidates).toEqual([]);
  });

  it('reads an APK once, until it changes', async () => {
    const fake = device([service, tide]);
    const cache = createApkCache();
    const reads = () => fake.log.filter((line) => line === `read ${PATH}`).length;
    await discoverByShell(fake.io, 0, never, { cache });
    const first = reads();
    await discoverByShell(fake.io, 0, never, { cache });
    expect(reads()).toBe(first);
    fake.outputs.set('query-services', servicesText([{ ...service, versionCode: 43 }]));
    await discoverByShell(fake.io, 0, never, { cache });
    expect(reads()).toBeGreaterThan(first);
  });

  it('fails as a whole only when nothing can be listed', async () => {
    const fake = device();
    fake.outputs.set('query-services', 'java.lang.SecurityException: user 150\n');
    await expect(discoverByShell(fake.io, 150, never)).rejects.toMatchObject({
      problem: { code: 'query-services-failed', raw: 'java.lang.SecurityException: user 150' },
    });
  });

  it('does not take a failed look-up of a permission for "defined by nobody"', async () => {
    const fake = device();
    for (const key of [...fake.outputs.keys()]) if (key.includes('permission')) fake.outputs.delete(key);
    expect([...(await discoverByShell(fake.io, 0, never)).permissionOwners]).toEqual([]);
  });
});
