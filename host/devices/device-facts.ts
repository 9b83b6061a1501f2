import type { DeviceUser } from '../../shared/model/device.ts';
import { type Problem, problem, toProblem } from '../../shared/model/problem.ts';
import type { DeviceIo } from '../adb/device-io.ts';

export interface DeviceFacts {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly androidRelease: string | null;
  readonly sdk: number | null;
  readonly hardwareSerial: string | null;
  readonly users: readonly DeviceUser[];
}

export interface FactsReading {
  /** Null where the properties could not be read. */
  readonly properties: Omit<DeviceFacts, 'users'> | null;
  /** Null where the users could not be read. */
  readonly users: readonly DeviceUser[] | null;
  readonly problem: Problem | null;
}

/** Reads what a device is: one `getprop`, its users and which is current. Never throws for a device's failure. */
export async function readDeviceFacts(io: DeviceIo, timeoutMs: number, signal: AbortSignal): Promise<FactsReading> {
  const problems: Problem[] = [];
  const attempt = async <T>(code: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      const cause = toProblem(error);
      problems.push(problem(code, { cause: cause.code }, cause.raw));
      return null;
    }
  };
  const run = async (...args: string[]) => {
    const result = await io.shell(args, { timeoutMs, signal });
    if (result.exitCode !== 0)
      throw new Error([result.stdout, result.stderr].join('\n').trim() || `${result.exitCode}`);
    return result.stdout;
  };
  const properties = await attempt('device-facts-unreadable', async () => {
    const text = await run('getprop');
    const read = parseGetprop(text);
    const value = (name: string) => read.get(name)?.trim() || null;
    const sdk = value('ro.build.version.sdk');
    if (sdk === null || !/^\d{1,4}$/.test(sdk)) throw new Error(text.slice(0, 300));
    return {
      manufacturer: value('ro.product.manufacturer'),
      model: value('ro.product.model'),
      androidRelease: value('ro.build.version.release'),
      sdk: Number(sdk),
      hardwareSerial: value('ro.serialno') ?? value('ro.boot.serialno'),
    };
  });
  const users = await attempt('device-users-unreadable', async () => {
    const [list, current] = [await run('pm', 'list', 'users'), (await run('am', 'get-current-user')).trim()];
    if (!/^\d{1,9}$/.test(current)) throw new Error(current.slice(0, 300));
    return parseUsers(list, Number(current));
  });
  return { properties, users, problem: problems[0] ?? null };
}

/** `[name]: [value]` lines; a value may hold line breaks. */
export function parseGetprop(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of text.matchAll(/^\[([^\]\n]+)\]: \[([\s\S]*?)\]\r?$/gm)) {
    found.set(part[1] ?? '', part[2] ?? '');
  }
  return found;
}

/** `UserInfo{10:Work profile:1030} running` lines of `pm list users`. A line that cannot be read throws. */
export function parseUsers(text: string, current: number): readonly DeviceUser[] {
  const users: DeviceUser[] = [];
  for (const line of text.split('\n')) {
    if (!line.includes('UserInfo{')) continue;
    const found = /UserInfo\{(\d{1,9}):(.*):([0-9a-fA-F]+)\}(.*)$/.exec(line.trimEnd());
    if (found === null) throw new Error(line.slice(0, 300));
    const id = Number(found[1]);
    users.push({ id, name: found[2] ?? '', running: /\brunning\b/.test(found[4] ?? ''), current: id === current });
  }
  if (users.length === 0) throw new Error(text.slice(0, 300));
  return users;
}
