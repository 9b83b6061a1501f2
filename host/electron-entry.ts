import { RPCHandler } from '@orpc/server/message-port';
import { type Problem, toProblem } from '../shared/model/problem.ts';
import { createHost, type Host, type HostOptions } from './host.ts';

/** What the desktop shell tells its host process: `start` once, `connect` for each page, `demo` at a wish for it. */
export type HostMessage =
  | { readonly type: 'start'; readonly options: Omit<HostOptions, 'env'> }
  | { readonly type: 'connect' }
  | { readonly type: 'demo' };

/** What the host process tells the desktop shell: that it came up, or why it cannot; it ends then. */
export type HostReport = { readonly type: 'ready' } | { readonly type: 'failed'; readonly problem: Problem };

/** The part of Electron's `process.parentPort` that is used; the host never imports electron. */
interface ParentPort {
  on(
    event: 'message',
    listener: (event: { readonly data: HostMessage; readonly ports: readonly HostPort[] }) => void,
  ): void;
  postMessage(message: HostReport): void;
}
interface HostPort {
  on(event: string, callback: (event?: { data: unknown }) => void): void;
  postMessage(data: unknown): void;
  start(): void;
}
interface Started {
  readonly host: Host;
  readonly rpc: RPCHandler<Record<never, never>>;
}

/** How long the report of a failure may take to leave, in ms. */
const LAST_WORDS_MS = 200;

const parent = (process as unknown as { readonly parentPort: ParentPort }).parentPort;
let started: Promise<Started | null> = Promise.resolve(null);

parent.on('message', ({ data, ports: [port] }) => {
  switch (data.type) {
    case 'start':
      started = start(data.options);
      return;
    case 'demo':
      // Without one the list of devices says so, and the window offers it again.
      void started.then((now) => now?.host.startDemo()).catch(() => {});
      return;
    case 'connect':
      // A page that comes while the journal is still opening waits here; its messages wait in the port.
      void started.then((now) => {
        if (port === undefined || now === null) return;
        now.rpc.upgrade(port, { context: {} });
        port.start();
      });
  }
});

async function start(options: Omit<HostOptions, 'env'>): Promise<Started | null> {
  try {
    const host = await createHost({ ...options, env: process.env });
    parent.postMessage({ type: 'ready' });
    return { host, rpc: new RPCHandler(host.router) };
  } catch (error) {
    parent.postMessage({ type: 'failed', problem: toProblem(error) });
    setTimeout(() => process.exit(1), LAST_WORDS_MS);
    return null;
  }
}
