import { err, ok, type Result } from '../../../shared/base/result.ts';
import { MAX_LINE_BYTES } from '../../../shared/protocols/companion/limits.ts';

export type LineFault = { readonly code: 'too-long'; readonly limit: number } | { readonly code: 'not-utf8' };

const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into UTF-8 lines (companion protocol, section 2), and hands out plain bytes where a `read` stream
 * follows a line. A line longer than the limit is found before it is whole, so that no more than the limit is kept.
 */
export class LineReader {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** Bytes at the front that hold no line end. */
  #scanned = 0;

  constructor(limit: number = MAX_LINE_BYTES) {
    this.#limit = limit;
  }

  /** Bytes received and not yet handed out. */
  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The next line without its `\n`; null until one is whole. After a fault the stream has no meaning any more. */
  next(): Result<string, LineFault> | null {
    const end = this.#findNewline();
    if (end < 0 ? this.#length >= this.#limit : end >= this.#limit) {
      return err({ code: 'too-long', limit: this.#limit });
    }
    if (end < 0) return null;
    const line = this.take(end + 1) as Uint8Array;
    try {
      return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line.subarray(0, end)));
    } catch {
      return err({ code: 'not-utf8' });
    }
  }

  /** Exactly `count` bytes; null until they are there. */
  take(count: number): Uint8Array | null {
    if (this.#length < count) return null;
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= count) return this.takeSome(count) ?? new Uint8Array(0);
    const out = new Uint8Array(count);
    for (let done = 0; done < count; ) {
      const part = this.takeSome(count - done);
      if (part === null) break;
      out.set(part, done);
      done += part.length;
    }
    return out;
  }

  /** What came in one piece, at most `count` bytes and without a copy; null where nothing is there. */
  takeSome(count: number): Uint8Array | null {
    const first = this.#chunks[0];
    if (first === undefined) return null;
    this.#scanned = 0;
    if (first.length <= count) {
      this.#chunks.shift();
      this.#length -= first.length;
      return first;
    }
    this.#chunks[0] = first.subarray(count);
    this.#length -= count;
    return first.subarray(0, count);
  }

  #findNewline(): number {
    let start = 0;
    for (const chunk of this.#chunks) {
      const from = Math.max(0, this.#scanned - start);
      if (from < chunk.length) {
        const at = chunk.indexOf(NEWLINE, from);
        if (at >= 0) return start + at;
      }
      start += chunk.length;
    }
    this.#scanned = this.#length;
    return -1;
  }
}
