import { RPCLink } from '@orpc/client/websocket';
import { RPC_PATH, RPC_PROTOCOL_PREFIX } from '../../shared/contract/security.ts';
import type { Connection, Connector } from './connector.ts';

/** The browser shell: a WebSocket on the page's own origin, with this run's token as its subprotocol. */
export function websocketConnector(token: string): Connector {
  const url = new URL(RPC_PATH, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  url.hash = '';
  return (signal) =>
    new Promise<Connection>((resolve, reject) => {
      const socket = new WebSocket(url, [`${RPC_PROTOCOL_PREFIX}${token}`]);
      signal.addEventListener('abort', () => socket.close(), { once: true });
      const closed = new Promise<void>((done) => socket.addEventListener('close', () => done(), { once: true }));
      socket.addEventListener('open', () => resolve({ link: new RPCLink({ websocket: socket }), closed }), {
        once: true,
      });
      void closed.then(() => reject(new Error('The connection to the host could not be opened.')));
    });
}
