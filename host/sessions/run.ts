import type { Bundle } from '../../shared/model/bundle.ts';
import type { CallOutcome, CallRecord } from '../../shared/model/call.ts';
import { type Problem, problem, toProblem } from '../../shared/model/problem.ts';
import type { ExecuteReading } from '../../shared/protocols/cetp/codec.ts';
import { linkOf, retryOf } from './attempts.ts';
import { codecOf } from './catalog.ts';
import { hostDeadline } from './deadlines.ts';
import { carriesOwnToken, forcedMarks, notPassed } from './deliberate.ts';
import { denialFindings } from './denials.ts';
import type { ProviderAccess, SessionsDeps } from './deps.ts';
import { exchange, Interrupt, record as recordEvent } from './exchange.ts';
import type { WayOut } from './gate.ts';
import { isFinal, sessionRefusal } from './judge-draft.ts';
import { openOutcomes } from './open-outcomes.ts';
import { openedBy, openWrite } from './operation-record.ts';
import {
  bridgeNote,
  lateAnswer,
  mayStillAct,
  notRecorded,
  outcomeOf,
  readingEnd,
  withFindings,
  withoutSecrets,
} from './outcome.ts';
import { keepPlace } from './places.ts';
import { fitsProvider, type HeldCall } from './prepare.ts';
import { repeatFindings } from './repeats.ts';
import { resolutionOf } from './resolution.ts';
import { type HeldHandle, handlesToKeep, readResultFile } from './result-file.ts';

/** How long a cancelled call waits for the bridge's own word on who was first, in ms. */
const CANCEL_GRACE_MS = 3_000;

/** A call under way, as the list of running calls knows it. */
export interface RunningCall {
  cancel(): boolean;
}

export interface RunOptions {
  readonly confirmed: boolean;
  readonly force: boolean;
}

/**
 * Sends a prepared call once, exactly as it was encoded, and ends with its
 * record. Our own refusals (a deliberate act is missing, the session changed,
 * …) send nothing; one that comes before the call is under way leaves the
 * prepared call usable.
 */
export async function runCall(
  deps: SessionsDeps,
  held: HeldCall,
  options: RunOptions,
  running: Map<string, RunningCall>,
): Promise<CallRecord> {
  const refusal = refusalBefore(held, options) ?? outcomeOpen(deps, held, options);
  if (refusal !== null) return refuse(deps, held, refusal);
  held.used = true;
  const call = new Call(deps, held, options.force);
  running.set(held.prepared.id, call);
  try {
    return await call.run();
  } finally {
    running.delete(held.prepared.id);
  }
}

export function refusalBefore(held: HeldCall, { confirmed, force }: RunOptions): Problem | null {
  if (held.used) return problem('prepared-used');
  if (held.prepared.hasEffect && !confirmed) {
    return problem('needs-confirmation', { tool: held.prepared.draft.tool, effect: held.effect });
  }
  return refusalNow(held, force);
}

/** v2 4.1: an earlier call may have lost its answer since this one was prepared. */
function outcomeOpen(deps: SessionsDeps, held: HeldCall, { force }: RunOptions): Problem | null {
  const { prepared, draft, argsText, state, context } = held;
  const counts = !force && prepared.protocol === 'v2' && prepared.hasEffect;
  const call = { tool: draft.tool, argsText, requestId: context.requestId, counts };
  return openOutcomes(deps, state, call)[0] ?? null;
}

/** What stands against sending at this moment. */
function refusalNow(held: HeldCall, force: boolean, nowMs: number | null = null): Problem | null {
  const again = held.draft.deliberate?.includes('resume-token-twice') ?? false;
  const used = held.resume?.refusal(again) ?? null;
  if (used !== null) return used;
  const { session } = held.state.current();
  const { protocol, refusals } = held.prepared;
  const deadlineAtMs = hostDeadline(held.prepared);
  if (protocol === 'v2' && (session?.id ?? null) !== held.sessionId) return problem('prepared-stale');
  const overdue = nowMs !== null && deadlineAtMs !== null && nowMs >= deadlineAtMs;
  const all = [
    ...refusals,
    ...sessionRefusal(protocol, session),
    ...(overdue ? [problem('deadline-passed', { deadlineAtMs })] : []),
  ];
  return notPassed(held.draft, all).find((one) => isFinal(one) || !force) ?? null;
}

