import { type Problem, ProblemError, problem } from '../../../shared/model/problem.ts';
import { COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { isUserRefusal } from './install-companion.ts';
import { userArgs } from './installed-app.ts';

const UNINSTALL_MS = 60_000;

/** `DELETE_FAILED_…` of `PackageManager` (API 34, 2345 to 2420), each with a text of its own. */
const codes: ReadonlyMap<string, string> = new Map([
  ['DELETE_FAILED_DEVICE_POLICY_MANAGER', 'uninstall-device-admin'],
  ['DELETE_FAILED_USER_RESTRICTED', 'uninstall-user-restricted'],
  ['DELETE_FAILED_OWNER_BLOCKED', 'uninstall-user-restricted'],
]);

/** What `pm uninstall` printed: null is success, or that there is nothing to remove. `raw` keeps the whole text. */
export function readUninstallResult(stdout: string, stderr: string): Problem | null {
  const raw = [stdout, stderr]
    .filter((part) => part !== '')
    .join('\n')
    .trim();
  if (/^Success\s*$/m.test(stdout) || /Failure \[not installed for /.test(raw)) return null;
  if (isUserRefusal(raw)) return problem('companion.user-unavailable', {}, raw);
  const code = /DELETE_FAILED_[A-Z_]+/.exec(raw)?.[0] ?? '?';
  return problem(codes.get(code) ?? 'uninstall-refused', { code }, raw);
}

/** Removes the companion for one user; other users of the device keep theirs. Throws `ProblemError`. */
export async function uninstallCompanion(io: DeviceIo, userId: number | null): Promise<void> {
  const { stdout, stderr } = await io.shell(['pm', 'uninstall', ...userArgs(userId), COMPANION_PACKAGE], {
    timeoutMs: UNINSTALL_MS,
  });
  const refusal = readUninstallResult(stdout, stderr);
  if (refusal !== null) throw new ProblemError(refusal);
}
