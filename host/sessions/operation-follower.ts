import type { CallOutcome } from '../../shared/model/call.ts';
import type { Operation, OperationQuery } from '../../shared/model/operation.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import { isTerminal, type OperationMethod, type OperationReading } from '../../shared/protocols/cetp/v2/operations.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import type { OperationChange, OperationWrite } from '../journal/operations.ts';
import { processOf } from '../journal/owner.ts';
import type { SessionsDeps } from './deps.ts';
import { record } from './exchange.ts';
import { askOperation, asQuery, type QueryResult } from './operation-query.ts';
import {
  changeWrite,
  MAX_POLL_MS,
  MAX_QUERIES,
  type OperationSubject,
  pollWait,
  stepsWith,
} from './operation-record.ts';
import { lateAnswer, outcomeOf } from './outcome.ts';
import { type HeldHandle, handlesToKeep, readResultFile, startOfFile } from './result-file.ts';

/** Queries in a row without an answer, before it takes a person or the device's return to go on. */
const MAX_FAILURES = 3;
const FIRST_BACKOFF_MS = 2_000;
/** Of `Clock.after`, in ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Follows one operation to its end, at the Provider's pace by a clock that cannot be set. */
export class Follower {
  readonly subject: OperationSubject;
  readonly #deps: SessionsDeps;
  readonly #show: (operation: Operation) => void;
  #operation: Operation;
  /** No query before this, by the monotonic clock, whoever asks. */
  #earliest: number;
  #polling: Promise<Operation> | null = null;
  /** One request at a time: a request to cancel never overtakes a query, and the other way round. */
  #turn: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #negotiationLost = false;
  #deviceAway: boolean;
  #stopped = false;
  #stopTimer: () => void = () => {};

