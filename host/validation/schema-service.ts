import { Worker } from 'node:worker_threads';
import { err, type Result } from '../../shared/base/result.ts';
import type { GeneratedArgs, GenerateMode, SchemaVerdict } from '../../shared/model/call.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import type {
  FileInput,
  FileVerdict,
  Job,
  JobAnswer,
  JobMessage,
  ValidateInput,
  WorkerMessage,
} from './worker-messages.ts';

export type { FileInput, FileVerdict, ValidateInput } from './worker-messages.ts';

export interface SchemaService {
  /** Never rejects: what could not be checked is `not-checked` with `notChecked.<reason>`. */
  validate(input: ValidateInput, signal?: AbortSignal): Promise<SchemaVerdict>;
  /** `valid`: it compiles. `not-checked`: it does not, and why. */
  checkSchema(schemaText: string, dialect: string | null, signal?: AbortSignal): Promise<SchemaVerdict>;
  /** A small value that the schema accepts, checked by the schema itself, as indented JSON text. */
  example(
    schemaText: string,
    mode: 'minimal',
    dialect?: string | null,
    signal?: AbortSignal,
  ): Promise<Result<string, Problem>>;
  /** A value for a person to go on from, and what the schema says of it: not always valid, and never called so unchecked. */
  generate(
    schemaText: string,
    mode: GenerateMode,
    dialect?: string | null,
    signal?: AbortSignal,
  ): Promise<Result<GeneratedArgs, Problem>>;
  /** A JSON file of ours against a schema, in a thread of its own with larger limits, one file at a time. Never rejects. */
  checkFile(input: FileInput): Promise<FileVerdict>;
  close(): Promise<void>;
}

export interface SchemaServiceOptions {
  /** From dispatch to answer, in ms; a schema that takes longer is stopped. */
  readonly timeLimitMs?: number;
  /** Of the worker's heap, in MiB. */
  readonly memoryLimitMb?: number;
  /** The worker's file, where a bundler put it elsewhere. */
  readonly workerUrl?: URL;
}

/** The one place that names the worker's file: beside this one, in the sources and in the bundle alike. */
const workerUrl = () =>
  new URL(import.meta.url.endsWith('.ts') ? './schema-worker.ts' : './schema-worker.js', import.meta.url);

/** Starting a thread and loading ajv has nothing to do with a schema, and gets a limit of its own. */
const START_LIMIT_MS = 30_000;

/** A parsed file takes many times its size. Of one check in ms and MiB; the thread ends with it. */
const FILE_LIMITS = { timeLimitMs: 60_000, memoryLimitMb: 2_048 };

/**
 * Provider schemas are untrusted: they compile and run in one worker thread
 * with a memory limit and a time limit, one job at a time. A job that breaks a
 * limit ends with its thread, and the next one gets a new thread.
 */
export function createSchemaService(options: SchemaServiceOptions = {}): SchemaService {
  const pool = new WorkerPool(options);
  const verdict = async (job: Job, signal?: AbortSignal): Promise<SchemaVerdict> => {
    const end = await pool.run(job, signal);
    if (end.kind === 'failed') return { state: 'not-checked', issues: end.issues, reason: end.reason };
    if (end.answer.op !== 'verdict') throw new Error('the schema worker answered another question');
    return end.answer.verdict;
  };
  let files: Promise<unknown> = Promise.resolve();
  const filePools = new Set<WorkerPool>();
  let closed = false;
  const checkOne = async (input: FileInput): Promise<FileVerdict> => {
    if (closed) return unchecked('closed');
    const own = new WorkerPool({ ...options, ...FILE_LIMITS });
    filePools.add(own);
    try {
      const end = await own.run({ op: 'file', input }, undefined);
      if (end.kind === 'failed') return unchecked(end.reason, end.issues);
      if (end.answer.op !== 'file') throw new Error('the schema worker answered another question');
      return end.answer.file;
    } finally {
      filePools.delete(own);
      await own.close();
    }
  };
  return {
    checkFile: (input) => {
      const next = files.then(() => checkOne(input));
      files = next.catch(() => {});
      return next;
    },
    validate: (input, signal) => verdict({ op: 'validate', input }, signal),
    checkSchema: (schemaText, dialect, signal) => verdict({ op: 'check', schemaText, dialect }, signal),
    example: async (schemaText, _mode, dialect = null, signal) => {
      const end = await pool.run({ op: 'example', schemaText, dialect }, signal);
      if (end.kind === 'failed') return err(problem('example-not-made', { reason: end.reason }));
      if (end.answer.op !== 'example') throw new Error('the schema worker answered another question');
      return end.answer.result;
    },
    generate: async (schemaText, mode, dialect = null, signal) => {
      const end = await pool.run({ op: 'generate', schemaText, dialect, mode }, signal);
      if (end.kind === 'failed') return err(problem('example-not-made', { reason: end.reason }));
      if (end.answer.op !== 'generate') throw new Error('the schema worker answered another question');
      return end.answer.result;
    },
    close: async () => {
      closed = true;
      await Promise.all([pool.close(), ...[...filePools].map((own) => own.close())]);
    },
  };
}

