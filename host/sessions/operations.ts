import type { Bundle } from '../../shared/model/bundle.ts';
import type { CallOutcome } from '../../shared/model/call.ts';
import type { Operation, OperationQuery } from '../../shared/model/operation.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import {
  isTerminal,
  type OperationReading,
  operationRequest,
  readOperation,
} from '../../shared/protocols/cetp/v2/operations.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import { LatestValue } from '../base/latest-value.ts';
import type { SessionsDeps } from './deps.ts';
import { exchange, Interrupt } from './exchange.ts';
import { answerEnd } from './negotiation.ts';
import { outcomeOf } from './outcome.ts';
import type { HeldCall } from './prepare.ts';

const QUERY_TIMEOUT_MS = 15_000;
const DEFAULT_POLL_MS = 1_000;
const MIN_POLL_MS = 200;
const MAX_POLL_MS = 60 * 60 * 1000;
const MAX_QUERIES = 200;
const MAX_ENDED = 100;

type Method = OperationQuery['method'];

/** The background operations of this run, newest first. */
export class OperationBook {
  readonly #deps: SessionsDeps;
  readonly #latest = new LatestValue<Operation[]>([]);
  readonly #followers = new Map<string, Follower>();

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  watch(signal: AbortSignal): AsyncIterable<Operation[]> {
    return this.#latest.watch(signal);
  }

  /** v2 4.4: follows what an answer accepted. One that was not negotiated is shown and not followed. */
  open(held: HeldCall, outcome: CallOutcome): void {
    const { operationId } = held;
    if (outcome.kind !== 'accepted' || operationId === null) return;
    if (!(held.context.session?.capabilities.includes('async_operations') ?? false)) return;
    const first = newOperation(held, operationId, outcome.pollAfterMs, this.#deps.clock.now());
    const follower = new Follower(this.#deps, { ...held, operationId }, first, (operation) => this.#show(operation));
    this.#followers.set(first.callId, follower);
    this.#show(first);
    follower.arm();
  }

  /** Asks now. Throws `ProblemError` where the Provider asked for a longer wait. */
  poll(callId: string): Promise<Operation> {
    return this.#follower(callId).poll();
  }

  cancel(callId: string): Promise<Operation> {
    return this.#follower(callId).cancel();
  }

  close(): void {
    for (const follower of this.#followers.values()) follower.stop();
  }

  #follower(callId: string): Follower {
    const follower = this.#followers.get(callId);
    if (follower === undefined) throw new ProblemError(problem('operation-unknown'));
    return follower;
  }

  #show(operation: Operation): void {
    const others = this.#latest.value.filter((one) => one.callId !== operation.callId);
    const known = others.length < this.#latest.value.length;
    const all = known
      ? this.#latest.value.map((one) => (one.callId === operation.callId ? operation : one))
      : [operation, ...others];
    let ended = 0;
    const kept = all.filter((one) => one.endedAtMs === null || ++ended <= MAX_ENDED);
    for (const one of all) if (!kept.includes(one)) this.#followers.delete(one.callId);
    this.#latest.set(kept);
  }
}

class Follower {
  readonly #deps: SessionsDeps;
  readonly #held: HeldCall & { readonly operationId: string };
  readonly #show: (operation: Operation) => void;
  #operation: Operation;
  /** No query before this, in epoch ms, whoever asks. */
  #earliestMs: number;
  #polling = false;
  #stopTimer: () => void = () => {};

