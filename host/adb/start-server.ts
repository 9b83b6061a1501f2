import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import type { AdbBinary } from './adb-binary.ts';
import type { Environment } from './server-address.ts';
import type { AdbServerConnection } from './transport.ts';

export interface StartServerOptions {
  readonly binary: Pick<AdbBinary, 'path'>;
  readonly port: number;
  readonly env: Environment;
  /** A connection to the address where the server will answer. */
  readonly connection: Pick<AdbServerConnection, 'version'>;
  /** Until the first answer, in ms; default 15 000. A cold start takes 3 s and more. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Starts an adb server on this machine and waits for its first answer; gives
 * its process id, or undefined where one answers already and none was started.
 *
 * `adb start-server` is not used, because it kills a running server of another
 * version. `server nodaemon` cannot: where the port is taken meanwhile it just
 * ends, and the other server answers. The process outlives this one, as every
 * adb server does. Problem: `adb-start-failed` with what adb printed.
 */
export async function startAdbServer(options: StartServerOptions): Promise<number | undefined> {
  if (await answers(options)) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'cetp-adb-'));
  const logFile = path.join(folder, 'adb.log');
  const log = openSync(logFile, 'w');
  let child: ChildProcess;
  try {
    child = spawn(options.binary.path, ['-P', String(options.port), 'server', 'nodaemon'], {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...options.env },
      cwd: path.parse(process.cwd()).root,
      windowsHide: true,
    });
  } finally {
    closeSync(log);
  }
  const ended = { text: null as string | null };
  child.once('error', (error) => {
    ended.text = error.message;
  });
  child.once('exit', (code, signal) => {
    ended.text ??= `adb ended with ${signal ?? code}`;
  });
  child.unref();
  const printed = () => {
    try {
      return readFileSync(logFile, 'utf8').slice(-4_000).trim();
    } catch {
      return '';
    }
  };
  const deadline = performance.now() + (options.timeoutMs ?? 15_000);
  try {
    for (;;) {
      const endedBefore = ended.text;
      try {
        await options.connection.version(options.signal);
        return child.pid;
      } catch (error) {
        if (options.signal?.aborted) throw error;
        if (endedBefore !== null || performance.now() > deadline) {
          const raw = [ended.text, printed()].filter(Boolean).join('\n');
          throw new ProblemError(
            problem('adb-start-failed', { path: options.binary.path, port: options.port }, raw || null),
            { cause: error },
          );
        }
      }
      await delay(50, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 0 });
  }
}

/** True: a server answers. False: refused. Any other failure is thrown: something is there, so none is started. */
async function answers(options: StartServerOptions): Promise<boolean> {
  try {
    await options.connection.version(options.signal);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'adb-server-refused') return false;
    throw error;
  }
}
