import type { Connection, Connector, Link } from './connector.ts';

/** `connecting` is the first attempt; `lost` says that what is shown may be old. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

const DELAYS_MS = [200, 500, 1000, 2000, 4000];

/** A link that outlives its connections. A call made meanwhile waits for the next one; a call in flight fails with the connection. */
export interface ReconnectingLink {
  readonly link: Link;
  state(): ConnectionState;
  subscribe(listener: () => void): () => void;
  /** Tries now instead of at the next interval. */
  retryNow(): void;
  close(): void;
}

export function createReconnectingLink(connector: Connector): ReconnectingLink {
  const listeners = new Set<() => void>();
  const stop = new AbortController();
  let state: ConnectionState = 'connecting';
  let open = Promise.withResolvers<Connection>();
  let wake: (() => void) | undefined;

  const setState = (next: ConnectionState) => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        const connection = await connector(stop.signal);
        failures = 0;
        open.resolve(connection);
        setState('open');
        await connection.closed;
        open = Promise.withResolvers<Connection>();
      } catch {
        failures++;
      }
      if (stop.signal.aborted) return;
      setState('lost');
      await pause(DELAYS_MS[Math.min(failures, DELAYS_MS.length - 1)] ?? 1000);
    }
  };
  void run();

  return {
    link: {
      call: async (path, input, options) => {
        const connection = await Promise.race([open.promise, aborted(options.signal)]);
        return connection.link.call(path, input, options);
      },
    },
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retryNow: () => wake?.(),
    close: () => stop.abort(),
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
