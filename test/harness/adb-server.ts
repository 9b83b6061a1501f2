import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RealAdbServer {
  readonly host: string;
  readonly port: number;
  /** Runs the adb command line against this server; resolves with stdout. */
  adb(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** A port that nobody listens on, outside 5555-5585, which an adb server claims for emulators. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The real adb server, with a home and a port of its own; it never touches the user's. */
export async function startRealAdbServer(): Promise<RealAdbServer> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cetp-adb-'));
  const port = await freePort();
  const env = { ...process.env, HOME: home, ANDROID_SDK_HOME: home, ADB_SERVER_SOCKET: `tcp:127.0.0.1:${port}` };
  const child = spawn('adb', ['-L', `tcp:127.0.0.1:${port}`, 'server', 'nodaemon'], { env, stdio: 'ignore' });
  await listening(child, port);
  return {
    host: '127.0.0.1',
    port,
    adb: async (...args) => (await run('adb', args, { env, maxBuffer: 64 * 1024 * 1024 })).stdout,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await gone;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`adb server ended with ${code}`)));
  });
  failed.catch(() => {});
  for (;;) {
    const open = await Promise.race([
      failed,
      new Promise<boolean>((resolve) => {
        const socket = net.connect(port, '127.0.0.1');
        socket.once('connect', () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      }),
    ]);
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
