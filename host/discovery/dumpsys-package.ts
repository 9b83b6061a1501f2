import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';

/** What `dumpsys package PKG` tells of one installed package. Null: not printed. */
export interface PackageDump {
  readonly package: string;
  readonly versionName: string | null;
  readonly versionCode: string | null;
  /** `appId=` from Android 14 on, `userId=` before. */
  readonly appId: number | null;
  /** Name of the shared UID, or null. */
  readonly sharedUserId: string | null;
  readonly declaredPermissions: readonly string[];
  readonly requestedPermissions: readonly string[];
  /** By user id. */
  readonly users: ReadonlyMap<number, PackageUserState>;
}

export interface PackageUserState {
  readonly installed: boolean | null;
  readonly stopped: boolean | null;
  /** 0 default, 1 enabled, 2 disabled, 3 disabled by the user, 4 until used. */
  readonly enabled: number | null;
  /** Absolute class names, as set at run time. */
  readonly disabledComponents: ReadonlySet<string>;
  readonly enabledComponents: ReadonlySet<string>;
}

const MAX_LINES = 200_000;

function timedOut(text: string): Problem | null {
  const line = /^.*SERVICE 'package' DUMP TIMEOUT.*$/m.exec(text)?.[0];
  return line === undefined ? null : problem('dumpsys-timeout', {}, line.trim());
}

