import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type { HandleStream } from '../bridge/companion/handle-stream.ts';
import { BatchWriter } from './batch-writer.ts';

/** Of one result file, in bytes, where nothing else is set. v2 2.2 asks for a local limit beside the negotiated ones. */
export const DEFAULT_MAX_FILE_BYTES = 2 * 1024 ** 3;
/** How far beyond the declared size a file is read, in bytes: enough to tell a wrong number from a stream without an end. */
export const OVERRUN_BYTES = 1024 * 1024;
/** How often progress is told at most, in ms. */
const PROGRESS_EVERY_MS = 250;

export interface ReceiveProgress {
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

export interface ReceiveOptions {
  /** Our own results folder; made where it is missing, for the owner only. */
  readonly folder: string;
  /** The call's id: a UUID, which also is the file's name. */
  readonly callId: string;
  readonly maxBytes?: number;
  /** What the Provider says that the file has; reading stops a little beyond it. Null: it says nothing usable. */
  readonly declaredBytes?: number | null;
  /** Its reason, where that is a `ProblemError`, is told as why it stopped; any other means a cancel by hand. */
  readonly signal?: AbortSignal;
  /** Ms that only grow. */
  readonly monotonic: () => number;
  readonly onProgress?: (progress: ReceiveProgress) => void;
  /** Makes the file, which must not be there; another one than the disk's own only for tests. */
  readonly openFile?: (path: string) => Promise<FileHandle>;
  /** At each chunk, however soon after the one before. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * What came. `stopped` tells whether it is all that the device sent. The file is kept unless the disk refused to take
 * it: a part that fills the disk would keep the journal from recording anything, and so every further call.
 */
export interface FileOnDisk {
  readonly path: string;
  readonly bytes: number;
  /** Of the bytes that came, lower-case hex. */
  readonly sha256: string;
  readonly durationMs: number;
  /** Null: the device's own end mark came. Else why it stopped: cut, limit, overrun, disk, cancelled. */
  readonly stopped: Problem | null;
}

const CALL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The path of a call's result; null for anything that is not a call's id, so that no other file can be named. */
export function resultPath(folder: string, callId: string): string | null {
  return CALL_ID.test(callId) ? path.join(folder, `${callId}.result`) : null;
}

/**
 * Writes a descriptor's bytes to a new file (mode 0600) and digests them on the way: no more than a chunk is held.
 * The stream is closed in every path. A file that is there already is never written over: that ends as `stopped` too.
 * Throws only on an id that is no call's.
 */
export async function receiveFile(source: HandleStream, options: ReceiveOptions): Promise<FileOnDisk> {
  const { folder, callId, monotonic, signal, maxBytes = DEFAULT_MAX_FILE_BYTES, declaredBytes = null } = options;
  const overrun = declaredBytes === null ? Number.POSITIVE_INFINITY : declaredBytes + OVERRUN_BYTES;
  const limit = Math.min(maxBytes, overrun);
  const started = monotonic();
  const hash = createHash('sha256');
  let bytes = 0;
  let file: FileHandle | null = null;
  let stopped: Problem | null = null;
  let refused = false;
  const target = resultPath(folder, callId);
  try {
    if (target === null) throw new Error(`Not the id of a call: ${callId}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      file = await (options.openFile ?? openNew)(target);
      const writer = new BatchWriter(file);
      let toldAt = started;
      try {
        for await (const chunk of source.chunks) {
          const room = limit - bytes;
          const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
          hash.update(part);
          const full = writer.add(part);
          if (full !== null) await full;
          bytes += part.length;
          options.onBytes?.(bytes);
          if (part.length < chunk.length) {
            stopped =
              overrun < maxBytes
                ? problem('result-file-overrun', { declared: declaredBytes ?? 0, bytes })
                : problem('result-file-limit', { limit: maxBytes });
            break;
          }
          if (signal?.aborted) {
            stopped = abortReason(signal, bytes);
            break;
          }
          const now = monotonic();
          if (now - toldAt >= PROGRESS_EVERY_MS) {
            toldAt = now;
            options.onProgress?.({ bytes, bytesPerSecond: rate(bytes, now - started) });
          }
        }
      } finally {
        await writer.flush();
      }
    } catch (error) {
      refused = isDiskError(error) && error.syscall.startsWith('write');
      stopped = signal?.aborted ? abortReason(signal, bytes) : stopReason(error);
    }
    const durationMs = monotonic() - started;
    options.onProgress?.({ bytes, bytesPerSecond: rate(bytes, durationMs) });
    return { path: target, bytes, sha256: hash.digest('hex'), durationMs, stopped };
  } finally {
    source.close();
    await file?.close();
    if (refused && file !== null && target !== null) await rm(target, { force: true }).catch(() => {});
  }
}

/** Removes a call's result; whether it was there does not matter. False for anything that is not a call's id. */
export async function discardFile(folder: string, callId: string): Promise<boolean> {
  const target = resultPath(folder, callId);
  if (target === null) return false;
  await rm(target, { force: true });
  return true;
}

function rate(bytes: number, ms: number): number {
  return ms <= 0 ? 0 : Math.round((bytes * 1_000) / ms);
}

function abortReason(signal: AbortSignal, bytes: number): Problem {
  return signal.reason instanceof ProblemError ? signal.reason.problem : problem('result-file-cancelled', { bytes });
}

function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600);
}

function isDiskError(error: unknown): error is Error & { readonly code: unknown; readonly syscall: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.syscall === 'string';
}

function stopReason(error: unknown): Problem {
  return isDiskError(error)
    ? problem('result-file-disk', { code: String(error.code) }, error.message)
    : toProblem(error);
}
