import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource, rangedSource } from './byte-source.ts';
import { ApkFault } from './fault.ts';
import { readApk } from './read-apk.ts';

const KEY_1 = 'e59b225360aaa01fe6b0481de5a597d9ef5dbca7f2c2ea1c41683d0ae615b146';
const KEY_2 = '6ee191ad6dfa978065096f54d78bc582af38c6a1fce08a206281c4f377262013';

function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`fixtures/${name}.apk`, import.meta.url));
}

const open = (name: string, sdk: number | null) => readApk(memorySource(fixture(name)), sdk);

describe.each(['harbour-aapt-v2', 'harbour-aapt2-v3-rotated'])(
  'a manifest packed by the platform tools: %s',
  (name) => {
    it('has package, versions and label with references resolved', async () => {
      const { manifest, resourcesFault, signingFault } = await open(name, 34);
      expect({ resourcesFault, signingFault }).toEqual({ resourcesFault: null, signingFault: null });
      expect(manifest).toMatchObject({
        package: 'dev.sample.harbour',
        versionCode: '42',
        versionName: '3.2 beta',
        label: 'Harbour',
        labelHasLocales: true,
        sharedUserId: null,
        definesPermissions: ['com.clawseed.permission.ACCESS_TOOLS'],
        usesPermissions: ['android.permission.INTERNET'],
      });
    });

    it('keeps the compiled type of each meta-data entry', async () => {
      const { manifest } = await open(name, 34);
      expect(manifest.services[0]).toMatchObject({
        name: 'dev.sample.harbour.cetp.HarbourService',
        exported: true,
        enabled: true,
        permission: null,
        processName: 'dev.sample.harbour:main',
        actions: ['com.clawseed.action.TOOL_PROVIDER'],
      });
      expect(
        manifest.services[0]?.metaData.map((entry) => ('v' in entry ? [entry.key, entry.t, entry.v] : [])),
      ).toEqual([
        ['com.clawseed.tools.authority', 'string', 'dev.sample.harbour.tools'],
        ['com.clawseed.tools.version', 'int', 1],
        ['com.clawseed.tools.versions', 'string', '1,2'],
        ['sample.int_ref', 'int', 41],
        ['sample.bool_ref', 'boolean', true],
        ['sample.resource', 'int', expect.any(Number)],
        ['sample.float', 'float', 1.5],
        ['sample.bool', 'boolean', true],
        ['sample.framework', 'unreadable', { class: 'resource', error: '@0x0104000a could not be resolved' }],
        ['sample.unicode', 'string', '港口 ⚓ 1,2'],
      ]);
    });

    it('gives providers the meaning that the package manager gives them', async () => {
      const { manifest } = await open(name, 34);
      expect(manifest.providers).toEqual([
        {
          name: 'dev.sample.harbour.cetp.HarbourTools',
          authorities: ['dev.sample.harbour.tools', 'dev.sample.harbour.alt'],
          exported: true,
          enabled: true,
          readPermission: 'com.clawseed.permission.ACCESS_TOOLS',
          writePermission: 'com.clawseed.permission.ACCESS_TOOLS',
          grantUriPermissions: false,
          initOrder: 100,
          processName: 'dev.sample.harbour:main',
        },
        {
          name: 'dev.sample.harbour.TideTools',
          authorities: ['dev.sample.tide'],
          exported: true,
          enabled: false,
          readPermission: 'dev.sample.harbour.READ',
          writePermission: null,
          grantUriPermissions: true,
          initOrder: 0,
          processName: 'dev.sample.tides',
        },
      ]);
      expect(manifest.services[1]).toMatchObject({
        name: 'dev.sample.harbour.TideService',
        exported: true,
        permission: 'dev.sample.harbour.TIDE',
      });
      expect([...manifest.exportedActions]).toEqual(['com.clawseed.action.TOOL_PROVIDER']);
    });
  },
);

describe('configurations', () => {
  it('take the variant of the device’s API level', async () => {
    const enabled = async (sdk: number) => (await open('harbour-aapt-v2', sdk)).manifest.services[1]?.enabled;
    expect(await enabled(23)).toBe(false);
    expect(await enabled(24)).toBe(true);
  });
});

describe('signing certificates', () => {
  it('come from scheme v2', async () => {
    expect((await open('harbour-aapt-v2', 34)).signing).toEqual({ scheme: 'v2', current: [KEY_1], past: [] });
  });

  it('follow a rotated key from Android 9 on, and the old key below', async () => {
    expect((await open('harbour-aapt2-v3-rotated', 34)).signing).toMatchObject({ current: [KEY_2], past: [KEY_1] });
    expect((await open('harbour-aapt2-v3-rotated', 27)).signing).toEqual({ scheme: 'v2', current: [KEY_1], past: [] });
  });

  it('are unknown for a JAR signature', async () => {
    expect((await open('harbour-v1-only', 34)).signing).toBeNull();
  });
});

describe('reading by ranges', () => {
  it('gives the same facts and reads each byte at most once', async () => {
    const apk = fixture('harbour-aapt2-v3-rotated');
    let read = 0;
    const source = rangedSource(
      apk.length,
      async (offset, length) => {
        read += length;
        return apk.subarray(offset, offset + length);
      },
      1024 * 1024,
    );
    expect(await readApk(source, 34)).toEqual(await open('harbour-aapt2-v3-rotated', 34));
    expect(read).toBe(apk.length);
  });

  it('stops at its budget', async () => {
    const source = rangedSource(1 << 30, async (_, length) => new Uint8Array(length), 1000);
    await expect(readApk(source, 34)).rejects.toMatchObject({ code: 'too-much-read' });
  });

  it('says when the file became shorter', async () => {
    const source = rangedSource(5000, async () => new Uint8Array(10), 1 << 20);
    await expect(readApk(source, 34)).rejects.toMatchObject({ code: 'truncated' });
  });
});

describe('a file that is no APK', () => {
  it.each([
    ['empty', new Uint8Array(0), 'not-a-zip'],
    ['text', new TextEncoder().encode('x'.repeat(200)), 'not-a-zip'],
  ])('%s is refused', async (_, bytes, code) => {
    const error = await readApk(memorySource(bytes), 34).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApkFault);
    expect(error).toMatchObject({ code });
  });
});
