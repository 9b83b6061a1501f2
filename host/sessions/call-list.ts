import type { CallRecord } from '../../shared/model/call.ts';
import { LatestValue } from '../base/latest-value.ts';

const MAX_RECORDS = 200;
/** Of all records' texts together, in UTF-16 units: the list is sent whole at each change. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Calls of this run, newest first. Ended ones beyond the bounds leave the
 * list, oldest first (the journal keeps them); a call under way never does.
 */
export class CallList {
  readonly #latest = new LatestValue<CallRecord[]>([]);
  readonly #sizes = new WeakMap<CallRecord, number>();

  get records(): readonly CallRecord[] {
    return this.#latest.value;
  }

  add(record: CallRecord): void {
    this.#latest.set(this.#bound([record, ...this.#latest.value]));
  }

  /** Replaces a record; one that has left the list stays out. */
  update(record: CallRecord): void {
    this.#latest.set(this.#bound(this.#latest.value.map((other) => (other.id === record.id ? record : other))));
  }

  watch(signal: AbortSignal): AsyncIterable<CallRecord[]> {
    return this.#latest.watch(signal);
  }

  #bound(records: CallRecord[]): CallRecord[] {
    let count = 0;
    let text = 0;
    return records.filter((record, place) => {
      if (record.endedAtMs === null) return true;
      count++;
      text += this.#sizeOf(record);
      return place === 0 || (count <= MAX_RECORDS && text <= MAX_TEXT);
    });
  }

  #sizeOf(record: CallRecord): number {
    let size = this.#sizes.get(record);
    if (size === undefined) {
      size = textLength(record);
      this.#sizes.set(record, size);
    }
    return size;
  }
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, item) => sum + textLength(item), 0);
}
