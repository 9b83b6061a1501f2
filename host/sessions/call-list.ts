import type { CallRecord } from '../../shared/model/call.ts';
import { LatestValue } from '../base/latest-value.ts';
import { TextBound } from './text-bound.ts';

const MAX_RECORDS = 200;
/** Of all records' texts together, in UTF-16 units: the list is sent whole at each change. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Calls of this run, newest first. Ended ones beyond the bounds leave the
 * list, oldest first (the journal keeps them); a call under way never does.
 */
export class CallList {
  readonly #latest = new LatestValue<CallRecord[]>([]);
  readonly #bound = new TextBound<CallRecord>(MAX_RECORDS, MAX_TEXT);

  get records(): readonly CallRecord[] {
    return this.#latest.value;
  }

  add(record: CallRecord): void {
    this.#latest.set(this.#bound.keep([record, ...this.#latest.value]));
  }

  /** Replaces a record; one that has left the list stays out. */
  update(record: CallRecord): void {
    this.#latest.set(this.#bound.keep(this.#latest.value.map((other) => (other.id === record.id ? record : other))));
  }

  watch(signal: AbortSignal): AsyncIterable<CallRecord[]> {
    return this.#latest.watch(signal);
  }
}
