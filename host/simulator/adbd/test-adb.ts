import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface AdbOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

export interface AdbRunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** What the client reads from its standard input. */
  readonly input?: Uint8Array;
}

/** Runs the real `adb` client against a server that already runs. */
export function adb(port: number, args: readonly string[], options: AdbRunOptions = {}): Promise<AdbOutput> {
  return new Promise((resolve, reject) => {
    const given = { env: options.env ?? process.env, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile('adb', ['-H', '127.0.0.1', '-P', String(port), ...args], given, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr, code: 0 });
      else if (typeof error.code === 'number') resolve({ stdout, stderr, code: error.code });
      else reject(error);
    });
    child.stdin?.end(options.input);
  });
}

export interface RealAdb {
  readonly port: number;
  readonly folder: string;
  run(...args: readonly string[]): Promise<AdbOutput>;
  stop(): Promise<void>;
}

/** A real adb server on a port, with keys and log in a folder of its own. */
export async function startRealAdb(): Promise<RealAdb> {
  const folder = await mkdtemp(join(tmpdir(), 'cetp-adb-'));
  const env = { ...process.env, HOME: folder, TMPDIR: folder, ANDROID_ADB_LOG_PATH: join(folder, 'adb.log') };
  const port = await freePort();
  const args = ['-L', `tcp:localhost:${port}`, 'fork-server', 'server', '--reply-fd', '3'];
  const server: ChildProcess = spawn('adb', args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ready = await firstWord(server);
  if (!ready.startsWith('OK')) throw new Error(`the adb server did not start: ${ready}`);
  return {
    port,
    folder,
    run: (...command) => adb(port, command, { env }),
    stop: async () => {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the server says on its reply descriptor, or how it ended. */
function firstWord(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code, signal) => resolve(`exit ${code ?? signal}`));
    (server.stdio[3] as Readable).once('data', (data) => resolve(String(data)));
  });
}

/** Outside of what adb takes for emulators, 5555 to 5585. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
