import { openResourceTable, type Resolution } from './arsc.ts';
import { parseAxml, type XmlElement } from './axml.ts';
import type { ByteSource } from './byte-source.ts';
import { ApkFault } from './fault.ts';
import { type ManifestFacts, readManifest, referencesOf } from './manifest.ts';
import { readSigningCertificates, type SigningCertificates } from './signing-block.ts';
import { openZipEntry, readZipDirectory, type ZipDirectory } from './zip.ts';

export interface ApkFacts {
  readonly manifest: ManifestFacts;
  /** Null where the APK has only a JAR signature, or its signing block could not be read (`signingFault`). */
  readonly signing: SigningCertificates | null;
  readonly signingFault: ApkFault | null;
  /** Set where resources.arsc could not be read; the manifest then has unresolved references. */
  readonly resourcesFault: ApkFault | null;
}

const MANIFEST = 'AndroidManifest.xml';
const RESOURCES = 'resources.arsc';
const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
/** For a deflated table, which must be held in memory; a stored one is read by ranges. */
const MAX_RESOURCES_BYTES = 64 * 1024 * 1024;

/**
 * What an APK says about itself: manifest with references resolved, and
 * signing certificates. `sdk` is the device's API level. A broken manifest is
 * an `ApkFault`; a broken table or signing block costs only its own facts.
 */
export async function readApk(source: ByteSource, sdk: number | null): Promise<ApkFacts> {
  const directory = await readZipDirectory(source, (name) => name === MANIFEST || name === RESOURCES);
  const root = await parseAxml(await manifestBytes(source, directory));
  const references = referencesOf(root);
  const resources = await attempt(() => resolveAll(source, directory, references, sdk));
  const signing = await attempt(() => readSigningCertificates(source, directory.directoryOffset, sdk));
  return {
    manifest: readManifest(root, resources.value ?? new Map()),
    signing: signing.value,
    signingFault: signing.fault,
    resourcesFault: resources.fault,
  };
}

/** Only the manifest's XML tree, such as of a split. */
export async function readApkManifestTree(source: ByteSource): Promise<XmlElement> {
  const directory = await readZipDirectory(source, (name) => name === MANIFEST);
  return parseAxml(await manifestBytes(source, directory));
}

async function attempt<T>(
  read: () => Promise<T>,
): Promise<{ readonly value: T | null; readonly fault: ApkFault | null }> {
  try {
    return { value: await read(), fault: null };
  } catch (error) {
    if (error instanceof ApkFault) return { value: null, fault: error };
    throw error;
  }
}

async function manifestBytes(source: ByteSource, directory: ZipDirectory): Promise<Uint8Array> {
  const entry = directory.entries.get(MANIFEST);
  if (entry === undefined) throw new ApkFault('no-manifest', 'no AndroidManifest.xml');
  if (directory.duplicates.has(MANIFEST)) throw new ApkFault('duplicate-entry', 'AndroidManifest.xml is there twice');
  if (entry.size > MAX_MANIFEST_BYTES) throw new ApkFault('manifest-too-large', `${entry.size} bytes`);
  const manifest = await openZipEntry(source, entry, MAX_MANIFEST_BYTES);
  return manifest.read(0, manifest.size);
}

async function resolveAll(
  source: ByteSource,
  directory: ZipDirectory,
  references: ReadonlySet<number>,
  sdk: number | null,
): Promise<Map<number, Resolution>> {
  const resolved = new Map<number, Resolution>();
  const entry = directory.entries.get(RESOURCES);
  if (references.size === 0 || entry === undefined) return resolved;
  if (directory.duplicates.has(RESOURCES)) throw new ApkFault('duplicate-entry', 'resources.arsc is there twice');
  const table = await openResourceTable(await openZipEntry(source, entry, MAX_RESOURCES_BYTES), sdk);
  for (const reference of references) resolved.set(reference, await table.resolve(reference));
  return resolved;
}
