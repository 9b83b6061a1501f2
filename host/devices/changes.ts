import { LatestValue } from '../base/latest-value.ts';

/** Tells watchers that something changed. A slow watcher sees the newest value only; nothing queues. */
export interface Changes {
  bump(): void;
  /** `read()` at once and after every change, until the abort or `close`. */
  watch<T>(read: () => T, signal: AbortSignal): AsyncGenerator<T>;
  /** Ends every watcher. */
  close(): void;
}

export function createChanges(): Changes {
  const revision = new LatestValue(0);
  const closed = new AbortController();
  return {
    bump: () => revision.set(revision.value + 1),
    close: () => closed.abort(),
    async *watch(read, signal) {
      for await (const _ of revision.watch(AbortSignal.any([signal, closed.signal]))) yield read();
    },
  };
}
