import { ApkFault } from './fault.ts';

/** A file that is read by ranges. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** Exactly `length` bytes from `offset`; a range outside the file is the fault `truncated`. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Reads one range of the file behind a source; may answer fewer bytes at the end of the file. */
export type RangeReader = (offset: number, length: number) => Promise<Uint8Array>;

const BLOCK_BYTES = 64 * 1024;

function checkRange(size: number, offset: number, length: number): void {
  const inside = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (!inside || offset + length > size) {
    throw new ApkFault('truncated', `bytes ${offset}+${length} of a file of ${size}`);
  }
}

/** Reading onwards from the last read asks for twice as much, up to this many blocks. */
const MAX_AHEAD_BLOCKS = 16;

/**
 * A source over a slow reader: whole blocks of 64 KiB, adjacent missing ones in one read, each at most once.
 * `budgetBytes` bounds what is read in all; more is the fault `too-much-read`.
 */
export function rangedSource(size: number, reader: RangeReader, budgetBytes: number): ByteSource {
  const blocks = new Map<number, Uint8Array>();
  let spent = 0;
  let nextBlock = -1;
  let ahead = 1;

  async function load(first: number, wantedLast: number): Promise<void> {
    ahead = first === nextBlock ? Math.min(ahead * 2, MAX_AHEAD_BLOCKS) : 1;
    const end = Math.ceil(size / BLOCK_BYTES);
    let last = wantedLast;
    while (last + 1 < Math.min(first + ahead, end) && !blocks.has(last + 1)) last++;
    nextBlock = last + 1;
    const offset = first * BLOCK_BYTES;
    const length = Math.min((last + 1) * BLOCK_BYTES, size) - offset;
    spent += length;
    if (spent > budgetBytes) throw new ApkFault('too-much-read', `more than ${budgetBytes} bytes`);
    const bytes = await reader(offset, length);
    if (bytes.length !== length) {
      throw new ApkFault('truncated', `asked for ${length} bytes at ${offset}, got ${bytes.length}`);
    }
    for (let block = first; block <= last; block++) {
      const start = (block - first) * BLOCK_BYTES;
      blocks.set(block, bytes.subarray(start, start + BLOCK_BYTES));
    }
  }

  return {
    size,
    async read(offset, length) {
      checkRange(size, offset, length);
      if (length === 0) return new Uint8Array(0);
      const first = Math.floor(offset / BLOCK_BYTES);
      const last = Math.floor((offset + length - 1) / BLOCK_BYTES);
      for (let block = first; block <= last; block++) {
        if (blocks.has(block)) continue;
        let end = block;
        while (end < last && !blocks.has(end + 1)) end++;
        await load(block, end);
        block = end;
      }
      const single = blocks.get(first);
      if (first === last && single !== undefined) {
        return single.subarray(offset - first * BLOCK_BYTES, offset - first * BLOCK_BYTES + length);
      }
      const joined = new Uint8Array(length);
      for (let block = first; block <= last; block++) {
        const from = Math.max(offset, block * BLOCK_BYTES);
        const to = Math.min(offset + length, (block + 1) * BLOCK_BYTES);
        const bytes = blocks.get(block);
        if (bytes === undefined) throw new Error('a loaded block is missing');
        joined.set(bytes.subarray(from - block * BLOCK_BYTES, to - block * BLOCK_BYTES), from - offset);
      }
      return joined;
    },
  };
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    async read(offset, length) {
      checkRange(bytes.length, offset, length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** A part of another source, with its own offsets. */
export function sliceSource(source: ByteSource, start: number, size: number): ByteSource {
  checkRange(source.size, start, size);
  return {
    size,
    async read(offset, length) {
      checkRange(size, offset, length);
      return source.read(start + offset, length);
    },
  };
}

/** Little-endian view of bytes; a read outside of them throws a RangeError. */
export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