/** A refusal is a record of its own, with an exchange of its own: nothing was sent. */
function refuse(deps: SessionsDeps, held: HeldCall, reason: Problem): CallRecord {
  const { prepared, state } = held;
  const id = deps.uuid();
  const now = deps.clock.now();
  const unrecorded = recordEvent(deps, {
    kind: 'notice',
    exchangeId: id,
    deviceKey: state.target.deviceKey,
    providerKey: state.target.providerKey,
    method: prepared.method,
    tool: prepared.draft.tool,
    requestId: prepared.requestId,
    outcome: 'refused',
    errorCode: reason.code,
    payload: { problem: reason, preparedId: prepared.id, ...marksIn(held) },
  });
  const findings = unrecorded === null ? [] : [notRecorded(unrecorded)];
  const record: CallRecord = {
    ...newRecord(held, now),
    id,
    endedAtMs: now,
    outcome: { kind: 'refused', findings, problem: reason },
  };
  state.calls.add(record);
  return record;
}

function newRecord({ prepared, label, deviceLabel, state }: HeldCall, nowMs: number): CallRecord {
  return {
    id: prepared.id,
    prepared,
    deviceLabel,
    providerLabel: label,
    startedAtMs: nowMs,
    sentAtMs: null,
    endedAtMs: null,
    durationMs: null,
    outcome: null,
    ...linkOf(state.calls.records, prepared),
    retry: null,
  };
}

/** What the journal says of a call beside its Bundle; `forced`: it is sent against our own refusals. */
function marksIn({ prepared }: HeldCall, forced = false): Record<string, unknown> {
  const { resumes, burst } = prepared;
  const deliberate = [...prepared.deliberate, ...(forced ? forcedMarks(prepared.refusals) : [])];
  return {
    ...(resumes === null ? {} : { resumes }),
    ...(deliberate.length === 0 ? {} : { deliberate }),
    ...(burst === null ? {} : { burst }),
  };
}

class Call implements RunningCall {
  readonly #deps: SessionsDeps;
  readonly #held: HeldCall;
  readonly #force: boolean;
  readonly #interrupt = new Interrupt();
  #record: CallRecord;
  #stage: 'waiting' | 'sending' | 'answered' = 'waiting';
  /** The descriptor of the answer, until its reading begins. */
  #file: HeldHandle | null = null;

