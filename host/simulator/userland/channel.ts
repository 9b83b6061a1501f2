import { Duplex } from 'node:stream';

/** Where a command reads its input. */
export interface ByteSource {
  /** The next bytes, as they come; null at the end. */
  read(): Promise<Uint8Array | null>;
}

/** Where a command writes. A write waits until the reader takes more; it rejects with `ClosedError` when nobody reads. */
export interface ByteSink {
  write(data: Uint8Array | string): Promise<void>;
}

/** The reader went away: what SIGPIPE is to a process. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

export const toBytes = (data: Uint8Array | string): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data, 'utf8') : data;

/**
 * The two ends of one open service: `peer` is what adbd holds, the rest is the
 * service's side. A chunk from the peer counts as taken only when the service
 * asks for the next one, so that adb's flow control reaches the command.
 */
export class ServiceChannel implements ByteSource, ByteSink {
  readonly peer: Duplex;
  readonly #closed = new AbortController();
  readonly #incoming: { readonly chunk: Uint8Array; readonly taken: () => void }[] = [];
  #inputEnded = false;
  #wakeReader: (() => void) | null = null;
  #wakeWriter: (() => void) | null = null;

  constructor() {
    this.peer = new Duplex({
      allowHalfOpen: true,
      read: () => this.#wake('writer'),
      write: (chunk: Buffer, _encoding, callback) => {
        this.#incoming.push({ chunk, taken: callback });
        this.#wake('reader');
      },
      final: (callback) => {
        this.#inputEnded = true;
        this.#wake('reader');
        callback();
      },
      destroy: (error, callback) => {
        this.#inputEnded = true;
        // What has arrived stays readable, so that a file that was being written is not cut short.
        for (const { chunk, taken } of this.#incoming.splice(0)) {
          taken();
          this.#incoming.push({ chunk, taken: () => undefined });
        }
        this.#closed.abort(new ClosedError('the other side closed the service'));
        this.#wake('reader');
        this.#wake('writer');
        callback(error);
      },
    });
  }

  /** Aborted when the peer closed the service, or when `end` was called and taken. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const next = this.#incoming.shift();
      if (next !== undefined) {
        next.taken();
        return next.chunk;
      }
      if (this.#inputEnded) return null;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  async write(data: Uint8Array | string): Promise<void> {
    if (this.signal.aborted) throw new ClosedError('nobody reads this service');
    const bytes = toBytes(data);
    if (bytes.length === 0 || this.peer.push(bytes)) return;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
    });
    if (this.signal.aborted) throw new ClosedError('nobody reads this service');
  }

  /** No more output; the peer closes after it has taken everything. */
  end(): void {
    if (!this.signal.aborted) this.peer.push(null);
  }

  #wake(side: 'reader' | 'writer'): void {
    if (side === 'reader') {
      const wake = this.#wakeReader;
      this.#wakeReader = null;
      wake?.();
    } else {
      const wake = this.#wakeWriter;
      this.#wakeWriter = null;
      wake?.();
    }
  }
}

/** A pipe between two commands: a write waits until the reader asked for more. */
export class Pipe implements ByteSource, ByteSink {
  #chunk: Uint8Array | null = null;
  #ended = false;
  #abandoned = false;
  #wake: (() => void)[] = [];

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const chunk = this.#chunk;
      if (chunk !== null) {
        this.#chunk = null;
        this.#notify();
        return chunk;
      }
      if (this.#ended) return null;
      await this.#change();
    }
  }

  async write(data: Uint8Array | string): Promise<void> {
    const bytes = toBytes(data);
    if (bytes.length === 0) return;
    while (this.#chunk !== null && !this.#abandoned) await this.#change();
    if (this.#abandoned) throw new ClosedError('nobody reads this pipe');
    this.#chunk = bytes;
    this.#notify();
  }

  /** The writer is done. */
  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** The reader is gone. */
  abandon(): void {
    this.#abandoned = true;
    this.#notify();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export const EMPTY_SOURCE: ByteSource = { read: () => Promise.resolve(null) };
export const NULL_SINK: ByteSink = { write: () => Promise.resolve() };

/** Everything that a source holds. Rejects above `limit` bytes. */
export async function readAll(source: ByteSource, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) {
    length += chunk.length;
    if (length > limit) throw new RangeError(`more than ${limit} bytes of input`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
