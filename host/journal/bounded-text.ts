import { createHash } from 'node:crypto';

/** In UTF-8 bytes of an event's stored text. */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;
const ROOM_FOR_MARKER = 256;

/**
 * JSON text of at most `limit` bytes. A longer one becomes
 * `{"truncated":{"bytes","sha256","head"}}`: length and digest of the whole,
 * and its beginning.
 */
export function boundText(text: string, limit = MAX_EVENT_BYTES): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit) return text;
  const sha256 = createHash('sha256').update(text).digest('hex');
  const room = limit - ROOM_FOR_MARKER;
  let head = cut(text, room);
  for (let size = quotedBytes(head); size > room; size = quotedBytes(head)) {
    head = cut(head, Math.floor((head.length * room) / size) - 1);
  }
  return JSON.stringify({ truncated: { bytes, sha256, head } });
}

function quotedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The first `length` UTF-16 units, without half a character at the end. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
