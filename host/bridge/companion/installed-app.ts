import type { CompanionStatus } from '../../../shared/model/device.ts';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import { ACCESS_TOOLS_PERMISSION, COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { parseDumpsysPackage, parsePermissionOwner } from '../../discovery/dumpsys-package.ts';
import { isUserRefusal } from './install-companion.ts';

export const userArgs = (userId: number | null): string[] => (userId === null ? [] : ['--user', String(userId)]);

/** Whether the companion is installed for the user. Throws `companion.user-unavailable`, `companion.look-failed`. */
export async function isInstalled(io: DeviceIo, userId: number | null): Promise<boolean> {
  const { stdout, stderr } = await io.shell(['pm', 'path', ...userArgs(userId), COMPANION_PACKAGE]);
  if (/^package:/m.test(stdout)) return true;
  const words = `${stdout}${stderr}`.trim();
  if (isUserRefusal(words)) throw new ProblemError(problem('companion.user-unavailable', {}, words));
  if (words !== '') throw new ProblemError(problem('companion.look-failed', {}, words));
  return false;
}

/** What the package manager tells of an installed companion that does not run; null: it does not tell. */
export interface InstalledFacts {
  readonly version: string | null;
  readonly permission: CompanionStatus['permission'];
}

/** Reads `dumpsys package` (android-facts 4.3). Never throws: a fact that could not be had is unknown. */
export async function readInstalled(io: DeviceIo): Promise<InstalledFacts> {
  try {
    const { stdout } = await io.shell(['dumpsys', 'package', COMPANION_PACKAGE]);
    const dump = parseDumpsysPackage(stdout, COMPANION_PACKAGE);
    if (!dump.ok) return { version: null, permission: 'unknown' };
    const version = dump.value.versionName;
    if (new RegExp(`^\\s*${ACCESS_TOOLS_PERMISSION.replaceAll('.', '\\.')}: granted=true`, 'm').test(stdout)) {
      return { version, permission: 'granted' };
    }
    const permission = await io.shell(['dumpsys', 'package', 'permission', ACCESS_TOOLS_PERMISSION]);
    const owner = parsePermissionOwner(permission.stdout, ACCESS_TOOLS_PERMISSION);
    if (!owner.ok) return { version, permission: 'unknown' };
    return { version, permission: owner.value === null ? 'undefined' : 'denied' };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { version: null, permission: 'unknown' };
  }
}

/** Whether a version name is older than another: numbers with dots, compared one by one. Other forms never are. */
export function isOlder(version: string | null, than: string | null): boolean {
  const numbers = (text: string | null) =>
    /^\d+(\.\d+)*$/.test(text ?? '') ? (text ?? '').split('.').map(Number) : null;
  const [a, b] = [numbers(version), numbers(than)];
  if (a === null || b === null) return false;
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
