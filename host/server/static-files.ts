import { readFile } from 'node:fs/promises';
import path from 'node:path';

export { openDownload, resultsFolderOf } from './result-download.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

export interface StaticFile {
  readonly body: Buffer;
  readonly type: string;
  /** Whether the name carries a content hash, so that it may be kept for good. */
  readonly immutable: boolean;
}

/**
 * Reads a file of the built renderer. `pathname` is hostile: anything that
 * leaves `root`, has no known type, or is missing answers null.
 */
export async function readStatic(root: string, pathname: string): Promise<StaticFile | null> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (decoded.includes('\0')) return null;
  const file = path.resolve(root, `.${decoded === '/' ? '/index.html' : decoded}`);
  if (!file.startsWith(path.resolve(root) + path.sep)) return null;
  const type = TYPES[path.extname(file)];
  if (type === undefined) return null;
  try {
    return { body: await readFile(file), type, immutable: decoded.startsWith('/assets/') };
  } catch {
    return null;
  }
}
