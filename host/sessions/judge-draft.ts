import type { CallDraft, CallRecord } from '../../shared/model/call.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';
import type { RequestContext, ToolReading } from '../../shared/protocols/cetp/codec.ts';

/** Below this a Provider's process may not even have started, in ms. */
const SHORT_WAIT_MS = 1_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Refusals that `force` cannot override: there is nothing to send, or sending would not be what was shown. */
const FINAL: ReadonlySet<string> = new Set([
  'provider-disabled',
  'prepared-used',
  'prepared-stale',
  'needs-confirmation',
]);

export function isFinal(refusal: Problem): boolean {
  return FINAL.has(refusal.code);
}

/** Why the session does not carry a v2 call. A failed negotiation disables the Provider (v2 8). */
export function sessionRefusal(protocol: 'v1' | 'v2', session: Session | null): Problem[] {
  if (protocol === 'v1' || session?.state === 'open') return [];
  switch (session?.state) {
    case 'failed':
      return [problem('provider-disabled', { reason: session.problem?.code ?? '' }, session.problem?.raw ?? null)];
    case 'expired':
      return [problem('session-expired', { expiresAtMs: session.expiresAtMs ?? 0 })];
    case 'ended':
      return [problem('session-ended')];
    default:
      return [problem('no-session')];
  }
}

export interface DraftFacts {
  readonly draft: CallDraft;
  readonly protocol: 'v1' | 'v2';
  readonly session: Session | null;
  readonly context: RequestContext;
  /** All entries of the tool's name. */
  readonly tools: readonly ToolReading[];
  /** Whether a list was read at all. */
  readonly known: boolean;
  /** Resumes an execution: its request_id is the one of before (v2 4.3). */
  readonly isResume: boolean;
}

/** Points that warn and do not stop. */
export function draftWarnings(facts: DraftFacts, records: readonly CallRecord[]): Problem[] {
  const { draft, protocol, session, context, tools, known, isResume } = facts;
  const warnings: Problem[] = [];
  if (!known) warnings.push(problem('catalog-unknown'));
  if (tools.length > 1) warnings.push(problem('tool-repeated', { tool: draft.tool, count: tools.length }));
  if (draft.timeoutMs < SHORT_WAIT_MS) warnings.push(problem('wait-short', { ms: draft.timeoutMs }));
  if (draft.requestId !== null && !isResume) warnings.push(...requestIdWarnings(draft, records));
  const expiresAtMs = session?.state === 'open' ? session.expiresAtMs : null;
  if (protocol === 'v2' && expiresAtMs !== null && expiresAtMs < context.deadlineAtMs) {
    warnings.push(problem('session-expires-first', { expiresAtMs, deadlineAtMs: context.deadlineAtMs }));
  }
  return warnings;
}

/** v2 4.1: a UUID; 6: one id is one execution with one tool and one text of arguments. */
function requestIdWarnings(draft: CallDraft, records: readonly CallRecord[]): Problem[] {
  const requestId = draft.requestId ?? '';
  const warnings = UUID.test(requestId) ? [] : [problem('request-id-not-uuid', { requestId: requestId.slice(0, 100) })];
  const earlier = records.filter((record) => record.prepared.requestId === requestId && record.sentAtMs !== null);
  if (earlier.length === 0) return warnings;
  const same = earlier.every(({ prepared }) => {
    const sameText = prepared.draft.tool === draft.tool && prepared.draft.argsText === draft.argsText;
    return sameText && prepared.secretsHidden !== true;
  });
  return [...warnings, problem(same ? 'request-id-retry' : 'request-id-reused', { requestId })];
}
