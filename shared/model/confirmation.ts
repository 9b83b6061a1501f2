import { z } from 'zod';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';

/** One thing that happened to a confirmation, oldest first in `Confirmation.steps`. */
export const ConfirmationStep = z.object({
  atMs: z.number(),
  kind: z.enum([
    /** The Provider asked for a person. */
    'asked',
    'launched',
    /** The activity gave its result: `resultCode`. */
    'returned',
    /** It was not launched, or no result came: `problem`. */
    'launch-failed',
    /** The execution was resumed by the call `callId`. */
    'resumed',
    /** It was not: `problem`; the resume_token was not used up. */
    'not-resumed',
    /** The PendingIntent went: `problem`. */
    'gone',
    /** The call `callId` brought a later answer to the same request_id. */
    'superseded',
    'set-aside',
  ]),
  resultCode: z.number().nullable(),
  callId: z.string().nullable(),
  problem: Problem.nullable(),
});
export type ConfirmationStep = z.infer<typeof ConfirmationStep>;

/**
 * A call that the Provider does not carry out before a person decides on the
 * device (v2 4.3). The PendingIntent's handle and the resume_token stay in the
 * host's memory; both are gone when the host ends.
 */
export const Confirmation = z.object({
  /** Of the call that was answered so. */
  callId: z.string(),
  deviceKey: z.string(),
  userId: z.number(),
  providerKey: z.string(),
  deviceLabel: z.string(),
  providerLabel: z.string(),
  tool: z.string(),
  /** The tool's place in the list that was read; null where it is not in it. */
  toolIndex: z.number().nullable(),
  requestId: z.string(),
  errorCode: z.string(),
  errorMessage: z.string().nullable(),
  /** Null where none came. The members are null where Android did not tell. */
  resolution: z
    .object({
      creatorPackage: z.string().nullable(),
      creatorUid: z.number().nullable(),
      immutable: z.boolean().nullable(),
      kind: z.enum(['activity', 'broadcast', 'service', 'foregroundService']).nullable(),
    })
    .nullable(),
  hasResumeToken: z.boolean(),
  /** What breaks 4.3 or 7.2 in the resolution or the token. */
  findings: z.array(Finding),
  /** `launched`: the screen is open, and its result is awaited. `returned`: a result came, nothing was resumed yet. */
  state: z.enum(['waiting', 'launched', 'returned', 'resumed', 'gone', 'superseded', 'set-aside']),
  /** Whether the PendingIntent is still held. */
  canLaunch: z.boolean(),
  /** Whether the resume_token is there and unused. */
  canResume: z.boolean(),
  sinceMs: z.number(),
  /** The last 100. */
  steps: z.array(ConfirmationStep),
});
export type Confirmation = z.infer<typeof Confirmation>;
