import type { FileHandle } from 'node:fs/promises';

/** Of one write to the disk, in bytes. */
const BATCH_BYTES = 1024 * 1024;
/** Writes on their way at once: a busy machine takes milliseconds to begin and to end each of them. */
const IN_FLIGHT = 6;

/**
 * Writes a stream of bytes to a file in large batches, each at its own place, while the next is gathered. Copies what it
 * is given; never holds more than seven batches, however small the pieces are that come.
 */
export class BatchWriter {
  readonly #file: FileHandle;
  readonly #free: Buffer[] = [];
  readonly #writing = new Set<Promise<void>>();
  #buffer: Buffer = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #length = 0;
  /** Where the gathered batch goes. */
  #position = 0;
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
    return this.#addRest(part.subarray(room));
  }

  /** Writes what is gathered and waits for every write. */
  async flush(): Promise<void> {
    if (this.#length > 0) await this.#next();
    await Promise.all(this.#writing);
    this.#throwFailure();
  }

  async #addRest(rest: Uint8Array): Promise<void> {
    await this.#next();
    await this.add(rest);
  }

  /** Sets the gathered batch on its way, once there is room for it. */
  async #next(): Promise<void> {
    while (this.#writing.size >= IN_FLIGHT) await Promise.race(this.#writing);
    this.#throwFailure();
    const batch = this.#buffer;
    const write = this.#write(batch.subarray(0, this.#length), this.#position).then(() => {
      this.#writing.delete(write);
      this.#free.push(batch);
    });
    this.#writing.add(write);
    this.#position += this.#length;
    this.#length = 0;
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(BATCH_BYTES);
  }

  /** Never rejects: the failure is thrown by whoever comes next. */
  async #write(batch: Uint8Array, position: number): Promise<void> {
    try {
      for (let done = 0; done < batch.length; ) {
        done += (await this.#file.write(batch, done, batch.length - done, position + done)).bytesWritten;
      }
    } catch (error) {
      this.#failure ??= error;
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
