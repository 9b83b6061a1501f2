import { describe, expect, it } from 'vitest';
import { translateIfKnown } from '../../shared/i18n/translate.ts';
import type { AdbServerInfo, CompanionStatus, Device, DoctorCheck } from '../../shared/model/device.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import { problem } from '../../shared/model/problem.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import { type DoctorDeps, runDoctor } from './doctor.ts';

const server: AdbServerInfo = {
  id: 'local',
  kind: 'local',
  host: '127.0.0.1',
  port: 5037,
  state: 'up',
  version: 41,
  problem: null,
};
const device: Device = {
  key: 'local/S1',
  serverId: 'local',
  serial: 'S1',
  transportId: '1',
  state: 'device',
  stateText: 'device',
  transport: 'usb',
  manufacturer: 'Acme',
  model: 'One',
  androidRelease: '14',
  sdk: 34,
  hardwareSerial: 'S1',
  users: [{ id: 0, name: 'Owner', running: true, current: true }],
  problem: null,
};
const companion: CompanionStatus = {
  state: 'connected',
  version: '1.0',
  uid: 10_200,
  permission: 'granted',
  userId: 0,
  bundledVersion: null,
  isOlder: false,
  startedBy: 'instrumentation',
  connectedSinceMs: 0,
  clock: null,
  problem: null,
};
const discovered: ProviderSnapshot = {
  deviceKey: 'local/S1',
  userId: 0,
  state: 'ready',
  origin: 'companion',
  providers: [],
  problem: null,
  unreadable: [],
  atMs: 0,
};
const binary = { path: '/sdk/adb', source: 'PATH', version: '35.0.1', protocol: 41, raw: 'x' };

interface Given {
  servers?: AdbServerInfo[];
  devices?: Device[];
  adb?: 'found' | 'missing' | 'other-version';
  companion?: CompanionStatus | Error;
  discovered?: ProviderSnapshot | Error;
  clock?: DeviceClock | null;
  asked?: string | null;
}

async function run(given: Given): Promise<Record<string, DoctorCheck>> {
  const deps: DoctorDeps = {
    settled: async () => {},
    snapshot: () => ({ servers: given.servers ?? [server], devices: given.devices ?? [device] }),
    findAdb: async () =>
      given.adb === 'missing'
        ? { ok: false, error: problem('adb-missing', { places: 4 }) }
        : { ok: true, value: { ...binary, protocol: given.adb === 'other-version' ? 36 : 41 } },
    companionStatus: async () => {
      if (given.companion instanceof Error) throw given.companion;
      return given.companion ?? companion;
    },
    clock: async () => (given.clock === undefined ? { offsetMs: -3, uncertaintyMs: 1, measuredAtMs: 0 } : given.clock),
    discover: async () => {
      if (given.discovered instanceof Error) throw given.discovered;
      return given.discovered ?? discovered;
    },
  };
  const ends: Record<string, DoctorCheck> = {};
  const order: string[] = [];
  for await (const check of runDoctor(deps, given.asked ?? null)) {
    for (const key of [`doctorCheck.${check.id}`, check.status === 'skipped' ? 'doctor.skipped' : null]) {
      if (key !== null) expect(translateIfKnown('en', key), key).not.toBeNull();
    }
    const text = translateIfKnown('zh-CN', `doctor.${check.id}.${check.code}`, check.params);
    if (check.code !== 'running' && check.code !== 'skipped') {
      expect(text, `doctor.${check.id}.${check.code}`).not.toBeNull();
      expect(text).not.toMatch(/\{\w+\}/);
    }
    if (check.status === 'running') order.push(check.id);
    else {
      if (check.status !== 'skipped') expect(order.at(-1)).toBe(check.id);
      ends[check.id] = check;
    }
  }
  expect(Object.keys(ends)).toEqual([
    'adb-binary',
    'adb-server',
    'device',
    'authorization',
    'user',
    'companion',
    'permission',
    'clock',
    'discovery',
  ]);
  return ends;
}

const brief = (ends: Record<string, DoctorCheck>) =>
  Object.values(ends).map((check) => `${check.id} ${check.status} ${check.code}`);

