import { randomBytes } from 'node:crypto';
import { type Problem, ProblemError, problem } from '../../../shared/model/problem.ts';
import type { DeviceIo } from '../../adb/device-io.ts';

/** `PackageManager` codes (API 34, 1805 to 2343) and what vendors add, each with a text of its own. */
const codes: ReadonlyMap<string, string> = new Map([
  ['INSTALL_FAILED_UPDATE_INCOMPATIBLE', 'install-update-incompatible'],
  ['INSTALL_FAILED_VERSION_DOWNGRADE', 'install-version-downgrade'],
  ['INSTALL_FAILED_TEST_ONLY', 'install-test-only'],
  ['INSTALL_FAILED_OLDER_SDK', 'install-older-sdk'],
  ['INSTALL_FAILED_INSUFFICIENT_STORAGE', 'install-no-space'],
  ['INSTALL_FAILED_CONFLICTING_PROVIDER', 'install-conflicting-provider'],
  ['INSTALL_FAILED_DUPLICATE_PERMISSION', 'install-duplicate-permission'],
  ['INSTALL_FAILED_USER_RESTRICTED', 'install-user-restricted'],
  ['INSTALL_FAILED_ABORTED', 'install-aborted'],
  ['INSTALL_FAILED_VERIFICATION_FAILURE', 'install-verification-failure'],
  ['INSTALL_FAILED_VERIFICATION_TIMEOUT', 'install-verification-timeout'],
  ['INSTALL_FAILED_DEPRECATED_SDK_VERSION', 'install-deprecated-sdk'],
  ['INSTALL_FAILED_MISSING_SPLIT', 'install-missing-split'],
  ['INSTALL_FAILED_NO_MATCHING_ABIS', 'install-no-matching-abis'],
  ['INSTALL_FAILED_INTERNAL_ERROR', 'install-internal-error'],
  ['INSTALL_FAILED_ALREADY_EXISTS', 'install-already-exists'],
  ['INSTALL_FAILED_INVALID_APK', 'install-invalid-apk'],
  ['INSTALL_PARSE_FAILED_NO_CERTIFICATES', 'install-no-certificates'],
  ['INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES', 'install-inconsistent-certificates'],
  ['INSTALL_FAILED_BLOCKED_CROSS_DOWN', 'install-blocked-by-vendor'],
]);

/** Whether `pm` says that adb may not reach this user or profile (a secure folder, some work profiles). */
export function isUserRefusal(text: string): boolean {
  return /SecurityException|Error:/.test(text) && /access user|user \d+|INTERACT_ACROSS_USERS/i.test(text);
}

/** What `pm install` printed: null is success. `raw` keeps the whole text, so that an unknown refusal is shown too. */
export function readInstallResult(stdout: string, stderr: string): Problem | null {
  const raw = [stdout, stderr]
    .filter((part) => part !== '')
    .join('\n')
    .trim();
  const failure = /Failure \[(.*)\]\s*$/ms.exec(stdout) ?? /Failure \[(.*)\]\s*$/ms.exec(stderr);
  if (failure === null && /^Success\s*$/m.test(stdout)) return null;
  const code = /(?<![A-Z0-9_])(INSTALL_[A-Z0-9_]+)/.exec(failure?.[1] ?? raw)?.[1] ?? '';
  const known = codes.get(code);
  if (known !== undefined) return problem(known, { code }, raw);
  if (code.startsWith('INSTALL_PARSE_FAILED_')) return problem('install-invalid-apk', { code }, raw);
  if (isUserRefusal(raw)) return problem('companion.user-unavailable', {}, raw);
  return problem('install-refused', { code: code === '' ? '?' : code }, raw);
}

/**
 * Puts the APK on the device and installs it as an update of itself (section 1.1): `-r` renews the permission grant, `-t`
 * lets a test build through. A person may have to answer on the device, so `timeoutMs` should be a minute at least.
 * Throws `ProblemError`: an `install-…` code, or what adb says.
 */
export async function installApk(
  io: DeviceIo,
  apk: Uint8Array,
  userId: number | null,
  timeoutMs: number,
): Promise<void> {
  const path = `/data/local/tmp/cetp-inspector-companion-${randomBytes(6).toString('hex')}.apk`;
  const user = userId === null ? [] : ['--user', String(userId)];
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    await io.push(path, apk);
    const { stdout, stderr } = await io.shell(['pm', 'install', '-r', '-t', ...user, path], {
      signal: timeout,
      timeoutMs: timeoutMs + 5_000,
    });
    const refusal = readInstallResult(stdout, stderr);
    if (refusal !== null) throw new ProblemError(refusal);
  } catch (error) {
    if (timeout.aborted)
      throw new ProblemError(problem('install-no-answer', { seconds: Math.round(timeoutMs / 1000) }));
    throw error;
  } finally {
    // A file left behind in the scratch folder harms nothing and must not hide how the installation ended.
    await io.shell(['rm', '-f', path]).catch(() => {});
  }
}
