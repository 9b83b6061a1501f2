import { readStringPool } from './string-pool.ts';

/** An element of a binary XML document. Attribute names come from the pool; string values only. */
export interface ReadElement {
  readonly tag: string;
  readonly strings: ReadonlyMap<string, string>;
  /** Values of every other type, as their 32 bits. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly depth: number;
}

const MAX_ELEMENTS = 10_000;

/**
 * Reads the elements of a binary XML document in document order. Throws
 * `RangeError` where an offset leaves the file.
 */
export function readAxml(bytes: Uint8Array): readonly ReadElement[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.readUInt16LE(0) !== 0x0003) throw new RangeError('Not a binary XML document');
  const elements: ReadElement[] = [];
  let pool: string[] = [];
  let depth = 0;
  let at = buffer.readUInt16LE(2);
  while (at + 8 <= buffer.length && elements.length < MAX_ELEMENTS) {
    const type = buffer.readUInt16LE(at);
    const size = buffer.readUInt32LE(at + 4);
    if (size < 8) throw new RangeError('A chunk without a size');
    if (type === 0x0001) pool = readStringPool(buffer, at);
    else if (type === 0x0102) elements.push(readElement(buffer, at, pool, depth++));
    else if (type === 0x0103) depth--;
    at += size;
  }
  return elements;
}

function readElement(buffer: Buffer, chunk: number, pool: readonly string[], depth: number): ReadElement {
  const at = chunk + buffer.readUInt16LE(chunk + 2);
  const strings = new Map<string, string>();
  const numbers = new Map<string, number>();
  const start = at + buffer.readUInt16LE(at + 8);
  const size = buffer.readUInt16LE(at + 10);
  const count = buffer.readUInt16LE(at + 12);
  for (let i = 0; i < count; i++) {
    const attribute = start + i * size;
    const name = pool[buffer.readUInt32LE(attribute + 4)] ?? '';
    const type = buffer.readUInt8(attribute + 15);
    const data = buffer.readUInt32LE(attribute + 16);
    if (type === 0x03) strings.set(name, pool[data] ?? '');
    else numbers.set(name, data);
  }
  return { tag: pool[buffer.readUInt32LE(at + 4)] ?? '', strings, numbers, depth };
}
