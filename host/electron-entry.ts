import { RPCHandler } from '@orpc/server/message-port';
import { createHost, type HostOptions } from './host.ts';

/** What the desktop shell tells its host process, in this order: `start` once, `connect` for each page. */
export type HostMessage =
  | { readonly type: 'start'; readonly options: Omit<HostOptions, 'env'> }
  | { readonly type: 'connect' };

/** The part of Electron's `process.parentPort` that is used; the host never imports electron. */
interface ParentPort {
  on(
    event: 'message',
    listener: (event: { readonly data: HostMessage; readonly ports: readonly HostPort[] }) => void,
  ): void;
  postMessage(message: unknown): void;
}
interface HostPort {
  on(event: string, callback: (event?: { data: unknown }) => void): void;
  postMessage(data: unknown): void;
  start(): void;
}

const parent = (process as unknown as { readonly parentPort: ParentPort }).parentPort;
let handler: Promise<RPCHandler<Record<never, never>>> | null = null;

parent.on('message', ({ data, ports: [port] }) => {
  if (data.type === 'start') {
    handler = createHost({ ...data.options, env: process.env }).then((host) => new RPCHandler(host.router));
    void handler.then(() => parent.postMessage({ type: 'ready' }));
  } else if (port !== undefined) {
    // A page that comes while the journal is still opening waits here; its messages wait in the port.
    void handler?.then((rpc) => {
      rpc.upgrade(port, { context: {} });
      port.start();
    });
  }
});
