import { crc32, inflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** 1 January 1980, the first day that a ZIP can tell: the same in every build. */
const FIXED_DATE = 0x0021;
/** Android maps `resources.arsc` from the file, which needs its first byte at a multiple of 4. */
const ALIGNMENT = 4;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/**
 * A ZIP of entries that are stored and aligned, sorted by name. Nothing in it
 * depends on a clock, a file system or a version of zlib, so equal files give equal bytes.
 */
export function storedZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const nameBytes = Buffer.from(name, 'utf8');
    const padding = (ALIGNMENT - ((offset + 30 + nameBytes.length) % ALIGNMENT)) % ALIGNMENT;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(10, 0);
    common.writeUInt16LE(FIXED_DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    common.writeUInt16LE(padding, 24);
    parts.push(uint32(LOCAL), common, nameBytes, Buffer.alloc(padding), Buffer.from(bytes));

    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const central = Buffer.from(common);
    central.writeUInt16LE(0, 24);
    directory.push(uint32(CENTRAL), Buffer.from([10, 0]), central, tail, nameBytes);
    offset += 30 + nameBytes.length + padding + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, uint32(END), end]);
}

/** The files of a ZIP that aapt has written. Throws `Error` on what aapt does not write. */
export function readZip(zip: Buffer): ZipFile[] {
  const end = zip.lastIndexOf(uint32(END));
  if (end < 0) throw new Error('Not a ZIP');
  const files: ZipFile[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, nameLength] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const raw = zip.subarray(start, start + size);
    if (method !== 0 && method !== 8) throw new Error(`${name} is compressed with method ${method}`);
    files.push({ name, bytes: method === 0 ? raw : inflateRawSync(raw) });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

function uint32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}
