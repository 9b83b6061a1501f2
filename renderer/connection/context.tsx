import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from 'react';
import type { HostClient } from '../../shared/contract/client.ts';
import type { Host } from './host-client.ts';
import type { ConnectionState } from './reconnecting-link.ts';

const Context = createContext<Host | null>(null);

export function HostProvider({ host, children }: { readonly host: Host; readonly children: ReactNode }) {
  return <Context value={host}>{children}</Context>;
}

function useHost(): Host {
  const host = use(Context);
  if (host === null) throw new Error('no HostProvider above');
  return host;
}

export function useClient(): HostClient {
  return useHost().client;
}

/** Query and mutation options of every command. Streams are in `streams.ts`. */
export function useOrpc() {
  const { client } = useHost();
  return useMemo(() => createTanstackQueryUtils(client), [client]);
}

export function useConnectionState(): ConnectionState {
  const { connection } = useHost();
  return useSyncExternalStore(connection.subscribe, connection.state);
}

export function useRetryNow(): () => void {
  return useHost().connection.retryNow;
}
