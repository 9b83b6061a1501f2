/** How `dd` reads a byte range: whole blocks, of which the caller cuts its part. */
export interface RangePlan {
  readonly blockSize: number;
  /** Blocks to skip and to read. */
  readonly skip: number;
  readonly count: number;
  /** Bytes before the range in the first block. */
  readonly lead: number;
}

const SMALLEST = 512;
const LARGEST = 64 * 1024;

/**
 * `dd` of Android 8 counts in blocks only, so the range is rounded outwards to
 * blocks. A block is a power of two of about a quarter of the length: at most
 * half as much again is read (1 KiB more for tiny ranges), in few system calls.
 */
export function planRange(offset: number, length: number): RangePlan {
  let blockSize = SMALLEST;
  while (blockSize < LARGEST && blockSize * 8 <= length) blockSize *= 2;
  const skip = Math.floor(offset / blockSize);
  const end = Math.ceil((offset + length) / blockSize);
  return { blockSize, skip, count: end - skip, lead: offset - skip * blockSize };
}
