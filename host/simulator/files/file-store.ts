import type { InstalledPackage, VirtualAndroid } from '../virtual-device.ts';

/** File type bits of `st_mode`. */
export const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;

export interface FileStat {
  /** `st_mode`: type and permission bits. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** In seconds since the epoch. */
  readonly mtime: number;
}

export interface DirEntry extends FileStat {
  readonly name: string;
}

/** Why a file operation failed, as `errno` names it. */
export type FileErrno = 'ENOENT' | 'EACCES' | 'EISDIR' | 'ENOTDIR' | 'ENOSPC' | 'ENOTEMPTY' | 'EROFS';

/** What the C library prints for an errno. */
export const ERRNO_TEXT: Readonly<Record<FileErrno, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  ENOSPC: 'No space left on device',
  ENOTEMPTY: 'Directory not empty',
  EROFS: 'Read-only file system',
};

/** Linux numbers, as STA2 carries them. */
export const ERRNO_NUMBER: Readonly<Record<FileErrno, number>> = {
  ENOENT: 2,
  EACCES: 13,
  ENOTDIR: 20,
  EISDIR: 21,
  ENOSPC: 28,
  EROFS: 30,
  ENOTEMPTY: 39,
};

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly errno: FileErrno;

  constructor(errno: FileErrno) {
    super(ERRNO_TEXT[errno]);
    this.errno = errno;
  }
}

/** A file that is being written; it is visible under its path only after `commit`. */
export interface FileWriter {
  write(bytes: Uint8Array): void;
  commit(mode: number, mtime: number): void;
}

/** The made-up time of files that come with the device: 2024-01-01T00:00:00Z, in seconds. */
const BOOT_SECONDS = 1_704_067_200;

const ROOTS = [
  '/',
  '/dev',
  '/data',
  '/data/app',
  '/data/local',
  '/data/local/tmp',
  '/sdcard',
  '/system',
  '/system/bin',
];
/** Where the shell user may write. */
const WRITABLE = ['/data/local/tmp', '/sdcard'];
/** The shell user may pass through it but not list it. */
const UNLISTABLE = new Set(['/data', '/data/app', '/data/local']);
/** Bytes that all written files may take together. */
const CAPACITY = 1024 * 1024 * 1024;

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly mtime: number;
}

/** The path of a package's APK. */
export function apkPathOf(installed: InstalledPackage): string {
  return installed.codePath.endsWith('.apk') ? installed.codePath : `${installed.codePath}/base.apk`;
}

/** Makes `.`, `..` and doubled slashes disappear; relative paths start at `/`. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * The files of one virtual device, as uid 2000 sees them: what was written lies
 * in memory, and each installed package's `base.apk` is read from the Android
 * model without a copy. Throws `FileError`.
 */
export class FileStore {
  readonly #android: VirtualAndroid;
  readonly #now: () => number;
  readonly #files = new Map<string, StoredFile>([
    ['/dev/null', { bytes: new Uint8Array(0), mode: 0o666, mtime: BOOT_SECONDS }],
  ]);
  readonly #dirs = new Set<string>(ROOTS);

  constructor(android: VirtualAndroid, now: () => number = Date.now) {
    this.#android = android;
    this.#now = now;
  }

  stat(path: string): FileStat {
    const at = normalizePath(path);
    const file = this.#files.get(at);
    if (file !== undefined) return { mode: S_IFREG | file.mode, size: file.bytes.length, mtime: file.mtime };
    const apk = this.#apk(at);
    if (apk !== null) return { mode: S_IFREG | 0o644, size: apk.length, mtime: BOOT_SECONDS };
    if (this.#isDir(at)) return { mode: S_IFDIR | 0o771, size: 4096, mtime: BOOT_SECONDS };
    throw new FileError('ENOENT');
  }

  /** The file's bytes; not to be changed. */
  read(path: string): Uint8Array {
    const at = normalizePath(path);
    const bytes = this.#files.get(at)?.bytes ?? this.#apk(at);
    if (bytes !== null && bytes !== undefined) return bytes;
    throw new FileError(this.#isDir(at) ? 'EISDIR' : 'ENOENT');
  }

  list(path: string): readonly DirEntry[] {
    const at = normalizePath(path);
    if (!this.#isDir(at)) throw new FileError(this.#files.has(at) || this.#apk(at) !== null ? 'ENOTDIR' : 'ENOENT');
    if (UNLISTABLE.has(at)) throw new FileError('EACCES');
    const prefix = at === '/' ? '/' : `${at}/`;
    const names = new Set<string>();
    for (const known of [...this.#dirs, ...this.#files.keys(), ...this.#apkPaths()]) {
      if (known.startsWith(prefix) && known !== prefix) names.add(known.slice(prefix.length).split('/', 1)[0] ?? '');
    }
    return [...names].sort().map((name) => ({ name, ...this.stat(prefix + name) }));
  }

  /** Starts a file. Missing folders are made, as the sync service does. */
  open(path: string): FileWriter {
    const at = normalizePath(path);
    this.#mayWrite(at);
    if (this.#isDir(at)) throw new FileError('EISDIR');
    const chunks: Uint8Array[] = [];
    let length = 0;
    return {
      write: (bytes) => {
        length += bytes.length;
        if (this.#used() + length > CAPACITY) throw new FileError('ENOSPC');
        chunks.push(Uint8Array.from(bytes));
      },
      commit: (mode, mtime) => {
        this.#makeParents(at);
        this.#files.set(at, { bytes: Buffer.concat(chunks, length), mode: mode & 0o777, mtime });
      },
    };
  }

  write(path: string, bytes: Uint8Array, mode = 0o644): void {
    const writer = this.open(path);
    writer.write(bytes);
    writer.commit(mode, Math.floor(this.#now() / 1000));
  }

  makeDir(path: string): void {
    const at = normalizePath(path);
    this.#mayWrite(at);
    this.#makeParents(at);
    this.#dirs.add(at);
  }

  remove(path: string, recursive: boolean): void {
    const at = normalizePath(path);
    if (!this.#files.has(at) && this.#apk(at) === null && !this.#isDir(at)) throw new FileError('ENOENT');
    this.#mayWrite(at);
    if (this.#files.delete(at)) return;
    const inside = [...this.#files.keys(), ...this.#dirs].filter((known) => known.startsWith(`${at}/`));
    if (!recursive) throw new FileError('EISDIR');
    for (const known of [...inside, at]) {
      this.#files.delete(known);
      this.#dirs.delete(known);
    }
  }

  #used(): number {
    let bytes = 0;
    for (const file of this.#files.values()) bytes += file.bytes.length;
    return bytes;
  }

  #mayWrite(at: string): void {
    if (WRITABLE.some((root) => at.startsWith(`${root}/`))) return;
    throw new FileError(at.startsWith('/data') || WRITABLE.includes(at) ? 'EACCES' : 'EROFS');
  }

  #makeParents(at: string): void {
    for (let end = at.lastIndexOf('/'); end > 0; end = at.lastIndexOf('/', end - 1)) {
      const parent = at.slice(0, end);
      if (this.#files.has(parent)) throw new FileError('ENOTDIR');
      this.#dirs.add(parent);
    }
  }

  #isDir(at: string): boolean {
    return this.#dirs.has(at) || this.#apkPaths().some((apk) => apk.startsWith(`${at}/`));
  }

  #apkPaths(): readonly string[] {
    return this.#android.packages().map(apkPathOf);
  }

  #apk(at: string): Uint8Array | null {
    const installed = this.#android.packages().find((candidate) => apkPathOf(candidate) === at);
    return installed === undefined ? null : this.#android.apk(installed.spec.package);
  }
}
