import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { ResultPart } from '../../shared/model/result-file.ts';

/** Masks secrets in a text. `around` are the characters before and after it in the file, in case one straddles an end. */
export type MaskPart = (text: string, around: { readonly before: string; readonly after: string }) => MaskedPart;
export interface MaskedPart {
  readonly text: string;
  readonly masked: number;
}

/** Looked at on either side for a secret that straddles an end, in bytes; the longest secret of v2 2.2 has 256. */
const CONTEXT_BYTES = 2_048;

/** A part of a file as text or as its very bytes; see `ResultPart`. `length` is at least 16, so that each part has a character. */
export async function readPart(
  path: string,
  { offset, length, as }: { readonly offset: number; readonly length: number; readonly as: 'text' | 'base64' },
  mask: MaskPart,
): Promise<ResultPart> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const at = Math.min(offset, size);
    const end = Math.min(size, at + length);
    const from = Math.max(0, at - CONTEXT_BYTES);
    const to = Math.min(size, end + CONTEXT_BYTES);
    const bytes = await readExactly(file, from, to - from);
    const none = { totalBytes: size, text: null, invalid: 0, masked: 0, base64: null };
    const inWindow = (position: number) => Math.min(position - from, bytes.length);
    if (as === 'base64') {
      const part = bytes.subarray(inWindow(at), inWindow(end));
      return { ...none, offset: at, nextOffset: at + part.length, base64: part.toString('base64') };
    }
    const start = characterStart(bytes, inWindow(at));
    const stop = characterStart(bytes, inWindow(end));
    const { text, invalid } = decode(bytes.subarray(start, stop));
    const before = decode(bytes.subarray(0, start)).text;
    const after = decode(bytes.subarray(stop)).text;
    const masked = mask(text, { before, after });
    return {
      ...none,
      offset: from + start,
      nextOffset: from + stop,
      text: masked.text,
      invalid,
      masked: masked.masked,
    };
  } finally {
    await file.close();
  }
}

async function readExactly(file: Awaited<ReturnType<typeof open>>, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** The place, or the start of the whole character that it would cut. A place in the middle of what is no UTF-8 stays. */
export function characterStart(bytes: Uint8Array, place: number): number {
  for (let back = 1; back <= 3 && back <= place; back++) {
    const byte = bytes[place - back] ?? 0;
    if (byte < 0x80) return place;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    const start = place - back;
    const cuts = length > back && isUtf8(bytes.subarray(start, start + length));
    return cuts ? start : place;
  }
  return place;
}

/** A U+FFFD of the file's own is a character like any other and is not counted. */
function decode(bytes: Uint8Array): { text: string; invalid: number } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (isUtf8(bytes)) return { text, invalid: 0 };
  return { text, invalid: count(text, '\ufffd') - countBytes(bytes, Buffer.from('\ufffd')) };
}

function count(text: string, what: string): number {
  let found = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) found++;
  return found;
}

function countBytes(bytes: Uint8Array, what: Buffer): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let found = 0;
  for (let at = buffer.indexOf(what); at >= 0; at = buffer.indexOf(what, at + what.length)) found++;
  return found;
}
