import { type Bundle, stringOf } from '../../shared/model/bundle.ts';
import type { Finding } from '../../shared/model/finding.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';
import {
  FULL_OFFER,
  type NegotiationReading,
  negotiateRequest,
  type Offer,
  readNegotiation,
} from '../../shared/protocols/cetp/v2/negotiate.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import type { ProviderAccess, SessionsDeps } from './deps.ts';
import { type AnswerEnd, type ExchangeResult, exchange, Interrupt } from './exchange.ts';
import type { ProviderState } from './provider-state.ts';

const NEGOTIATE_TIMEOUT_MS = 15_000;

/**
 * v2 2.2: a new session, ending the one in force. One at a time: who asks
 * meanwhile gets the same. A failure is a session in state `failed`; there is
 * no way from it to v1 (v2 8). Throws `ProblemError` where the Provider is
 * out of reach or does not advertise v2.
 */
export function negotiate(
  deps: SessionsDeps,
  state: ProviderState,
  cause: Session['cause'] = 'hand',
  offer: Offer = FULL_OFFER,
): Promise<Session> {
  state.negotiating ??= negotiateOnce(deps, state, cause, offer).finally(() => {
    state.negotiating = null;
  });
  return state.negotiating;
}

async function negotiateOnce(
  deps: SessionsDeps,
  state: ProviderState,
  cause: Session['cause'],
  offer: Offer,
): Promise<Session> {
  const access = await deps.access(state.target);
  const { provider } = access;
  state.deviceClock = access.clock ?? null;
  if (provider.protocol !== 'v2') {
    throw new ProblemError(
      problem('negotiation-not-v2', { protocol: provider.protocol, reason: provider.protocolReason }),
    );
  }
  const started = newSession(deps, state, cause, offer);
  state.begin(started, null);
  const interrupt = new Interrupt();
  state.interrupts.add(interrupt);
  // The limit on requests at once (v2 2.2) is on all of them.
  const leave = await state.gate.enter(interrupt.signal, { pastUnknown: true });
  try {
    if (leave === null) throw new ProblemError(interrupt.reason?.problem ?? problem('call-cancelled', { sent: 'no' }));
    const result = await send(deps, state, access, started, offer, interrupt);
    return settle(deps, state, started, result);
  } catch (error) {
    const failed = { ...started, state: 'failed' as const, problem: toProblem(error), endedAtMs: deps.clock.now() };
    state.begin(failed, null);
    if (error instanceof ProblemError) return failed;
    throw error;
  } finally {
    leave?.();
    state.interrupts.delete(interrupt);
  }
}

function send(
  deps: SessionsDeps,
  state: ProviderState,
  { provider, bridge }: ProviderAccess,
  { id, cause }: Session,
  offer: Offer,
  interrupt: Interrupt,
): Promise<ExchangeResult<NegotiationReading>> {
  const request = negotiateRequest(offer);
  const spec = {
    id,
    deviceKey: state.target.deviceKey,
    providerKey: state.target.providerKey,
    tool: null,
    requestId: null,
    protocol: 'v2' as const,
    call: bridge.encode(provider.authority ?? '', request.method, null, request.extras),
    timeoutMs: NEGOTIATE_TIMEOUT_MS,
    marks: { cause, userId: state.target.userId },
  };
  const read = (answer: Bundle | null): { value: NegotiationReading; end: AnswerEnd } => {
    const value = readNegotiation(answer, state.deviceNow(), provider.candidate.package, offer);
    // The token is the one member that stays here.
    const { session: _, ...reading } = value;
    return { value, end: { ...answerEnd(answer, value.problem), reading } };
  };
  return exchange(deps, bridge, spec, { read }, interrupt);
}

/** How an answer with its reading's problem ends its exchange. */
export function answerEnd(answer: Bundle | null, failure: Problem | null): AnswerEnd {
  if (failure === null) return { outcome: 'success', errorCode: null };
  const isError = answer !== null && stringOf(answer, 'status') === 'error';
  if (!isError) return { outcome: 'malformed', errorCode: failure.code };
  return { outcome: 'provider-error', errorCode: stringOf(answer, 'error_code')?.slice(0, 200) ?? failure.code };
}

