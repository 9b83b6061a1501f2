import { type HostPort, parseHost, parseHostPort, parsePort } from '../../shared/base/host-port.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type AdbServerAddress = HostPort;

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
  if (override !== null) return withSource(parseAddress(override), '--adb', override);
  const socket = env['ADB_SERVER_SOCKET'];
  if (socket) {
    const address = socket.startsWith('tcp:') ? parseAddress(socket.slice(4)) : null;
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

/** Whether an address means this machine, so that a server may be started there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** `tcp:PORT` of adb is this machine's. */
function parseAddress(text: string): AdbServerAddress | null {
  return parseHostPort(text, { host: DEFAULT_HOST });
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
