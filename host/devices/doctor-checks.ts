import type { Result } from '../../shared/base/result.ts';
import type { AdbServerInfo, CompanionStatus, Device, DeviceSnapshot, DoctorCheck } from '../../shared/model/device.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import type { AdbBinary } from '../adb/adb-binary.ts';

export type Finding = Omit<DoctorCheck, 'id'>;

type Params = DoctorCheck['params'];

const ok = (code: string, params: Params = {}): Finding => ({ status: 'ok', code, params, remedy: null, raw: null });
const warning = (code: string, params: Params, remedy: string | null, raw: string | null = null): Finding => ({
  status: 'warning',
  code,
  params,
  remedy,
  raw,
});
const failed = (code: string, params: Params, remedy: string | null, raw: string | null = null): Finding => ({
  status: 'failed',
  code,
  params,
  remedy,
  raw,
});
const byProblem = (found: Problem): Finding => failed('failed', found.params, found.code, found.raw);

/** What each check says. All pure: facts in, finding out. */

/** The oldest server whose long device list and features are known to be right: Android 8 tools. */
const OLDEST_SERVER = 39;

export function judgeBinary(found: Result<AdbBinary, Problem> | null, server: AdbServerInfo | null): Finding {
  if (server?.kind === 'demo') return ok('not-needed-demo');
  if (server?.kind === 'remote') return ok('not-needed-remote', { server: server.id });
  if (found === null) return failed('failed', {}, 'adb-missing');
  if (found.ok)
    return ok('found', { path: found.value.path, version: found.value.version, source: found.value.source });
  if (server?.state === 'up') return warning('missing-but-running', {}, found.error.code, found.error.raw);
  return byProblem(found.error);
}

export function judgeServer(server: AdbServerInfo | null, binary: Result<AdbBinary, Problem> | null): Finding {
  if (server === null) return failed('none', {}, 'doctor-no-server');
  const params = { host: server.host, port: server.port, version: server.version ?? 0 };
  if (server.state !== 'up' || server.version === null) {
    if (server.problem !== null) return byProblem(server.problem);
    return failed('not-answering', { host: server.host, port: server.port }, 'adb-server-unreachable');
  }
  if (server.kind === 'demo') return ok('demo', params);
  if (server.version < OLDEST_SERVER) return warning('old', params, 'doctor-old-server');
  const expected = binary?.ok && server.kind === 'local' ? binary.value.protocol : null;
  if (expected !== null && expected !== server.version) {
    return warning('mismatch', { ...params, binary: expected }, 'doctor-mismatch');
  }
  return ok('up', params);
}

export interface ChosenDevice {
  readonly device: Device | null;
  /** Ready devices that could have been meant. */
  readonly ready: number;
  readonly asked: string | null;
}

/** The asked device; else the first ready one; else the first of any state. Servers keep their order. */
export function chooseDevice(snapshot: DeviceSnapshot, asked: string | null): ChosenDevice {
  const ready = snapshot.devices.filter((device) => device.state === 'device');
  if (asked === null) return { device: ready[0] ?? snapshot.devices[0] ?? null, ready: ready.length, asked };
  return { device: snapshot.devices.find((device) => device.key === asked) ?? null, ready: ready.length, asked };
}

export function judgeDevice({ device, ready, asked }: ChosenDevice): Finding {
  if (device === null) {
    return asked === null
      ? failed('none', {}, 'doctor-no-device')
      : failed('gone', { device: asked }, 'device-unknown');
  }
  const params = { serial: device.serial, model: device.model ?? device.serial, release: device.androidRelease ?? '?' };
  if (asked === null && ready > 1) return warning('several', { ...params, count: ready }, 'doctor-choose-device');
  return device.state === 'device' && device.androidRelease !== null ? ok('found', params) : ok('listed', params);
}

export function judgeAuthorization(device: Device): Finding {
  const params = { serial: device.serial, state: device.state };
  if (device.state === 'device') return ok('authorized', params);
  return failed('not-ready', params, `device-${device.state}`, device.stateText);
}

export function judgeUser(device: Device): Finding {
  const current = device.users.find((user) => user.current);
  if (device.problem?.code === 'device-users-unreadable' || current === undefined) {
    return warning('unreadable', {}, 'device-users-unreadable', device.problem?.raw ?? null);
  }
  const params = { id: current.id, name: current.name, count: device.users.length };
  return device.users.length > 1 ? ok('several', params) : ok('current', params);
}

export function judgeCompanion(status: CompanionStatus): Finding {
  const params = { version: status.version ?? '?' };
  switch (status.state) {
    case 'connected':
      return ok('connected', params);
    case 'installed':
    case 'starting':
      return ok('installed', params);
    case 'not-installed':
      return warning('not-installed', {}, 'doctor-install-companion', status.problem?.raw ?? null);
    case 'unknown':
      return warning('unknown', {}, status.problem?.code ?? null, status.problem?.raw ?? null);
    case 'failed':
      return status.problem === null ? failed('failed', {}, null) : byProblem(status.problem);
  }
}

export function judgePermission(status: CompanionStatus): Finding {
  switch (status.permission) {
    case 'granted':
      return ok('granted');
    case 'denied':
      return failed('denied', {}, 'doctor-reinstall-companion');
    case 'undefined':
      return warning('undefined', {}, 'doctor-permission-undefined');
    case 'unknown':
      return warning('unknown', {}, 'doctor-permission-unknown');
  }
}

/** Beyond this a Consumer that does not know the difference sends deadlines that are wrong, in ms. */
const SKEW_MS = 2_000;

/** v2 4.1 and 2.2: deadlines and expiry are instants, and the Provider compares them with its own clock. */
export function judgeClock(clock: DeviceClock | null): Finding {
  if (clock === null) return warning('unknown', {}, 'doctor-try-again');
  const params = { offset: Math.round(clock.offsetMs), uncertainty: Math.ceil(clock.uncertaintyMs) };
  return Math.abs(clock.offsetMs) - clock.uncertaintyMs > SKEW_MS
    ? warning('skewed', params, 'doctor-set-clock')
    : ok('agrees', params);
}

export function judgeDiscovery(snapshot: ProviderSnapshot): Finding {
  if (snapshot.state !== 'ready') {
    return snapshot.problem === null ? failed('not-ended', {}, 'doctor-try-again') : byProblem(snapshot.problem);
  }
  const params = {
    count: snapshot.providers.length,
    origin: snapshot.origin ?? '?',
    unreadable: snapshot.unreadable.length,
  };
  if (snapshot.unreadable.length > 0) {
    const raw = snapshot.unreadable
      .slice(0, 20)
      .map(
        (entry) =>
          `${entry.package}: ${entry.problem.code}${entry.problem.raw === null ? '' : `: ${entry.problem.raw}`}`,
      );
    return warning('partly', params, 'doctor-unreadable', raw.join('\n'));
  }
  return snapshot.providers.length === 0 ? warning('none', params, 'doctor-no-provider') : ok('found', params);
}
