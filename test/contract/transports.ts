import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { createRouterClient } from '@orpc/server';
import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { WebSocket } from 'ws';
import type { Host } from '../../host/host.ts';
import { startServer } from '../../host/server/server.ts';
import type { HostClient } from '../../shared/contract/client.ts';
import { RPC_PATH, RPC_PROTOCOL_PREFIX } from '../../shared/contract/security.ts';

export interface Connected {
  readonly client: HostClient;
  close(): Promise<void>;
}

/** Every way in which a shell reaches the host. */
export const TRANSPORTS: Readonly<Record<string, (host: Host) => Promise<Connected>>> = {
  'in process': async (host) => ({ client: createRouterClient(host.router, { context: {} }), close: async () => {} }),

  MessagePort: async (host) => {
    const { port1, port2 } = new MessageChannel();
    new PortHandler(host.router).upgrade(port1 as never, { context: {} });
    port1.start();
    port2.start();
    return {
      client: createORPCClient(new PortLink({ port: port2 as never })),
      close: async () => port2.close(),
    };
  },

  WebSocket: async (host) => {
    const server = await startServer({ router: host.router, rendererRoot: '.', port: 0 });
    const token = new URL(server.url).searchParams.get('token');
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${RPC_PATH}`, `${RPC_PROTOCOL_PREFIX}${token}`);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return {
      client: createORPCClient(new SocketLink({ websocket: socket as never })),
      close: async () => {
        socket.close();
        await server.close();
      },
    };
  },
};
