import type { Bundle } from '../../shared/model/bundle.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';
import type { OpenSession, RequestContext } from '../../shared/protocols/cetp/codec.ts';
import {
  type OperationMethod,
  type OperationReading,
  operationRequest,
  readOperation,
} from '../../shared/protocols/cetp/v2/operations.ts';
import type { OperationWrite } from '../journal/operations.ts';
import type { SessionsDeps } from './deps.ts';
import { exchange, Interrupt } from './exchange.ts';
import type { WayOut } from './gate.ts';
import { answerEnd, negotiate } from './negotiation.ts';
import type { OperationSubject, QueryReading } from './operation-record.ts';
import { keepPlace } from './places.ts';
import type { ProviderState } from './provider-state.ts';
import type { HeldHandle } from './result-file.ts';

const QUERY_TIMEOUT_MS = 15_000;
const CAPABILITY = { get_operation: 'async_operations', cancel_operation: 'cancellation' } as const;

export interface QuerySpec {
  readonly method: OperationMethod;
  readonly subject: OperationSubject;
  readonly requestId: string;
  readonly tool: string;
  /** The last state that was seen. */
  readonly previous: string | null;
  /** What the answer changes on disk. */
  readonly changes: (reading: OperationReading) => OperationWrite | undefined;
  /** Handles of the answer that are used further; the result hands them on. */
  readonly keep: (reading: OperationReading) => readonly string[];
  readonly onSent: () => void;
  readonly onLate: (exchangeId: string) => void;
}

export type QueryResult =
  | {
      readonly kind: 'answer';
      readonly exchangeId: string;
      readonly askedAtMs: number;
      readonly value: OperationReading;
      readonly bundle: Bundle | null;
      /** The descriptor of its result, which whoever takes the answer must read or release. */
      readonly file: HeldHandle | null;
    }
  | {
      readonly kind: 'failure';
      /** Null: nothing was recorded, because nothing could be sent. */
      readonly exchangeId: string | null;
      readonly askedAtMs: number;
      readonly problem: Problem;
    };

/**
 * One query or request to cancel: an exchange of its own, with the request_id
 * of the execution (v2 4.1). An operation is bound to the caller, not to the
 * session (4.4): where the session is over, a new one is negotiated first,
 * which is an exchange of its own too.
 */
export async function askOperation(deps: SessionsDeps, spec: QuerySpec): Promise<QueryResult> {
  const { state } = spec.subject;
  const interrupt = new Interrupt();
  state.interrupts.add(interrupt);
  let leave: WayOut | null = null;
  const askedAtMs = deps.clock.now();
  try {
    // Negotiating takes a place of the gate itself.
    await openSession(deps, state);
    leave = await state.gate.enter(interrupt.signal);
    if (leave === null) return unsent(askedAtMs, interrupt.reason?.problem);
    return await send(deps, spec, interrupt, leave);
  } catch (error) {
    if (error instanceof ProblemError) return unsent(askedAtMs, error.problem);
    throw error;
  } finally {
    leave?.();
    state.interrupts.delete(interrupt);
  }
}

/** Throws `ProblemError` where no session is had, or where asking for one is not ours to decide. */
async function openSession(deps: SessionsDeps, state: ProviderState): Promise<void> {
  const { session } = state.current();
  if (session?.state === 'open') return;
  if (!mayNegotiate(session)) throw new ProblemError(session?.problem ?? problem('no-session'));
  const fresh = await negotiate(deps, state, 'operation');
  if (fresh.state !== 'open') throw new ProblemError(fresh.problem ?? problem('no-session'));
}

/** A refused negotiation, and one that a person ended, wait for a person. */
function mayNegotiate(session: Session | null): boolean {
  return session?.state !== 'failed' && session?.problem?.code !== 'session-dropped';
}

async function send(deps: SessionsDeps, spec: QuerySpec, interrupt: Interrupt, leave: WayOut): Promise<QueryResult> {
  const { method, subject, requestId, tool, previous } = spec;
  const { state, operationId, packageName, execution } = subject;
  const { provider, bridge, clock } = await deps.access(state.target);
  state.deviceClock = clock ?? null;
  const { session, open } = inForce(state, method);
  const askedAtMs = deps.clock.now();
  const deadlineAtMs = askedAtMs + QUERY_TIMEOUT_MS;
  // v2 4.1: the Provider compares it with its own clock.
  const sentDeadline = state.deviceNow() + QUERY_TIMEOUT_MS;
  const context: RequestContext = { requestId, deadlineAtMs: sentDeadline, session: open, packageName, execution };
  const request = operationRequest(method, context, operationId);
  const exchangeId = deps.uuid();
  const result = await exchange(
    deps,
    bridge,
    {
      id: exchangeId,
      deviceKey: state.target.deviceKey,
      providerKey: state.target.providerKey,
      tool,
      requestId,
      protocol: 'v2',
      call: bridge.encode(provider.authority ?? '', request.method, null, request.extras),
      timeoutMs: QUERY_TIMEOUT_MS,
    },
    {
      onSent: spec.onSent,
      onLate: () => {
        state.gate.settle(exchangeId);
        spec.onLate(exchangeId);
      },
      read: (answer) => {
        const value = readOperation(answer, context, operationId, previous, method);
        const bad = value.kind === 'malformed' ? value.problem : problem('operation-query-error');
        const end = answerEnd(answer, value.kind === 'state' ? null : bad);
        const write = spec.changes(value);
        const written = write === undefined ? {} : { operation: write };
        return { value, end: { ...end, reading: { ...asQuery(value) }, ...written }, keep: spec.keep(value) };
      },
    },
    interrupt,
  );
  if (result.kind === 'failure') {
    keepPlace(deps, state, leave, { id: exchangeId, requestId, deadlineAtMs }, result);
    return { kind: 'failure', exchangeId, askedAtMs, problem: result.problem };
  }
  const { value, bundle, kept } = result;
  const [handle] = kept;
  if (value.kind === 'error' && value.errorCode === 'NEGOTIATION_REQUIRED') {
    state.end(problem('session-ended-by-provider'), session.id);
  }
  const file = handle === undefined ? null : { handle, bridge };
  return { kind: 'answer', exchangeId, askedAtMs, value, bundle, file };
}

/** v2 2.3: only what the session negotiated. It may have ended while this waited for its turn. */
function inForce(state: ProviderState, method: OperationMethod): { session: Session; open: OpenSession } {
  const { session, open } = state.current();
  if (session?.state !== 'open' || open === null) throw new ProblemError(session?.problem ?? problem('no-session'));
  if (!open.capabilities.includes(CAPABILITY[method])) {
    throw new ProblemError(
      problem(method === 'cancel_operation' ? 'cancellation-not-negotiated' : 'operations-not-negotiated'),
    );
  }
  return { session, open };
}

/** What a query says, as it is shown and kept. */
export function asQuery(value: OperationReading): QueryReading {
  return {
    state: value.kind === 'state' ? value.state : null,
    progressText: value.kind === 'state' ? value.progressText : null,
    errorCode: value.kind === 'error' ? value.errorCode : null,
    problem: value.kind === 'malformed' ? value.problem : null,
    findings: [...value.findings],
  };
}

function unsent(askedAtMs: number, reason: Problem = problem('call-cancelled', { sent: 'no' })): QueryResult {
  return { kind: 'failure', exchangeId: null, askedAtMs, problem: reason };
}