function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n').slice(0, MAX_LINES);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * The block of one package under `Packages:` (not under `Hidden system
 * packages:`), read by `key=value` tokens: newer Android versions add keys.
 * A dump that the device cut short is the problem `dumpsys-timeout`; a package
 * that is not in the dump is `dumpsys-no-package`.
 */
export function parseDumpsysPackage(stdout: string, packageName: string): Result<PackageDump, Problem> {
  const cut = timedOut(stdout);
  const lines = linesOf(stdout);
  const section = lines.findIndex((line) => /^\s*Packages:\s*$/.test(line));
  const start = lines.findIndex((line, index) => index > section && line.trim().startsWith(`Package [${packageName}]`));
  if (section < 0 || start < 0) {
    return err(cut ?? problem('dumpsys-no-package', { package: packageName }, stdout.trim().slice(0, 500)));
  }
  const baseIndent = indentOf(lines[start] ?? '');
  const length = lines.slice(start + 1).findIndex((line) => line.trim() !== '' && indentOf(line) <= baseIndent);
  const block = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  if (cut !== null && length < 0) return err(cut);
  return ok(readBlock(packageName, block));
}

interface MutableUser {
  fields: Map<string, string>;
  disabledComponents: Set<string>;
  enabledComponents: Set<string>;
}

function readBlock(packageName: string, block: readonly string[]): PackageDump {
  const fields = new Map<string, string>();
  const declared: string[] = [];
  const requested: string[] = [];
  const users = new Map<number, MutableUser>();
  let user: MutableUser | null = null;
  let list: { readonly indent: number; readonly add: (text: string) => void } | null = null;
  for (const line of block) {
    const text = line.trim();
    if (text === '') continue;
    const indent = indentOf(line);
    if (list !== null && indent > list.indent) {
      list.add(text);
      continue;
    }
    list = null;
    const userLine = /^User (\d+):(.*)$/.exec(text);
    if (userLine !== null) {
      user = { fields: tokenMap(userLine[2] ?? ''), disabledComponents: new Set(), enabledComponents: new Set() };
      users.set(Number(userLine[1]), user);
    } else if (text === 'declared permissions:') list = { indent, add: (name) => declared.push(beforeColon(name)) };
    else if (text === 'requested permissions:') list = { indent, add: (name) => requested.push(beforeColon(name)) };
    else if (text.endsWith(':')) {
      const components = user === null ? null : componentsOf(user, text);
      list = { indent, add: (name) => components?.add(name.startsWith('.') ? packageName + name : name) };
    } else for (const [key, value] of tokenMap(text)) if (user === null && !fields.has(key)) fields.set(key, value);
  }
  return {
    package: packageName,
    versionName: wholeValue(block, 'versionName'),
    versionCode: fields.get('versionCode') ?? null,
    appId: number(fields.get('appId') ?? fields.get('userId')),
    sharedUserId: sharedUser(wholeValue(block, 'sharedUser')),
    declaredPermissions: declared,
    requestedPermissions: requested,
    users: new Map([...users].map(([id, state]) => [id, userState(state)])),
  };
}

function componentsOf(user: MutableUser, header: string): Set<string> | null {
  if (header === 'disabledComponents:') return user.disabledComponents;
  return header === 'enabledComponents:' ? user.enabledComponents : null;
}

function userState(user: MutableUser): PackageUserState {
  const flag = (key: string): boolean | null => {
    const text = user.fields.get(key);
    return text === 'true' ? true : text === 'false' ? false : null;
  };
  return {
    installed: flag('installed'),
    stopped: flag('stopped'),
    enabled: number(user.fields.get('enabled')),
    disabledComponents: user.disabledComponents,
    enabledComponents: user.enabledComponents,
  };
}

function tokenMap(text: string): Map<string, string> {
  return new Map([...text.matchAll(/(\w+)=(\S*)/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

function wholeValue(block: readonly string[], key: string): string | null {
  const line = block.find((candidate) => candidate.trim().startsWith(`${key}=`));
  const value = line?.trim().slice(key.length + 1);
  return value === undefined || value === 'null' ? null : value;
}

/** `SharedUserSetting{1a2b3c android.uid.sample/10050}` names the shared UID. */
function sharedUser(text: string | null): string | null {
  return text === null ? null : (/\{\S+ ([^/}]+)/.exec(text)?.[1] ?? text);
}

function beforeColon(text: string): string {
  return text.split(/[:\s]/, 1)[0] ?? text;
}

function number(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

/** The component that holds an authority. */
export interface AuthorityOwner {
  readonly package: string;
  /** Absolute class name. */
  readonly name: string;
}

/** `ContentProvider Authorities:` of `dumpsys package providers`, by authority. Without that section it is an error. */
export function parseAuthorities(stdout: string): Result<ReadonlyMap<string, AuthorityOwner>, Problem> {
  const owners = new Map<string, AuthorityOwner>();
  const lines = linesOf(stdout);
  const start = lines.findIndex((line) => /^\s*ContentProvider Authorities:\s*$/.test(line));
  if (start < 0) {
    return err(timedOut(stdout) ?? problem('dumpsys-unreadable', { what: 'providers' }, stdout.trim().slice(0, 500)));
  }
  let authority: string | null = null;
  for (const line of lines.slice(start + 1)) {
    if (line.trim() !== '' && indentOf(line) === 0) break;
    const key = /^\s*\[(.+)\]:\s*$/.exec(line)?.[1];
    if (key !== undefined) authority = key;
    const component = /Provider\{\S+ ([\w.]+)\/([\w.$]+)/.exec(line);
    if (component !== null && authority !== null && !owners.has(authority)) {
      const [, packageName = '', name = ''] = component;
      owners.set(authority, { package: packageName, name: name.startsWith('.') ? packageName + name : name });
    }
  }
  const cut = timedOut(stdout);
  return cut !== null ? err(cut) : ok(owners);
}

/** Who defines a permission: `sourcePackage=` of `dumpsys package permission NAME`. Null: nobody does. */
export function parsePermissionOwner(stdout: string, permission: string): Result<string | null, Problem> {
  const cut = timedOut(stdout);
  if (cut !== null) return err(cut);
  const lines = linesOf(stdout);
  const start = lines.findIndex((line) => line.trim().startsWith(`Permission [${permission}]`));
  if (start < 0) return ok(null);
  const baseIndent = indentOf(lines[start] ?? '');
  for (const line of lines.slice(start + 1)) {
    if (line.trim() !== '' && indentOf(line) <= baseIndent) break;
    const owner = /^\s*(?:sourcePackage|packageName)=(\S+)/.exec(line)?.[1];
    if (owner !== undefined) return ok(owner);
  }
  return err(problem('dumpsys-unreadable', { what: permission }, lines.slice(start, start + 6).join('\n')));
}
