import { ByteWriter, resChunk } from './bytes.ts';

const RES_STRING_POOL_TYPE = 0x0001;
const UTF8_FLAG = 0x100;

/** A UTF-16 `ResStringPool` without styles, as aapt writes for manifests. */
export function writeStringPool(strings: readonly string[]): Buffer {
  const offsets = new ByteWriter();
  const data = new ByteWriter();
  for (const text of strings) {
    offsets.u32(data.length);
    // 15 bits of length in one unit, or 31 bits in two with the high bit of the first set.
    if (text.length > 0x7fff) data.u16(0x8000 | (text.length >>> 16)).u16(text.length & 0xffff);
    else data.u16(text.length);
    data.bytes(Buffer.from(text, 'utf16le')).u16(0);
  }
  data.pad(4);
  const header = new ByteWriter()
    .u32(strings.length)
    .u32(0)
    .u32(0)
    .u32(28 + offsets.length)
    .u32(0)
    .take();
  return resChunk(RES_STRING_POOL_TYPE, header, new ByteWriter().bytes(offsets.take()).bytes(data.take()).take());
}

/** Collects strings, each once, in order of first use. */
export class StringTable {
  readonly strings: string[] = [];
  private readonly indexes = new Map<string, number>();

  index(text: string): number {
    const known = this.indexes.get(text);
    if (known !== undefined) return known;
    this.strings.push(text);
    this.indexes.set(text, this.strings.length - 1);
    return this.strings.length - 1;
  }
}

/** Reads a pool that starts at `offset`, in UTF-8 or UTF-16. Throws `RangeError` on offsets outside the buffer. */
export function readStringPool(buffer: Buffer, offset: number): string[] {
  const count = buffer.readUInt32LE(offset + 8);
  const utf8 = (buffer.readUInt32LE(offset + 16) & UTF8_FLAG) !== 0;
  const start = offset + buffer.readUInt32LE(offset + 20);
  if (offset + 28 + count * 4 > buffer.length) throw new RangeError('String pool is longer than the file');
  const strings: string[] = [];
  for (let i = 0; i < count; i++) {
    const at = start + buffer.readUInt32LE(offset + 28 + i * 4);
    strings.push(utf8 ? readUtf8(buffer, at) : readUtf16(buffer, at));
  }
  return strings;
}

function readUtf16(buffer: Buffer, at: number): string {
  let length = buffer.readUInt16LE(at);
  let from = at + 2;
  if (length & 0x8000) {
    length = ((length & 0x7fff) << 16) | buffer.readUInt16LE(from);
    from += 2;
  }
  if (from + length * 2 > buffer.length) throw new RangeError('String is longer than the file');
  return buffer.toString('utf16le', from, from + length * 2);
}

function readUtf8(buffer: Buffer, at: number): string {
  // First the length in UTF-16 units, then the length in bytes, each in one or two bytes.
  let from = at + (buffer.readUInt8(at) & 0x80 ? 2 : 1);
  let length = buffer.readUInt8(from);
  from += 1;
  if (length & 0x80) {
    length = ((length & 0x7f) << 8) | buffer.readUInt8(from);
    from += 1;
  }
  if (from + length > buffer.length) throw new RangeError('String is longer than the file');
  return buffer.toString('utf8', from, from + length);
}
