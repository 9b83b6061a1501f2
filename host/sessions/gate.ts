import type { RequestQueue } from '../../shared/model/queue.ts';
import { LatestValue } from '../base/latest-value.ts';

/** Gives the place back; works once. */
export interface WayOut {
  (): void;
  /** Leaves it taken instead: the other side may still be at work. `settle` with either name gives it back. */
  linger(names: { readonly id: string; readonly requestId: string | null }): void;
}

export interface EnterOptions {
  /** Of the call that waits, for whoever looks at the queue. */
  readonly callId?: string;
  /** Does not wait for requests that nobody waits for any more: only a negotiation, which is the way out of them. */
  readonly pastUnknown?: boolean;
  /** Passes the limit: only a deliberate burst. */
  readonly atOnce?: boolean;
}

interface Waiter extends EnterOptions {
  readonly admit: () => void;
}

/** Lets a limited number through at once, in order of arrival. */
export class Gate {
  readonly #latest: LatestValue<RequestQueue>;
  #limit: number;
  #inside = 0;
  readonly #waiting: Waiter[] = [];
  #unknown: { readonly id: string; readonly requestId: string | null }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
    this.#latest = new LatestValue<RequestQueue>(this.#picture());
  }

  /** The queue, again at each change. */
  watch(signal: AbortSignal): AsyncIterable<RequestQueue> {
    return this.#latest.watch(signal);
  }

  /** A lower limit lets those inside finish. */
  setLimit(limit: number): void {
    this.#limit = Math.max(1, limit);
    this.#admit();
  }

  /** Resolves with the way out, or with null where the signal aborted first. */
  enter(signal: AbortSignal, options: EnterOptions = {}): Promise<WayOut | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const place = {
        ...options,
        admit: () => {
          signal.removeEventListener('abort', giveUp);
          this.#inside++;
          resolve(this.#wayOut());
        },
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        this.#admit();
        resolve(null);
      };
      if (options.atOnce === true) {
        place.admit();
        this.#latest.set(this.#picture());
        return;
      }
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(place);
      this.#admit();
    });
  }

  /** Gives back the places that linger under an id or a request_id. */
  settle(name: string): void {
    this.#unknown = this.#unknown.filter(({ id, requestId }) => id !== name && requestId !== name);
    this.#admit();
  }

  /** Gives back every place that lingers: the session that they belong to is over. */
  settleAll(): void {
    this.#unknown = [];
    this.#admit();
  }

  #wayOut(): WayOut {
    let used = false;
    const once = (then: () => void) => {
      if (used) return;
      used = true;
      this.#inside--;
      then();
      this.#admit();
    };
    return Object.assign(() => once(() => {}), {
      linger: (names: { readonly id: string; readonly requestId: string | null }) =>
        once(() => this.#unknown.push(names)),
    });
  }

  #admit(): void {
    for (;;) {
      const free = this.#limit - this.#inside;
      const pressed = free - this.#unknown.length <= 0;
      const place = pressed ? this.#waiting.findIndex(({ pastUnknown }) => pastUnknown) : 0;
      const next = free <= 0 ? undefined : this.#waiting[place];
      if (next === undefined) break;
      this.#waiting.splice(place, 1);
      next.admit();
    }
    this.#latest.set(this.#picture());
  }

  #picture(): RequestQueue {
    return {
      limit: this.#limit,
      running: this.#inside,
      unknown: this.#unknown.length,
      waiting: this.#waiting.map(({ callId }) => callId ?? null),
    };
  }
}