describe('runDoctor', () => {
  it('finds a whole chain in order', async () => {
    const providers = [{}, {}] as unknown as ProviderSnapshot['providers'];
    expect(brief(await run({ discovered: { ...discovered, providers } }))).toEqual([
      'adb-binary ok found',
      'adb-server ok up',
      'device ok found',
      'authorization ok authorized',
      'user ok current',
      'companion ok connected',
      'permission ok granted',
      'clock ok agrees',
      'discovery ok found',
    ]);
  });

  it('skips what needs a check that failed, and says which', async () => {
    const ends = await run({ devices: [{ ...device, state: 'unauthorized', stateText: 'unauthorized', users: [] }] });
    expect(brief(ends).slice(3)).toEqual([
      'authorization failed not-ready',
      'user skipped skipped',
      'companion skipped skipped',
      'permission skipped skipped',
      'clock skipped skipped',
      'discovery skipped skipped',
    ]);
    expect(ends['authorization']).toMatchObject({ remedy: 'device-unauthorized', raw: 'unauthorized' });
    expect(ends['permission']?.params).toEqual({ after: 'companion' });
    expect(ends['discovery']?.params).toEqual({ after: 'authorization' });
  });

  it('needs no adb for the demo', async () => {
    const demo: AdbServerInfo = { ...server, id: 'demo', kind: 'demo' };
    const on = { ...device, key: 'demo/S1', serverId: 'demo' };
    const ends = await run({ servers: [demo], devices: [on], adb: 'missing' });
    expect(ends['adb-binary']).toMatchObject({ status: 'ok', code: 'not-needed-demo' });
    expect(ends['adb-server']).toMatchObject({ status: 'ok', code: 'demo' });
  });

  it('tells a missing adb with the server down', async () => {
    const down: AdbServerInfo = {
      ...server,
      state: 'down',
      version: null,
      problem: problem('adb-missing', { places: 4 }),
    };
    const ends = await run({ servers: [down], devices: [], adb: 'missing' });
    expect(ends['adb-binary']).toMatchObject({ status: 'failed', remedy: 'adb-missing' });
    expect(ends['adb-server']).toMatchObject({ status: 'failed', remedy: 'adb-missing' });
    expect(ends['device']).toMatchObject({ status: 'skipped', params: { after: 'adb-server' } });
  });

  it.each([
    [{ adb: 'missing' }, 'adb-binary', 'warning', 'missing-but-running'],
    [{ adb: 'other-version' }, 'adb-server', 'warning', 'mismatch'],
    [{ servers: [{ ...server, version: 36 }] }, 'adb-server', 'warning', 'old'],
    [{ servers: [] }, 'adb-server', 'failed', 'none'],
    [{ devices: [] }, 'device', 'failed', 'none'],
    [{ asked: 'local/S9' }, 'device', 'failed', 'gone'],
    [{ devices: [device, { ...device, key: 'local/S2' }] }, 'device', 'warning', 'several'],
    [{ devices: [{ ...device, users: [] }] }, 'user', 'warning', 'unreadable'],
    [
      { devices: [{ ...device, users: [...device.users, { id: 10, name: 'Work', running: true, current: false }] }] },
      'user',
      'ok',
      'several',
    ],
    [{ companion: { ...companion, state: 'installed' } }, 'companion', 'ok', 'installed'],
    [{ companion: { ...companion, state: 'unknown' } }, 'companion', 'warning', 'unknown'],
    [{ companion: { ...companion, state: 'failed', problem: null } }, 'companion', 'failed', 'failed'],
    [{ companion: { ...companion, permission: 'denied' } }, 'permission', 'failed', 'denied'],
    [{ companion: { ...companion, permission: 'undefined' } }, 'permission', 'warning', 'undefined'],
    [{ companion: { ...companion, permission: 'unknown' } }, 'permission', 'warning', 'unknown'],
    [{}, 'clock', 'ok', 'agrees'],
    [{ clock: { offsetMs: 2_040, uncertaintyMs: 50, measuredAtMs: 0 } }, 'clock', 'ok', 'agrees'],
    [{ clock: { offsetMs: -2_060, uncertaintyMs: 50, measuredAtMs: 0 } }, 'clock', 'warning', 'skewed'],
    [{ clock: null }, 'clock', 'warning', 'unknown'],
    [{}, 'discovery', 'warning', 'none'],
    [{ discovered: { ...discovered, state: 'looking' } }, 'discovery', 'failed', 'not-ended'],
    [
      { discovered: { ...discovered, state: 'failed', problem: problem('x', {}, 'why') } },
      'discovery',
      'failed',
      'failed',
    ],
    [
      { discovered: { ...discovered, unreadable: [{ package: 'a.b', problem: problem('x', {}, 'why') }] } },
      'discovery',
      'warning',
      'partly',
    ],
    [{ discovered: new Error('boom') }, 'discovery', 'failed', 'failed'],
  ] as [Given, string, string, string][])('with %j judges %s as %s %s', async (given, id, status, code) => {
    expect((await run(given))[id]).toMatchObject({ status, code });
  });

  it('goes on to discovery without the companion, but not to its permission', async () => {
    for (const status of [{ ...companion, state: 'not-installed' as const }, new Error('boom')]) {
      const ends = await run({ companion: status });
      expect(ends['permission']?.status).toBe('skipped');
      expect(ends['discovery']?.status).toBe('warning');
    }
  });
});
