import { type ByteSource, ClosedError, type ServiceChannel } from '../userland/channel.ts';
import { ERRNO_NUMBER, FileError, type FileStat, type FileStore } from './file-store.ts';

/** Most bytes of one DATA chunk. Source: `SYNC_DATA_MAX` of AOSP adb. */
const DATA_MAX = 64 * 1024;
/** Longest path of a request, in bytes. */
const PATH_MAX = 1024;

class SyncError extends Error {
  override readonly name = 'SyncError';
}

/** Reads exact numbers of bytes from a channel. */
class ExactReader {
  readonly #source: ByteSource;
  #buffer: Uint8Array = new Uint8Array(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** `length` bytes; null when the stream ended before the first of them. */
  async read(length: number): Promise<Buffer | null> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#buffer.length === 0) {
        const chunk = await this.#source.read();
        if (chunk === null) {
          if (missing === length) return null;
          throw new ClosedError('the sync stream ended inside a request');
        }
        this.#buffer = chunk;
      }
      const part = this.#buffer.subarray(0, missing);
      this.#buffer = this.#buffer.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts, length);
  }
}

/** Serves adb's `sync:` on an open channel until QUIT, a protocol error, or the peer closes. */
export async function serveSync(channel: ServiceChannel, files: FileStore): Promise<void> {
  const reader = new ExactReader(channel);
  try {
    for (;;) {
      const header = await reader.read(8);
      if (header === null) break;
      const id = header.toString('latin1', 0, 4);
      const length = header.readUInt32LE(4);
      if (id === 'QUIT') break;
      if (length > PATH_MAX) throw new SyncError('path too long');
      const path = ((await reader.read(length)) ?? Buffer.alloc(0)).toString('utf8');
      await serveRequest(id, path, { channel, reader, files });
    }
  } catch (error) {
    if (!(error instanceof SyncError)) {
      if (!(error instanceof ClosedError)) throw error;
    } else {
      await channel.write(failure(error.message)).catch(() => undefined);
    }
  } finally {
    channel.end();
  }
}

interface SyncContext {
  readonly channel: ServiceChannel;
  readonly reader: ExactReader;
  readonly files: FileStore;
}

async function serveRequest(id: string, path: string, context: SyncContext): Promise<void> {
  const { channel, files } = context;
  switch (id) {
    case 'STAT':
      return channel.write(statV1(files, path));
    case 'STA2':
    case 'LST2':
      return channel.write(statV2(id, files, path));
    case 'LIST':
    case 'LIS2':
      return list(id, path, context);
    case 'RECV':
      return receive(path, context);
    case 'SEND':
      return send(path, context);
    default:
      throw new SyncError(`unknown command ${JSON.stringify(id)}`);
  }
}

const packet = (id: string, ...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 + 4 * numbers.length);
  bytes.write(id, 0, 'latin1');
  for (const [index, value] of numbers.entries()) bytes.writeUInt32LE(value >>> 0, 4 + 4 * index);
  return bytes;
};

const failure = (message: string): Buffer => {
  const text = Buffer.from(message, 'utf8');
  return Buffer.concat([packet('FAIL', text.length), text]);
};

function tryStat(files: FileStore, path: string): FileStat | FileError {
  try {
    return files.stat(path);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

/** v1 has no room for an error: all zero is "not there". Sizes are cut to 32 bits, as on a device. */
function statV1(files: FileStore, path: string): Buffer {
  const stat = tryStat(files, path);
  return stat instanceof FileError ? packet('STAT', 0, 0, 0) : packet('STAT', stat.mode, stat.size, stat.mtime);
}

/** `error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime`: 68 bytes after the id. */
function statFields(stat: FileStat | FileError): Buffer {
  const fields = Buffer.alloc(68);
  if (stat instanceof FileError) {
    fields.writeUInt32LE(ERRNO_NUMBER[stat.errno], 0);
    return fields;
  }
  fields.writeBigUInt64LE(64n, 4);
  fields.writeBigUInt64LE(1n, 12);
  fields.writeUInt32LE(stat.mode, 20);
  fields.writeUInt32LE(1, 24);
  fields.writeUInt32LE(2000, 28);
  fields.writeUInt32LE(2000, 32);
  fields.writeBigUInt64LE(BigInt(stat.size), 36);
  for (const offset of [44, 52, 60]) fields.writeBigUInt64LE(BigInt(stat.mtime), offset);
  return fields;
}

const statV2 = (id: string, files: FileStore, path: string): Buffer =>
  Buffer.concat([packet(id), statFields(tryStat(files, path))]);

async function list(id: 'LIST' | 'LIS2', path: string, { channel, files }: SyncContext): Promise<void> {
  const entries = (() => {
    try {
      return files.list(path);
    } catch (error) {
      if (error instanceof FileError) return [];
      throw error;
    }
  })();
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8');
    const head =
      id === 'LIST'
        ? packet('DENT', entry.mode, entry.size, entry.mtime, name.length)
        : Buffer.concat([packet('DNT2'), statFields(entry), packet('', name.length).subarray(4)]);
    await channel.write(Buffer.concat([head, name]));
  }
  await channel.write(id === 'LIST' ? packet('DONE', 0, 0, 0, 0) : Buffer.concat([packet('DONE'), Buffer.alloc(72)]));
}

async function receive(path: string, { channel, files }: SyncContext): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = files.read(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return channel.write(failure(error.message));
  }
  for (let offset = 0; offset < bytes.length; offset += DATA_MAX) {
    const chunk = bytes.subarray(offset, offset + DATA_MAX);
    await channel.write(packet('DATA', chunk.length));
    await channel.write(chunk);
  }
  await channel.write(packet('DONE', 0));
}

/** `path,mode`, then DATA chunks, then DONE with the time. A failure is told at DONE, after the rest was read. */
async function send(target: string, { channel, reader, files }: SyncContext): Promise<void> {
  const comma = target.lastIndexOf(',');
  const path = comma < 0 ? target : target.slice(0, comma);
  const mode = comma < 0 ? Number.NaN : Number.parseInt(target.slice(comma + 1), 10);
  if (!Number.isInteger(mode)) throw new SyncError(`missing mode in ${JSON.stringify(target)}`);
  let failed: FileError | null = null;
  const guarded = <T>(action: () => T): T | null => {
    try {
      return failed === null ? action() : null;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      failed = error;
      return null;
    }
  };
  const writer = guarded(() => files.open(path));
  for (;;) {
    const header = await reader.read(8);
    if (header === null) throw new ClosedError('the sync stream ended inside a file');
    const id = header.toString('latin1', 0, 4);
    const value = header.readUInt32LE(4);
    if (id === 'DONE') {
      guarded(() => writer?.commit(mode & 0o777, value));
      break;
    }
    if (id !== 'DATA') throw new SyncError(`expected DATA or DONE, got ${JSON.stringify(id)}`);
    if (value > DATA_MAX) throw new SyncError('oversize data message');
    const chunk = await reader.read(value);
    if (chunk === null && value > 0) throw new ClosedError('the sync stream ended inside a file');
    if (chunk !== null) guarded(() => writer?.write(chunk));
  }
  const problem = failed as FileError | null;
  await channel.write(problem === null ? packet('OKAY', 0) : failure(`couldn't create file: ${problem.message}`));
}