  constructor(
    deps: SessionsDeps,
    held: HeldCall & { readonly operationId: string },
    first: Operation,
    show: (operation: Operation) => void,
  ) {
    this.#deps = deps;
    this.#held = held;
    this.#operation = first;
    this.#show = show;
    this.#earliestMs = first.startedAtMs + first.pollAfterMs;
    held.state.onOpen.add(this.#resume);
  }

  arm(): void {
    this.#stopTimer();
    const wait = Math.max(0, this.#earliestMs - this.#deps.clock.now());
    this.#update({ nextPollAtMs: this.#earliestMs, paused: null });
    this.#stopTimer = this.#deps.clock.after(wait, () => {
      // A timer may be a fraction of a millisecond before the wall clock that the wait is kept by.
      if (this.#deps.clock.now() < this.#earliestMs) return this.arm();
      this.poll().catch((error: unknown) => this.#pause(toProblem(error)));
    });
  }

  stop(): void {
    this.#stopTimer();
    this.#held.state.onOpen.delete(this.#resume);
  }

  async poll(): Promise<Operation> {
    const waitMs = this.#earliestMs - this.#deps.clock.now();
    if (this.#polling || waitMs > 0) throw new ProblemError(problem('poll-too-early', { ms: Math.max(0, waitMs) }));
    this.#polling = true;
    this.#stopTimer();
    this.#update({ nextPollAtMs: null });
    try {
      const reading = await this.#query('get_operation');
      if (reading !== null) await this.#take(reading.value, reading.bundle);
    } finally {
      this.#polling = false;
    }
    return this.#operation;
  }

  /** v2 4.4: a request only; the end is what a later query reports. */
  async cancel(): Promise<Operation> {
    if (!(this.#held.state.current().open?.capabilities.includes('cancellation') ?? false)) {
      throw new ProblemError(problem('cancellation-not-negotiated'));
    }
    const reading = await this.#query('cancel_operation');
    if (reading?.value.kind === 'state' && reading.value.state === 'cancellation_requested') {
      this.#update({ cancelRequestedAtMs: this.#operation.cancelRequestedAtMs ?? this.#deps.clock.now() });
    }
    return this.#operation;
  }

  readonly #resume = (): void => {
    if (this.#operation.paused !== null && !this.#polling) this.arm();
  };

  async #take(reading: OperationReading, bundle: Bundle | null): Promise<void> {
    const now = this.#deps.clock.now();
    const pollAfterMs = reading.kind === 'state' ? pollWait(reading.pollAfterMs) : this.#operation.pollAfterMs;
    const retryMs = reading.kind === 'error' ? Number(reading.retryAfterMs ?? 0) : 0;
    this.#earliestMs = now + Math.min(Math.max(pollAfterMs, retryMs), MAX_POLL_MS);
    if (this.#operation.endedAtMs !== null) return;
    if (reading.kind === 'state') {
      const ended = isTerminal(reading.state);
      const outcome = reading.end === null ? null : await outcomeOf(this.#deps, this.#held, reading.end, bundle);
      this.#update({ state: reading.state, progressText: reading.progressText, pollAfterMs });
      if (!ended) return this.arm();
      this.#update({ endedAtMs: now, outcome, paused: null });
      this.#held.state.onOpen.delete(this.#resume);
      return;
    }
    if (reading.kind === 'error' && reading.retryable === true && reading.errorCode !== 'NEGOTIATION_REQUIRED') {
      return this.arm();
    }
    this.#pause(
      reading.kind === 'malformed' ? reading.problem : problem('operation-query-error', { code: reading.errorCode }),
    );
  }

  /** One exchange of its own, with the request_id of the execution (v2 4.1). Null: no answer came; it is paused. */
  async #query(method: Method): Promise<{ value: OperationReading; bundle: Bundle | null } | null> {
    const { state } = this.#held;
    const interrupt = new Interrupt();
    state.interrupts.add(interrupt);
    const leave = await state.gate.enter(interrupt.signal);
    try {
      if (leave === null) return this.#failed(interrupt.reason?.problem ?? problem('call-cancelled', { sent: 'no' }));
      const { provider, bridge } = await this.#deps.access(state.target);
      const { session, open } = state.current();
      if (session?.state !== 'open' || open === null) return this.#failed(session?.problem ?? problem('no-session'));
      const { operationId } = this.#held;
      const { requestId, tool } = this.#operation;
      const deadlineAtMs = this.#deps.clock.now() + QUERY_TIMEOUT_MS;
      const context = { ...this.#held.context, requestId, deadlineAtMs, session: open };
      const request = operationRequest(method, context, operationId);
      const previous = method === 'get_operation' ? this.#operation.state : null;
      const spec = {
        id: this.#deps.uuid(),
        deviceKey: state.target.deviceKey,
        providerKey: state.target.providerKey,
        tool,
        requestId,
        protocol: 'v2' as const,
        call: bridge.encode(provider.authority ?? '', request.method, null, request.extras),
        timeoutMs: QUERY_TIMEOUT_MS,
      };
      const atMs = this.#deps.clock.now();
      const read = (answer: Bundle | null) => {
        const value = readOperation(answer, context, operationId, previous);
        const bad = value.kind === 'malformed' ? value.problem : problem('operation-query-error');
        return { value, end: answerEnd(answer, value.kind === 'state' ? null : bad) };
      };
      const result = await exchange(this.#deps, bridge, spec, { read }, interrupt);
      const value = result.kind === 'answer' ? result.value : null;
      this.#log(spec.id, method, atMs, value, result.kind === 'failure' ? result.problem : null);
      if (result.kind === 'failure') return method === 'get_operation' ? this.#failed(result.problem) : null;
      if (value?.kind === 'error' && value.errorCode === 'NEGOTIATION_REQUIRED') {
        state.end(problem('session-ended-by-provider'), session.id);
      }
      return { value: result.value, bundle: result.bundle };
    } catch (error) {
      if (method === 'get_operation' && error instanceof ProblemError) return this.#failed(error.problem);
      throw error;
    } finally {
      leave?.();
      state.interrupts.delete(interrupt);
    }
  }

  #log(id: string, method: Method, atMs: number, value: OperationReading | null, failure: Problem | null): void {
    const query: OperationQuery = {
      exchangeId: id,
      method,
      atMs,
      state: value?.kind === 'state' ? value.state : null,
      progressText: value?.kind === 'state' ? value.progressText : null,
      errorCode: value?.kind === 'error' ? value.errorCode : null,
      problem: value?.kind === 'malformed' ? value.problem : failure,
      findings: [...(value?.findings ?? [])],
    };
    const queries = [...this.#operation.queries, query].slice(-MAX_QUERIES);
    this.#update({ queries, queryCount: this.#operation.queryCount + 1 });
  }

  #failed(reason: Problem): null {
    this.#earliestMs = this.#deps.clock.now() + this.#operation.pollAfterMs;
    this.#pause(reason);
    return null;
  }

  #pause(reason: Problem): void {
    this.#stopTimer();
    if (this.#operation.endedAtMs === null) this.#update({ paused: reason, nextPollAtMs: null });
  }

  #update(change: Partial<Operation>): void {
    const { deviceKey, providerKey } = this.#held.state.target;
    const whole = { ...this.#operation, ...change };
    const options = { registry: this.#deps.journal.secrets, scope: secretScope(deviceKey, providerKey) };
    this.#operation = redact(whole, options).value as Operation;
    this.#show(this.#operation);
  }
}

/** v2 4.4: never faster than asked; 1,000 ms where nothing usable was said, and never under 200 ms. */
function pollWait(pollAfterMs: number | null): number {
  const asked = pollAfterMs !== null && pollAfterMs > 0 ? pollAfterMs : DEFAULT_POLL_MS;
  return Math.min(Math.max(asked, MIN_POLL_MS), MAX_POLL_MS);
}

function newOperation(held: HeldCall, operationId: string, pollAfterMs: number | null, nowMs: number): Operation {
  const { prepared, state } = held;
  return {
    callId: prepared.id,
    ...state.target,
    tool: prepared.draft.tool,
    requestId: held.context.requestId,
    operationId,
    startedAtMs: nowMs,
    state: null,
    progressText: null,
    pollAfterMs: pollWait(pollAfterMs),
    nextPollAtMs: null,
    paused: null,
    cancelRequestedAtMs: null,
    endedAtMs: null,
    outcome: null,
    queries: [],
    queryCount: 0,
  };
}
