import type { FileHandle } from 'node:fs/promises';

/** Of one buffer, in bytes. */
const BATCH_BYTES = 1024 * 1024;
/** Full buffers that wait while others are written. */
const MAX_WAITING = 3;

/**
 * Writes a stream of bytes to a file in large batches while the next is gathered. One write is under way at a time, of
 * all that waits: a file takes one at a time anyway, and more would only stand in each other's way. Copies what it is
 * given; never holds more than eight batches, however small the pieces are that come.
 */
export class BatchWriter {
  readonly #file: FileHandle;
  readonly #free: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #length = 0;
  #waiting: Buffer[] = [];
  #position = 0;
  /** The write under way. */
  #writing: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Null where it has been taken; else it must be waited for before the next. Rejects with what the disk said. */
  add(part: Uint8Array): Promise<void> | null {
    const room = BATCH_BYTES - this.#length;
    if (part.length < room) {
      this.#buffer.set(part, this.#length);
      this.#length += part.length;
      return null;
    }
    this.#buffer.set(part.subarray(0, room), this.#length);
    this.#length = BATCH_BYTES;
    this.#next();
    const rest = part.subarray(room);
    return this.#waiting.length < MAX_WAITING && this.#failure === null ? this.add(rest) : this.#addLater(rest);
  }

  /** Writes what is gathered and waits for every write. */
  async flush(): Promise<void> {
    if (this.#length > 0) this.#next();
    while (this.#writing !== null) await this.#writing;
    this.#throwFailure();
  }

  async #addLater(rest: Uint8Array): Promise<void> {
    while (this.#writing !== null && this.#waiting.length >= MAX_WAITING) await this.#writing;
    this.#throwFailure();
    await this.add(rest);
  }

  /** The gathered batch waits from here on. */
  #next(): void {
    this.#waiting.push(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(BATCH_BYTES);
    if (this.#writing === null && this.#failure === null) this.#writing = this.#write();
  }

  /** Never rejects: the failure is thrown by whoever comes next. */
  async #write(): Promise<void> {
    const batches = this.#waiting;
    this.#waiting = [];
    try {
      await this.#writeAll(batches);
    } catch (error) {
      this.#failure ??= error;
    }
    for (const batch of batches) this.#free.push(Buffer.from(batch.buffer));
    this.#writing = this.#waiting.length > 0 && this.#failure === null ? this.#write() : null;
  }

  /** A write may take less than it was given. */
  async #writeAll(batches: readonly Buffer[]): Promise<void> {
    let left: readonly Buffer[] = batches;
    while (left.length > 0) {
      const { bytesWritten } = await this.#file.writev(left, this.#position);
      this.#position += bytesWritten;
      left = after(left, bytesWritten);
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

/** What is left of a list of buffers behind so many bytes. */
function after(buffers: readonly Buffer[], bytes: number): readonly Buffer[] {
  let skip = bytes;
  for (const [index, buffer] of buffers.entries()) {
    if (skip < buffer.length) return [buffer.subarray(skip), ...buffers.slice(index + 1)];
    skip -= buffer.length;
  }
  return [];
}
