/** Lets a limited number through at once, in order of arrival. */
export class Gate {
  #limit: number;
  #inside = 0;
  readonly #waiting: { admit: () => void }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A lower limit lets those inside finish. */
  setLimit(limit: number): void {
    this.#limit = Math.max(1, limit);
    this.#admit();
  }

  /** Resolves with the way out, or with null where the signal aborted first. The way out works once. */
  enter(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const place = {
        admit: () => {
          signal.removeEventListener('abort', giveUp);
          this.#inside++;
          resolve(this.#wayOut());
        },
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        resolve(null);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(place);
      this.#admit();
    });
  }

  #wayOut(): () => void {
    let used = false;
    return () => {
      if (used) return;
      used = true;
      this.#inside--;
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#inside < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next.admit();
    }
  }
}