  /** `waits`: it goes on by itself once its device is there. */
  constructor(
    deps: SessionsDeps,
    subject: OperationSubject,
    first: Operation,
    waits: boolean,
    show: (operation: Operation) => void,
  ) {
    this.#deps = deps;
    this.subject = subject;
    this.#operation = first;
    this.#show = show;
    this.#deviceAway = waits;
    this.#earliest = deps.clock.monotonic() + first.pollAfterMs;
    subject.state.onOpen.add(this.#sessionOpened);
    this.#update({});
  }

  get operation(): Operation {
    return this.#operation;
  }

  arm(): void {
    this.#stopTimer();
    const { endedAtMs, following } = this.#operation;
    if (this.#stopped || endedAtMs !== null || !following) return;
    const wait = Math.max(0, this.#earliest - this.#deps.clock.monotonic());
    this.#update({ nextPollAtMs: this.#deps.clock.now() + wait, paused: null });
    this.#stopTimer = this.#deps.clock.after(Math.min(wait, LONGEST_TIMER_MS), () => {
      // A timer may be a fraction of a millisecond before the clock that the wait is kept by, or shorter than the wait.
      if (this.#deps.clock.monotonic() < this.#earliest) return this.arm();
      this.poll().catch((error: unknown) => this.#pause(toProblem(error)));
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
    this.subject.state.onOpen.delete(this.#sessionOpened);
  }

  /** Asks for the state now, or joins the query that is under way. */
  poll(): Promise<Operation> {
    this.#polling ??= this.#inTurn(() => this.#pollNow()).finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  /** v2 4.4: a request only; the end is what a later query reports. */
  cancel(): Promise<Operation> {
    return this.#inTurn(async () => {
      const { endedAtMs, state } = this.#operation;
      if (endedAtMs !== null) throw new ProblemError(problem('operation-ended', { state: state ?? '' }));
      this.#claim();
      const result = await this.#ask('cancel_operation');
      if (result.kind === 'failure') throw new ProblemError(result.problem);
      const { value } = result;
      if (value.kind === 'state' && value.state === 'cancellation_requested') {
        const atMs = this.#operation.cancelRequestedAtMs ?? this.#deps.clock.now();
        this.#update({ cancelRequestedAtMs: atMs });
        this.#note('cancel-acknowledged', { by: result.exchangeId });
      }
      return this.#operation;
    });
  }

  /** A person's wish: goes on asking, also where another host does it now, or stops. */
  follow(follow: boolean): Operation {
    const { callId, endedAtMs } = this.#operation;
    if (endedAtMs !== null) return this.#operation;
    if (follow) this.#takeOver();
    if (this.#operation.endedAtMs !== null) return this.#operation;
    this.#note(follow ? 'followed' : 'not-followed', {}, changeWrite(callId, { following: follow }));
    this.#update({ following: follow });
    if (!follow) this.#pause(problem('operation-not-followed'));
    else {
      this.#deviceAway = false;
      this.#failures = 0;
      this.#negotiationLost = false;
      if (this.#polling === null) this.arm();
    }
    return this.#operation;
  }

  /** The device left: nothing can be asked until it is back. */
  deviceGone(reason: Problem): void {
    this.#deviceAway = true;
    this.#pause(reason);
  }

  deviceReady(): void {
    if (!this.#deviceAway || this.#stopped) return;
    this.#deviceAway = false;
    this.#failures = 0;
    if (this.#operation.endedAtMs !== null || !this.#operation.following) return;
    // Whoever asked last may have done so a moment ago: the whole wait again.
    this.#earliest = Math.max(this.#earliest, this.#deps.clock.monotonic() + this.#operation.pollAfterMs);
    if (this.#polling === null) this.arm();
  }

  readonly #sessionOpened = (): void => {
    if (this.#operation.paused === null || this.#operation.endedAtMs !== null) return;
    this.#deviceAway = false;
    if (this.#polling === null) this.arm();
  };

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #pollNow(): Promise<Operation> {
    const waitMs = this.#earliest - this.#deps.clock.monotonic();
    if (waitMs > 0) throw new ProblemError(problem('poll-too-early', { ms: Math.ceil(waitMs) }));
    this.#stopTimer();
    this.#claim();
    this.#update({ nextPollAtMs: null });
    const result = await this.#ask('get_operation');
    if (result.kind === 'failure') this.#failed(result.problem);
    else await this.#take(result);
    return this.#operation;
  }

  /** Throws `operation-followed-elsewhere`: two hosts would ask faster than the Provider wants. */
  #claim(): void {
    const { journal, owner, isAlive } = this.#deps;
    const { callId, endedAtMs } = this.#operation;
    if (endedAtMs !== null || journal.operations.ownerOf(callId) === owner) return;
    const other = journal.operations.claim(callId, owner, isAlive);
    if (other === null) return;
    throw new ProblemError(problem('operation-followed-elsewhere', { process: processOf(other) ?? 0 }));
  }

  /** What the other host was told meanwhile counts, and its last query may be a moment old. */
  #takeOver(): void {
    const { journal, owner } = this.#deps;
    const { callId } = this.#operation;
    if (journal.operations.ownerOf(callId) === owner) return;
    journal.operations.claim(callId, owner, () => false);
    const stored = journal.operations.find(callId);
    if (stored === null) return;
    const { state, pollAfterMs, cancelAskedAtMs, cancelRequestedAtMs, endedAtMs } = stored;
    const paused = endedAtMs === null ? this.#operation.paused : null;
    this.#update({ state, pollAfterMs, cancelAskedAtMs, cancelRequestedAtMs, endedAtMs, paused });
    this.#wait(pollAfterMs);
  }

  async #ask(method: OperationMethod): Promise<QueryResult> {
    const { requestId, tool, state } = this.#operation;
    const result = await askOperation(this.#deps, {
      method,
      subject: this.subject,
      requestId,
      tool,
      previous: state,
      changes: (value) => this.#changes(method, value),
      keep: (value) => this.#toKeep(method, value),
      onSent: () => {
        if (method === 'cancel_operation') this.#cancelSent();
      },
      onLate: (exchangeId) => this.#addLate(exchangeId),
    });
    if (result.exchangeId !== null) this.#log(method, result, result.exchangeId);
    return result;
  }

  /** What the answer says of the operation, on disk with it. */
  #changes(method: OperationMethod, value: OperationReading): OperationWrite | undefined {
    if (this.#operation.endedAtMs !== null) return undefined;
    const now = this.#deps.clock.now();
    const write = (change: OperationChange) => changeWrite(this.#operation.callId, change);
    if (method === 'cancel_operation') {
      const acknowledged = value.kind === 'state' && value.state === 'cancellation_requested';
      return acknowledged ? write({ cancelRequestedAtMs: this.#operation.cancelRequestedAtMs ?? now }) : undefined;
    }
    if (value.kind !== 'state') return endsFollowing(value) ? write({ following: false }) : undefined;
    const ended = isTerminal(value.state) ? { endedAtMs: now } : {};
    return write({ state: value.state, pollAfterMs: pollWait(value.pollAfterMs), ...ended });
  }

  #cancelSent(): void {
    if (this.#operation.cancelAskedAtMs !== null) return;
    const cancelAskedAtMs = this.#deps.clock.now();
    this.#update({ cancelAskedAtMs });
    this.#note('cancel-asked', {}, changeWrite(this.#operation.callId, { cancelAskedAtMs }));
  }

  async #take({ value: reading, bundle, exchangeId, file }: QueryResult & { kind: 'answer' }): Promise<void> {
    const now = this.#deps.clock.now();
    const pollAfterMs = reading.kind === 'state' ? pollWait(reading.pollAfterMs) : this.#operation.pollAfterMs;
    const retryMs = reading.kind === 'error' ? Number(reading.retryAfterMs ?? 0) : 0;
    this.#wait(Math.max(pollAfterMs, retryMs));
    this.#failures = 0;
    if (this.#operation.endedAtMs !== null) {
      file?.bridge.release([file.handle]).catch(() => {});
      return;
    }
    const lostBefore = this.#negotiationLost;
    this.#negotiationLost = reading.kind === 'error' && reading.errorCode === 'NEGOTIATION_REQUIRED';
    if (reading.kind === 'state') {
      const before = this.#operation.state;
      const end = reading.end === null ? null : await outcomeOf(this.#deps, this.subject, reading.end, bundle);
      // Whoever waits for the end must see at once that a file still comes.
      const outcome = end !== null && file !== null ? startOfFile(end) : end;
      const { state, progressText } = reading;
      const ended = isTerminal(state) ? { endedAtMs: now, outcome, paused: null } : {};
      this.#update({ state, progressText, pollAfterMs, ...ended });
      if (before !== state) this.#note('state', { state, by: exchangeId });
      if (isTerminal(state)) this.subject.state.onOpen.delete(this.#sessionOpened);
      else this.arm();
      if (outcome !== null && file !== null) this.#readFile(outcome, file);
      return;
    }
    if (endsFollowing(reading)) this.#update({ following: false });
    // v2 5: again by itself only where the Provider says so; a session is asked for once, not in a loop.
    const mayGoOn = reading.kind === 'error' && reading.retryable === true && !(this.#negotiationLost && lostBefore);
    if (mayGoOn) this.arm();
    else
      this.#pause(
        reading.kind === 'malformed' ? reading.problem : problem('operation-query-error', { code: reading.errorCode }),
      );
  }

  /** A request to cancel brings no result, and a later end does not replace the first. */
  #toKeep(method: OperationMethod, reading: OperationReading): readonly string[] {
    const isEnd = method === 'get_operation' && this.#operation.endedAtMs === null && reading.kind === 'state';
    return isEnd ? handlesToKeep(this.#deps, reading.end) : [];
  }

  /** The end is known; the file of its result comes behind it (v2 4.5). */
  #readFile(outcome: CallOutcome, file: HeldHandle): void {
    const { callId, tool, requestId } = this.#operation;
    const call = { callId, tool, requestId, method: 'execute_tool' };
    const show = (growing: CallOutcome) => this.#update({ outcome: growing });
    readResultFile(this.#deps, this.subject, call, { outcome, file }, show).then(show, (error: unknown) =>
      show({ kind: 'transport-failure', findings: outcome.findings, problem: toProblem(error) }),
    );
  }

  #wait(ms: number): void {
    this.#earliest = this.#deps.clock.monotonic() + Math.min(ms, MAX_POLL_MS);
  }

  /** No answer says nothing of the operation: it is asked again, a bounded number of times (v2 6). */
  #failed(reason: Problem): void {
    this.#failures++;
    this.#wait(Math.max(this.#operation.pollAfterMs, FIRST_BACKOFF_MS * 2 ** this.#failures));
    const { session } = this.subject.state.current();
    const needsPerson = session?.state === 'failed' || session?.problem?.code === 'session-dropped';
    if (this.#deviceAway || needsPerson || this.#failures > MAX_FAILURES) this.#pause(reason);
    else this.arm();
  }

  #log(method: OperationMethod, result: QueryResult, exchangeId: string): void {
    const empty = { state: null, progressText: null, errorCode: null, findings: [] };
    const query: OperationQuery = {
      exchangeId,
      method,
      atMs: result.askedAtMs,
      answeredAtMs: result.kind === 'answer' ? this.#deps.clock.now() : null,
      ...(result.kind === 'answer' ? asQuery(result.value) : { ...empty, problem: result.problem }),
    };
    const { queries, queryCount, steps, endedAtMs } = this.#operation;
    this.#update({
      queries: [...queries, query].slice(-MAX_QUERIES),
      queryCount: queryCount + 1,
      // What comes after an end is a finding of its query, and no step of the operation.
      steps: endedAtMs === null ? stepsWith(steps, query) : steps,
    });
  }

  #addLate(exchangeId: string): void {
    const queries = this.#operation.queries.map((query) =>
      query.exchangeId === exchangeId ? { ...query, findings: [...query.findings, lateAnswer()] } : query,
    );
    this.#update({ queries });
  }

  #pause(reason: Problem): void {
    this.#stopTimer();
    if (this.#operation.endedAtMs === null) this.#update({ paused: reason, nextPollAtMs: null });
  }

  /** An event in the exchange of the call that opened it, so that its history tells the whole story. */
  #note(what: string, more: object, operation?: OperationWrite): void {
    const { target } = this.subject.state;
    const { callId, tool, requestId } = this.#operation;
    record(this.#deps, {
      kind: 'notice',
      exchangeId: callId,
      deviceKey: target.deviceKey,
      providerKey: target.providerKey,
      method: 'execute_tool',
      tool,
      requestId,
      payload: { operation: { what, ...more } },
      ...(operation === undefined ? {} : { operation }),
    });
  }

  /** The Provider answered another call with the same request_id by this operation. */
  repeatedBy(callId: string): void {
    const { repeats } = this.#operation;
    if (callId === this.#operation.callId || repeats.includes(callId)) return;
    this.#update({ repeats: [...repeats, callId].slice(-MAX_QUERIES) });
  }

  notePickedUp(): void {
    this.#note('picked-up', {});
  }

  #update(change: Partial<Operation>): void {
    const { deviceKey, providerKey } = this.subject.state.target;
    const whole = { ...this.#operation, ...change };
    const options = { registry: this.#deps.journal.secrets, scope: secretScope(deviceKey, providerKey) };
    this.#operation = redact(whole, options).value as Operation;
    this.#show(this.#operation);
  }
}

/** An answer after which asking again by itself makes no sense; a lost session does not end it. */
function endsFollowing(reading: OperationReading): boolean {
  if (reading.kind === 'malformed') return true;
  return reading.kind === 'error' && reading.retryable !== true && reading.errorCode !== 'NEGOTIATION_REQUIRED';
}
