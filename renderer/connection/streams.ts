import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { HostClient } from '../../shared/contract/client.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import type { DemoPrompt } from '../../shared/model/demo.ts';
import type { CompanionStatus, DeviceSnapshot } from '../../shared/model/device.ts';
import type { Operation } from '../../shared/model/operation.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import type { RequestQueue } from '../../shared/model/queue.ts';
import type { Session } from '../../shared/model/session.ts';
import { useClient } from './context.tsx';
import { problemOf } from './problem-of.ts';

/** Every stream of the host, and the one place where streams enter the query cache. */

export interface OnDevice {
  readonly deviceKey: string;
  readonly userId: number | null;
}
export interface OfProvider extends OnDevice {
  readonly providerKey: string;
}

/** The newest value of a stream. `value` stays while the stream is broken; `problem` says why it is. */
export interface Watched<T> {
  /** Undefined until the first value came: unknown, not empty. */
  readonly value: T | undefined;
  readonly problem: Problem | null;
}

type Open<T> = (client: HostClient, signal: AbortSignal) => Promise<AsyncIterable<T>>;

/** A stream stays open this long after its last reader, so that moving between pages does not reopen it. */
const LINGER_MS = 3000;
const RETRY_MS = 1000;

interface Running {
  readers: number;
  readonly abort: AbortController;
  timer: ReturnType<typeof setTimeout> | undefined;
}
const running = new Map<string, Running>();

async function pump<T>(
  source: { readonly client: HostClient; readonly open: Open<T>; readonly signal: AbortSignal },
  publish: (change: Partial<Watched<T>>) => void,
): Promise<void> {
  const { client, open, signal } = source;
  while (!signal.aborted) {
    try {
      for await (const value of await open(client, signal)) publish({ value, problem: null });
    } catch (error) {
      if (!signal.aborted) publish({ problem: problemOf(error) });
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function acquire<T>(cache: QueryClient, client: HostClient, key: readonly unknown[], open: Open<T>): () => void {
  const id = JSON.stringify(key);
  let entry = running.get(id);
  if (entry === undefined) {
    const started: Running = { readers: 0, abort: new AbortController(), timer: undefined };
    entry = started;
    running.set(id, started);
    void pump({ client, open, signal: started.abort.signal }, (change) => {
      cache.setQueryData<Watched<T>>(key, (before) => ({
        value: before?.value,
        problem: before?.problem ?? null,
        ...change,
      }));
    });
  }
  const current = entry;
  clearTimeout(current.timer);
  current.readers++;
  return () => {
    current.readers--;
    if (current.readers > 0) return;
    current.timer = setTimeout(() => {
      running.delete(id);
      current.abort.abort();
    }, LINGER_MS);
  };
}

function useWatch<T>(key: readonly unknown[], open: Open<T>): Watched<T> {
  const cache = useQueryClient();
  const client = useClient();
  const id = JSON.stringify(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `id` stands for the key, and the key for `open`
  useEffect(() => acquire(cache, client, key, open), [cache, client, id]);
  const query = useQuery<Watched<T>>({
    queryKey: key,
    queryFn: () => Promise.reject(new Error('fed by a stream')),
    enabled: false,
    gcTime: 10 * 60_000,
  });
  return query.data ?? { value: undefined, problem: null };
}

export function useDevices(): Watched<DeviceSnapshot> {
  return useWatch(['devices.watch'], (client, signal) => client.devices.watch(undefined, { signal }));
}

/** What the demo phones ask the person in front of them; empty where no demo runs. */
export function useDemoScreen(): Watched<DemoPrompt[]> {
  return useWatch(['demo.screen'], (client, signal) => client.demo.screen(undefined, { signal }));
}

export function useCompanion(on: OnDevice): Watched<CompanionStatus> {
  return useWatch(['companion.watch', on], (client, signal) => client.companion.watch(on, { signal }));
}

export function useProviders(on: OnDevice): Watched<ProviderSnapshot> {
  return useWatch(['providers.watch', on], (client, signal) => client.providers.watch(on, { signal }));
}

/** Labels of the Providers that were seen while the app is open, by key; opens no stream. */
export function useSeenLabels(): ReadonlyMap<string, string> {
  const cache = useQueryClient();
  const labels = new Map<string, string>();
  for (const [, seen] of cache.getQueriesData<Watched<ProviderSnapshot>>({ queryKey: ['providers.watch'] })) {
    for (const { key, candidate } of seen?.value?.providers ?? []) {
      if (candidate.label !== null) labels.set(key, candidate.label);
    }
  }
  return labels;
}

export function useSession(of: OfProvider): Watched<Session | null> {
  return useWatch(['sessions.watch', of], (client, signal) => client.sessions.watch(of, { signal }));
}

export function useCalls(of: OfProvider): Watched<CallRecord[]> {
  return useWatch(['calls.watch', of], (client, signal) => client.calls.watch(of, { signal }));
}

/** The requests to one Provider, under way and waiting. */
export function useQueue(of: OfProvider): Watched<RequestQueue> {
  return useWatch(['calls.queue', of], (client, signal) => client.calls.queue(of, { signal }));
}

/** The journal's newest seq. */
export function useHistoryTail(): Watched<{ lastSeq: number }> {
  return useWatch(['history.watch'], (client, signal) => client.history.watch(undefined, { signal }));
}

/** The background operations of this run, of every Provider. */
export function useOperations(): Watched<Operation[]> {
  return useWatch(['operations.watch'], (client, signal) => client.operations.watch(undefined, { signal }));
}

/** The calls of this run that wait, or waited, for a person, of every Provider. */
export function useConfirmations(): Watched<Confirmation[]> {
  return useWatch(['confirmations.watch'], (client, signal) => client.confirmations.watch(undefined, { signal }));
}
