/** A value whose watchers always see the newest; what came between two looks is not queued. */
export class LatestValue<T> {
  #value: T;
  #version = 0;
  readonly #wakes = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    this.#version++;
    for (const wake of [...this.#wakes]) wake();
  }

  /** The value now, and again after each change, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<T> {
    let seen = -1;
    while (!signal.aborted) {
      if (seen !== this.#version) {
        seen = this.#version;
        yield this.#value;
        continue;
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#wakes.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#wakes.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
  }
}
