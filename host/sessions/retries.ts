import type { CallRecord } from '../../shared/model/call.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type { CallRetry } from '../../shared/model/retry.ts';
import type { SessionsDeps } from './deps.ts';
import { negotiate } from './negotiation.ts';
import type { ProviderState } from './provider-state.ts';

/** Before an automatic retry whose error names no wait, in ms; doubled with each. */
const FIRST_WAIT_MS = 1_000;
/** A longer wait is left to a person, in ms. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

export interface RetryInput {
  readonly callId: string;
  /** The deliberate act that a tool with effects needs. */
  readonly confirmed: boolean;
  /** Overrides what the rules of v2 5 and 6 say against it: the wait, `retryable`, the window. */
  readonly deliberate: boolean;
}

interface Running {
  readonly state: ProviderState;
  readonly record: CallRecord;
}

/** Sends an execution again, as `SessionBook` prepares and runs any other. */
type Again = (
  record: CallRecord,
  options: { readonly confirmed: boolean; readonly force: boolean; readonly byItself: boolean },
) => Promise<CallRecord>;

/** Retries of calls: by hand, and by themselves where a draft asked for them (v2 4.1, 5, 6). */
export class RetryBook {
  readonly #deps: SessionsDeps;
  readonly #states: () => Iterable<ProviderState>;
  readonly #again: Again;
  /** Scheduled retries, by the call that they repeat. */
  readonly #scheduled = new Map<string, { readonly state: ProviderState; readonly cancel: () => void }>();
  /** Retries made by themselves, by the first call's request_id and Provider. */
  readonly #made = new Map<string, number>();

  constructor(deps: SessionsDeps, states: () => Iterable<ProviderState>, again: Again) {
    this.#deps = deps;
    this.#states = states;
    this.#again = again;
  }

  /** By hand. Throws `ProblemError` where it is too early, not offered, or not safe any more, unless deliberate. */
  async retry({ callId, confirmed, deliberate }: RetryInput): Promise<CallRecord> {
    const found = this.#find(callId);
    const refusal = this.#refusal(found, deliberate);
    if (refusal !== null) throw new ProblemError(refusal);
    this.#stop(found.record.id, problem('retry-by-hand'));
    return this.#send(found, confirmed, false);
  }

  /** Calls off the automatic retries of a call; false where none was to come. */
  stop(callId: string): boolean {
    return this.#stop(callId, problem('retry-stopped'));
  }

  /** After each call: plans the next attempt where its draft asked for one and v2 5 allows it. */
  follow(state: ProviderState, record: CallRecord, confirmed: boolean): void {
    const { retry, prepared } = record;
    const max = prepared.draft.autoRetry?.max ?? 0;
    const key = keyOf(state, record);
    if (max === 0 || retry === null) {
      this.#made.delete(key);
      return;
    }
    const before = record.previousCallId === null ? undefined : this.#made.get(key);
    const left = max - (before ?? 0);
    this.#made.set(key, before ?? 0);
    const wait = this.#waitOf(record, retry, before ?? 0);
    const stopped = this.#standsAgainst(retry, left, wait);
    const auto = {
      left: Math.max(0, left),
      nextAtMs: stopped === null ? this.#deps.clock.now() + wait : null,
      stopped,
    };
    if (stopped !== null) this.#made.delete(key);
    state.calls.update({ ...record, retry: { ...retry, auto } });
    if (auto.nextAtMs !== null) this.#arm({ state, record }, auto.nextAtMs, confirmed);
  }

  /** The Provider or its device went away: nothing follows by itself. */
  stopOf(state: ProviderState, reason: Problem): void {
    for (const [callId, scheduled] of [...this.#scheduled]) if (scheduled.state === state) this.#stop(callId, reason);
  }

  #standsAgainst(retry: CallRetry, left: number, waitMs: number): Problem | null {
    if (!retry.automatic) return problem('retry-not-automatic');
    if (left <= 0) return problem('retry-exhausted');
    if (waitMs > LONGEST_WAIT_MS) return problem('retry-wait-too-long', { ms: waitMs, limit: LONGEST_WAIT_MS });
    return null;
  }

  #waitOf(record: CallRecord, retry: CallRetry, made: number): number {
    const asked = record.outcome?.kind === 'provider-error' && record.outcome.retryAfterMs !== null;
    const asks = Math.max(0, retry.notBeforeMs - this.#deps.clock.now());
    return asked ? asks : FIRST_WAIT_MS * 2 ** made;
  }

  #arm(found: Running, atMs: number, confirmed: boolean): void {
    const { clock } = this.#deps;
    const { id } = found.record;
    const cancel = clock.after(Math.max(0, atMs - clock.now()), () => {
      // A timer may be a fraction of a millisecond before the wall clock that the wait is kept by.
      if (clock.now() < atMs) return this.#arm(found, atMs, confirmed);
      this.#scheduled.delete(id);
      void this.#fire(found, confirmed);
    });
    this.#scheduled.set(id, { state: found.state, cancel });
  }

