import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ProblemError } from '../../../shared/model/problem.ts';
import { createAdbkitTransport } from '../adbkit-transport.ts';
import type { AdbServerConnection } from '../transport.ts';

export interface RealAdbServer {
  readonly port: number;
  readonly connection: AdbServerConnection;
  /** Kills the process and waits for its end. */
  stop(): Promise<void>;
}

/** A port that nobody listens on now, outside those which adb claims for emulators. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Starts the machine's real adb server on a port of its own and waits for its first answer. */
export async function startRealAdbServer(port?: number): Promise<RealAdbServer> {
  const own = port ?? (await freePort());
  // The host part must be `localhost`: adb before 30 refuses to listen on any other name.
  const child: ChildProcess = spawn('adb', ['-L', `tcp:localhost:${own}`, 'server', 'nodaemon'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const connection = createAdbkitTransport({ host: '127.0.0.1', port: own });
  const answered = async () => {
    for (;;) {
      try {
        await connection.version();
        return;
      } catch (error) {
        if (!(error instanceof ProblemError) || child.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  try {
    await Promise.race([
      answered(),
      ended.then(([code]) => {
        throw new Error(`adb ended with ${code}`);
      }),
    ]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    port: own,
    connection,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
