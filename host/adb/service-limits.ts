import type { Duplex } from 'node:stream';
import { ProblemError, problem } from '../../shared/model/problem.ts';

export interface Limit {
  readonly timeoutMs: number;
  /** What runs, for the problem. */
  readonly what: string;
  /** Code of the problem when the time is over. */
  readonly code: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` under a time limit and the caller's signal. Both settle at once
 * and close what the work has open through the signal that it gets. The
 * caller's own abort is the problem `adb-cancelled`.
 */
export function withLimit<T>(limit: Limit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (code: string, params: Record<string, string | number>) => {
      reject(new ProblemError(problem(code, params)));
      controller.abort();
    };
    const timer = setTimeout(() => stop(limit.code, { what: limit.what, ms: limit.timeoutMs }), limit.timeoutMs);
    const abort = () => stop('adb-cancelled', { request: limit.what });
    if (limit.signal?.aborted) abort();
    limit.signal?.addEventListener('abort', abort, { once: true });
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        limit.signal?.removeEventListener('abort', abort);
      });
  });
}

/** All bytes until the end. More than `maxBytes` is the problem `shell-output-too-large`, never a cut. */
export async function collect(service: Duplex, maxBytes: number, command: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of service) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) {
        throw new ProblemError(problem('shell-output-too-large', { command: command.slice(0, 200), limit: maxBytes }));
      }
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const raw = error instanceof Error ? error.message : null;
    throw new ProblemError(problem('device-connection-lost', { command: command.slice(0, 200) }, raw), {
      cause: error,
    });
  } finally {
    service.destroy();
  }
  return Buffer.concat(chunks, size);
}
