import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import { TOOL_PROVIDER_ACTION } from '../../shared/protocols/cetp/discovery/names.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import {
  type AuthorityOwner,
  type PackageDump,
  parseAuthorities,
  parseDumpsysPackage,
  parsePermissionOwner,
} from './dumpsys-package.ts';
import { parseQueryServices, type ServiceListing } from './query-services.ts';

/** `MATCH_DISABLED_COMPONENTS | MATCH_DISABLED_UNTIL_USED_COMPONENTS`: a disabled Service is listed too. */
const MATCH_DISABLED = 0x200 | 0x8000;
/** `--query-flags` exists from Android 11. */
const QUERY_FLAGS_SDK = 30;
/** One app can declare thousands of Services; its listing must not cost the others. */
const MAX_LISTING_BYTES = 32 * 1024 * 1024;
/** Safe to stand in a command line as a word of its own. */
const PLAIN_NAME = /^[A-Za-z_][\w.]*$/;

function userArgs(userId: number | null): string[] {
  return userId === null ? [] : ['--user', String(userId)];
}

/** All Services with the action, disabled ones included where the device can tell. Throws `ProblemError`. */
export async function queryServices(io: DeviceIo, userId: number | null, signal: AbortSignal): Promise<ServiceListing> {
  if (io.sdk !== null && io.sdk >= QUERY_FLAGS_SDK) {
    const all = await runQuery(io, ['--query-flags', String(MATCH_DISABLED), ...userArgs(userId)], signal);
    if (all.ok) return all.value;
  }
  return queryEnabledServices(io, userId, signal);
}

/** The Services that the package manager would resolve now: the cheap look for changes. */
export async function queryEnabledServices(
  io: DeviceIo,
  userId: number | null,
  signal: AbortSignal,
): Promise<ServiceListing> {
  const listing = await runQuery(io, userArgs(userId), signal);
  if (!listing.ok) throw new ProblemError(listing.error);
  return listing.value;
}

async function runQuery(io: DeviceIo, options: readonly string[], signal: AbortSignal) {
  const result = await io.shell(['cmd', 'package', 'query-services', ...options, '-a', TOOL_PROVIDER_ACTION], {
    signal,
    maxBytes: MAX_LISTING_BYTES,
  });
  return parseQueryServices(result.stdout, result.stderr);
}

/** `dumpsys package PKG`. Throws `ProblemError`. */
export async function dumpPackage(io: DeviceIo, packageName: string, signal: AbortSignal): Promise<PackageDump> {
  if (!PLAIN_NAME.test(packageName)) throw new ProblemError(problem('dumpsys-no-package', { package: packageName }));
  const { stdout } = await io.shell(['dumpsys', 'package', packageName], { signal });
  return valueOrThrow(parseDumpsysPackage(stdout, packageName));
}

/** Which component holds each authority on the device. Throws `ProblemError`. */
export async function dumpAuthorities(io: DeviceIo, signal: AbortSignal): Promise<ReadonlyMap<string, AuthorityOwner>> {
  const { stdout } = await io.shell(['dumpsys', 'package', 'providers'], { signal });
  return valueOrThrow(parseAuthorities(stdout));
}

/** The package that defines a permission, null where nobody does. Throws `ProblemError` where it cannot be told. */
export async function permissionOwner(io: DeviceIo, permission: string, signal: AbortSignal): Promise<string | null> {
  if (!PLAIN_NAME.test(permission)) {
    throw new ProblemError(problem('dumpsys-unreadable', { what: permission }));
  }
  const { stdout, stderr, exitCode } = await io.shell(['dumpsys', 'package', 'permission', permission], { signal });
  const failed = (exitCode !== null && exitCode !== 0) || stderr.trim() !== '' || /^Permission Denial/m.test(stdout);
  if (failed) {
    throw new ProblemError(
      problem('dumpsys-unreadable', { what: permission }, `${stdout}\n${stderr}`.trim().slice(0, 500)),
    );
  }
  return valueOrThrow(parsePermissionOwner(stdout, permission));
}

/** Path of a package's base.apk, null where it is not installed for the user. */
export async function basePath(
  io: DeviceIo,
  packageName: string,
  userId: number | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (!PLAIN_NAME.test(packageName)) return null;
  const { stdout } = await io.shell(['pm', 'path', ...userArgs(userId), packageName], { signal });
  const paths = stdout.split(/\r?\n/).flatMap((line) => /^package:(\/.+)$/.exec(line)?.[1] ?? []);
  return paths.find((path) => path.endsWith('/base.apk')) ?? paths[0] ?? null;
}

/** The user in the foreground. Throws `ProblemError` where the device does not say. */
export async function currentUser(io: DeviceIo, signal: AbortSignal): Promise<number> {
  const { stdout, stderr } = await io.shell(['am', 'get-current-user'], { signal });
  const text = stdout.trim();
  if (/^\d+$/.test(text)) return Number(text);
  throw new ProblemError(problem('current-user-unknown', {}, `${stdout}\n${stderr}`.trim().slice(0, 500)));
}

function valueOrThrow<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Problem },
): T {
  if (result.ok) return result.value;
  throw new ProblemError(result.error);
}

/** The UID that shell commands run under (2000, or 0 after `adb root`), null where it cannot be told. */
export async function shellUid(io: DeviceIo, signal: AbortSignal): Promise<number | null> {
  try {
    const { stdout } = await io.shell(['id'], { signal });
    const uid = /^uid=(\d+)/.exec(stdout)?.[1];
    return uid === undefined ? null : Number(uid);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProblemError) return null;
    throw error;
  }
}
