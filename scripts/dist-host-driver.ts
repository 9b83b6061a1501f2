// Runs a packed host as Electron's utility process would: a `parentPort`, `start`, and a page's port.
import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { HostClient } from '../shared/contract/client.ts';

const [, , hostFile] = process.argv;
if (hostFile === undefined) throw new Error('Which host?');
const parentPort = Object.assign(new EventEmitter(), { postMessage: () => {} });
Object.assign(process, { parentPort });
await import(pathToFileURL(hostFile).href);

const { port1, port2 } = new MessageChannel();
const options = {
  journalFile: ':memory:',
  assetsRoot: null,
  version: 'packed',
  demo: false,
  adb: { host: '127.0.0.1', port: 1 },
};
parentPort.emit('message', { data: { type: 'start', options }, ports: [] });
parentPort.emit('message', {
  data: { type: 'connect' },
  // Electron's ports hand events with `data`; Node's hand the data itself.
  ports: [
    {
      on: (event: string, callback: (event?: { data: unknown }) => void) =>
        port1.on(event as 'message', (data: unknown) => callback({ data })),
      postMessage: (data: unknown) => port1.postMessage(data),
      start: () => port1.start(),
    },
  ],
});
port2.start();
const client: HostClient = createORPCClient(new RPCLink({ port: port2 as never }));
const info = await client.app.info();
if (info.version !== 'packed') throw new Error(`Unexpected answer: ${JSON.stringify(info)}`);
process.exit(0);
