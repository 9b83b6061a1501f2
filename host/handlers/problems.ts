import { ORPCError } from '@orpc/server';
import { toProblem } from '../../shared/model/problem.ts';

/** A failure as the contract's `PROBLEM`. */
export function asContractError(error: unknown): unknown {
  if (error instanceof ORPCError) return error;
  const data = toProblem(error);
  return new ORPCError('PROBLEM', { status: 422, message: data.code, data });
}

export async function guarded<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw asContractError(error);
  }
}

/** The same for a stream; ends quietly when the client went away. */
export async function* guardedStream<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, void> {
  const own = new AbortController();
  const both = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  try {
    yield* open(both);
  } catch (error) {
    if (signal?.aborted === true) return;
    throw asContractError(error);
  } finally {
    own.abort();
  }
}
