import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ACCESS_TOOLS_PERMISSION, COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import { memorySource } from '../../discovery/apk/byte-source.ts';
import { readApk } from '../../discovery/apk/read-apk.ts';
import { bundle, gardenPackage, startVirtualPhone } from '../testing/virtual-phone.ts';
import { createCompanionManager } from './companion-manager.ts';

const assets = path.join(import.meta.dirname, '../../../assets');
const apk = readFileSync(path.join(assets, 'companion.apk'));
const facts = JSON.parse(readFileSync(path.join(assets, 'companion.json'), 'utf8')) as Readonly<
  Record<string, string | number>
>;

test('the committed APK is the one that its digests name', () => {
  const digest = createHash('sha256').update(apk).digest('hex');
  expect(readFileSync(path.join(assets, 'companion.apk.sha256'), 'utf8')).toBe(`${digest}  companion.apk\n`);
  expect(facts).toMatchObject({ sha256: digest, bytes: apk.length, package: COMPANION_PACKAGE });
  expect(apk.length).toBeLessThan(150 * 1024);
});

test.each([26, 27, 28, 34])('on API %i the desktop reads its manifest and its certificate', async (sdk) => {
  const { manifest, signing, signingFault, resourcesFault } = await readApk(memorySource(apk), sdk);
  expect({ signingFault, resourcesFault }).toEqual({ signingFault: null, resourcesFault: null });
  expect(manifest).toMatchObject({
    package: COMPANION_PACKAGE,
    versionName: facts['versionName'],
    versionCode: String(facts['versionCode']),
    label: 'CETP Inspector Companion',
    labelHasLocales: true,
    definesPermissions: [],
    providers: [],
    unresolved: [],
  });
  expect(manifest.usesPermissions).toContain(ACCESS_TOOLS_PERMISSION);
  expect(manifest.usesPermissions).not.toContain('android.permission.INTERNET');
  expect(manifest.services).toMatchObject([
    { name: `${COMPANION_PACKAGE}.BridgeService`, exported: true, permission: 'android.permission.DUMP' },
  ]);
  expect(signing).toEqual({ scheme: sdk < 28 ? 'v2' : 'v3', current: [facts['certificateSha256']], past: [] });
});

test('the desktop installs the real APK on a virtual device, which then shows its certificate', async () => {
  const garden = gardenPackage(() => bundle([]));
  const phone = await startVirtualPhone({ packages: [garden.spec], companionInstalled: false });
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: async () => apk, foreignLooksMs: [0, 50] });
  try {
    expect(await manager.install()).toMatchObject({ state: 'connected', permission: 'granted', problem: null });
    const client = await manager.ensure();
    expect(client.hello).toMatchObject({
      package: COMPANION_PACKAGE,
      version: facts['versionName'],
      signingCertSha256: [facts['certificateSha256']],
    });
  } finally {
    manager.close();
    await phone.close();
  }
});
