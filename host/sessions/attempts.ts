import type { CallOutcome, CallRecord } from '../../shared/model/call.ts';
import type { CallRetry } from '../../shared/model/retry.ts';
import type { HeldCall } from './prepare.ts';

/**
 * v2 5: what a Consumer does not repeat by itself, whatever `retryable` says: it takes a user's action, other arguments
 * or another Provider to change the answer.
 */
const NEVER_BY_ITSELF: ReadonlySet<string> = new Set([
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_CAPABILITY',
  'AUTH_REQUIRED',
  'USER_ACTION_REQUIRED',
  'USER_CANCELLED',
  'PERMISSION_DENIED',
  'TOOL_NOT_FOUND',
  'METHOD_NOT_FOUND',
  'INVALID_ARGS',
  'INVALID_REQUEST',
  'CANCELLED',
  'RESULT_TOO_LARGE',
  'RESULT_EXPIRED',
]);

/** Of `retry_after_ms` and of the window, in ms: keeps every instant one that a calendar has. */
const LONGEST_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** Earlier calls of a request_id that left, newest first; none for v1, whose calls carry no id. */
export function earlierAttempts(records: readonly CallRecord[], prepared: CallRecord['prepared']): CallRecord[] {
  if (prepared.protocol === 'v1' || prepared.requestId === null) return [];
  return records.filter((record) => {
    return record.prepared.requestId === prepared.requestId && record.outcome?.kind !== 'refused';
  });
}

/** Which attempt a new call is, and which one was before it. */
export function linkOf(
  records: readonly CallRecord[],
  prepared: CallRecord['prepared'],
): Pick<CallRecord, 'attempt' | 'previousCallId'> {
  const [previous] = earlierAttempts(records, prepared);
  return { attempt: (previous?.attempt ?? 0) + 1, previousCallId: previous?.id ?? null };
}

/** How a call that has just ended may be asked again. */
export function retryOf(held: HeldCall, record: CallRecord, outcome: CallOutcome, endedAtMs: number): CallRetry | null {
  const { protocol, requestId } = held.prepared;
  if (protocol === 'v1' || requestId === null) return null;
  const base = { notBeforeMs: endedAtMs, safeUntilMs: safeUntil(held, record), automatic: false, auto: null };
  switch (outcome.kind) {
    case 'provider-error': {
      if (outcome.retryable !== true) return null;
      const wait = Math.min(Math.max(0, Number(outcome.retryAfterMs ?? 0)), LONGEST_MS);
      const automatic = !NEVER_BY_ITSELF.has(outcome.errorCode);
      return { ...base, kind: 'retryable', notBeforeMs: endedAtMs + wait, automatic };
    }
    case 'transport-failure':
    case 'cancelled':
      return { ...base, kind: hasLeft(record, outcome) ? 'no-answer' : 'not-sent' };
    case 'malformed':
      return { ...base, kind: 'no-answer' };
    default:
      return null;
  }
}

function hasLeft(record: CallRecord, outcome: CallOutcome): boolean {
  return (
    record.sentAtMs !== null ||
    outcome.findings.some(({ rule }) => rule === 'effect-unknown' || rule === 'outcome-unknown')
  );
}

/** v2 6: counted from the first attempt that is known, so that it is never said to be longer than it is. */
function safeUntil({ state, prepared, context }: HeldCall, record: CallRecord): number | null {
  const seconds = context.session?.limits.idempotencyWindowSeconds ?? null;
  if (seconds === null) return null;
  const first = earlierAttempts(state.calls.records, prepared).at(-1) ?? record;
  return first.startedAtMs + Math.min(seconds * 1000, LONGEST_MS);
}
