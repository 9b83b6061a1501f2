import type { Operation } from '../../shared/model/operation.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import { LatestValue } from '../base/latest-value.ts';
import type { StoredOperation } from '../journal/operations.ts';
import { processOf } from '../journal/owner.ts';
import type { SessionsDeps, Target } from './deps.ts';
import { Follower } from './operation-follower.ts';
import { newOperation, type OperationSubject, pickedUp, storedSubject, subjectOf } from './operation-record.ts';
import type { HeldCall } from './prepare.ts';
import type { ProviderState } from './provider-state.ts';
import { TextBound } from './text-bound.ts';

const MAX_ENDED = 100;
/** Of all records' texts together, in UTF-16 units: the list is sent whole at each change. */
const MAX_TEXT = 16 * 1024 * 1024;
/** Of operations without an end that are read back from the journal. */
const MAX_PICKED_UP = 200;

/** The background operations of this run, and those that an earlier one left without an end; newest first. */
export class OperationBook {
  readonly #deps: SessionsDeps;
  readonly #stateOf: (target: Target) => ProviderState;
  readonly #latest = new LatestValue<Operation[]>([]);
  readonly #bound = new TextBound<Operation>(MAX_ENDED, MAX_TEXT);
  readonly #followers = new Map<string, Follower>();
  #followsEarlier = false;

  constructor(deps: SessionsDeps, stateOf: (target: Target) => ProviderState) {
    this.#deps = deps;
    this.#stateOf = stateOf;
  }

  watch(signal: AbortSignal): AsyncIterable<Operation[]> {
    this.pickUp(this.#followsEarlier);
    return this.#latest.watch(signal);
  }

  /**
   * Reads back from the journal what has no reported end. With `follow` each is
   * asked again once its device is there, unless another living host asks.
   */
  pickUp(follow: boolean): void {
    const { journal, owner, isAlive } = this.#deps;
    this.#followsEarlier = follow;
    for (const stored of journal.operations.unfinished(MAX_PICKED_UP)) {
      if (this.#known(stored) !== undefined) continue;
      const other = journal.operations.ownerOf(stored.callId);
      const elsewhere = other !== null && other !== owner && isAlive(other) ? processOf(other) : null;
      const first = pickedUp(this.#deps, stored);
      const paused =
        elsewhere === null ? first.paused : problem('operation-followed-elsewhere', { process: elsewhere });
      const waits = follow && elsewhere === null;
      const follower = this.#add(storedSubject(this.#stateOf(stored), stored), { ...first, paused }, waits);
      if (waits) follower.notePickedUp();
    }
  }

  /** v2 4.4: follows what an answer accepted. One that was not negotiated is shown and not followed. */
  open(held: HeldCall): void {
    const { opened } = held;
    if (opened === null) return;
    const known = this.#known(opened);
    // The same operation asked for twice as often would be asked faster than the Provider wants.
    if (known !== undefined) known.repeatedBy(held.prepared.id);
    else this.#add(subjectOf(held, opened.operationId), newOperation(this.#deps, opened), false).arm();
  }

  /** Asks now. Throws `ProblemError` where the Provider asked for a longer wait. */
  poll(callId: string): Promise<Operation> {
    return this.#follower(callId).poll();
  }

  cancel(callId: string): Promise<Operation> {
    return this.#follower(callId).cancel();
  }

  follow(callId: string, follow: boolean): Operation {
    return this.#follower(callId).follow(follow);
  }

  deviceGone(deviceKey: string, reason: Problem): void {
    for (const one of this.#of(deviceKey)) one.deviceGone(reason);
  }

  deviceReady(deviceKey: string): void {
    for (const one of this.#of(deviceKey)) one.deviceReady();
  }

  close(): void {
    for (const follower of this.#followers.values()) follower.stop();
    this.#deps.journal.operations.release(this.#deps.owner);
  }

  #of(deviceKey: string): Follower[] {
    return [...this.#followers.values()].filter(({ subject }) => subject.state.target.deviceKey === deviceKey);
  }

  #add(subject: OperationSubject, first: Operation, waits: boolean): Follower {
    const follower = new Follower(this.#deps, subject, first, waits, (operation) => this.#show(operation));
    this.#followers.set(first.callId, follower);
    return follower;
  }

  #known({ deviceKey, userId, providerKey, operationId, requestId }: StoredOperation): Follower | undefined {
    return [...this.#followers.values()].find(({ subject, operation }) => {
      const { target } = subject.state;
      return (
        subject.operationId === operationId &&
        operation.requestId === requestId &&
        target.deviceKey === deviceKey &&
        target.userId === userId &&
        target.providerKey === providerKey
      );
    });
  }

  #follower(callId: string): Follower {
    if (!this.#followers.has(callId)) this.pickUp(this.#followsEarlier);
    const follower =
      this.#followers.get(callId) ??
      [...this.#followers.values()].find(({ operation }) => operation.repeats.includes(callId));
    if (follower === undefined) throw new ProblemError(problem('operation-unknown'));
    return follower;
  }

  #show(operation: Operation): void {
    const others = this.#latest.value.filter((one) => one.callId !== operation.callId);
    const known = others.length < this.#latest.value.length;
    const all = known
      ? this.#latest.value.map((one) => (one.callId === operation.callId ? operation : one))
      : [...others, operation].sort((a, b) => b.startedAtMs - a.startedAtMs);
    const kept = this.#bound.keep(all);
    for (const one of all) if (!kept.includes(one)) this.#followers.delete(one.callId);
    this.#latest.set(kept);
  }
}
