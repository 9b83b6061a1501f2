import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Of one read from the kernel, in bytes. Node's own is 64 KiB, in fresh memory each time. */
const READ_BYTES = 256 * 1024;
/** What is shorter is copied, so that an answer of a few bytes does not hold a large buffer. */
const COPY_BELOW_BYTES = 32 * 1024;
/** Buffers that are kept for reads to come. */
const MAX_FREE = 16;

/**
 * A TCP connection for streams of hundreds of MiB: whoever has let go of a chunk may give its memory back for the next
 * reads. Where nobody does, it is an ordinary stream.
 */
export class BulkSocket extends Duplex {
  readonly #socket: Socket;
  readonly #own = new WeakSet<ArrayBufferLike>();
  readonly #free: Uint8Array[] = [];

  /** Emits `connect` as a socket does. */
  constructor(address: { readonly host: string; readonly port: number }) {
    super({ allowHalfOpen: false });
    const onread = {
      buffer: () => this.#free.pop() ?? this.#allocate(),
      callback: (length: number, buffer: Uint8Array) => {
        const chunk = buffer.subarray(0, length);
        if (length >= COPY_BELOW_BYTES) return this.push(chunk);
        const more = this.push(Buffer.from(chunk));
        this.recycle(chunk);
        return more;
      },
    };
    this.#socket = connect({ host: address.host, port: address.port, noDelay: true, keepAlive: true, onread });
    this.#socket.on('connect', () => this.emit('connect'));
    let ended = false;
    this.#socket.on('end', () => {
      ended = true;
      this.push(null);
    });
    this.#socket.on('error', (error) => this.destroy(error));
    // After an end what came is still to be read; the stream then closes by itself.
    this.#socket.on('close', () => ended || this.destroy());
  }

  /** Takes a whole chunk's memory back. Nobody may read the chunk, or a part of it, from here on. */
  recycle(chunk: Uint8Array): void {
    const memory = chunk.buffer;
    if (this.#own.has(memory) && this.#free.length < MAX_FREE) this.#free.push(new Uint8Array(memory));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    // The other side may have closed all of it meanwhile.
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #allocate(): Uint8Array {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    this.#own.add(buffer.buffer);
    return buffer;
  }
}
