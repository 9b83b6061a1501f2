import { createORPCClient } from '@orpc/client';
import type { HostClient } from '../../shared/contract/client.ts';
import { type CetpPortBridge, messagePortConnector } from './message-port-connector.ts';
import { createReconnectingLink, type ReconnectingLink } from './reconnecting-link.ts';
import { websocketConnector } from './websocket-connector.ts';

declare global {
  interface Window {
    readonly cetpPort?: CetpPortBridge;
  }
}

export interface Host {
  readonly client: HostClient;
  readonly connection: ReconnectingLink;
}

/** Finds out which shell this page runs in; nothing else in the renderer knows. */
export function createHostClient(): Host {
  const connection = createReconnectingLink(
    window.cetpPort === undefined ? websocketConnector(tokenOfPage()) : messagePortConnector(window.cetpPort),
  );
  return { client: createORPCClient<HostClient>(connection.link), connection };
}

/** The server puts the token of its run into the page; it is taken out of the address bar at once. */
function tokenOfPage(): string {
  const token = document.querySelector<HTMLMetaElement>('meta[name="cetp-token"]')?.content ?? '';
  const url = new URL(window.location.href);
  if (url.searchParams.has('token')) {
    url.searchParams.delete('token');
    window.history.replaceState(null, '', url);
  }
  return token;
}
