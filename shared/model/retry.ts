import { z } from 'zod';
import { Problem } from './problem.ts';

/** Attempts that one draft may ask for by itself, besides the first. */
export const MAX_AUTO_RETRIES = 5;

/** How an ended call may be asked again with the same request_id (v2 4.1, 5 and 6). */
export const CallRetry = z.object({
  /**
   * `retryable`: the Provider's error allows it (v2 5). `no-answer`: the request left and its end is not known (v2 4.1).
   * `not-sent`: nothing left.
   */
  kind: z.enum(['retryable', 'no-answer', 'not-sent']),
  /** Not before this, as the Provider asked with `retry_after_ms`; epoch ms of the host. */
  notBeforeMs: z.number(),
  /** Until when the Provider must know the request_id (v2 6), epoch ms of the host; null where no window is known. */
  safeUntilMs: z.number().nullable(),
  /** Whether a Consumer may repeat it by itself (v2 5): never an error of authorization, confirmation or arguments. */
  automatic: z.boolean(),
  /** The retries that the draft asked for; null where it asked for none. */
  auto: z
    .object({
      /** When the next attempt starts by itself; null where none will. */
      nextAtMs: z.number().nullable(),
      left: z.number(),
      /** Why no attempt follows by itself. */
      stopped: Problem.nullable(),
    })
    .nullable(),
});
export type CallRetry = z.infer<typeof CallRetry>;
