import { createORPCClient } from '@orpc/client';
import type { HostClient } from '../../shared/contract/client.ts';
import { messagePortConnector } from './message-port-connector.ts';
import { createReconnectingLink, type ReconnectingLink } from './reconnecting-link.ts';
import { websocketConnector } from './websocket-connector.ts';

export interface Host {
  readonly client: HostClient;
  readonly connection: ReconnectingLink;
}

/** Finds out which shell this page runs in; nothing else in the renderer knows. */
export function createHostClient(): Host {
  const token = tokenOfPage();
  const connection = createReconnectingLink(token === null ? messagePortConnector() : websocketConnector(token));
  return { client: createORPCClient<HostClient>(connection.link), connection };
}

/** The server of the browser shell puts the token of its run into the page; it is taken out of the address bar at once. */
function tokenOfPage(): string | null {
  const url = new URL(window.location.href);
  if (url.searchParams.has('token')) {
    url.searchParams.delete('token');
    window.history.replaceState(null, '', url);
  }
  return document.querySelector<HTMLMetaElement>('meta[name="cetp-token"]')?.content ?? null;
}
