/** A value that others watch. Each watcher gets the newest one; what it was too slow for is skipped. */
export class Latest<T> {
  #value: T;
  #version = 0;
  readonly #wakers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    this.#version++;
    for (const wake of [...this.#wakers]) wake();
  }

  /** The value now, and again at each change, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<T, void, void> {
    let seen = -1;
    while (!signal.aborted) {
      if (seen !== this.#version) {
        seen = this.#version;
        yield this.#value;
        continue;
      }
      await this.#changed(signal);
    }
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#wakers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#wakers.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
