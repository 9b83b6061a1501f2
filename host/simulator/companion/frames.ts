import { isUtf8 } from 'node:buffer';
import { ProtocolError } from './protocol-error.ts';

/** The longest line in either direction, in bytes, the `\n` included (section 2). */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

export type Frame = Readonly<Record<string, unknown>>;

/** Cuts a byte stream into request objects. After a bad line it is of no more use: the connection closes. */
export class FrameReader {
  private parts: Buffer[] = [];
  private size = 0;

  /** Calls `onFrame` for each whole line. Throws `ProtocolError` BAD_FRAME. */
  push(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (this.size + piece.length + 1 > MAX_LINE_BYTES) {
        throw new ProtocolError('BAD_FRAME', `The line is longer than ${MAX_LINE_BYTES} bytes`);
      }
      this.parts.push(piece);
      this.size += piece.length;
      if (end === -1) return;
      const line = Buffer.concat(this.parts, this.size);
      this.parts = [];
      this.size = 0;
      from = end + 1;
      onFrame(parseLine(line));
    }
  }
}

function parseLine(line: Buffer): Frame {
  if (line.length === 0) throw new ProtocolError('BAD_FRAME', 'The line is empty');
  if (!isUtf8(line)) throw new ProtocolError('BAD_FRAME', 'The line is not valid UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    // The engine's message would quote the line, which may hold a token.
    throw new ProtocolError('BAD_FRAME', 'The line is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProtocolError('BAD_FRAME', 'The line is not a JSON object');
  }
  return value as Frame;
}

/** The own member of a request object, or undefined; never one that the prototype lends. */
export function own(object: Frame, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function isRecord(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
