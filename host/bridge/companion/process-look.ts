import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceIo } from '../../adb/device-io.ts';

/** Process ids of a process name, or null where the device could not be asked. */
export async function pidsOf(io: DeviceIo, processName: string): Promise<ReadonlySet<string> | null> {
  try {
    const { stdout, stderr } = await io.shell(['pidof', processName], { timeoutMs: 3_000 });
    if (/not found/.test(stderr) || !/^[\d\s]*$/.test(stdout)) return null;
    return new Set(stdout.split(/\s+/).filter((pid) => pid !== ''));
  } catch {
    return null;
  }
}

export type ProcessVerdict = 'lives' | 'died' | 'unknown';

/**
 * What became of a process, from its ids before and after a call. A process that was not there before and is after may
 * have been started by the call and have lived, or have died and come back: that is not known.
 */
export function judgeProcess(before: ReadonlySet<string> | null, after: ReadonlySet<string> | null): ProcessVerdict {
  if (after === null) return 'unknown';
  if (after.size === 0) return 'died';
  if (before === null || before.size === 0) return 'unknown';
  return [...before].every((pid) => after.has(pid)) ? 'lives' : 'died';
}

/**
 * Whether the package runs in a process that is none of `ownPids`. Looks once for each wait of `looksMs`, in ms from the
 * look before. False where the own ones or the device's are not known.
 */
export async function seesForeign(
  io: DeviceIo,
  packageName: string,
  ownPids: ReadonlySet<string> | null,
  looksMs: readonly number[],
): Promise<boolean> {
  if (ownPids === null) return false;
  for (const ms of looksMs) {
    if (ms > 0) await delay(ms);
    const now = await pidsOf(io, packageName);
    if (now === null) return false;
    if ([...now].some((pid) => !ownPids.has(pid))) return true;
  }
  return false;
}