type JobEnd =
  | { readonly kind: 'answered'; readonly answer: JobAnswer }
  | { readonly kind: 'failed'; readonly reason: string; readonly issues: SchemaVerdict['issues'] };

interface QueuedJob {
  readonly id: number;
  readonly job: Job;
  readonly end: (end: JobEnd) => void;
}

class WorkerPool {
  readonly #url: URL;
  readonly #timeLimitMs: number;
  readonly #memoryLimitMb: number;
  readonly #queue: QueuedJob[] = [];
  #worker: Worker | null = null;
  #ready = false;
  #running: QueuedJob | null = null;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 1;
  #closed = false;

  constructor(options: SchemaServiceOptions) {
    this.#url = options.workerUrl ?? workerUrl();
    this.#timeLimitMs = options.timeLimitMs ?? 2000;
    this.#memoryLimitMb = options.memoryLimitMb ?? 256;
  }

  run(job: Job, signal: AbortSignal | undefined): Promise<JobEnd> {
    if (this.#closed) return Promise.resolve(failed('closed'));
    if (signal?.aborted) return Promise.resolve(failed('cancelled'));
    return new Promise((resolve) => {
      const abort = () => this.#cancel(queued);
      const queued: QueuedJob = {
        id: this.#nextId++,
        job,
        end: (end) => {
          signal?.removeEventListener('abort', abort);
          resolve(end);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.push(queued);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const queued of this.#queue.splice(0)) queued.end(failed('closed'));
    await this.#stop('closed');
  }

  #next(): void {
    if (this.#running !== null || this.#queue.length === 0) {
      if (this.#running === null) this.#worker?.unref();
      return;
    }
    const worker = this.#worker ?? this.#start();
    worker.ref();
    if (!this.#ready) return;
    const next = this.#queue.shift() as QueuedJob;
    this.#running = next;
    this.#limit(this.#timeLimitMs, 'schema-timeout');
    worker.postMessage({ id: next.id, job: next.job } satisfies JobMessage);
  }

  #start(): Worker {
    const worker = new Worker(this.#url, {
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryLimitMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      env: {},
      stdin: false,
    });
    this.#worker = worker;
    this.#ready = false;
    this.#limit(START_LIMIT_MS, 'worker-failed');
    worker.on('message', (message: WorkerMessage) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on('error', (error: Error & { code?: string }) => {
      if (this.#worker !== worker) return;
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      void this.#stop(outOfMemory ? 'schema-memory' : 'worker-failed', error.message);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) void this.#stop('worker-failed');
    });
    return worker;
  }

  #receive(message: WorkerMessage): void {
    clearTimeout(this.#timer);
    if ('ready' in message) this.#ready = true;
    else if (this.#running?.id === message.id) {
      const { end } = this.#running;
      this.#running = null;
      end({ kind: 'answered', answer: message.answer });
    }
    this.#next();
  }

  #limit(ms: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#stop(reason), ms);
  }

  #cancel(queued: QueuedJob): void {
    if (this.#running === queued) {
      void this.#stop('cancelled');
      return;
    }
    const index = this.#queue.indexOf(queued);
    if (index < 0) return;
    this.#queue.splice(index, 1);
    queued.end(failed('cancelled'));
    this.#next();
  }

  /** Ends the thread and the job in it. A thread that never became ready ends all that wait for it: another would not either. */
  async #stop(reason: string, message?: string): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    const wasReady = this.#ready;
    const ended = this.#running === null ? [] : [this.#running];
    if (worker !== null && !wasReady) ended.push(...this.#queue.splice(0));
    this.#worker = null;
    this.#ready = false;
    this.#running = null;
    for (const queued of ended) queued.end(failed(reason, message));
    if (!this.#closed) this.#next();
    await worker?.terminate();
  }
}

function unchecked(reason: string, issues: SchemaVerdict['issues'] = []): FileVerdict {
  return { verdict: { state: 'not-checked', issues, reason }, isJson: null, fault: null };
}

function failed(reason: string, message?: string): JobEnd {
  const issues = message === undefined ? [] : [{ pointer: '', keyword: 'limit', message: message.slice(0, 500) }];
  return { kind: 'failed', reason, issues };
}