function settle(
  deps: SessionsDeps,
  state: ProviderState,
  started: Session,
  result: ExchangeResult<NegotiationReading>,
): Session {
  const endedAtMs = deps.clock.now();
  const { durationMs } = result;
  if (result.kind === 'failure') {
    const failure = { state: 'failed' as const, problem: result.problem, endedAtMs, durationMs };
    const failed = withoutSecrets(deps, state, { ...started, ...failure });
    state.begin(failed, null);
    return failed;
  }
  const { session: open, ...fields } = result.value;
  if (open !== null) {
    deps.journal.secrets.add(open.token, secretScope(state.target.deviceKey, state.target.providerKey));
  }
  const settled = withoutSecrets(deps, state, {
    ...started,
    ...fields,
    findings: [
      ...fields.findings,
      ...changedCapabilities(state, started, fields.capabilities),
      ...changedProviderId(state, started, fields.providerId),
    ],
    state: open === null ? 'failed' : 'open',
    answer: result.bundle,
    endedAtMs: open === null ? endedAtMs : null,
    durationMs,
  });
  state.begin(settled, open);
  return settled;
}

/** v2 2.3: the same offer was answered otherwise before; allowed from one session to the next, and good to know. */
function changedCapabilities(state: ProviderState, started: Session, capabilities: readonly string[]): Finding[] {
  const before = state.past.find(({ id, selectedVersion }) => id !== started.id && selectedVersion !== null);
  if (before === undefined || String(before.offeredCapabilities) !== String(started.offeredCapabilities)) return [];
  const [was, is] = [before.capabilities, capabilities].map((names) => [...names].sort().join(', '));
  if (was === undefined || is === undefined || was === is) return [];
  const params = { before: was === '' ? '–' : was, now: is === '' ? '–' : is };
  return [{ rule: 'capabilities-changed', clause: 'v2 2.3', severity: 'advice', params, where: '/capabilities' }];
}

/** v2 3.1: the id is stable; routing depends on it. */
function changedProviderId(state: ProviderState, started: Session, providerId: string | null): Finding[] {
  const before = state.past.find(({ id, providerId: earlier }) => id !== started.id && earlier !== null)?.providerId;
  if (before == null || providerId === null || before === providerId) return [];
  const params = { before: before.slice(0, 300), now: providerId.slice(0, 300) };
  return [{ rule: 'provider-id-changed', clause: 'v2 3.1', severity: 'must', params, where: '/provider_id' }];
}

/** The token never leaves the host: not in the answer, nor where a problem quotes it. */
function withoutSecrets(deps: SessionsDeps, state: ProviderState, session: Session): Session {
  const scope = secretScope(state.target.deviceKey, state.target.providerKey);
  return redact(session, { registry: deps.journal.secrets, scope }).value as Session;
}

/** Before anything is known of it. */
export function newSession(deps: SessionsDeps, state: ProviderState, cause: Session['cause'], offer: Offer): Session {
  return {
    id: deps.uuid(),
    deviceKey: state.target.deviceKey,
    providerKey: state.target.providerKey,
    state: 'negotiating',
    cause,
    earlierRun: false,
    offeredVersions: [...offer.versions],
    offeredCapabilities: [...offer.capabilities],
    selectedVersion: null,
    providerId: null,
    providerName: null,
    capabilities: [],
    otherCapabilities: [],
    limits: {
      maxRequestBytes: null,
      maxInlineResultBytes: null,
      maxConcurrentRequests: null,
      idempotencyWindowSeconds: null,
    },
    expiresAtMs: null,
    deviceClock: state.deviceClock,
    tokenBytes: null,
    answer: null,
    findings: [],
    problem: null,
    startedAtMs: deps.clock.now(),
    endedAtMs: null,
    durationMs: null,
  };
}
