import { isJsonObject, member, parseJson } from '../../../shared/base/json.ts';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import { type Frame, parseFrame, readError, requestLine } from '../../../shared/protocols/companion/frames.ts';
import { MAX_READ_CHUNK_BYTES } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import type { ServiceStream } from '../../adb/transport.ts';
import { type CompanionAddress, helloParams, numberOf } from './companion-connection.ts';
import { wireErrorProblem } from './companion-problems.ts';
import { LineReader } from './line-reader.ts';

export interface HandleStream {
  /** In bytes, as the device gives it; null where it does not know. */
  readonly size: number | null;
  /**
   * The bytes, as fast as they are taken. Ends only after the device's own end mark; anything else throws
   * `ProblemError` (`companion.read-cut`, the device's I/O error, `call-cancelled`). Leaving the loop closes the descriptor.
   * A chunk is good until the next is asked for: its memory is used again.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection, and with it the descriptor, without reading on. */
  close(): void;
}

/** Taken from the socket before it was asked for, in bytes. */
const MAX_AHEAD_BYTES = 1024 * 1024;
const END_OF_STREAM = 0;
const ERROR_FOLLOWS = 0xffffffff;

/** Reads an `fd` handle on a connection of its own (`read`, sections 3 and 6). Reading consumes the handle. */
export async function openHandleStream(
  io: DeviceIo,
  address: CompanionAddress,
  handle: string,
  signal?: AbortSignal,
): Promise<HandleStream> {
  const source = new ByteSource(await io.openLocalAbstract(address.socket, signal), signal);
  try {
    source.write(requestLine(1, 'hello', helloParams(address)));
    okOf(await source.frame(), 1);
    source.write(requestLine(2, 'read', JSON.stringify({ handle })));
    const size = numberOf(okOf(await source.frame(), 2), 'size');
    const known = size !== null && Number.isSafeInteger(size) && size >= 0;
    return { size: known ? size : null, chunks: readChunks(source), close: () => source.close() };
  } catch (error) {
    source.close();
    throw error;
  }
}

async function* readChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      source.recycle();
      const length = Buffer.from(await source.take(4)).readUInt32BE(0);
      if (length === END_OF_STREAM) return;
      if (length === ERROR_FOLLOWS) throw new ProblemError(endingError(await source.line()));
      if (length > MAX_READ_CHUNK_BYTES) {
        throw new ProblemError(problem('companion.bad-reply', { reason: `a chunk of ${length} bytes` }));
      }
      for (let left = length; left > 0; ) {
        const part = await source.takeSome(left);
        left -= part.length;
        yield part;
        source.recycle();
      }
    }
  } finally {
    source.close();
  }
}

function endingError(line: string) {
  const parsed = parseJson(line);
  const error = parsed.ok && isJsonObject(parsed.value.value) ? readError(member(parsed.value.value, 'error')) : null;
  return error === null
    ? problem('companion.bad-reply', { reason: 'no error after the error mark' }, line.slice(0, 2_000))
    : wireErrorProblem(error);
}

function okOf(frame: Frame, id: number) {
  if (frame.kind === 'error') throw new ProblemError(wireErrorProblem(frame.error));
  if (frame.kind === 'event' || frame.id !== id) {
    throw new ProblemError(problem('companion.bad-reply', { reason: 'not the answer that was waited for' }));
  }
  return frame.value;
}

/** Pulls lines and bytes out of a stream; no more than a MiB is read ahead of need. */
class ByteSource {
  readonly #stream: ServiceStream;
  /** Chunks that are not wholly handed out, each with its end in the stream. */
  readonly #chunks: { readonly bytes: Uint8Array; readonly end: number }[] = [];
  readonly #reader = new LineReader();
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.close();
  #received = 0;
  /** Set while something is waited for. */
  #wake: (() => void) | null = null;
  #ended = false;
  #failure: string | null = null;

  constructor(stream: ServiceStream, signal: AbortSignal | undefined) {
    this.#stream = stream;
    this.#signal = signal;
    // Chunks as the socket gives them: the stream's own iterator would join them, which costs a copy of every byte.
    stream.on('data', (chunk: Uint8Array) => {
      this.#received += chunk.length;
      this.#reader.push(chunk);
      this.#chunks.push({ bytes: chunk, end: this.#received });
      if (this.#reader.length >= MAX_AHEAD_BYTES) stream.pause();
      this.#wake?.();
    });
    stream.on('end', () => this.#end(null));
    stream.on('close', () => this.#end(null));
    stream.on('error', (error) => this.#end(error.message));
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.close();
  }

  write(line: string): void {
    this.#stream.write(line);
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#stream.destroy();
  }

  /** All that was handed out so far has been used: its memory may take what comes. */
  recycle(): void {
    const used = this.#received - this.#reader.length;
    while (this.#chunks[0] !== undefined && this.#chunks[0].end <= used) {
      this.#stream.recycle?.(this.#chunks[0].bytes);
      this.#chunks.shift();
    }
  }

  async frame(): Promise<Frame> {
    const line = await this.line();
    const frame = parseFrame(line);
    if (frame.ok) return frame.value;
    throw new ProblemError(problem('companion.bad-reply', { reason: frame.error.message }, line.slice(0, 2_000)));
  }

  async line(): Promise<string> {
    for (;;) {
      const next = this.#reader.next();
      if (next?.ok) return next.value;
      if (next !== null) throw new ProblemError(problem('companion.bad-reply', { reason: next.error.code }));
      await this.#more();
    }
  }

  async take(count: number): Promise<Uint8Array> {
    for (;;) {
      const bytes = this.#reader.take(count);
      if (bytes !== null) return bytes;
      await this.#more();
    }
  }

  /** At most `count` bytes, as soon as there is one. */
  async takeSome(count: number): Promise<Uint8Array> {
    for (;;) {
      const bytes = this.#reader.takeSome(count);
      if (bytes !== null) return bytes;
      await this.#more();
    }
  }

  /** Waits for more than is there. */
  async #more(): Promise<void> {
    const before = this.#received;
    while (this.#received === before && !this.#ended) {
      this.#stream.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#received > before) return;
    if (this.#signal?.aborted) throw new ProblemError(problem('call-cancelled', { sent: 'yes' }));
    throw new ProblemError(problem('companion.read-cut', { bytes: this.#received }, this.#failure));
  }

  #end(failure: string | null): void {
    this.#ended = true;
    this.#failure ??= failure;
    this.#wake?.();
  }
}
