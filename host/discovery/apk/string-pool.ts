import { type ByteSource, view } from './byte-source.ts';
import { ApkFault } from './fault.ts';

/**
 * `ResStringPool` of the platform's resource format (`ResourceTypes.h`): the
 * strings of a binary manifest or of resources.arsc. Strings are decoded on
 * demand, because a hostile pool can let a million entries share one long text.
 */
const POOL_TYPE = 0x0001;
const UTF8_FLAG = 0x100;
const HEADER_BYTES = 28;
/** Longest string taken, in UTF-16 units, and what all decoded strings of a pool may hold. */
const MAX_STRING_UNITS = 256 * 1024;
const MAX_TOTAL_UNITS = 4 * 1024 * 1024;

export interface StringPool {
  readonly count: number;
  /** The string of an index, or null where the index is outside the pool (0xffffffff is "no string"). */
  string(index: number): Promise<string | null>;
}

/** Opens the pool whose chunk starts at `start`. */
export async function openStringPool(source: ByteSource, start: number): Promise<StringPool> {
  const header = view(await source.read(start, HEADER_BYTES));
  if (header.getUint16(0, true) !== POOL_TYPE) throw new ApkFault('resources-invalid', 'no string pool');
  const headerBytes = header.getUint16(2, true);
  const chunkBytes = header.getUint32(4, true);
  const count = header.getUint32(8, true);
  const utf8 = (header.getUint32(16, true) & UTF8_FLAG) !== 0;
  const stringsStart = header.getUint32(20, true);
  const end = start + chunkBytes;
  if (end > source.size || headerBytes < HEADER_BYTES || headerBytes + count * 4 > chunkBytes) {
    throw new ApkFault('resources-invalid', `a string pool of ${count} strings in ${chunkBytes} bytes`);
  }
  const decoded = new Map<number, string>();
  let total = 0;
  return {
    count,
    async string(index) {
      if (index >= count) return null;
      const known = decoded.get(index);
      if (known !== undefined) return known;
      const offset = view(await source.read(start + headerBytes + index * 4, 4)).getUint32(0, true);
      const at = start + stringsStart + offset;
      const text = utf8 ? await readUtf8(source, at, end) : await readUtf16(source, at, end);
      total += text.length;
      if (total > MAX_TOTAL_UNITS) throw new ApkFault('too-much-read', 'more text than a pool should need');
      decoded.set(index, text);
      return text;
    },
  };
}

async function readLengths(source: ByteSource, at: number, end: number): Promise<DataView> {
  if (at >= end) throw new ApkFault('resources-invalid', 'a string outside its pool');
  return view(await source.read(at, Math.min(4, end - at)));
}

async function readUtf16(source: ByteSource, at: number, end: number): Promise<string> {
  const lengths = await readLengths(source, at, end);
  if (lengths.byteLength < 2) throw new ApkFault('resources-invalid', 'a string outside its pool');
  let units = lengths.getUint16(0, true);
  let start = at + 2;
  if ((units & 0x8000) !== 0) {
    if (lengths.byteLength < 4) throw new ApkFault('resources-invalid', 'a string outside its pool');
    units = ((units & 0x7fff) << 16) | lengths.getUint16(2, true);
    start = at + 4;
  }
  checkString(start, units * 2, end, units);
  // Buffer and not TextDecoder: lone surrogates and a leading U+FEFF stay as they are.
  const bytes = await source.read(start, units * 2);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le');
}

async function readUtf8(source: ByteSource, at: number, end: number): Promise<string> {
  const lengths = await readLengths(source, at, end);
  let cursor = 0;
  function length(): number {
    if (cursor + 2 > lengths.byteLength) throw new ApkFault('resources-invalid', 'a string outside its pool');
    const first = lengths.getUint8(cursor);
    if ((first & 0x80) === 0) {
      cursor += 1;
      return first;
    }
    cursor += 2;
    return ((first & 0x7f) << 8) | lengths.getUint8(cursor - 1);
  }
  length();
  // Only the second length, in bytes, is needed; the first counts UTF-16 units.
  const bytes = length();
  checkString(at + cursor, bytes, end, bytes);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await source.read(at + cursor, bytes));
}

function checkString(start: number, bytes: number, end: number, units: number): void {
  if (units > MAX_STRING_UNITS) throw new ApkFault('too-much-read', `a string of ${units} characters`);
  if (start + bytes > end) throw new ApkFault('resources-invalid', 'a string runs past its pool');
}
