/** Tells watchers that something changed. A slow watcher sees the newest value only; nothing queues. */
export interface Changes {
  bump(): void;
  /** `read()` at once and after every change, until the abort or `close`. */
  watch<T>(read: () => T, signal: AbortSignal): AsyncGenerator<T>;
  /** Ends every watcher. */
  close(): void;
}

export function createChanges(): Changes {
  const state = { revision: 0, closed: false };
  const wakers = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of [...wakers]) wake();
  };
  return {
    bump() {
      state.revision++;
      wakeAll();
    },
    close() {
      state.closed = true;
      wakeAll();
    },
    async *watch(read, signal) {
      let seen = -1;
      while (!signal.aborted && !state.closed) {
        if (seen !== state.revision) {
          seen = state.revision;
          yield read();
          continue;
        }
        await new Promise<void>((resolve) => {
          const wake = () => {
            wakers.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          wakers.add(wake);
          signal.addEventListener('abort', wake, { once: true });
        });
      }
    },
  };
}
