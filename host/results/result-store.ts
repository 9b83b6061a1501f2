import { mkdir, stat } from 'node:fs/promises';
import type { Json } from '../../shared/base/json.ts';
import type { Finding } from '../../shared/model/finding.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { KeptResult, ReceivedFile, ResultPart, SearchStep } from '../../shared/model/result-file.ts';
import type { SchemaVerdict } from '../../shared/model/schema-verdict.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { type MaskPart, readPart } from './read-part.ts';
import { resultPath } from './receive-file.ts';
import {
  type IndexEntry,
  isBeingWritten,
  type KeepPolicy,
  prune,
  readEntry,
  removeResult,
  writeEntry,
} from './result-index.ts';
import { NOTHING_CAME, receivedOf, receivedSoFar } from './result-state.ts';
import { searchFile } from './search-file.ts';
import { type TakenResult, takeResult } from './take-result.ts';
import type { Declared, VerifyOptions } from './verify-file.ts';

/** How often the rate is told while nothing comes, in ms. */
const STILL_EVERY_MS = 1_000;

export interface ResultStoreOptions {
  /** Our own folder; made when the first result comes. */
  readonly folder: string;
  readonly settings: () => KeepPolicy & { readonly maxFileBytes: number };
  readonly clock: {
    now(): number;
    monotonic(): number;
    after(ms: number, run: () => void): () => void;
  };
  readonly checkFile: VerifyOptions['checkFile'];
  /** Masks secrets that this Provider is known to have. */
  readonly mask: (deviceKey: string, providerKey: string) => MaskPart;
}

export interface TakeRequest {
  readonly callId: string;
  readonly deviceKey: string;
  readonly providerKey: string;
  readonly tool: string | null;
  readonly declared: Declared;
  readonly bridge: Bridge;
  /** Of the descriptor; consumed or released in every case. */
  readonly handle: string;
  readonly outputSchema: Json | null;
  readonly dialect: string | null;
  /** At most about four times a second, while it comes. */
  readonly onProgress: (received: ReceivedFile) => void;
}

export interface TakenFile {
  readonly received: ReceivedFile;
  readonly findings: readonly Finding[];
  readonly outputVerdict: SchemaVerdict;
}

interface Reading {
  readonly deviceKey: string;
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
  entry: IndexEntry;
}

/** The files of results (v2 4.5): takes them from devices, keeps them for a while, shows parts of them. Named by call ids alone. */
export class ResultStore {
  readonly #options: ResultStoreOptions;
  readonly #readings = new Map<string, Reading>();
  #closed = false;

  constructor(options: ResultStoreOptions) {
    this.#options = options;
  }

