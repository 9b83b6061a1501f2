import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteWriter } from './bytes.ts';

/** A member of a zip file: bytes, or a run of zeroes that is never held in memory. */
export type ZipEntry =
  | { readonly name: string; readonly data: Uint8Array; readonly compress: boolean }
  | { readonly name: string; readonly zeroes: number };

const DOS_DATE = (1 << 9) | (1 << 5) | 1; // 1981-01-01, as reproducible builds use
const ZERO_BLOCK = Buffer.alloc(1024 * 1024);

export interface ZipLayout {
  /** Where each part of the local entries goes; the gaps are zeroes. */
  readonly parts: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** Length in bytes of the local entries. */
  readonly length: number;
  readonly centralDirectory: Buffer;
  readonly entryCount: number;
}

/** Lays out the local entries; stored data starts at a multiple of 4, as zipalign does. */
export function layoutZip(entries: readonly ZipEntry[]): ZipLayout {
  const parts: { at: number; bytes: Uint8Array }[] = [];
  const central = new ByteWriter();
  let at = 0;
  for (const entry of entries) {
    const stored = 'zeroes' in entry || !entry.compress;
    const size = 'zeroes' in entry ? entry.zeroes : entry.data.byteLength;
    const body = 'zeroes' in entry ? null : entry.compress ? deflateRawSync(entry.data) : entry.data;
    const crc = 'zeroes' in entry ? crcOfZeroes(size) : crc32(entry.data);
    const packed = body?.byteLength ?? size;
    const name = Buffer.from(entry.name);
    const padding = stored ? (4 - ((at + 30 + name.length) % 4)) % 4 : 0;
    const common = new ByteWriter()
      .u16(20)
      .u16(0x0800)
      .u16(stored ? 0 : 8)
      .u16(0)
      .u16(DOS_DATE);
    common.u32(crc).u32(packed).u32(size).u16(name.length);
    const shared = common.take();
    const local = new ByteWriter().u32(0x04034b50).bytes(shared).u16(padding).bytes(name);
    parts.push({ at, bytes: local.bytes(Buffer.alloc(padding)).take() });
    central.u32(0x02014b50).u16(20).bytes(shared).u16(0).u16(0).u16(0).u16(0).u32(0).u32(at).bytes(name);
    at += local.length;
    if (body) parts.push({ at, bytes: body });
    at += packed;
  }
  return { parts, length: at, centralDirectory: central.take(), entryCount: entries.length };
}

export function endOfCentralDirectory(count: number, size: number, offset: number): Buffer {
  return new ByteWriter().u32(0x06054b50).u16(0).u16(0).u16(count).u16(count).u32(size).u32(offset).u16(0).take();
}

function crcOfZeroes(size: number): number {
  let crc = 0;
  for (let left = size; left > 0; left -= ZERO_BLOCK.length) {
    crc = crc32(ZERO_BLOCK.subarray(0, Math.min(left, ZERO_BLOCK.length)), crc);
  }
  return crc;
}

/** Reads one member; null where it is absent. Throws `RangeError` on a broken file or a member above `maxBytes`. */
export function readZipEntry(file: Uint8Array, name: string, maxBytes: number): Buffer | null {
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const end = findEnd(buffer);
  let at = buffer.readUInt32LE(end + 16);
  for (let left = buffer.readUInt16LE(end + 10); left > 0; left--) {
    if (buffer.readUInt32LE(at) !== 0x02014b50) throw new RangeError('A broken central directory');
    const nameLength = buffer.readUInt16LE(at + 28);
    if (buffer.toString('utf8', at + 46, at + 46 + nameLength) === name) return member(buffer, at, maxBytes);
    at += 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return null;
}

function member(buffer: Buffer, at: number, maxBytes: number): Buffer {
  const packed = buffer.readUInt32LE(at + 20);
  const local = buffer.readUInt32LE(at + 42);
  const start = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28);
  if (buffer.readUInt32LE(at + 24) > maxBytes || start + packed > buffer.length) {
    throw new RangeError('A member longer than allowed');
  }
  const data = buffer.subarray(start, start + packed);
  return buffer.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data, { maxOutputLength: maxBytes });
}

function findEnd(buffer: Buffer): number {
  for (let at = buffer.length - 22; at >= Math.max(0, buffer.length - 22 - 0xffff); at--) {
    if (buffer.readUInt32LE(at) === 0x06054b50) return at;
  }
  throw new RangeError('Not a zip file');
}
