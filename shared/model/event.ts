import { z } from 'zod';

/** Every exchange, as it happened; append-only. Secrets were redacted on the way in. */
export const EventKind = z.enum(['request', 'response', 'failure', 'cancel', 'notice']);
export type EventKind = z.infer<typeof EventKind>;

export const JournalEvent = z.object({
  seq: z.number(),
  /** Epoch ms of the host. */
  atMs: z.number(),
  kind: EventKind,
  /** Groups the events of one exchange: the prepared call's id, or an id of its own. */
  exchangeId: z.string(),
  deviceKey: z.string(),
  providerKey: z.string().nullable(),
  method: z.string().nullable(),
  tool: z.string().nullable(),
  requestId: z.string().nullable(),
  /** JSON text of the payload. */
  data: z.string(),
  /** How many values were masked. */
  redactions: z.number(),
});
export type JournalEvent = z.infer<typeof JournalEvent>;

/** One line of the history list: an exchange with its end, if it has one. */
export const HistoryRow = z.object({
  seq: z.number(),
  exchangeId: z.string(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  deviceKey: z.string(),
  providerKey: z.string().nullable(),
  method: z.string().nullable(),
  tool: z.string().nullable(),
  requestId: z.string().nullable(),
  /** `open`: no end was recorded (still running, or the app was killed). */
  state: z.enum([
    'open',
    'success',
    'accepted',
    'provider-error',
    'malformed',
    'transport-failure',
    'cancelled',
    'refused',
    'notice',
  ]),
  errorCode: z.string().nullable(),
  /** Whether the call broke the rules on purpose. */
  deliberate: z.boolean(),
});
export type HistoryRow = z.infer<typeof HistoryRow>;