  async #fire({ state, record }: Running, confirmed: boolean): Promise<void> {
    const key = keyOf(state, record);
    const found = { state, record: listed(state, record) };
    try {
      const refusal = this.#refusal(found, false) ?? droppedSession(state);
      if (refusal !== null) throw new ProblemError(refusal);
      this.#made.set(key, (this.#made.get(key) ?? 0) + 1);
      this.#show(found, { nextAtMs: null });
      await this.#send(found, confirmed, true);
    } catch (error) {
      this.#made.delete(key);
      this.#show({ state, record: listed(state, record) }, { nextAtMs: null, stopped: toProblem(error) });
    }
  }

  /** v2 2.2: where the session has ended, a new one first. A failed negotiation refuses the call, as any other. */
  async #send({ state, record }: Running, confirmed: boolean, byItself: boolean): Promise<CallRecord> {
    const session = state.current().session?.state;
    if (session !== 'open' && session !== 'failed') await negotiate(this.#deps, state, 'retry');
    const force = record.prepared.refusals.some(({ code }) => !SESSION_REFUSALS.has(code));
    return this.#again(record, { confirmed, force, byItself });
  }

  #refusal({ state, record }: Running, deliberate: boolean): Problem | null {
    const now = this.#deps.clock.now();
    const { requestId } = record.prepared;
    const same = state.calls.records.filter((other) => other.prepared.requestId === requestId);
    if (record.endedAtMs === null || same.some((other) => other.endedAtMs === null)) return problem('retry-under-way');
    if (record.prepared.protocol === 'v1' || record.outcome?.kind === 'refused') return problem('retry-no-id');
    // The record holds marks where the secrets were: sending those would be another execution under the same id.
    if (record.prepared.secretsHidden === true) return problem('retry-secrets-hidden');
    if (deliberate) return null;
    if (record.retry === null) return problem('retry-not-offered');
    const { notBeforeMs, safeUntilMs } = record.retry;
    if (now < notBeforeMs) return problem('retry-too-early', { ms: Math.ceil(notBeforeMs - now) });
    if (safeUntilMs !== null && now > safeUntilMs) return problem('retry-window-over', { safeUntilMs });
    return null;
  }

  #find(callId: string): Running {
    for (const state of this.#states()) {
      const { records } = state.calls;
      const asked = records.find((one) => one.id === callId);
      if (asked === undefined) continue;
      // What the Provider said last of an id is what counts: the newest attempt.
      const { protocol, requestId } = asked.prepared;
      const newest = records.find((one) => one.prepared.requestId === requestId && one.outcome?.kind !== 'refused');
      return { state, record: (protocol === 'v1' ? undefined : newest) ?? asked };
    }
    throw new ProblemError(problem('retry-unknown-call'));
  }

  #stop(callId: string, reason: Problem): boolean {
    const scheduled = this.#scheduled.get(callId);
    if (scheduled === undefined) return false;
    this.#drop(callId);
    const { state } = scheduled;
    const record = state.calls.records.find((one) => one.id === callId);
    if (record === undefined) return true;
    this.#made.delete(keyOf(state, record));
    this.#show({ state, record }, { nextAtMs: null, stopped: reason });
    return true;
  }

  #drop(callId: string): void {
    this.#scheduled.get(callId)?.cancel();
    this.#scheduled.delete(callId);
  }

  #show({ state, record }: Running, change: Partial<NonNullable<CallRetry['auto']>>): void {
    const { retry } = record;
    if (retry?.auto == null) return;
    state.calls.update({ ...record, retry: { ...retry, auto: { ...retry.auto, ...change } } });
  }
}

/** A session that a person ended is not opened again by itself. */
function droppedSession(state: ProviderState): Problem | null {
  const reason = state.current().session?.problem ?? null;
  return reason?.code === 'session-dropped' ? reason : null;
}

/** Refusals of a call that had no session: a retry has one. */
const SESSION_REFUSALS: ReadonlySet<string> = new Set(['no-session', 'session-ended', 'session-expired']);

function keyOf({ target }: ProviderState, { prepared }: CallRecord): string {
  return JSON.stringify([target.deviceKey, target.userId, target.providerKey, prepared.requestId]);
}

function listed(state: ProviderState, record: CallRecord): CallRecord {
  return state.calls.records.find((one) => one.id === record.id) ?? record;
}
