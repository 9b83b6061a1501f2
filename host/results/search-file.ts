import { open } from 'node:fs/promises';
import type { SearchStep } from '../../shared/model/result-file.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Between two words on how far it is, in bytes. */
const PROGRESS_BYTES = 32 * CHUNK_BYTES;

/**
 * Finds the UTF-8 bytes of a text, from an offset on, in places that do not overlap. Holds one chunk at a time. Ends
 * with `end`, or early and without it where the signal aborts.
 */
export async function* searchFile(
  path: string,
  { text, offset, limit }: { readonly text: string; readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): AsyncGenerator<SearchStep> {
  const needle = Buffer.from(text, 'utf8');
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(CHUNK_BYTES + needle.length - 1);
    let left = limit;
    let told = offset;
    for (let at = offset; at < size && !signal.aborted; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead < needle.length) break;
      const window = buffer.subarray(0, bytesRead);
      const offsets: number[] = [];
      let from = 0;
      for (let hit = window.indexOf(needle); hit >= 0; hit = window.indexOf(needle, from)) {
        offsets.push(at + hit);
        from = hit + needle.length;
        if (--left === 0) {
          yield { kind: 'hits', offsets };
          yield { kind: 'end', whole: false, nextOffset: at + from };
          return;
        }
      }
      if (offsets.length > 0) yield { kind: 'hits', offsets };
      // The last bytes may be the start of a place that goes on in the next chunk.
      at += Math.max(from, bytesRead - needle.length + 1);
      if (at - told < PROGRESS_BYTES) continue;
      told = at;
      yield { kind: 'progress', bytes: at };
    }
    if (!signal.aborted) yield { kind: 'end', whole: true, nextOffset: size };
  } finally {
    await file.close();
  }
}
