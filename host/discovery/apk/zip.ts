import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { type ByteSource, memorySource, sliceSource, view } from './byte-source.ts';
import { ApkFault } from './fault.ts';

/**
 * The few things of a ZIP file that an APK needs, by ranges: the end record,
 * the central directory, single entries. APKs are never zip64 (Android refuses
 * them), so zip64 is refused here.
 */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly compressedSize: number;
  readonly size: number;
  readonly localHeaderOffset: number;
}

export interface ZipDirectory {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** Names that stand in the directory more than once; which one counts differs between readers. */
  readonly duplicates: ReadonlySet<string>;
  /** Where the central directory starts; an APK Signing Block ends here. */
  readonly directoryOffset: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;

const inflate = promisify(inflateRaw);

/** Finds the end record: the last one whose comment reaches exactly to the end of the file. */
function findEnd(tail: Uint8Array): number {
  const data = view(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (data.getUint32(at, true) === END_SIGNATURE && at + END_BYTES + data.getUint16(at + 20, true) === tail.length) {
      return at;
    }
  }
  throw new ApkFault('not-a-zip', 'no end of central directory record');
}

/** Reads the directory. Only the entries that `wanted` accepts are kept. */
export async function readZipDirectory(source: ByteSource, wanted: (name: string) => boolean): Promise<ZipDirectory> {
  if (source.size < END_BYTES) throw new ApkFault('not-a-zip', `a file of ${source.size} bytes`);
  const tailBytes = Math.min(source.size, END_BYTES + MAX_COMMENT_BYTES);
  const tail = await source.read(source.size - tailBytes, tailBytes);
  const end = findEnd(tail);
  const data = view(tail);
  const size = data.getUint32(end + 12, true);
  const directoryOffset = data.getUint32(end + 16, true);
  const hasLocator = end >= 20 && data.getUint32(end - 20, true) === ZIP64_LOCATOR_SIGNATURE;
  if (size === 0xffffffff || directoryOffset === 0xffffffff || hasLocator) {
    throw new ApkFault('zip64', 'a zip64 archive, which Android does not install');
  }
  if (data.getUint16(end + 4, true) !== 0 || data.getUint16(end + 6, true) !== 0) {
    throw new ApkFault('not-a-zip', 'an archive of several volumes');
  }
  if (size > MAX_DIRECTORY_BYTES) throw new ApkFault('entry-too-large', `a central directory of ${size} bytes`);
  const directory = await source.read(directoryOffset, size);
  return { ...readEntries(directory, data.getUint16(end + 10, true), wanted), directoryOffset };
}

function readEntries(
  directory: Uint8Array,
  count: number,
  wanted: (name: string) => boolean,
): Pick<ZipDirectory, 'entries' | 'duplicates'> {
  const entries = new Map<string, ZipEntry>();
  const duplicates = new Set<string>();
  const data = view(directory);
  const decoder = new TextDecoder();
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > directory.length || data.getUint32(at, true) !== ENTRY_SIGNATURE) {
      throw new ApkFault('not-a-zip', `entry ${index} of ${count} in the central directory is broken`);
    }
    const nameBytes = data.getUint16(at + 28, true);
    const next = at + 46 + nameBytes + data.getUint16(at + 30, true) + data.getUint16(at + 32, true);
    if (next > directory.length) throw new ApkFault('not-a-zip', `entry ${index} runs past the central directory`);
    const name = decoder.decode(directory.subarray(at + 46, at + 46 + nameBytes));
    if (wanted(name)) {
      if (entries.has(name)) duplicates.add(name);
      entries.set(name, {
        name,
        method: data.getUint16(at + 10, true),
        encrypted: (data.getUint16(at + 8, true) & 1) !== 0,
        compressedSize: data.getUint32(at + 20, true),
        size: data.getUint32(at + 24, true),
        localHeaderOffset: data.getUint32(at + 42, true),
      });
    }
    at = next;
  }
  return { entries, duplicates };
}

/**
 * Opens an entry: a stored one stays on the device and is read by ranges, a
 * deflated one is inflated into memory, at most `maxBytes`.
 */
export async function openZipEntry(source: ByteSource, entry: ZipEntry, maxBytes: number): Promise<ByteSource> {
  if (entry.encrypted) throw new ApkFault('entry-encrypted', entry.name);
  const header = view(await source.read(entry.localHeaderOffset, 30));
  if (header.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw new ApkFault('entry-corrupt', `${entry.name}: no local header`);
  }
  const start = entry.localHeaderOffset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  if (entry.method === 0) return sliceSource(source, start, entry.size);
  if (entry.method !== 8) throw new ApkFault('entry-method', `${entry.name}: compression method ${entry.method}`);
  if (entry.size > maxBytes || entry.compressedSize > maxBytes) {
    throw new ApkFault('entry-too-large', `${entry.name}: ${entry.size} bytes`);
  }
  const packed = await source.read(start, entry.compressedSize);
  let bytes: Uint8Array;
  try {
    bytes = await inflate(packed, { maxOutputLength: Math.max(1, entry.size) });
  } catch (error) {
    throw new ApkFault('entry-corrupt', `${entry.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (bytes.length !== entry.size) {
    throw new ApkFault('entry-corrupt', `${entry.name}: ${bytes.length} bytes instead of ${entry.size}`);
  }
  return memorySource(bytes);
}
