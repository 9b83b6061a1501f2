import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isPlainName } from '../../shared/collections/file-names.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';

/** A regular file inside the folder, as it was at one moment. */
export interface ReadFile {
  readonly text: string;
  readonly sha256: string;
}

/** The real path of a folder that a person named. Throws `collection-*`. */
export async function realFolder(named: string): Promise<string> {
  const expanded = /^~(?=[/\\]|$)/.test(named) ? path.join(os.homedir(), named.slice(1)) : named;
  if (!path.isAbsolute(expanded) || expanded.includes('\0')) {
    throw new ProblemError(problem('collection-not-absolute', { path: named.slice(0, 300) }));
  }
  try {
    const real = await realpath(expanded);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new ProblemError(problem('collection-no-folder', { path: named.slice(0, 300) }, codeOf(error)));
  }
  throw new ProblemError(problem('collection-no-folder', { path: named.slice(0, 300) }, 'ENOTDIR'));
}

/**
 * Reads a file by its path inside the folder. Never follows a symbolic link,
 * never waits for a pipe, never reads more than the limit. Null: there is none.
 */
export async function readInside(folder: string, file: string, maxBytes: number): Promise<ReadFile | null> {
  const full = await insidePath(folder, file);
  if (full === null) return null;
  const handle = await orProblem(file, () =>
    open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)),
  );
  try {
    const { size } = await regular(handle, file);
    if (size > maxBytes) throw new ProblemError(problem('saved-call-too-large', { bytes: size, limit: maxBytes }));
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    // It grew while it was read: what was had is half of something.
    if (length > size) throw new ProblemError(problem('saved-call-changed', { file }));
    const bytes = buffer.subarray(0, length);
    if (!isUtf8(bytes)) throw new ProblemError(problem('saved-call-not-utf8', { file }));
    return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest('hex') };
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file whole or not at all. `before` is the SHA-256 that the file had
 * when it was read, null for a file that must not be there yet: what changed
 * on disk meanwhile is never overwritten.
 */
export async function writeInside(
  folder: string,
  file: string,
  text: string,
  options: { readonly before: string | null; readonly maxBytes: number; readonly mode?: number },
): Promise<void> {
  const segments = file.split('/');
  const name = segments.pop() ?? '';
  const parent = await parentFolder(folder, segments);
  const full = path.join(parent, name);
  const temporary = path.join(parent, `.${name.slice(0, 60)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await orProblem(file, async () => {
      const handle = await open(temporary, 'wx', options.mode ?? 0o644);
      try {
        await handle.writeFile(text, 'utf8');
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
    if (options.before === null) await placeNew(temporary, full, file, text);
    else {
      await requireUnchanged(folder, file, options.before, options.maxBytes);
      await orProblem(file, () => rename(temporary, full));
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes a file, if it is still the one that was read. */
export async function removeInside(folder: string, file: string, before: string, maxBytes: number): Promise<void> {
  await requireUnchanged(folder, file, before, maxBytes);
  const full = await insidePath(folder, file);
  if (full !== null) await orProblem(file, () => rm(full));
}

export interface FoundFile {
  readonly file: string;
  /** A link, a pipe, a name that is not portable: listed, never opened. */
  readonly odd: boolean;
}

/** Files below the folder whose names end so, links and hidden names left closed. */
export async function filesBelow(
  folder: string,
  wanted: (name: string) => boolean,
  limits: { readonly depth: number; readonly looked: number; readonly skip: ReadonlySet<string> },
): Promise<{ readonly files: readonly FoundFile[]; readonly complete: boolean }> {
  const files: FoundFile[] = [];
  const queue: string[][] = [[]];
  let looked = 0;
  let complete = true;
  for (let segments = queue.shift(); segments !== undefined; segments = queue.shift()) {
    const items = await orProblem(segments.join('/') || '.', () =>
      readdir(path.join(folder, ...(segments as string[])), { withFileTypes: true }),
    );
    for (const item of items) {
      if (++looked > limits.looked) return { files, complete: false };
      if (item.name.startsWith('.')) continue;
      const at = [...segments, item.name];
      if (item.isDirectory()) {
        if (segments.length === 0 && limits.skip.has(item.name)) continue;
        if (item.name === 'node_modules' || !isPlainName(item.name)) continue;
        if (at.length >= limits.depth) complete = false;
        else queue.push(at);
      } else if (wanted(item.name)) files.push({ file: at.join('/'), odd: !item.isFile() });
    }
  }
  return { files, complete };
}

/** The full path of a file that is really inside; null where there is none. */
async function insidePath(folder: string, file: string): Promise<string | null> {
  const full = path.join(folder, ...file.split('/'));
  let real: string;
  try {
    real = await realpath(full);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw new ProblemError(problem('collection-io', { file: file.slice(0, 300) }, codeOf(error)));
  }
  // A link anywhere on the way, in the file or in one of its folders, leads to another real path.
  if (real !== full) throw new ProblemError(problem('saved-call-outside', { file: file.slice(0, 300) }));
  return full;
}

/** Makes the folders of a file one by one, so that none is made through a link. */
async function parentFolder(folder: string, segments: readonly string[]): Promise<string> {
  let at = folder;
  for (const segment of segments) {
    at = path.join(at, segment);
    await orProblem(segments.join('/'), async () => {
      await mkdir(at).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
    });
    const found = await orProblem(segments.join('/'), () => lstat(at));
    if (!found.isDirectory()) throw new ProblemError(problem('saved-call-outside', { file: segments.join('/') }));
  }
  return at;
}

async function placeNew(temporary: string, full: string, file: string, text: string): Promise<void> {
  try {
    await link(temporary, full);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new ProblemError(problem('saved-call-exists', { file }));
    // A file system without hard links: not whole at once, but still never over another file.
    await orProblem(file, async () => {
      const handle = await open(full, 'wx');
      try {
        await handle.writeFile(text, 'utf8');
      } finally {
        await handle.close();
      }
    });
  }
}

async function requireUnchanged(folder: string, file: string, before: string, maxBytes: number): Promise<void> {
  const now = await readInside(folder, file, maxBytes);
  if (now === null) throw new ProblemError(problem('saved-call-gone', { file }));
  if (now.sha256 !== before) throw new ProblemError(problem('saved-call-changed', { file }));
}

async function regular(handle: Awaited<ReturnType<typeof open>>, file: string) {
  const found = await handle.stat();
  if (!found.isFile()) throw new ProblemError(problem('saved-call-outside', { file: file.slice(0, 300) }));
  return found;
}

async function orProblem<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const code = codeOf(error);
    if (code === 'EEXIST') throw new ProblemError(problem('saved-call-exists', { file: file.slice(0, 300) }));
    throw new ProblemError(problem('collection-io', { file: file.slice(0, 300) }, code));
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException)?.code ?? (error instanceof Error ? error.message : String(error));
}
