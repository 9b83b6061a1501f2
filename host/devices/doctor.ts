import type { Result } from '../../shared/base/result.ts';
import type { AdbServerInfo, CompanionStatus, DeviceSnapshot, DoctorCheck } from '../../shared/model/device.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import type { AdbBinary } from '../adb/adb-binary.ts';
import { withLimit } from '../adb/service-limits.ts';
import {
  chooseDevice,
  type Finding,
  judgeAuthorization,
  judgeBinary,
  judgeClock,
  judgeCompanion,
  judgeDevice,
  judgeDiscovery,
  judgePermission,
  judgeServer,
  judgeUser,
} from './doctor-checks.ts';

export interface DoctorDeps {
  /** Waits until the picture is worth judging (`DeviceRegistry.settled`). */
  readonly settled: (signal: AbortSignal) => Promise<void>;
  readonly snapshot: () => DeviceSnapshot;
  readonly findAdb: () => Promise<Result<AdbBinary, Problem>>;
  /** `userId` null: the current user. */
  readonly companionStatus: (deviceKey: string, userId: number | null) => Promise<CompanionStatus>;
  /** The device's clock, measured now; null where it cannot be. */
  readonly clock: (deviceKey: string, userId: number | null) => Promise<DeviceClock | null>;
  readonly discover: (deviceKey: string, userId: number | null) => Promise<ProviderSnapshot>;
  /** Of one check, in ms; default 60 000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

type Id = DoctorCheck['id'];

/**
 * Runs the whole chain, step by step: each check as `running`, then as it
 * ended. A check that needs one that failed is `skipped` and names it. No
 * check changes anything on the device but what `companionStatus` and
 * `discover` do.
 */
export async function* runDoctor(deps: DoctorDeps, deviceKey: string | null): AsyncGenerator<DoctorCheck> {
  const bad = new Set<Id>();
  const limit = <T>(what: Id, work: () => Promise<T>): Promise<T> => {
    const signal = deps.signal === undefined ? {} : { signal: deps.signal };
    return withLimit({ timeoutMs: deps.timeoutMs ?? 60_000, what, code: 'doctor-timeout', ...signal }, work);
  };

  async function* check(id: Id, needs: readonly Id[], judge: () => Promise<Finding>): AsyncGenerator<DoctorCheck> {
    const blocker = needs.find((need) => bad.has(need));
    if (blocker !== undefined) {
      bad.add(id);
      yield { id, status: 'skipped', code: 'skipped', params: { after: blocker }, remedy: null, raw: null };
      return;
    }
    yield { id, status: 'running', code: 'running', params: {}, remedy: null, raw: null };
    const finding = await limit(id, judge).catch((error: unknown): Finding => {
      const found = toProblem(error);
      return { status: 'failed', code: 'failed', params: found.params, remedy: found.code, raw: found.raw };
    });
    if (finding.status === 'failed') bad.add(id);
    yield { id, ...finding };
  }

  const facts: {
    binary: Result<AdbBinary, Problem> | null;
    companion: CompanionStatus | null;
  } = { binary: null, companion: null };
  const picture = () => {
    const snapshot = deps.snapshot();
    const chosen = chooseDevice(snapshot, deviceKey);
    return { chosen, server: serverOf(snapshot, chosen.device?.serverId ?? deviceKey?.split('/')[0] ?? null) };
  };
  const device = () => {
    const found = picture().chosen.device;
    if (found === null) throw new ProblemError(problem('device-unknown', { device: deviceKey ?? '' }));
    return found;
  };
  const userId = () => picture().chosen.device?.users.find((user) => user.current)?.id ?? null;

  yield* check('adb-binary', [], async () => {
    await deps.settled(deps.signal ?? new AbortController().signal);
    const { server } = picture();
    if (server === null || server.kind === 'local') facts.binary = await deps.findAdb();
    return judgeBinary(facts.binary, server);
  });
  yield* check('adb-server', [], async () => judgeServer(picture().server, facts.binary));
  yield* check('device', ['adb-server'], async () => judgeDevice(picture().chosen));
  yield* check('authorization', ['device'], async () => judgeAuthorization(device()));
  yield* check('user', ['authorization'], async () => judgeUser(device()));
  yield* check('companion', ['authorization'], async () => {
    facts.companion = await deps.companionStatus(device().key, userId());
    return judgeCompanion(facts.companion);
  });
  if (facts.companion !== null && facts.companion.state === 'not-installed') bad.add('companion');
  yield* check('permission', ['companion'], async () => {
    if (facts.companion === null) throw new Error('No companion status.');
    return judgePermission(facts.companion);
  });
  yield* check('clock', ['companion'], async () => judgeClock(await deps.clock(device().key, userId())));
  // Without the companion discovery goes through the shell, so only the device is needed.
  yield* check('discovery', ['authorization'], async () => judgeDiscovery(await deps.discover(device().key, userId())));
}

/** The server of the chosen device; without one the local server, else the first. */
function serverOf(snapshot: DeviceSnapshot, serverId: string | null): AdbServerInfo | null {
  const { servers } = snapshot;
  return (
    servers.find((server) => server.id === serverId) ??
    servers.find((server) => server.kind === 'local') ??
    servers[0] ??
    null
  );
}
