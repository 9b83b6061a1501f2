import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { AdbBinary } from '../adb/adb-binary.ts';
import { type AdbServerAddress, type Environment, isLoopback } from '../adb/server-address.ts';
import { startAdbServer } from '../adb/start-server.ts';
import type { AdbServerConnection } from '../adb/transport.ts';

export interface LocalRecoveryOptions {
  readonly address: AdbServerAddress;
  readonly connection: AdbServerConnection;
  readonly env: Environment;
  readonly findAdb: () => Promise<Result<AdbBinary, Problem>>;
  readonly startServer?: typeof startAdbServer;
  /**
   * Where a server that ran has ended, so long in ms: time for whoever ended it
   * to start another one.
   */
  readonly graceMs: number;
}

/**
 * Starts the local server after a refused connection, and only then. Null: it
 * runs now. A server elsewhere cannot be started; its problem stays as it is.
 */
export async function recoverLocalServer(
  options: LocalRecoveryOptions,
  failed: Problem,
  wasUp: boolean,
  signal: AbortSignal,
): Promise<Problem | null> {
  const { address, connection } = options;
  if (wasUp) {
    await delay(options.graceMs, undefined, { signal, ref: false });
    // The connection that was lost tells nothing about a new one.
    return null;
  }
  if (failed.code !== 'adb-server-refused' || !isLoopback(address.host)) return failed;
  const binary = await options.findAdb();
  if (!binary.ok) return binary.error;
  const start = options.startServer ?? startAdbServer;
  await start({ binary: binary.value, port: address.port, env: options.env, connection, signal });
  return null;
}
