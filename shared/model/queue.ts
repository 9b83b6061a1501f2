import { z } from 'zod';

/** The requests to one Provider at this moment, against its `max_concurrent_requests` (v2 2.2). */
export const RequestQueue = z.object({
  /** Requests at once: what was negotiated, and never more than the companion takes. */
  limit: z.number(),
  /** Requests under way. */
  running: z.number(),
  /** Requests whose wait has ended without an answer: the Provider may still be at work on them, so they keep a place. */
  unknown: z.number(),
  /** What waits for a place, in order: the id of a call, or null for another request. */
  waiting: z.array(z.string().nullable()),
});
export type RequestQueue = z.infer<typeof RequestQueue>;
