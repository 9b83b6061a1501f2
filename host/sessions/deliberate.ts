import type { CallDraft, CallRecord } from '../../shared/model/call.ts';
import type { DeliberateMark, Deviation } from '../../shared/model/deviation.ts';
import { type Problem, ProblemError } from '../../shared/model/problem.ts';
import {
  type DeviationFacts,
  type DeviationPlan,
  deviationFault,
  passedRefusals,
  planDeviations,
} from '../../shared/protocols/cetp/v2/deviations.ts';
import type { HeldCall } from './prepare.ts';

/** How a draft's deviations change the call. Throws `ProblemError` where they cannot be made of it. */
export function deviationsOf(draft: CallDraft, facts: DeviationFacts): DeviationPlan {
  const deviations = draft.deliberate ?? [];
  const fault = deviationFault(deviations, facts);
  if (fault !== null) throw new ProblemError(fault);
  return planDeviations(deviations, facts);
}

/** Refusals without those that the deviations are about. */
export function notPassed(draft: CallDraft, refusals: readonly Problem[]): Problem[] {
  const passed = passedRefusals(draft.deliberate ?? []);
  return refusals.filter(({ code }) => !passed.has(code));
}

/** Rules of a Consumer that a call breaks where it is sent against their refusal. */
const FORCED: Readonly<Record<string, string>> = {
  'outcome-still-open': 'new-request-id',
  'resume-before-result': 'resume-before-result',
  'deadline-in-past': 'expired-deadline',
  'args-too-large': 'oversized',
  'no-session': 'no-session',
  'session-ended': 'ended-session',
  'session-expired': 'ended-session',
};

/** For the journal alone: which breaks a forced call is. */
export function forcedMarks(refusals: readonly Problem[]): string[] {
  return [...new Set(refusals.flatMap(({ code }) => FORCED[code] ?? []))];
}

const OTHER_TOKEN: readonly Deviation[] = ['no-token', 'wrong-token', 'stale-session', 'no-protocol-version'];

/** Whether what the Provider says of the token is about the session in force (v2 2.2). */
export function carriesOwnToken({ deliberate = [] }: CallDraft): boolean {
  return !deliberate.some((name) => OTHER_TOKEN.includes(name));
}

/** What makes this call a deliberate break. */
export function marksOf(
  draft: CallDraft,
  warnings: readonly Problem[],
  records: readonly CallRecord[],
): DeliberateMark[] {
  const warned = (code: string) => warnings.some((warning) => warning.code === code);
  const answered = records.some(({ prepared, outcome }) => {
    const final = outcome?.kind === 'success' || outcome?.kind === 'accepted';
    const refused = outcome?.kind === 'provider-error' && outcome.retryable !== true && !outcome.hasResolution;
    return prepared.requestId === draft.requestId && (final || refused);
  });
  return [
    ...(draft.deliberate ?? []),
    ...((draft.times ?? 1) > 1 ? ['times' as const] : []),
    ...(warned('request-id-reused') ? ['reused-request-id' as const] : []),
    ...(warned('request-id-retry') && answered ? ['repeated-request-id' as const] : []),
  ];
}

/**
 * The same encoding several times, each to be run as a call of its own; the call itself where it is to be sent once.
 * The copies leave at once, whatever `max_concurrent_requests` says.
 */
export function copiesOf(held: HeldCall, uuid: () => string): HeldCall[] {
  const count = held.prepared.draft.times ?? 1;
  if (count <= 1) return [held];
  const { times: _, autoRetry: __, ...draft } = held.prepared.draft;
  const of = held.prepared.id;
  return Array.from({ length: count }, (_copy, index) => ({
    ...held,
    prepared: { ...held.prepared, draft, id: index === 0 ? of : uuid(), burst: { of, index, count } },
  }));
}
