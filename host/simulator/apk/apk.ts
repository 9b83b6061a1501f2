import type { PackageSpec } from '../virtual-device.ts';
import { readAxml } from './axml-read.ts';
import { writeAxml } from './axml-write.ts';
import { signerOf } from './certificate.ts';
import { manifestOf } from './manifest.ts';
import { StringResources } from './resources.ts';
import { signingBlock } from './signing-block.ts';
import { endOfCentralDirectory, layoutZip, readZipEntry, type ZipEntry } from './zip.ts';

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
const built = new WeakMap<PackageSpec, Buffer>();

/**
 * A real APK of a spec: binary manifest, `resources.arsc`, optional stored
 * padding, an APK Signing Block. Built once a spec object. Padding is zeroes in
 * pages that the process never writes, so that 200 MB of it cost address space only.
 */
export function buildApk(spec: PackageSpec): Buffer {
  const known = built.get(spec);
  if (known) return known;
  const apk = build(spec);
  built.set(spec, apk);
  return apk;
}

function build(spec: PackageSpec): Buffer {
  const resources = new StringResources();
  const manifest = writeAxml(manifestOf(spec, resources));
  const entries: ZipEntry[] = [
    { name: 'AndroidManifest.xml', data: manifest, compress: true },
    { name: 'resources.arsc', data: resources.write(spec.package), compress: false },
  ];
  if (spec.paddingBytes > 0) entries.push({ name: 'assets/padding.bin', zeroes: spec.paddingBytes });
  const zip = layoutZip(entries);
  const signer = signerOf(spec.signer);
  // The block's length does not depend on its digests, so a trial tells where the directory will stand.
  const trial = signingBlock(signer, []);
  const { centralDirectory } = zip;
  const directoryAt = zip.length + trial.length;
  const apk = Buffer.alloc(directoryAt + centralDirectory.length + 22);
  for (const part of zip.parts) apk.set(part.bytes, part.at);
  const count = zip.entryCount;
  // The signed end record points at the block, as if it were not there.
  const signedEnd = endOfCentralDirectory(count, centralDirectory.length, zip.length);
  const block = signingBlock(signer, [apk.subarray(0, zip.length), centralDirectory, signedEnd]);
  apk.set(block, zip.length);
  apk.set(centralDirectory, directoryAt);
  const end = endOfCentralDirectory(count, centralDirectory.length, directoryAt);
  apk.set(end, directoryAt + centralDirectory.length);
  return apk;
}

/** What an installer reads of an APK before anything else. */
export interface ApkFacts {
  readonly package: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly definesPermissions: readonly string[];
  readonly usesPermissions: readonly string[];
  readonly instrumentations: readonly string[];
}

/** Reads the manifest of any APK, whatever built it; null where it is no APK. */
export function readApkFacts(apk: Uint8Array): ApkFacts | null {
  try {
    const bytes = readZipEntry(apk, 'AndroidManifest.xml', MAX_MANIFEST_BYTES);
    if (bytes === null) return null;
    const elements = readAxml(bytes);
    const root = elements[0];
    const name = root?.strings.get('package');
    if (root?.tag !== 'manifest' || name === undefined) return null;
    const names = (tag: string): string[] =>
      elements.filter((element) => element.tag === tag).flatMap((element) => element.strings.get('name') ?? []);
    return {
      package: name,
      versionCode: root.numbers.get('versionCode') ?? 0,
      versionName: root.strings.get('versionName') ?? '',
      definesPermissions: names('permission'),
      usesPermissions: names('uses-permission'),
      instrumentations: names('instrumentation'),
    };
  } catch {
    // Offsets and compressed data of a broken or hostile file throw; to an installer it is all one: no APK.
    return null;
  }
}

/** The package name in an APK's manifest; null where it is no APK. */
export function readPackageName(apk: Uint8Array): string | null {
  return readApkFacts(apk)?.package ?? null;
}
