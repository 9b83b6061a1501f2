import { apkPathOf, FileError } from '../../files/file-store.ts';
import type { InstalledPackage } from '../../virtual-device.ts';
import { readAll } from '../channel.ts';
import type { Command, Process } from '../process.ts';
import { uidFor } from './format.ts';
import { readOptions, UsageError } from './options.ts';
import { queryServices } from './query-services.ts';
import { dispatchTo } from './subcommands.ts';

/** Bytes of an APK that `pm install -S` takes from its input. */
const APK_MAX = 1024 * 1024 * 1024;

const SUBCOMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['install', install],
  ['list', list],
  ['path', path],
  ['query-services', queryServices],
  ['uninstall', uninstall],
]);

/** `pm SUBCOMMAND …`, also reached as `cmd package`. */
export const pm: Command = dispatchTo(SUBCOMMANDS, 'Package manager (package) commands:');

/** The user that `--user` names, or user 0. `all` and `current` mean user 0 here; null: there is no such user. */
function userOf(process: Process, text: string | undefined): number | null {
  if (text === undefined || text === 'all' || text === 'current' || text === 'cur') return 0;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`Bad user number: ${text}`);
  const id = Number(text);
  return process.device.android.users.some((user) => user.id === id) ? id : null;
}

const sorted = (process: Process): readonly InstalledPackage[] =>
  [...process.device.android.packages()].sort((a, b) => (a.spec.package < b.spec.package ? -1 : 1));

async function list(process: Process): Promise<number> {
  const [, what, ...args] = process.argv;
  if (what === 'users') return listUsers(process);
  if (what !== 'packages' && what !== 'package') {
    await process.stderr.write(`Error: unknown list type '${what ?? ''}'\n`);
    return 255;
  }
  const flags = ['-f', '-U', '-3', '-s', '-d', '-e', '-a', '-i', '-u', '--show-versioncode'];
  const options = readOptions(args, { flags, valued: ['--user', '--uid'] });
  const userId = userOf(process, options.values.get('--user'));
  if (userId === null) return 0;
  const lines: string[] = [];
  for (const installed of sorted(process)) {
    const name = installed.spec.package;
    const uid = uidFor(installed, userId);
    if (options.rest[0] !== undefined && !name.includes(options.rest[0])) continue;
    if (options.flags.has('-s') || (options.flags.has('-d') && installed.enabled)) continue;
    if (options.flags.has('-e') && !installed.enabled) continue;
    if (options.values.has('--uid') && options.values.get('--uid') !== String(uid)) continue;
    let line = `package:${options.flags.has('-f') ? `${apkPathOf(installed)}=` : ''}${name}`;
    if (options.flags.has('--show-versioncode')) line += ` versionCode:${installed.spec.versionCode}`;
    if (options.flags.has('-i')) line += '  installer=null';
    if (options.flags.has('-U')) line += ` uid:${uid}`;
    lines.push(`${line}\n`);
  }
  await process.stdout.write(lines.join(''));
  return 0;
}

async function listUsers({ device, stdout }: Process): Promise<number> {
  const { sdk, users } = device.android;
  const flags = (id: number): string => (id === 0 ? (sdk >= 33 ? '4c13' : sdk >= 30 ? 'c13' : '13') : '1030');
  const lines = users.map(({ id, name }) => `\tUserInfo{${id}:${name}:${flags(id)}} running\n`);
  await stdout.write(`Users:\n${lines.join('')}`);
  return 0;
}

async function path(process: Process): Promise<number> {
  const options = readOptions(process.argv.slice(1), { valued: ['--user'] });
  const installed = sorted(process).find(({ spec }) => spec.package === options.rest[0]);
  if (installed === undefined || userOf(process, options.values.get('--user')) === null) return 1;
  await process.stdout.write(`package:${apkPathOf(installed)}\n`);
  return 0;
}

async function install(process: Process): Promise<number> {
  const options = readOptions(process.argv.slice(1), {
    flags: ['-r', '-R', '-t', '-g', '-d', '-f', '-l', '--dont-kill', '--instant', '--full', '--force-queryable']
      .concat(process.device.android.sdk >= 30 ? ['--skip-verification'] : [])
      .concat(process.device.android.sdk >= 34 ? ['--bypass-low-target-sdk-block'] : []),
    valued: [
      '--user',
      '-i',
      '-S',
      '-p',
      '--abi',
      '--install-location',
      '--install-reason',
      '--originating-uri',
      '--referrer',
    ],
  });
  if (userOf(process, options.values.get('--user')) === null) {
    throw new UsageError(`User ${options.values.get('--user')} does not exist`);
  }
  const apk = await readApk(process, options.rest[0], options.values.get('-S'));
  if (typeof apk === 'string') {
    await process.stderr.write(`${apk}\n`);
    return 1;
  }
  const failure = process.device.android.installApk(apk);
  await process.stdout.write(failure === null ? 'Success\n' : `Failure [${failure}]\n`);
  return failure === null ? 0 : 1;
}

/** The APK's bytes, or the text of why there are none. */
async function readApk(
  process: Process,
  from: string | undefined,
  declared: string | undefined,
): Promise<Uint8Array | string> {
  if (from !== undefined && from !== '-') {
    try {
      return process.device.files.read(from);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return `Error: Unable to open file: ${from}`;
    }
  }
  const size = Number(declared ?? Number.NaN);
  if (!Number.isSafeInteger(size) || size <= 0) return 'Error: must either specify a package size or an APK file';
  if (size > APK_MAX) return 'Error: the package is larger than this device takes';
  const input = await readAll({ read: exactly(process, size) }, size);
  return input.length === size ? input : `Error: the input ended after ${input.length} of ${size} bytes`;
}

/** Stops reading after `size` bytes: the client keeps its end open to hear the result. */
function exactly(process: Process, size: number): () => Promise<Uint8Array | null> {
  let missing = size;
  return async () => {
    const chunk = missing === 0 ? null : await process.stdin.read();
    const part = chunk?.subarray(0, missing) ?? null;
    missing -= part?.length ?? 0;
    return part;
  };
}

async function uninstall(process: Process): Promise<number> {
  const options = readOptions(process.argv.slice(1), { flags: ['-k'], valued: ['--user', '--versionCode'] });
  const name = options.rest[0];
  if (name === undefined) throw new UsageError('package name not specified');
  const user = options.values.get('--user');
  if (userOf(process, user) !== null && process.device.android.uninstall(name)) {
    await process.stdout.write('Success\n');
    return 0;
  }
  const reason = user === undefined || user === 'all' ? 'DELETE_FAILED_INTERNAL_ERROR' : `not installed for ${user}`;
  await process.stdout.write(`Failure [${reason}]\n`);
  return 1;
}
