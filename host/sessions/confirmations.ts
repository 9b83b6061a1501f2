import type { CallRecord } from '../../shared/model/call.ts';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import { LatestValue } from '../base/latest-value.ts';
import { ConfirmationEntry } from './confirmation-entry.ts';
import type { SessionsDeps, Target } from './deps.ts';
import type { HeldCall } from './prepare.ts';
import type { Resolution } from './resolution.ts';

/** PendingIntents held at once; a connection of the companion holds 256 handles (companion protocol, section 3). */
const MAX_OPEN = 100;
const MAX_ENDED = 100;

/** How the book makes and sends a resumed call. */
export interface ResumeWays {
  prepare(entry: ConfirmationEntry): Promise<HeldCall>;
  run(held: HeldCall): Promise<CallRecord>;
}

/** The calls of this run that wait, or waited, for a person (v2 4.3), newest first. */
export class ConfirmationBook {
  readonly #deps: SessionsDeps;
  readonly #ways: ResumeWays;
  readonly #latest = new LatestValue<Confirmation[]>([]);
  /** Oldest first. */
  readonly #entries = new Map<string, ConfirmationEntry>();

  constructor(deps: SessionsDeps, ways: ResumeWays) {
    this.#deps = deps;
    this.#ways = ways;
  }

  watch(signal: AbortSignal): AsyncIterable<Confirmation[]> {
    return this.#latest.watch(signal);
  }

  /** Takes what a call ended with: a new wish for a person, or the end of earlier ones of the same request_id. */
  ended(held: HeldCall, record: CallRecord): void {
    const resolution = held.resolution;
    held.resolution = null;
    held.resume?.ended(record);
    const { outcome } = record;
    const asks = resolution !== null && outcome?.kind === 'provider-error';
    const settled = outcome?.kind === 'success' || outcome?.kind === 'accepted' || isDenial(outcome);
    if (asks || settled) {
      for (const entry of this.#entries.values()) {
        if (isSameExecution(entry.held, held)) entry.superseded(record.id);
      }
    }
    if (asks) this.#open(held, record, resolution);
  }

  /** A deliberate act. Answers when the screen's result came, or did not. */
  async launch(callId: string, confirmed: boolean): Promise<Confirmation> {
    const entry = this.entry(callId);
    if (!confirmed) throw new ProblemError(problem('launch-needs-confirmation', { tool: entry.shown.tool }));
    return entry.launch();
  }

  /**
   * Launch, result, resume, as one deliberate act. RESULT_CANCELED is resumed too: the Provider decides what it means.
   * `call` is null where nothing was resumed; the confirmation's last step says why.
   */
  async confirm(callId: string, confirmed: boolean): Promise<{ confirmation: Confirmation; call: CallRecord | null }> {
    const entry = this.entry(callId);
    const { state } = await this.launch(callId, confirmed);
    if (state !== 'returned') return { confirmation: entry.shown, call: null };
    let held: HeldCall;
    try {
      held = await this.#ways.prepare(entry);
    } catch (error) {
      entry.notResumed(toProblem(error));
      return { confirmation: entry.shown, call: null };
    }
    const call = await this.#ways.run(held);
    return { confirmation: entry.shown, call };
  }

  stop(callId: string): boolean {
    return this.entry(callId).stop();
  }

  setAside(callId: string): Confirmation {
    return this.entry(callId).setAside();
  }

  /** Throws `ProblemError` where the call asked for nobody in this run. */
  entry(callId: string): ConfirmationEntry {
    const entry = this.#entries.get(callId);
    if (entry === undefined) throw new ProblemError(problem('confirmation-unknown'));
    return entry;
  }

  /** The device, or the Provider's app, went away. */
  gone(where: { readonly deviceKey: string } & Partial<Target>, reason: Problem): void {
    for (const entry of this.#entries.values()) {
      const { deviceKey, userId, providerKey } = entry.held.state.target;
      if (deviceKey !== where.deviceKey) continue;
      if (where.providerKey !== undefined && (providerKey !== where.providerKey || userId !== where.userId)) continue;
      entry.gone(reason);
    }
  }

  close(): void {
    for (const entry of this.#entries.values()) {
      entry.stop();
      entry.close();
    }
  }

  #open(held: HeldCall, record: CallRecord, resolution: Resolution): void {
    const { callId } = this.#add(held, record, resolution);
    const open = [...this.#entries.values()].filter((entry) => entry.shown.canLaunch);
    // The newest ones are what somebody looks at.
    for (const entry of open.slice(0, Math.max(0, open.length - MAX_OPEN))) {
      if (entry.shown.callId !== callId) entry.gone(problem('confirmation-crowded-out', { limit: MAX_OPEN }));
    }
  }

  #add(held: HeldCall, record: CallRecord, resolution: Resolution): Confirmation {
    const first = newConfirmation(held, record, resolution, this.#deps.clock.now());
    const show = (confirmation: Confirmation) => this.#show(confirmation);
    const entry = new ConfirmationEntry(this.#deps, held, { resolution, first, show });
    this.#entries.set(first.callId, entry);
    return entry.shown;
  }

  #show(confirmation: Confirmation): void {
    const known = this.#latest.value.some((one) => one.callId === confirmation.callId);
    const all = known
      ? this.#latest.value.map((one) => (one.callId === confirmation.callId ? confirmation : one))
      : [confirmation, ...this.#latest.value];
    let ended = 0;
    const kept = all.filter((one) => isWaiting(one) || ++ended <= MAX_ENDED);
    for (const one of all) if (!kept.includes(one)) this.#entries.delete(one.callId);
    this.#latest.set(kept);
  }
}

function isWaiting({ state }: Confirmation): boolean {
  return state === 'waiting' || state === 'launched' || state === 'returned';
}

function isDenial(outcome: CallRecord['outcome']): boolean {
  return outcome?.kind === 'provider-error' && outcome.errorCode === 'USER_CANCELLED';
}

function isSameExecution(one: HeldCall, other: HeldCall): boolean {
  return one.state === other.state && one.prepared.requestId === other.prepared.requestId;
}

function newConfirmation(held: HeldCall, record: CallRecord, resolution: Resolution, nowMs: number): Confirmation {
  const { outcome, deviceLabel, providerLabel, prepared } = record;
  if (outcome?.kind !== 'provider-error') throw new Error('Only an error of the Provider asks for a person.');
  return {
    callId: record.id,
    ...held.state.target,
    deviceLabel,
    providerLabel,
    tool: prepared.draft.tool,
    toolIndex: held.tool?.row.index ?? null,
    requestId: prepared.requestId ?? '',
    errorCode: outcome.errorCode,
    errorMessage: outcome.errorMessage,
    resolution: resolution.facts,
    hasResumeToken: resolution.resumeToken !== null,
    findings: outcome.findings.filter(({ where }) => where === 'resolution' || where === 'resume_token'),
    state: 'waiting',
    canLaunch: resolution.handle !== null,
    canResume: resolution.resumeToken !== null,
    sinceMs: nowMs,
    steps: [],
  };
}