  constructor(deps: SessionsDeps, held: HeldCall, force: boolean) {
    this.#deps = deps;
    this.#held = held;
    this.#force = force;
    this.#record = newRecord(held, deps.clock.now());
    held.state.calls.add(this.#record);
  }

  /** Whether there was still something to abandon. Where the answer was faster, the record shows it. */
  cancel(): boolean {
    // An answered call may still have its file under way; that reading is all that is left to stop.
    if (this.#stage === 'answered') return this.#deps.results?.cancel(this.#held.prepared.id) ?? false;
    if (this.#interrupt.reason !== null) return false;
    if (this.#stage === 'waiting') {
      this.#interrupt.force(problem('call-cancelled', { sent: 'no' }), true);
      return true;
    }
    this.#event('cancel', {});
    const reason = problem('call-cancelled', { sent: this.#record.sentAtMs === null ? 'no' : 'yes' });
    this.#interrupt.ask(reason, true);
    this.#deps.clock.after(CANCEL_GRACE_MS, () => this.#interrupt.force(reason, true));
    return true;
  }

  async run(): Promise<CallRecord> {
    const { state } = this.#held;
    state.interrupts.add(this.#interrupt);
    const { id, requestId } = this.#held.prepared;
    // An attempt with the same request_id is the same piece of work for the Provider (v2 6): it takes over its place.
    if (requestId !== null) state.gate.settle(requestId);
    const atOnce = this.#held.prepared.burst !== null;
    const leave = await state.gate.enter(this.#interrupt.signal, { callId: id, atOnce });
    const done = () => {
      leave?.();
      state.interrupts.delete(this.#interrupt);
    };
    try {
      const outcome = leave === null ? this.#endUnsent() : await this.#inside(leave);
      // The Provider is done with the request: its file takes no place among those under way.
      done();
      return this.#end(await this.#readFile(outcome));
    } catch (error) {
      // A bug of ours must not leave a call that never ends, nor a descriptor open.
      this.#file?.bridge.release([this.#file.handle]).catch(() => {});
      const end = {
        kind: 'transport-failure' as const,
        findings: [mayStillAct(this.#held)],
        problem: toProblem(error),
      };
      this.#end(withoutSecrets(this.#deps, this.#held, end));
      throw error;
    } finally {
      done();
    }
  }

  async #readFile(outcome: CallOutcome): Promise<CallOutcome> {
    const file = this.#file;
    if (file === null) return outcome;
    this.#file = null;
    const { id: callId, draft, method, requestId } = this.#held.prepared;
    const call = { callId, tool: draft.tool, method, requestId };
    const show = (growing: CallOutcome) => this.#update({ outcome: growing });
    return readResultFile(this.#deps, this.#held, call, { outcome, file }, show);
  }

  async #inside(leave: WayOut): Promise<CallOutcome> {
    let access: ProviderAccess | null;
    try {
      const ended = this.#interrupt.ended.then(() => null);
      access = await Promise.race([this.#deps.access(this.#held.state.target), ended]);
    } catch (error) {
      return this.#unsent('transport-failure', toProblem(error));
    }
    // From here to the bridge nothing waits, so that what is checked is what is sent.
    if (access === null || this.#interrupt.reason !== null) return this.#endUnsent();
    const fits = fitsProvider(this.#held, access.provider, access.bridge.kind);
    const refusal = fits ? refusalNow(this.#held, this.#force, this.#deps.clock.now()) : problem('prepared-stale');
    if (refusal !== null) return this.#unsent('refused', refusal);
    try {
      return await this.#send(access, leave);
    } catch (error) {
      if (this.#stage === 'sending') throw error;
      return this.#unsent('refused', toProblem(error));
    }
  }

  async #send({ bridge }: ProviderAccess, leave: WayOut): Promise<CallOutcome> {
    const { prepared, state, call, context, sessionId } = this.#held;
    const spec = {
      id: prepared.id,
      deviceKey: state.target.deviceKey,
      providerKey: state.target.providerKey,
      tool: prepared.draft.tool,
      requestId: prepared.requestId,
      protocol: prepared.protocol,
      call,
      timeoutMs: prepared.draft.timeoutMs,
      previousId: this.#record.previousCallId,
      marks: marksIn(this.#held, this.#force),
    };
    const result = await exchange<ExecuteReading>(
      this.#deps,
      bridge,
      spec,
      {
        onRecorded: () => {
          this.#stage = 'sending';
          this.#held.resume?.sent();
        },
        onSent: () => this.#update({ sentAtMs: this.#deps.clock.now() }),
        onLate: () => {
          state.gate.settle(prepared.id);
          this.#addFindings([lateAnswer()]);
        },
        read: (answer: Bundle | null) => {
          this.#stage = 'answered';
          const value = codecOf(this.#held.answerProtocol).readExecute(answer, context);
          const resolution = this.#held.answerProtocol === 'v2' ? resolutionOf(value, answer, bridge) : null;
          this.#held.resolution = resolution;
          const opened = openedBy(this.#deps, this.#held, value);
          this.#held.opened = opened;
          const end = { ...readingEnd(value), ...openWrite(this.#deps, opened) };
          const keep = [
            ...handlesToKeep(this.#deps, value),
            ...(resolution?.handle == null ? [] : [resolution.handle]),
          ];
          return { value, end, keep };
        },
      },
      this.#interrupt,
    );
    this.#stage = 'answered';
    this.#update({ durationMs: result.durationMs });
    if (result.kind === 'answer') {
      const [handle] = handlesToKeep(this.#deps, result.value);
      if (handle !== undefined && result.kept.includes(handle)) this.#file = { handle, bridge };
    }
    const unrecorded = result.unrecorded === null ? [] : [notRecorded(result.unrecorded)];
    if (result.kind === 'failure') {
      const deadlineAtMs = hostDeadline(prepared) ?? context.deadlineAtMs;
      const place = { id: prepared.id, requestId: prepared.requestId, deadlineAtMs };
      keepPlace(this.#deps, state, leave, place, result);
      const findings = [...unrecorded, ...(result.sent ? [mayStillAct(this.#held)] : [])];
      const kind = result.cancelled ? 'cancelled' : 'transport-failure';
      return withoutSecrets(this.#deps, this.#held, { kind, findings, problem: result.problem });
    }
    const outcome = await outcomeOf(this.#deps, this.#held, result.value, result.bundle);
    const negotiationRequired = outcome.kind === 'provider-error' && outcome.errorCode === 'NEGOTIATION_REQUIRED';
    if (negotiationRequired && sessionId !== null && carriesOwnToken(this.#held.draft)) {
      state.end(problem('session-ended-by-provider'), sessionId);
    }
    if (outcome.kind === 'success' && this.#file === null && outcome.outputVerdict.reason !== 'no-schema') {
      this.#event('notice', { outputVerdict: outcome.outputVerdict });
    }
    const repeats = repeatFindings(this.#held, outcome, this.#deps.clock.now());
    return withFindings(outcome, [
      ...unrecorded,
      ...result.notes.map(bridgeNote),
      ...repeats,
      ...denialFindings(this.#held, outcome),
    ]);
  }

  /** Ended before its turn came: cancelled, or the device went away. */
  #endUnsent(): CallOutcome {
    const reason = this.#interrupt.reason ?? { problem: problem('call-cancelled', { sent: 'no' }), cancelled: true };
    return this.#unsent(reason.cancelled ? 'cancelled' : 'transport-failure', reason.problem);
  }

  #unsent(kind: 'cancelled' | 'transport-failure' | 'refused', reason: Problem): CallOutcome {
    const unrecorded = this.#event(
      kind === 'cancelled' ? 'cancel' : 'failure',
      { problem: reason, sent: false },
      {
        outcome: kind,
        errorCode: reason.code,
      },
    );
    return { kind, findings: unrecorded === null ? [] : [notRecorded(unrecorded)], problem: reason };
  }

  #event(
    kind: 'cancel' | 'failure' | 'notice',
    payload: unknown,
    end: { outcome?: 'cancelled' | 'transport-failure' | 'refused'; errorCode?: string } = {},
  ): Problem | null {
    const { prepared, state } = this.#held;
    return recordEvent(this.#deps, {
      kind,
      exchangeId: prepared.id,
      deviceKey: state.target.deviceKey,
      providerKey: state.target.providerKey,
      method: prepared.method,
      tool: prepared.draft.tool,
      requestId: prepared.requestId,
      ...end,
      payload,
    });
  }

  #end(outcome: CallOutcome): CallRecord {
    const endedAtMs = this.#deps.clock.now();
    this.#update({ endedAtMs, outcome, retry: retryOf(this.#held, this.#record, outcome, endedAtMs) });
    return this.#record;
  }

  #addFindings(findings: Parameters<typeof withFindings>[1]): void {
    const { outcome } = this.#record;
    if (outcome !== null) this.#update({ outcome: withFindings(outcome, findings) });
  }

  #update(change: Partial<CallRecord>): void {
    // What is planned after the end is changed in the list alone.
    const listed = this.#held.state.calls.records.find(({ id }) => id === this.#record.id);
    this.#record = { ...this.#record, retry: listed?.retry ?? this.#record.retry, ...change };
    this.#held.state.calls.update(this.#record);
  }
}