  /** Reads a descriptor to its end, a cancel or a failure, and judges what came. Throws on nothing but a bug. */
  take(request: TakeRequest): Promise<TakenFile> {
    const { callId, deviceKey } = request;
    const abort = new AbortController();
    if (this.#closed) abort.abort(new ProblemError(problem('host-closed')));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const reading: Reading = { deviceKey, abort, ended: promise, entry: this.#newEntry(request) };
    const before = this.#readings.get(callId)?.ended ?? Promise.resolve();
    this.#readings.set(callId, reading);
    const taken = before.then(() => this.#take(request, reading));
    const end = () => {
      if (this.#readings.get(callId) === reading) this.#readings.delete(callId);
      resolve(undefined);
    };
    taken.then(end, end);
    return taken;
  }

  /** Stops a reading; the call itself was answered already. False where none is under way. */
  cancel(callId: string): boolean {
    const reading = this.#readings.get(callId);
    if (reading === undefined || reading.abort.signal.aborted) return false;
    reading.abort.abort();
    return true;
  }

  deviceGone(deviceKey: string, reason: Problem): void {
    for (const reading of this.#readings.values()) {
      if (reading.deviceKey === deviceKey) reading.abort.abort(new ProblemError(reason));
    }
  }

  /** What is kept of a call, as far as it came; null: nothing (it was deleted, or the call had no file). */
  async info(callId: string): Promise<KeptResult | null> {
    const { folder, clock } = this.#options;
    const target = resultPath(folder, callId);
    const facts = target === null ? null : await stat(target).catch(() => null);
    const live = this.#readings.get(callId)?.entry;
    const entry = live ?? (await readEntry(folder, callId));
    if (facts === null || entry === null) return null;
    const { version: _v, deviceKey: _d, providerKey: _p, pid: _pid, ...kept } = entry;
    const interrupted = live === undefined && entry.endedAtMs === null;
    if (!interrupted || isBeingWritten(entry, facts.mtimeMs, clock.now())) return { ...kept, keptBytes: facts.size };
    return { ...asInterrupted(kept, facts.size, facts.mtimeMs), keptBytes: facts.size };
  }

  /** Throws `ProblemError` (`result-file-gone`). */
  async read(
    callId: string,
    part: { readonly offset: number; readonly length: number; readonly as: 'text' | 'base64' },
  ): Promise<ResultPart> {
    const { path, deviceKey, providerKey } = await this.#kept(callId);
    return readPart(path, part, this.#options.mask(deviceKey, providerKey)).catch((error: unknown) => {
      if (isDiskError(error)) return gone();
      throw error;
    });
  }

  /** As `searchFile`. Throws `ProblemError` (`result-file-gone`). */
  async *search(
    callId: string,
    what: { readonly text: string; readonly offset: number; readonly limit: number },
    signal: AbortSignal,
  ): AsyncGenerator<SearchStep> {
    const { path } = await this.#kept(callId);
    yield* searchFile(path, what, signal);
  }

  /** Deletes a result, ending its reading first. False where there was none. */
  async discard(callId: string): Promise<boolean> {
    const reading = this.#readings.get(callId);
    reading?.abort.abort();
    await reading?.ended;
    const was = (await this.info(callId)) !== null;
    await removeResult(this.#options.folder, callId);
    return was;
  }

  /** Applies the policy; at the start of the app, and after each result. */
  async prune(): Promise<void> {
    const { folder, settings, clock } = this.#options;
    const inUse = (callId: string) => this.#readings.has(callId);
    await prune(folder, settings(), { nowMs: clock.now(), inUse });
  }

  /** Ends every reading and waits for its file and its record. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#readings.values()];
    for (const { abort } of all) abort.abort(new ProblemError(problem('host-closed')));
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #take(request: TakeRequest, reading: Reading): Promise<TakenFile> {
    const { folder, clock } = this.#options;
    const { callId, bridge, handle, declared, outputSchema, dialect } = request;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // One of an earlier answer to the same call: an operation that is followed again after a restart.
      await removeResult(folder, callId);
      await writeEntry(folder, reading.entry);
    } catch (error) {
      await bridge.release([handle]).catch(() => {});
      return unopened(diskProblem(error));
    }
    const started = clock.monotonic();
    let stopTimer = () => {};
    let bytes = 0;
    const tell = () => {
      const durationMs = Math.max(0, clock.monotonic() - started);
      const bytesPerSecond = durationMs === 0 ? 0 : Math.round((bytes * 1_000) / durationMs);
      const received = { ...NOTHING_CAME, bytes, bytesPerSecond, durationMs };
      reading.entry = { ...reading.entry, file: { ...declared, received } };
      request.onProgress(received);
      stopTimer();
      stopTimer = clock.after(STILL_EVERY_MS, tell);
    };
    tell();
    try {
      const taken = await takeResult(
        bridge,
        handle,
        declared,
        {
          folder,
          callId,
          maxBytes: this.#options.settings().maxFileBytes,
          signal: reading.abort.signal,
          monotonic: () => clock.monotonic(),
          // A stream that falls silent was told up to its last byte a second later.
          onBytes: (count) => {
            bytes = count;
          },
          onProgress: tell,
        },
        { outputSchema, dialect, checkFile: this.#options.checkFile },
        (file) => {
          stopTimer();
          const received = { ...receivedSoFar(file), state: 'checking' as const };
          reading.entry = { ...reading.entry, file: { ...declared, received } };
          request.onProgress(received);
        },
      );
      stopTimer();
      return await this.#end(taken, reading);
    } finally {
      stopTimer();
    }
  }

  async #end(taken: TakenResult, reading: Reading): Promise<TakenFile> {
    const { folder, clock } = this.#options;
    const { callId } = reading.entry;
    if (taken.kind === 'unopened') {
      await removeResult(folder, callId).catch(() => {});
      return unopened(taken.problem);
    }
    const received = receivedOf(taken);
    const { findings, outputVerdict } = taken.verdict;
    reading.entry = {
      ...reading.entry,
      endedAtMs: clock.now(),
      file: { ...reading.entry.file, received },
      findings: [...findings],
      outputVerdict,
    };
    // Without its entry the file is shown as interrupted after a restart; in this run all is known.
    await writeEntry(folder, reading.entry).catch(() => {});
    if (this.#readings.get(callId) === reading) this.#readings.delete(callId);
    await this.prune().catch(() => {});
    return { received, findings, outputVerdict };
  }

  #newEntry({ callId, deviceKey, providerKey, tool, declared }: TakeRequest): IndexEntry {
    return {
      version: 1,
      callId,
      deviceKey,
      providerKey,
      tool,
      startedAtMs: this.#options.clock.now(),
      endedAtMs: null,
      pid: process.pid,
      file: { ...declared, received: NOTHING_CAME },
      findings: [],
      outputVerdict: NOT_READ,
    };
  }

  async #kept(callId: string): Promise<{ path: string; deviceKey: string; providerKey: string }> {
    const { folder } = this.#options;
    const path = resultPath(folder, callId);
    const entry = this.#readings.get(callId)?.entry ?? (await readEntry(folder, callId));
    if (path === null || entry === null || (await stat(path).catch(() => null)) === null) return gone();
    return { path, deviceKey: entry.deviceKey, providerKey: entry.providerKey };
  }
}

const NOT_READ: SchemaVerdict = { state: 'not-checked', issues: [], reason: 'file-not-read' };

function gone(): never {
  throw new ProblemError(problem('result-file-gone'));
}

function unopened(reason: Problem): TakenFile {
  return { received: receivedOf({ kind: 'unopened', problem: reason }), findings: [], outputVerdict: NOT_READ };
}

function isDiskError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function diskProblem(error: unknown): Problem {
  const code = isDiskError(error) ? String(error.code) : '';
  return problem('result-file-disk', { code }, error instanceof Error ? error.message : String(error));
}

/** The app ended while the file came: what is there is a part, and nothing of it was verified. */
function asInterrupted(
  kept: Omit<KeptResult, 'keptBytes'>,
  bytes: number,
  changedAtMs: number,
): Omit<KeptResult, 'keptBytes'> {
  const received = { ...NOTHING_CAME, state: 'cut' as const, bytes, problem: problem('result-file-interrupted') };
  return { ...kept, endedAtMs: Math.round(changedAtMs), file: { ...kept.file, received } };
}
