import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { RESULTS_PATH, SECURITY_HEADERS } from '../../shared/contract/security.ts';
import { resultPath } from '../results/receive-file.ts';
import { isBeingWritten, readEntry } from '../results/result-index.ts';

/** Where the files of results lie: beside the journal, under its name. */
export function resultsFolderOf(journalFile: string): string {
  return path.join(path.dirname(journalFile), `${path.basename(journalFile, '.sqlite')}-results`);
}

export interface Download {
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they came. Whoever opened it reads or destroys it. */
  readonly stream: ReadStream;
}

/**
 * "Save as" of a result: `/results/<call id>`, always as an attachment of no type that a browser would show. Null for
 * every other path, and for a result that is gone or still comes.
 */
export async function openDownload(folder: string, pathname: string): Promise<Download | null> {
  const callId = pathname.startsWith(RESULTS_PATH) ? pathname.slice(RESULTS_PATH.length) : '';
  const target = resultPath(folder, callId);
  const entry = target === null ? null : await readEntry(folder, callId);
  if (target === null || entry === null) return null;
  const file = await open(target, 'r').catch(() => null);
  if (file === null) return null;
  const { size, mtimeMs } = await file.stat();
  if (entry.endedAtMs === null && (entry.pid === process.pid || isBeingWritten(entry, mtimeMs, Date.now()))) {
    await file.close();
    return null;
  }
  const tool = (entry.tool ?? 'result').replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
  const extension = entry.file.received?.checks.mediaType === 'same' ? 'json' : 'bin';
  return {
    headers: {
      ...SECURITY_HEADERS,
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'content-disposition': `attachment; filename="${tool}-${callId.slice(0, 8)}.${extension}"`,
      'cache-control': 'no-store',
    },
    // No more than was promised, should the file grow.
    stream: createReadStream('', { fd: file, start: 0, ...(size === 0 ? {} : { end: size - 1 }) }),
  };
}
