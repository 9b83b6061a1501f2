import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import type { Environment } from './server-address.ts';

export interface AdbBinary {
  readonly path: string;
  /** `ADB`, `PATH`, `ANDROID_HOME`, `ANDROID_SDK_ROOT` or `sdk-folder`. */
  readonly source: string;
  /** The release, such as `29.0.6-debian`; the first line where there is none. */
  readonly version: string;
  /** The `NN` of `1.0.NN`: the server number that this binary expects; null where it says none. */
  readonly protocol: number | null;
  /** All that `adb version` printed. */
  readonly raw: string;
}

export interface FindAdbOptions {
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
  /** Of one `adb version`, in ms; default 10 000. */
  readonly timeoutMs?: number;
}

/**
 * Finds a usable adb. Programs started from a desktop do not see the shell's
 * PATH, hence the standard SDK folders. Problems: `adb-variable-bad` (`ADB` is
 * set and cannot be used), `adb-unusable` (found, none runs), `adb-missing`.
 */
export async function findAdb(options: FindAdbOptions): Promise<Result<AdbBinary, Problem>> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const named = options.env['ADB'];
  if (named) {
    const tried = await askVersion({ path: named, source: 'ADB' }, timeoutMs);
    return tried.ok ? tried : err(problem('adb-variable-bad', { path: named }, tried.error));
  }
  const candidates = adbCandidates(options);
  const failures: string[] = [];
  for (const candidate of candidates) {
    if (!(await isExecutable(candidate.path))) continue;
    const tried = await askVersion(candidate, timeoutMs);
    if (tried.ok) return tried;
    failures.push(`${candidate.path}: ${tried.error}`);
  }
  if (failures.length > 0) return err(problem('adb-unusable', { count: failures.length }, failures.join('\n')));
  return err(problem('adb-missing', { places: candidates.length }));
}

/** Every path that is tried, in order, without repetition. */
export function adbCandidates(options: FindAdbOptions): readonly { readonly path: string; readonly source: string }[] {
  const platform = options.platform ?? process.platform;
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const file = platform === 'win32' ? 'adb.exe' : 'adb';
  const home = options.home ?? homedir();
  const env = options.env;
  const found = new Map<string, string>();
  const add = (folder: string | undefined, source: string) => {
    if (!folder || !paths.isAbsolute(folder)) return;
    const full = paths.join(folder, file);
    if (!found.has(full)) found.set(full, source);
  };
  const pathVariable = env['PATH'] ?? env['Path'] ?? '';
  for (const folder of pathVariable.split(paths.delimiter)) add(folder, 'PATH');
  for (const name of ['ANDROID_HOME', 'ANDROID_SDK_ROOT']) {
    const sdk = env[name];
    if (sdk) add(paths.join(sdk, 'platform-tools'), name);
  }
  for (const sdk of standardSdkFolders(platform, home, env)) add(paths.join(sdk, 'platform-tools'), 'sdk-folder');
  if (platform === 'darwin') for (const folder of ['/opt/homebrew/bin', '/usr/local/bin']) add(folder, 'sdk-folder');
  return [...found].map(([full, source]) => ({ path: full, source }));
}

function standardSdkFolders(platform: NodeJS.Platform, home: string, env: Environment): readonly string[] {
  if (platform === 'darwin') return [path.posix.join(home, 'Library/Android/sdk')];
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local');
    const programs = env['ProgramFiles(x86)'];
    return [
      path.win32.join(local, 'Android', 'Sdk'),
      ...(programs ? [path.win32.join(programs, 'Android', 'android-sdk')] : []),
    ];
  }
  return [path.posix.join(home, 'Android/Sdk'), '/usr/lib/android-sdk', '/opt/android-sdk'];
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** `adb version` never contacts or starts a server. */
function askVersion(
  candidate: { readonly path: string; readonly source: string },
  timeoutMs: number,
): Promise<Result<AdbBinary, string>> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, maxBuffer: 64 * 1024, windowsHide: true };
    execFile(candidate.path, ['version'], options, (error, stdout, stderr) => {
      const raw = stdout.trim();
      if (error !== null) return resolve(err(stderr.trim() || error.message));
      const lines = raw.split(/\r?\n/);
      const protocol = /\bversion 1\.0\.(\d{1,4})\b/.exec(raw)?.[1];
      if (protocol === undefined) return resolve(err(`not adb: ${raw.slice(0, 300)}`));
      const version = lines.map((line) => /^Version (\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
      resolve(ok({ ...candidate, version: version ?? lines[0] ?? '', protocol: Number(protocol), raw }));
    });
  });
}
