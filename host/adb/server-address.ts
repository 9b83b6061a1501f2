import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface AdbServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface ResolvedAdbServerAddress extends AdbServerAddress {
  /** What ruled: `--adb`, names of environment variables joined by `, `, or `default`. */
  readonly source: string;
}

export const DEFAULT_ADB_PORT = 5037;
const DEFAULT_HOST = '127.0.0.1';

/**
 * The address of the local adb server, found as the `adb` tool finds it:
 * `ADB_SERVER_SOCKET` before `ANDROID_ADB_SERVER_ADDRESS` and
 * `ANDROID_ADB_SERVER_PORT` (adb `client/commandline.cpp`). An empty variable
 * counts as unset, as there. A bad value is the problem `adb-address-invalid`.
 *
 * @param override `HOST:PORT` or `PORT` of the command line; it rules over every variable.
 */
export function resolveAdbServerAddress(
  env: Environment,
  override: string | null = null,
): Result<ResolvedAdbServerAddress, Problem> {
  if (override !== null) return withSource(parseHostPort(override), '--adb', override);
  const socket = env['ADB_SERVER_SOCKET'];
  if (socket) {
    const address = socket.startsWith('tcp:') ? parseHostPort(socket.slice(4)) : null;
    return withSource(address, 'ADB_SERVER_SOCKET', socket);
  }
  const addressText = env['ANDROID_ADB_SERVER_ADDRESS'] || null;
  const portText = env['ANDROID_ADB_SERVER_PORT'] || null;
  const host = addressText === null ? DEFAULT_HOST : parseHost(addressText);
  if (host === null) return invalid('ANDROID_ADB_SERVER_ADDRESS', addressText ?? '');
  const port = portText === null ? DEFAULT_ADB_PORT : parsePort(portText);
  if (port === null) return invalid('ANDROID_ADB_SERVER_PORT', portText ?? '');
  const source = [
    ...(addressText === null ? [] : ['ANDROID_ADB_SERVER_ADDRESS']),
    ...(portText === null ? [] : ['ANDROID_ADB_SERVER_PORT']),
  ].join(', ');
  return ok({ host, port, source: source === '' ? 'default' : source });
}

/** `host:port`, `[v6]:port` or a port alone; null where it is none of them. */
export function parseHostPort(text: string): AdbServerAddress | null {
  const parts = /^(?:(?:\[([^\]]*)\]|([^:]*)):)?([^:]*)$/.exec(text);
  if (parts === null) return null;
  const hostText = parts[1] ?? parts[2];
  const host = hostText === undefined ? DEFAULT_HOST : parseHost(hostText);
  const port = parsePort(parts[3] ?? '');
  return host === null || port === null ? null : { host, port };
}

/** Joins as `parseHostPort` splits: an IPv6 address gets brackets. */
export function formatHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A host name or address of at most 255 characters, or null. Anything that could end a request early is refused. */
export function parseHost(text: string): string | null {
  const bare = /^\[([0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]$/.exec(text)?.[1] ?? text;
  return bare.length <= 255 && /^(?:[\p{L}\p{N}._-]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[\w.-]+)?)$/u.test(bare)
    ? bare
    : null;
}

/** Whether an address means this machine, so that a server may be started there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : null;
}

function withSource(
  address: AdbServerAddress | null,
  source: string,
  value: string,
): Result<ResolvedAdbServerAddress, Problem> {
  return address === null ? invalid(source, value) : ok({ ...address, source });
}

function invalid(variable: string, value: string): Result<never, Problem> {
  return err(problem('adb-address-invalid', { variable, value: value.slice(0, 300) }));
}
