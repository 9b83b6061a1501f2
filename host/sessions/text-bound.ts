/**
 * Keeps lists small that are sent whole at each change. Newest first: what has ended leaves beyond a count or beyond so
 * much text together, oldest first; what is under way never does, nor the very newest.
 */
export class TextBound<T extends { readonly endedAtMs: number | null }> {
  readonly #maxEnded: number;
  readonly #maxText: number;
  readonly #sizes = new WeakMap<T, number>();

  /** `maxText` is of all records' texts together, in UTF-16 units. */
  constructor(maxEnded: number, maxText: number) {
    this.#maxEnded = maxEnded;
    this.#maxText = maxText;
  }

  keep(records: readonly T[]): T[] {
    let count = 0;
    let text = 0;
    return records.filter((record, place) => {
      if (record.endedAtMs === null) return true;
      count++;
      text += this.#sizeOf(record);
      return place === 0 || (count <= this.#maxEnded && text <= this.#maxText);
    });
  }

  #sizeOf(record: T): number {
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
