import { z } from 'zod';
import { CallOutcome } from './call.ts';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';

/** One `get_operation` or `cancel_operation` with its answer; the journal has the whole exchange. */
export const OperationQuery = z.object({
  exchangeId: z.string(),
  method: z.enum(['get_operation', 'cancel_operation']),
  atMs: z.number(),
  /** As the Provider wrote it; null where no state was had. */
  state: z.string().nullable(),
  /** JSON text; display data only (v2 4.4). */
  progressText: z.string().nullable(),
  errorCode: z.string().nullable(),
  problem: Problem.nullable(),
  findings: z.array(Finding),
});
export type OperationQuery = z.infer<typeof OperationQuery>;

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
  startedAtMs: z.number(),
  /** The last state that the Provider reported; null before the first. The first end stays. */
  state: z.string().nullable(),
  progressText: z.string().nullable(),
  /** The wait between two queries that is kept, in ms. */
  pollAfterMs: z.number(),
  /** Null while a query is under way, where nobody asks on, and after the end. */
  nextPollAtMs: z.number().nullable(),
  /** Why nobody asks on; null where it is asked. A new session or `operations.poll` goes on. */
  paused: Problem.nullable(),
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
