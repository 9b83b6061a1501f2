import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson, printJson } from '../../shared/base/json.ts';
import type { JournalEvent } from '../../shared/model/event.ts';
import { type Operation, OperationQuery, type OperationStep } from '../../shared/model/operation.ts';
import { Problem, problem } from '../../shared/model/problem.ts';
import type { ExecuteReading } from '../../shared/protocols/cetp/codec.ts';
import { hideKnown } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import { cut } from '../journal/bounded-text.ts';
import type { OperationWrite, StoredOperation } from '../journal/operations.ts';
import type { SessionsDeps } from './deps.ts';
import type { AnswerEnd } from './exchange.ts';
import type { Judged } from './outcome.ts';
import type { HeldCall } from './prepare.ts';
import type { ProviderState } from './provider-state.ts';

const DEFAULT_POLL_MS = 1_000;
const MIN_POLL_MS = 200;
/** Ten years: keeps each instant one that a calendar has, and never shortens a wait that somebody means. */
export const MAX_POLL_MS = 10 * 365 * 24 * 60 * 60 * 1000;
export const MAX_QUERIES = 200;
export const MAX_STEPS = 100;
/** Of an `operation_id` in the list of operations, in UTF-16 units. */
const MAX_SHOWN_ID = 4_096;
/** A longer output schema is not kept over a restart, in UTF-16 units. */
const MAX_KEPT_SCHEMA = 256 * 1024;

/** What a follower needs of the call that opened its operation; must not leave the host. */
export interface OperationSubject extends Judged {
  readonly state: ProviderState;
  readonly operationId: string;
  readonly packageName: string | null;
  readonly execution: string | null;
}

/** Of the tool as it was declared when the call was made. */
const Facts = z.object({
  packageName: z.string().nullable(),
  execution: z.string().nullable(),
  dialect: z.string().nullable(),
  /** Null: not known, or too long to keep. */
  tool: z.object({ outputSchema: z.string().nullable() }).nullable(),
});

/** v2 4.4: never faster than asked; 1,000 ms where nothing usable was said, and never under 200 ms. */
export function pollWait(pollAfterMs: number | null): number {
  const asked = pollAfterMs !== null && pollAfterMs > 0 ? pollAfterMs : DEFAULT_POLL_MS;
  return Math.min(Math.max(asked, MIN_POLL_MS), MAX_POLL_MS);
}

export function subjectOf(held: HeldCall, operationId: string): OperationSubject {
  const { state, tool, dialect, context } = held;
  const { packageName = null, execution = null } = context;
  return { state, tool, dialect, operationId, packageName, execution };
}

/** The row of what an answer opened; null where it opened nothing that is followed. */
export function openedBy(deps: SessionsDeps, held: HeldCall, value: ExecuteReading): StoredOperation | null {
  if (value.kind !== 'outcome' || value.outcome.kind !== 'accepted') return null;
  const { operationId, pollAfterMs } = value.outcome;
  const negotiated = held.context.session?.capabilities.includes('async_operations') ?? false;
  if (operationId === null || !negotiated) return null;
  const { prepared, state, tool, dialect } = held;
  const schema = tool?.outputSchema == null ? null : printJson(tool.outputSchema);
  const kept = tool === null || (schema !== null && schema.length > MAX_KEPT_SCHEMA) ? null : { outputSchema: schema };
  const { packageName, execution } = subjectOf(held, operationId);
  const facts: z.infer<typeof Facts> = { packageName, execution, dialect, tool: kept };
  return {
    callId: prepared.id,
    ...state.target,
    tool: prepared.draft.tool,
    requestId: held.context.requestId,
    operationId,
    argsSha256: createHash('sha256').update(prepared.draft.argsText).digest('hex'),
    startedAtMs: deps.clock.now(),
    facts: JSON.stringify(facts),
    pollAfterMs: pollWait(pollAfterMs),
    state: null,
    cancelAskedAtMs: null,
    cancelRequestedAtMs: null,
    endedAtMs: null,
    following: true,
  };
}

/**
 * With the event of the answer that opened it. No row where the Provider put a known secret into it, such as the
 * session_token as its `operation_id`: it is followed in this run, and not picked up by the next.
 */
export function openWrite(deps: SessionsDeps, operation: StoredOperation | null): Pick<AnswerEnd, 'operation'> {
  if (operation === null) return {};
  const { deviceKey, providerKey, operationId, facts } = operation;
  const text = operationId + facts;
  const isSecret = hideKnown(text, deps.journal.secrets, secretScope(deviceKey, providerKey)) !== text;
  return isSecret ? {} : { operation: { kind: 'open', operation, owner: deps.owner } };
}

