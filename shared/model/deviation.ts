import { z } from 'zod';

/** What a person can break on purpose in a call, by name; a closed list. What each sends: `protocols/cetp/v2/deviations.ts`. */
export const Deviation = z.enum([
  'expired-deadline',
  'no-token',
  'wrong-token',
  'stale-session',
  'no-protocol-version',
  'unknown-method',
  'wrong-types',
  'oversized',
  'unnegotiated-capability',
  'changed-args-on-resume',
  'resume-token-twice',
]);
export type Deviation = z.infer<typeof Deviation>;

/** Those that break how an execution is resumed (v2 4.3), and so need one that is. */
export const RESUME_ONLY: readonly Deviation[] = ['changed-args-on-resume', 'resume-token-twice'];

/** What makes a call a deliberate break: what was asked for, and what the inspector sees for itself. */
export const DeliberateMark = z.enum([
  ...Deviation.options,
  /** The same prepared bytes several times at once (`CallDraft.times`). */
  'times',
  /** The request_id of an earlier call, with another tool or other arguments (v2 6). */
  'reused-request-id',
  /** The request_id of an earlier call that was answered in full, with the same arguments (v2 6). */
  'repeated-request-id',
]);
export type DeliberateMark = z.infer<typeof DeliberateMark>;

/** How many copies of one call may leave at once, at most. */
export const MAX_TIMES = 50;
