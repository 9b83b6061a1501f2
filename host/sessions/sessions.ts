import type { CallDraft, CallRecord, GeneratedArgs, GenerateMode, PreparedCall } from '../../shared/model/call.ts';
import type { Catalog, ToolDetail } from '../../shared/model/catalog.ts';
import type { CatalogDiff } from '../../shared/model/catalog-diff.ts';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import type { Deviation } from '../../shared/model/deviation.ts';
import type { Operation } from '../../shared/model/operation.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { RequestQueue } from '../../shared/model/queue.ts';
import type { Session, SessionOffer } from '../../shared/model/session.ts';
import { hideKnown, redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import { loadCatalog, readInNewSession } from './catalog.ts';
import type { ConfirmationEntry } from './confirmation-entry.ts';
import { ConfirmationBook } from './confirmations.ts';
import { copiesOf } from './deliberate.ts';
import type { SessionsDeps, Target } from './deps.ts';
import { named } from './names.ts';
import { negotiate } from './negotiation.ts';
import { OperationBook } from './operations.ts';
import { type HeldCall, prepare } from './prepare.ts';
import { ProviderState } from './provider-state.ts';
import { RetryBook, type RetryInput } from './retries.ts';
import { type RunningCall, refusalBefore, runCall } from './run.ts';
import { recordSessionEnd, sessionsOf } from './session-log.ts';
import { generateArgs, toolDetail } from './tool-detail.ts';

const MAX_PREPARED = 200;

/** What the contract's `sessions`, `catalog` and `calls` need. Every expected failure is a `ProblemError`. */
export interface Sessions {
  watchSession(target: Target, signal: AbortSignal): AsyncIterable<Session | null>;
  /** By hand, with everything offered unless a person chose otherwise. */
  negotiate(target: Target, offer?: SessionOffer | null): Promise<Session>;
  /** Every negotiation with one Provider, newest first, earlier runs included. */
  listSessions(target: Target): Promise<Session[]>;
  /** Forgets the session in force. Sends nothing. */
  dropSession(target: Target): Promise<Session | null>;
  catalog(target: Target, refresh: boolean): Promise<Catalog>;
  tool(target: Target, index: number): Promise<ToolDetail>;
  /** What changed between two readings of the list; null where there was one only. Sends nothing. */
  catalogDiff(target: Target): Promise<CatalogDiff | null>;
  generate(target: Target, index: number, mode: GenerateMode): Promise<GeneratedArgs>;
  /** `hideSecrets`: the records show known secrets masked, also where the arguments hold them. What is sent is the same. */
  prepare(draft: CallDraft, hideSecrets?: boolean): Promise<PreparedCall>;
  run(input: { preparedId: string; confirmed: boolean; force: boolean }): Promise<CallRecord>;
  cancel(callId: string): boolean;
  /** The same execution again, with the same request_id and args; a new session first where there is none in force. */
  retry(input: RetryInput): Promise<CallRecord>;
  /** Calls off the automatic retries of a call; false where none was to come. */
  stopRetry(callId: string): boolean;
  watchCalls(target: Target, signal: AbortSignal): AsyncIterable<CallRecord[]>;
  /** The requests under way and waiting, again at each change. */
  watchQueue(target: Target, signal: AbortSignal): AsyncIterable<RequestQueue>;
  /** Every background operation of this run, newest first. */
  watchOperations(signal: AbortSignal): AsyncIterable<Operation[]>;
  /** Asks for the state now; refused before the wait that the Provider asked for is over (v2 4.4). */
  pollOperation(callId: string): Promise<Operation>;
  cancelOperation(callId: string): Promise<Operation>;
  /** A person's wish to go on asking, or to stop. */
  followOperation(callId: string, follow: boolean): Promise<Operation>;
  /** Reads back what an earlier run left without an end, and asks on once the devices are there. */
  pickUpOperations(): void;
  /** Calls of this run that wait, or waited, for a person (v2 4.3), newest first. */
  watchConfirmations(signal: AbortSignal): AsyncIterable<Confirmation[]>;
  /** Opens the Provider's screen; a deliberate act. Answers when its result came, or did not. */
  launchConfirmation(callId: string, confirmed: boolean): Promise<Confirmation>;
  /** Launch, result, resume, in one deliberate act. */
  confirm(callId: string, confirmed: boolean): Promise<{ confirmation: Confirmation; call: CallRecord | null }>;
  /** Stops waiting for the screen's result. */
  stopConfirmation(callId: string): boolean;
  setAsideConfirmation(callId: string): Confirmation;
  /** The resumed execution as a prepared call like any other: same request_id, same args, the resume_token. */
  prepareResume(callId: string, deliberate?: readonly Deviation[]): Promise<PreparedCall>;
  /** The device went away: its sessions end, and calls under way end with this reason. */
  deviceGone(deviceKey: string, reason: Problem): void;
  /** The device is there: what waited for it goes on. */
  deviceReady(deviceKey: string): void;
  /** A Provider was replaced or removed: the same, for it alone, and its list is forgotten. */
  providerGone(target: Target, reason: Problem): void;
  close(): void;
}

export function createSessions(deps: SessionsDeps): Sessions {
  return new SessionBook(deps);
}

class SessionBook implements Sessions {
  readonly #deps: SessionsDeps;
  readonly #states = new Map<string, ProviderState>();
  /** In order of last use, oldest first. */
  readonly #held = new Map<string, HeldCall>();
  readonly #running = new Map<string, RunningCall>();
  readonly #operations: OperationBook;
  readonly #retries: RetryBook;
  readonly #confirmations: ConfirmationBook;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#retries = new RetryBook(
      deps,
      () => this.#states.values(),
      async ({ prepared: { draft, requestId } }, { byItself, ...options }) => {
        // Who asks again by hand has taken over: nothing follows that by itself.
        const autoRetry = byItself ? (draft.autoRetry ?? null) : null;
        const { id: preparedId } = await this.prepare({ ...draft, requestId, autoRetry, deadlineAtMs: null });
        return this.run({ preparedId, ...options });
      },
    );
    this.#operations = new OperationBook(deps, (target) => this.#state(target));
    this.#confirmations = new ConfirmationBook(deps, {
      prepare: (entry) => this.#resumed(entry),
      run: ({ prepared: { id } }) => this.run({ preparedId: id, confirmed: true, force: false }),
    });
  }

  watchSession(target: Target, signal: AbortSignal): AsyncIterable<Session | null> {
    const state = this.#state(target);
    state.current();
    return state.session.watch(signal);
  }

  negotiate(target: Target, offer: SessionOffer | null = null): Promise<Session> {
    return negotiate(this.#deps, this.#state(target), 'hand', offer ?? undefined);
  }

  async listSessions(target: Target): Promise<Session[]> {
    return sessionsOf(this.#deps, this.#state(target));
  }

  async dropSession(target: Target): Promise<Session | null> {
    const state = this.#state(target);
    state.end(problem('session-dropped'));
    return state.current().session;
  }

  async catalog(target: Target, refresh: boolean): Promise<Catalog> {
    const state = this.#state(target);
    const catalog = await loadCatalog(this.#deps, state, refresh);
    return withoutSecrets(this.#deps, state, named(catalog, state, this.#states.values()));
  }

  async catalogDiff(target: Target): Promise<CatalogDiff | null> {
    const { diff, target: of } = this.#state(target);
    return hideKnown(diff, this.#deps.journal.secrets, secretScope(of.deviceKey, of.providerKey));
  }

  async tool(target: Target, index: number): Promise<ToolDetail> {
    const state = this.#state(target);
    // The list on show, even where its session has ended: a look at a tool sends nothing.
    const catalog = state.loaded?.catalog ?? (await loadCatalog(this.#deps, state, false));
    const complete = named(catalog, state, this.#states.values());
    return toolDetail(this.#deps, state, complete, index);
  }

  async generate(target: Target, index: number, mode: GenerateMode): Promise<GeneratedArgs> {
    const state = this.#state(target);
    if (state.loaded === null) await loadCatalog(this.#deps, state, false);
    return generateArgs(this.#deps, state, index, mode);
  }

  async prepare(draft: CallDraft, hideSecrets = false): Promise<PreparedCall> {
    const state = this.#state(draft);
    const held = await prepare(this.#deps, state, draft);
    const shown = hideSecrets ? withHiddenSecrets(this.#deps, held) : held;
    this.#hold(shown);
    return shown.prepared;
  }

  async run(input: { preparedId: string; confirmed: boolean; force: boolean }): Promise<CallRecord> {
    const held = this.#held.get(input.preparedId);
    if (held === undefined) throw new ProblemError(problem('prepared-unknown'));
    this.#hold(held);
    if (refusalBefore(held, input) !== null) return this.#run(held, input);
    const copies = copiesOf(held, this.#deps.uuid);
    held.used = copies.length > 1;
    const [first] = await Promise.all(copies.map((copy) => this.#run(copy, input)));
    if (first === undefined) throw new Error('A call was run no times.');
    return first;
  }

  async #run(held: HeldCall, input: { confirmed: boolean; force: boolean }): Promise<CallRecord> {
    const record = await runCall(this.#deps, held, input, this.#running);
    this.#operations.open(held);
    this.#confirmations.ended(held, record);
    this.#retries.follow(held.state, record, input.confirmed);
    return held.state.calls.records.find(({ id }) => id === record.id) ?? record;
  }

  cancel(callId: string): boolean {
    // A call that has ended may be an operation whose file still comes.
    return this.#running.get(callId)?.cancel() ?? this.#deps.results?.cancel(callId) ?? false;
  }

  retry(input: RetryInput): Promise<CallRecord> {
    return this.#retries.retry(input);
  }

  stopRetry(callId: string): boolean {
    return this.#retries.stop(callId);
  }

  watchCalls(target: Target, signal: AbortSignal): AsyncIterable<CallRecord[]> {
    return this.#state(target).calls.watch(signal);
  }

  watchQueue(target: Target, signal: AbortSignal): AsyncIterable<RequestQueue> {
    return this.#state(target).gate.watch(signal);
  }

  watchOperations(signal: AbortSignal): AsyncIterable<Operation[]> {
    return this.#operations.watch(signal);
  }

  async pollOperation(callId: string): Promise<Operation> {
    return this.#operations.poll(callId);
  }

  async cancelOperation(callId: string): Promise<Operation> {
    return this.#operations.cancel(callId);
  }

  async followOperation(callId: string, follow: boolean): Promise<Operation> {
    return this.#operations.follow(callId, follow);
  }

  pickUpOperations(): void {
    this.#operations.pickUp(true);
  }

  deviceReady(deviceKey: string): void {
    this.#operations.deviceReady(deviceKey);
  }

  watchConfirmations(signal: AbortSignal): AsyncIterable<Confirmation[]> {
    return this.#confirmations.watch(signal);
  }

  async launchConfirmation(callId: string, confirmed: boolean): Promise<Confirmation> {
    return this.#confirmations.launch(callId, confirmed);
  }

  async confirm(callId: string, confirmed: boolean): Promise<{ confirmation: Confirmation; call: CallRecord | null }> {
    return this.#confirmations.confirm(callId, confirmed);
  }

  stopConfirmation(callId: string): boolean {
    return this.#confirmations.stop(callId);
  }

  setAsideConfirmation(callId: string): Confirmation {
    return this.#confirmations.setAside(callId);
  }

  async prepareResume(callId: string, deliberate: readonly Deviation[] = []): Promise<PreparedCall> {
    return (await this.#resumed(this.#confirmations.entry(callId), deliberate)).prepared;
  }

  deviceGone(deviceKey: string, reason: Problem): void {
    this.#confirmations.gone({ deviceKey }, reason);
    this.#operations.deviceGone(deviceKey, reason);
    this.#deps.results?.deviceGone(deviceKey, reason);
    for (const state of this.#states.values()) if (state.target.deviceKey === deviceKey) this.#interrupt(state, reason);
  }

  providerGone(target: Target, reason: Problem): void {
    const state = this.#state(target);
    state.loaded = null;
    this.#interrupt(state, reason);
    this.#confirmations.gone(state.target, reason);
  }

  close(): void {
    this.#operations.close();
    this.#confirmations.close();
    for (const state of this.#states.values()) {
      this.#interrupt(state, problem('host-closed'));
      state.close();
    }
  }

  #interrupt(state: ProviderState, reason: Problem): void {
    state.end(reason);
    this.#retries.stopOf(state, reason);
    for (const interrupt of [...state.interrupts]) interrupt.force(reason, false);
  }

  /** v2 4.3: the same request_id, tool and args bytes, in the session in force now. */
  async #resumed(entry: ConfirmationEntry, deliberate: readonly Deviation[] = []): Promise<HeldCall> {
    const { state, prepared, draft: sent, argsText } = entry.held;
    const { times: _, ...once } = sent;
    const draft = { ...once, argsText, requestId: prepared.requestId, autoRetry: null, deliberate: [...deliberate] };
    const whole = await prepare(this.#deps, state, draft, { resume: entry.resume() });
    const held = prepared.secretsHidden === true ? withHiddenSecrets(this.#deps, whole) : whole;
    this.#hold(held);
    return held;
  }

  #hold(held: HeldCall): void {
    const { id } = held.prepared;
    this.#held.delete(id);
    this.#held.set(id, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MAX_PREPARED && oldest !== undefined) this.#held.delete(oldest);
  }

  #state({ deviceKey, userId, providerKey }: Target): ProviderState {
    const user = userId ?? this.#deps.currentUser(deviceKey);
    const key = JSON.stringify([deviceKey, user, providerKey]);
    let state = this.#states.get(key);
    if (state === undefined) {
      const opened = new ProviderState({ deviceKey, userId: user, providerKey }, this.#deps.clock);
      state = opened;
      state.onEnded = (session) => recordSessionEnd(this.#deps, session);
      state.onOpen.add(() => readInNewSession(this.#deps, opened));
      this.#states.set(key, state);
    }
    return state;
  }
}

/** The same call, with known secrets masked in what records show; where that took something away, they say so. */
function withHiddenSecrets(deps: SessionsDeps, held: HeldCall): HeldCall {
  const { deviceKey, providerKey } = held.state.target;
  const prepared = hideKnown(held.prepared, deps.journal.secrets, secretScope(deviceKey, providerKey));
  const hidden = JSON.stringify(prepared.draft) !== JSON.stringify(held.prepared.draft);
  return { ...held, prepared: hidden ? { ...prepared, secretsHidden: true } : prepared };
}

/** Descriptions and schemas stay as written but for known values; a problem may quote an answer. */
function withoutSecrets(deps: SessionsDeps, state: ProviderState, catalog: Catalog): Catalog {
  const registry = deps.journal.secrets;
  const scope = secretScope(state.target.deviceKey, state.target.providerKey);
  const { problem: failure, infoProblem } = catalog;
  const problems = redact({ problem: failure, infoProblem }, { registry, scope }).value;
  return { ...hideKnown(catalog, registry, scope), ...(problems as Pick<Catalog, 'problem' | 'infoProblem'>) };
}
