import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { PackageSpec } from '../virtual-device.ts';
import { buildApk, readApkFacts, readPackageName } from './apk.ts';
import { readCertificate, signerOf } from './certificate.ts';
import { readSigningCertificate } from './signing-block.ts';
import { readZipEntry } from './zip.ts';

const directory = mkdtempSync(join(tmpdir(), 'cetp-apk-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const spec: PackageSpec = {
  package: 'org.example.tides',
  label: '潮汐表',
  labelIsResource: true,
  versionName: '3.1 beta',
  versionCode: 31,
  sharedUserId: 'org.example.shared',
  signer: 'tides',
  services: [
    {
      name: 'org.example.tides.ToolService',
      exported: true,
      enabled: false,
      permission: 'org.example.BIND',
      processName: ':tools',
      actions: ['com.clawseed.action.TOOL_PROVIDER'],
      metaData: [
        { name: 'com.clawseed.tools.authority', value: { t: 'stringRef', v: 'org.example.tides.tools' } },
        { name: 'com.clawseed.tools.version', value: { t: 'int', v: 1 } },
        { name: 'com.clawseed.tools.versions', value: { t: 'string', v: '1,2' } },
        { name: 'org.example.float', value: { t: 'float', v: 1.5 } },
        { name: 'org.example.bool', value: { t: 'boolean', v: true } },
      ],
    },
  ],
  providers: [
    {
      name: 'org.example.tides.ToolProvider',
      authorities: ['org.example.tides.tools', 'org.example.tides.more'],
      exported: true,
      enabled: true,
      readPermission: 'org.example.P',
      writePermission: 'org.example.P',
      grantUriPermissions: true,
      initOrder: 100,
      processName: null,
    },
  ],
  definesPermissions: ['org.example.P'],
  usesPermissions: ['android.permission.INTERNET'],
  paddingBytes: 0,
  apps: {},
};

function aapt(apk: Uint8Array, ...args: readonly string[]): string {
  const file = join(directory, 'test.apk');
  writeFileSync(file, apk);
  return execFileSync('aapt', ['dump', ...args.slice(0, 1), file, ...args.slice(1)], { encoding: 'utf8' });
}

describe('buildApk', () => {
  it('is read by aapt: package, versions, permissions, label from resources.arsc', () => {
    const badging = aapt(buildApk(spec), 'badging');
    expect(badging).toContain("package: name='org.example.tides' versionCode='31' versionName='3.1 beta'");
    expect(badging).toContain("application-label:'潮汐表'");
    expect(badging).toContain("uses-permission: name='android.permission.INTERNET'");
    expect(badging).toContain("targetSdkVersion:'34'");
  });

  it('compiles each meta-data value to its own type', () => {
    const tree = aapt(buildApk(spec), 'xmltree', 'AndroidManifest.xml');
    expect(tree).toContain('android:value(0x01010024)=@0x7f010001');
    expect(tree).toContain('android:value(0x01010024)=(type 0x10)0x1');
    expect(tree).toContain('android:value(0x01010024)="1,2" (Raw: "1,2")');
    expect(tree).toContain('android:value(0x01010024)=(type 0x4)0x3fc00000');
    expect(tree).toContain('android:value(0x01010024)=(type 0x12)0xffffffff');
    expect(tree).toContain('android:authorities(0x01010018)="org.example.tides.tools;org.example.tides.more"');
    expect(tree).toContain('android:permission(0x01010006)="org.example.P"');
    expect(tree).toContain('android:process(0x01010011)=":tools"');
    expect(aapt(buildApk(spec), 'resources')).toContain('org.example.tides:string/meta_com_clawseed_tools_authority');
  });

  it('stores padding uncompressed and right by its checksum, and keeps one buffer a spec', () => {
    const padded = { ...spec, paddingBytes: 3 * 1024 * 1024 + 7 };
    const apk = buildApk(padded);
    expect(apk.length).toBeGreaterThan(padded.paddingBytes);
    expect(buildApk(padded)).toBe(apk);
    const data = readZipEntry(apk, 'assets/padding.bin', 4 * 1024 * 1024);
    expect(data?.length).toBe(padded.paddingBytes);
    const directoryEntry = apk.indexOf(Buffer.from('504b0102', 'hex'));
    expect(directoryEntry).toBeGreaterThan(0);
    expect(apk.includes(u32(crc32(Buffer.alloc(padded.paddingBytes))))).toBe(true);
    expect(aapt(apk, 'badging')).toContain("package: name='org.example.tides'");
  });

  it('aligns resources.arsc to four bytes', () => {
    const apk = buildApk(spec);
    const at = apk.indexOf(Buffer.from('resources.arsc'));
    const extra = apk.readUInt16LE(at - 2);
    expect((at + 'resources.arsc'.length + extra) % 4).toBe(0);
  });

  it('holds the signing block right before the central directory, with the certificate in it', () => {
    const apk = buildApk(spec);
    const directoryAt = apk.readUInt32LE(apk.length - 6);
    expect(apk.toString('latin1', directoryAt - 16, directoryAt)).toBe('APK Sig Block 42');
    const size = Number(apk.readBigUInt64LE(directoryAt - 24));
    const block = apk.subarray(directoryAt - size - 8, directoryAt);
    expect(Number(block.readBigUInt64LE(0))).toBe(size);
    expect(block.readUInt32LE(16)).toBe(0x7109871a);
    expect(block.includes(signerOf('tides').certificate)).toBe(true);
  });
});

describe('signerOf', () => {
  it('makes a valid self-signed certificate, the same each time and another for another seed', () => {
    const signer = signerOf('a');
    const certificate = readCertificate(signer.certificate);
    expect(certificate.subject).toBe('CN=Simulated signer a');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(signer.certificateSha256);
    expect(signerOf('b').certificateSha256).not.toBe(signer.certificateSha256);
    expect(signer.certificateSha256).toBe('67ef0e1640310054054553cdac7d027e86fe439e08bccd9bce1f4d698a64d26b');
  });
});

describe('readSigningCertificate', () => {
  it('reads the certificate back, and null from anything else', () => {
    expect(readSigningCertificate(buildApk(spec))).toEqual(signerOf('tides').certificate);
    expect(readSigningCertificate(new Uint8Array(100))).toBeNull();
    expect(readSigningCertificate(new Uint8Array())).toBeNull();
  });

  it('never throws on a broken file', () => {
    const apk = buildApk(spec);
    const blockAt = apk.indexOf('APK Sig Block 42') - 2000;
    fc.assert(
      fc.property(fc.integer({ min: Math.max(0, blockAt), max: apk.length - 1 }), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(apk);
        bytes[at] = byte;
        readSigningCertificate(bytes);
      }),
    );
  });
});

describe('readApkFacts', () => {
  it('reads what buildApk wrote', () => {
    expect(readApkFacts(buildApk(spec))).toEqual({
      package: 'org.example.tides',
      versionCode: 31,
      versionName: '3.1 beta',
      definesPermissions: ['org.example.P'],
      usesPermissions: ['android.permission.INTERNET'],
      instrumentations: [],
    });
  });

  it('answers null to anything that is no APK, and never throws', () => {
    const apk = buildApk(spec);
    fc.assert(
      fc.property(fc.nat(apk.length - 1), fc.integer({ min: 0, max: 255 }), fc.boolean(), (at, byte, cut) => {
        const bytes = Buffer.from(cut ? apk.subarray(0, at) : apk);
        if (!cut) bytes[at] = byte;
        const name = readPackageName(bytes);
        expect(name === null || typeof name === 'string').toBe(true);
        if (cut) expect(name).toBeNull();
      }),
    );
    expect(readPackageName(new Uint8Array())).toBeNull();
  });
});

function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}
