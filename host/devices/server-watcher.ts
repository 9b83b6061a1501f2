import { setTimeout as delay } from 'node:timers/promises';
import type { AdbServerInfo } from '../../shared/model/device.ts';
import { type Problem, toProblem } from '../../shared/model/problem.ts';
import type { AdbDeviceRow, AdbServerConnection } from '../adb/transport.ts';

export interface ServerWatcherOptions {
  readonly connection: AdbServerConnection;
  /** Pauses between attempts, in ms; the last one repeats. */
  readonly backoffMs: readonly number[];
  /** The list, or null when the server is gone and nothing is known. */
  readonly onRows: (rows: readonly AdbDeviceRow[] | null) => void;
  readonly onState: (state: Pick<AdbServerInfo, 'state' | 'version' | 'problem'>) => void;
  /**
   * May cure a failure, such as by starting the server. Null: cured, so that the
   * next attempt comes at once; else the problem to show.
   */
  readonly recover: (problem: Problem, wasUp: boolean, signal: AbortSignal) => Promise<Problem | null>;
  readonly signal: AbortSignal;
}

/** A cure that does not hold must not become a busy loop. */
const CURES_IN_A_ROW = 3;

/** Follows one server until the abort: connects, tracks, and after a failure comes back with a growing pause. */
export async function watchServer(options: ServerWatcherOptions): Promise<void> {
  const { connection, signal } = options;
  let failures = 0;
  let cures = 0;
  let wasUp = false;
  while (!signal.aborted) {
    let failed: Problem;
    try {
      const version = await connection.version(signal);
      let first = true;
      for await (const rows of connection.trackDevices(signal)) {
        // Up only with the first list: an empty list would look like no devices.
        options.onRows(rows);
        if (first) options.onState({ state: 'up', version, problem: null });
        first = false;
        failures = 0;
        cures = 0;
        wasUp = true;
      }
      continue;
    } catch (error) {
      if (signal.aborted) return;
      failed = toProblem(error);
    }
    options.onRows(null);
    if (wasUp) options.onState({ state: 'connecting', version: null, problem: failed });
    const shown = await options.recover(failed, wasUp, signal).catch(toProblem);
    if (signal.aborted) return;
    wasUp = false;
    if (shown === null && cures < CURES_IN_A_ROW) {
      cures++;
      continue;
    }
    options.onState({ state: 'down', version: null, problem: shown ?? failed });
    const pause = options.backoffMs[Math.min(failures, options.backoffMs.length - 1)] ?? 1_000;
    failures++;
    await delay(pause, undefined, { signal, ref: false }).catch(() => {});
  }
}