export function changeWrite(callId: string, change: (OperationWrite & { kind: 'change' })['change']): OperationWrite {
  return { kind: 'change', callId, change };
}

/** What another run of the host left: judged by what was declared then. */
export function storedSubject(state: ProviderState, stored: StoredOperation): OperationSubject {
  const facts = Facts.safeParse(readJson(stored.facts));
  const { packageName, execution, dialect, tool } = facts.success
    ? facts.data
    : { packageName: null, execution: null, dialect: null, tool: null };
  const parsed = tool?.outputSchema == null ? null : parseJson(tool.outputSchema);
  const known = tool === null ? null : { outputSchema: parsed?.ok === true ? parsed.value.value : null };
  return { state, operationId: stored.operationId, packageName, execution, dialect, tool: known };
}

/** As it is shown before anything else is known of it. */
export function newOperation({ journal }: SessionsDeps, stored: StoredOperation): Operation {
  const { facts: _, following, ...fields } = stored;
  const { deviceKey, providerKey } = stored;
  // Masked before it is cut, so that no half of a secret is left.
  const id = hideKnown(stored.operationId, journal.secrets, secretScope(deviceKey, providerKey));
  return {
    ...fields,
    // The `accepted` answer shows it whole, and it is asked for whole.
    operationId: cut(id, MAX_SHOWN_ID),
    repeats: [],
    pickedUpAtMs: null,
    progressText: null,
    steps: [],
    nextPollAtMs: null,
    following,
    paused: null,
    outcome: null,
    queries: [],
    queryCount: 0,
  };
}

/** The same, with what the journal tells of its queries; `paused` says that nobody asks yet. */
export function pickedUp(deps: SessionsDeps, stored: StoredOperation): Operation {
  const { journal, clock } = deps;
  const queries = queriesOf(journal.operations.events(stored, 2 * MAX_QUERIES));
  const last = queries.findLast(({ state, method }) => state !== null && method === 'get_operation');
  return {
    ...newOperation(deps, stored),
    state: stored.state ?? last?.state ?? null,
    progressText: last?.progressText ?? null,
    steps: queries.reduce<OperationStep[]>(stepsWith, []),
    pickedUpAtMs: clock.now(),
    queries: queries.slice(-MAX_QUERIES),
    queryCount: journal.operations.queryCount(stored),
    paused: problem(stored.following ? 'operation-picked-up' : 'operation-not-followed'),
  };
}

export function stepsWith(steps: readonly OperationStep[], query: OperationQuery): OperationStep[] {
  const { state, answeredAtMs, atMs, exchangeId, method } = query;
  if (method !== 'get_operation' || state === null || steps.at(-1)?.state === state) return [...steps];
  return [...steps, { state, atMs: answeredAtMs ?? atMs, exchangeId }].slice(-MAX_STEPS);
}

/** Our reading of an answer, as its event keeps it. */
const Reading = OperationQuery.pick({
  state: true,
  progressText: true,
  errorCode: true,
  problem: true,
  findings: true,
});
export type QueryReading = z.infer<typeof Reading>;

/** Each exchange as the query that it was. One without an end was cut off with the host. */
function queriesOf(events: readonly JournalEvent[]): OperationQuery[] {
  const queries = new Map<string, OperationQuery>();
  for (const event of events) {
    const method = event.method === 'cancel_operation' ? 'cancel_operation' : 'get_operation';
    const { exchangeId } = event;
    if (event.kind === 'request') {
      const cutOff = problem('operation-query-cut-off');
      const empty = { state: null, progressText: null, errorCode: null, findings: [] };
      queries.set(exchangeId, { exchangeId, method, atMs: event.atMs, answeredAtMs: null, ...empty, problem: cutOff });
    }
    const asked = queries.get(exchangeId);
    if (asked === undefined) continue;
    const payload = readJson(event.data) as { reading?: unknown; problem?: unknown; late?: unknown } | null;
    if (event.kind === 'response' && payload?.late !== true) {
      const reading = Reading.safeParse(payload?.reading);
      const said = reading.success ? reading.data : { problem: problem('operation-reading-not-kept') };
      queries.set(exchangeId, { ...asked, answeredAtMs: event.atMs, ...said });
    } else if (event.kind === 'failure') {
      const failure = Problem.safeParse(payload?.problem);
      queries.set(exchangeId, { ...asked, problem: failure.success ? failure.data : asked.problem });
    }
  }
  return [...queries.values()];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
