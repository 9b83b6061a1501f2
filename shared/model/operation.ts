import { z } from 'zod';
import { CallOutcome } from './call.ts';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';

/** One `get_operation` or `cancel_operation` with its answer; the journal has the whole exchange. */
export const OperationQuery = z.object({
  exchangeId: z.string(),
  method: z.enum(['get_operation', 'cancel_operation']),
  /** When it was asked. */
  atMs: z.number(),
  /** When the answer was had; null where none was. */
  answeredAtMs: z.number().nullable(),
  /** As the Provider wrote it; null where no state was had. */
  state: z.string().nullable(),
  /** JSON text; display data only (v2 4.4). */
  progressText: z.string().nullable(),
  errorCode: z.string().nullable(),
  problem: Problem.nullable(),
  findings: z.array(Finding),
});
export type OperationQuery = z.infer<typeof OperationQuery>;

/** A state that differs from the one before it, with the time of the answer that told it. */
export const OperationStep = z.object({ atMs: z.number(), state: z.string(), exchangeId: z.string() });
export type OperationStep = z.infer<typeof OperationStep>;

/** A background operation (v2 4.4) that an `accepted` answer opened. */
export const Operation = z.object({
  /** Of the call that opened it. */
  callId: z.string(),
  deviceKey: z.string(),
  userId: z.number(),
  providerKey: z.string(),
  tool: z.string(),
  requestId: z.string(),
  operationId: z.string(),
  /** Of the arguments that the execution was sent with. */
  argsSha256: z.string(),
  startedAtMs: z.number(),
  /** Later calls with the same request_id that were answered with this operation. */
  repeats: z.array(z.string()),
  /** When this run of the host read it back from the journal; null where it was opened in this run. */
  pickedUpAtMs: z.number().nullable(),
  /** The last state that the Provider reported; null before the first. The first end stays. */
  state: z.string().nullable(),
  progressText: z.string().nullable(),
  /** The states one after the other, at most the last 100, each with its time. */
  steps: z.array(OperationStep),
  /** The wait between two queries that is kept, in ms. */
  pollAfterMs: z.number(),
  /** Null while a query is under way, where nobody asks on, and after the end. */
  nextPollAtMs: z.number().nullable(),
  /** False where a person stopped it, or the Provider's answer left nothing to ask for by itself. */
  following: z.boolean(),
  /** Why nobody asks on; null where it is asked. `operations.follow` goes on. */
  paused: Problem.nullable(),
  /** When the first request to cancel left. */
  cancelAskedAtMs: z.number().nullable(),
  /** When the Provider acknowledged the request to cancel: says nothing about the end. */
  cancelRequestedAtMs: z.number().nullable(),
  /** When an end was reported. */
  endedAtMs: z.number().nullable(),
  /** What `succeeded` and `failed` carried; null for `cancelled` and before the end. */
  outcome: CallOutcome.nullable(),
  /** The last 200, oldest first. */
  queries: z.array(OperationQuery),
  queryCount: z.number(),
});
export type Operation = z.infer<typeof Operation>;

/**
 * What became of a request to cancel, told by the Provider's answers alone
 * (v2 4.4): `refused` is an error answer, and the operation may still end in
 * any way; `won` and `lost` need the reported end.
 */
export type CancelFate = 'none' | 'unanswered' | 'acknowledged' | 'refused' | 'won' | 'lost';

export function cancelFate(operation: Operation): CancelFate {
  const { cancelAskedAtMs, cancelRequestedAtMs, endedAtMs, state, queries } = operation;
  if (cancelAskedAtMs === null) return 'none';
  if (endedAtMs !== null) return state === 'cancelled' ? 'won' : 'lost';
  if (cancelRequestedAtMs !== null) return 'acknowledged';
  const last = queries.findLast(({ method }) => method === 'cancel_operation');
  return last === undefined || last.answeredAtMs === null ? 'unanswered' : 'refused';
}
