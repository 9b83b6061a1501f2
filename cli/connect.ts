import path from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { createRouterClient } from '@orpc/server';
import { WebSocket } from 'ws';
import { defaultDataFolder } from '../host/data-folder.ts';
import { createHost } from '../host/host.ts';
import { type HostPort, parseHostPort } from '../shared/base/host-port.ts';
import type { HostClient } from '../shared/contract/client.ts';
import { RPC_MAX_MESSAGE_BYTES, RPC_PATH, RPC_PROTOCOL_PREFIX } from '../shared/contract/security.ts';
import { type Problem, ProblemError, problem } from '../shared/model/problem.ts';
import { type CliOptions, UsageError } from './options.ts';
import { APP_VERSION, ASSETS_ROOT } from './package-info.ts';

export interface Connection {
  readonly client: HostClient;
  /** Why nothing more can come from the host, once it is so. */
  lost(): Problem | null;
  close(): Promise<void>;
}

/** A host in this process, or the running one that `--connect` names. */
export async function connect(options: CliOptions): Promise<Connection> {
  return options.connect === null ? inProcess(options) : overWebSocket(options.connect);
}

/** The options of a host that this command line asks for. */
export async function createHostFor(options: CliOptions) {
  const named = options.journal ?? path.join(defaultDataFolder(process.env), 'journal.sqlite');
  // Made absolute, so that no name is taken for one of SQLite's own, such as `file:…?mode=memory`.
  const journalFile = named === ':memory:' ? named : path.resolve(named);
  return createHost({
    journalFile,
    assetsRoot: ASSETS_ROOT,
    version: APP_VERSION,
    demo: options.demo,
    env: process.env,
    // One command is no one who asks on; a server is.
    pickUp: options.command === 'serve',
    ...(options.adb === null ? {} : { adb: adbAddress(options.adb) }),
  });
}

function adbAddress(text: string): HostPort {
  const address = parseHostPort(text, { host: '127.0.0.1' });
  if (address === null) throw new UsageError(`--adb ${text}: HOST:PORT`);
  return address;
}

async function inProcess(options: CliOptions): Promise<Connection> {
  const host = await createHostFor(options);
  return { client: createRouterClient(host.router, { context: {} }), lost: () => null, close: () => host.close() };
}

async function overWebSocket(address: string): Promise<Connection> {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new UsageError(`--connect ${address}`);
  }
  const token = url.searchParams.get('token') ?? '';
  const socket = new WebSocket(`ws://${url.host}${RPC_PATH}`, `${RPC_PROTOCOL_PREFIX}${token}`, {
    maxPayload: RPC_MAX_MESSAGE_BYTES,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    // Stays for the socket's life: a later failure also closes it, and that ends what waits.
    socket.on('error', (error) =>
      reject(new ProblemError(problem('host-unreachable', { address: url.host }, error.message))),
    );
  });
  const client: HostClient = createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
  return {
    client,
    lost: () => (socket.readyState === WebSocket.OPEN ? null : problem('host-lost', { address: url.host })),
    close: async () => {
      socket.close();
    },
  };
}
