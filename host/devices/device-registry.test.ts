import { afterEach, describe, expect, it } from 'vitest';
import type { Device, DeviceSnapshot } from '../../shared/model/device.ts';
import { problem, toProblem } from '../../shared/model/problem.ts';
import { createAdbkitTransport } from '../adb/adbkit-transport.ts';
import { freePort, type RealAdbServer, startRealAdbServer } from '../adb/testing/real-adb-server.ts';
import { shDevice } from '../adb/testing/sh-device.ts';
import { serveAdbServer } from '../simulator/adb-server/serve-adb-server.ts';
import { serveAdbd } from '../simulator/adbd/serve-adbd.ts';
import { createVirtualAndroid } from '../simulator/android/virtual-android.ts';
import { createDeviceServices } from '../simulator/userland/services.ts';
import {
  createDeviceRegistry,
  type DeviceEvent,
  type DeviceRegistry,
  type DeviceRegistryOptions,
} from './device-registry.ts';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const QUICK = { backoffMs: [20, 50], restartGraceMs: 50, factsRetryMs: [50], offlineDebounceMs: 50 };

function registryOf(options: Partial<DeviceRegistryOptions>): DeviceRegistry {
  const registry = createDeviceRegistry({ env: {}, connect: createAdbkitTransport, timing: QUICK, ...options });
  cleanups.push(() => registry.close());
  return registry;
}

async function until(registry: DeviceRegistry, wanted: (snapshot: DeviceSnapshot) => boolean): Promise<DeviceSnapshot> {
  const stop = new AbortController();
  for await (const snapshot of registry.watch(stop.signal)) if (wanted(snapshot)) return snapshot;
  throw new Error('the watch ended');
}

async function realServer(port?: number): Promise<RealAdbServer> {
  const adb = await startRealAdbServer(port);
  cleanups.push(() => adb.stop());
  return adb;
}

async function phone(model: string, options: { authorization?: 'pending'; port?: number } = {}) {
  const android = createVirtualAndroid({ sdk: 34, model, manufacturer: 'Acme', serialno: `HW-${model}` });
  const device = await serveAdbd(createDeviceServices(android, { serial: model }), options);
  const unplug = () => device.close();
  cleanups.push(unplug);
  return { port: device.port, unplug };
}

const byState = (state: Device['state']) => (snapshot: DeviceSnapshot) =>
  snapshot.devices.some((device) => device.state === state);
const withFacts = (snapshot: DeviceSnapshot) =>
  snapshot.devices.length > 0 && snapshot.devices.every((device) => device.sdk !== null && device.users.length > 0);

describe('devices of a real adb server', () => {
  it('are listed with what they are, follow unplugging and plugging in, and announce both', async () => {
    const adb = await realServer();
    const registry = registryOf({ localAddress: `127.0.0.1:${adb.port}` });
    const events: DeviceEvent[] = [];
    registry.onDevice((event) => events.push(event));
    await until(registry, (snapshot) => snapshot.servers[0]?.state === 'up');
    const first = await phone('One');
    expect(await registry.connect('local', '127.0.0.1', first.port)).toContain('connected');
    const [device] = (await until(registry, withFacts)).devices;
    const key = `local/127.0.0.1:${first.port}`;
    expect(device).toMatchObject({
      key,
      state: 'device',
      transport: 'tcp',
      manufacturer: 'Acme',
      model: 'One',
      androidRelease: '14',
      sdk: 34,
      hardwareSerial: 'HW-One',
      problem: null,
    });
    expect(device?.users.find((user) => user.current)?.id).toBe(0);
    expect(registry.io(key).sdk).toBe(34);
    expect((await registry.io(key).shell(['echo', 'hello world'])).stdout).toBe('hello world\n');

    await first.unplug();
    const gone = await until(registry, (snapshot) => !byState('device')(snapshot));
    expect(gone.devices.every((item) => item.model === 'One' && item.state === 'offline')).toBe(true);
    expect(() => registry.io(key)).toThrow(/device-(not-ready|unknown)/);
    await phone('One', { port: first.port });
    await registry.disconnect('local', '127.0.0.1', first.port).catch(() => '');
    await registry.connect('local', '127.0.0.1', first.port);
    await until(registry, (snapshot) => byState('device')(snapshot) && withFacts(snapshot));
    await registry.settled(new AbortController().signal);
    expect(events.map((event) => event.kind)).toEqual(['ready', 'gone', 'ready']);
  });

  it('that are not authorized say so and cannot be used', async () => {
    const adb = await realServer();
    const registry = registryOf({ localAddress: `127.0.0.1:${adb.port}` });
    const device = await phone('Two', { authorization: 'pending' });
    await expect(registry.connect('local', '127.0.0.1', device.port)).rejects.toThrow('connect-unauthorized');
    const snapshot = await until(registry, byState('unauthorized'));
    expect(snapshot.devices[0]).toMatchObject({ stateText: 'unauthorized', model: null, sdk: null, users: [] });
    let caught: unknown;
    try {
      registry.io(snapshot.devices[0]?.key ?? '');
    } catch (error) {
      caught = error;
    }
    expect(toProblem(caught)).toMatchObject({ code: 'device-not-ready', params: { state: 'unauthorized' } });
  });

  it('come back when their server was killed and started again', async () => {
    const adb = await realServer();
    const registry = registryOf({ watchLocal: false });
    const id = registry.addServer('127.0.0.1', adb.port);
    const device = await phone('Three');
    await registry.connect(id, '127.0.0.1', device.port);
    await until(registry, withFacts);
    await adb.stop();
    const down = await until(registry, (snapshot) => snapshot.servers[0]?.state === 'down');
    expect(down.servers[0]?.problem?.code).toMatch(/^adb-server-/);
    expect(down.devices).toEqual([]);
    const again = await realServer(adb.port);
    await again.connection.connect('127.0.0.1', device.port);
    const up = await until(registry, withFacts);
    expect(up.servers[0]).toMatchObject({ state: 'up', version: 41, problem: null });
  });

  it('keep the reason when their facts cannot be read', async () => {
    const adb = await realServer();
    const registry = registryOf({ localAddress: `127.0.0.1:${adb.port}` });
    const bare = await serveAdbd(shDevice({ serial: 'BARE' }));
    cleanups.push(() => bare.close());
    await registry.connect('local', '127.0.0.1', bare.port);
    const snapshot = await until(registry, (found) => found.devices.some((device) => device.problem !== null));
    expect(snapshot.devices[0]).toMatchObject({ state: 'device', sdk: null, users: [] });
    expect(snapshot.devices[0]?.problem?.code).toBe('device-facts-unreadable');
    expect(snapshot.devices[0]?.problem?.raw).toContain('getprop');
  });
});

describe('servers', () => {
  it('are watched side by side, with the demo server', async () => {
    const adb = await realServer();
    const demo = await serveAdbServer({});
    cleanups.push(() => demo.close());
    const android = createVirtualAndroid({ sdk: 30, model: 'Demo phone' });
    demo.setDevices([{ services: createDeviceServices(android, { serial: 'demo-1' }) }]);
    const registry = registryOf({ localAddress: `127.0.0.1:${adb.port}` });
    expect(registry.addDemoServer('127.0.0.1', demo.port)).toBe('demo');
    expect(registry.addDemoServer('127.0.0.1', demo.port)).toBe('demo');
    expect(registry.addServer('127.0.0.1', adb.port)).toBe('local');
    const real = await phone('Real');
    await registry.connect('local', '127.0.0.1', real.port);
    const snapshot = await until(registry, (found) => found.devices.length === 2 && withFacts(found));
    expect(snapshot.servers.map((server) => [server.id, server.state])).toEqual([
      ['local', 'up'],
      ['demo', 'up'],
    ]);
    expect(snapshot.devices.map((device) => [device.key, device.transport, device.sdk])).toEqual([
      [`local/127.0.0.1:${real.port}`, 'tcp', 34],
      ['demo/demo-1', 'demo', 30],
    ]);
    registry.removeServer('demo');
    expect(registry.snapshot().devices.map((device) => device.serverId)).toEqual(['local']);
    expect(() => registry.removeServer('local')).toThrow('server-fixed');
    expect(() => registry.removeServer('demo')).toThrow('server-unknown');
    expect(() => registry.addServer('no host', 5037)).toThrow('adb-address-invalid');
  });

  it('tell that adb is missing, when nobody listens and there is none', async () => {
    const registry = registryOf({
      env: { ANDROID_ADB_SERVER_PORT: String(await freePort()) },
      findAdb: async () => ({ ok: false, error: problem('adb-missing', { places: 3 }) }),
    });
    await registry.settled(new AbortController().signal);
    expect(registry.snapshot().servers[0]).toMatchObject({ state: 'down', problem: { code: 'adb-missing' } });
  });

  it('start only after a refused connection, here with the real adb', async () => {
    const port = await freePort();
    const started: (number | undefined)[] = [];
    const { startAdbServer } = await import('../adb/start-server.ts');
    const registry = registryOf({
      env: { ...process.env, ADB_SERVER_SOCKET: '', ANDROID_ADB_SERVER_PORT: String(port) },
      startServer: async (options) => {
        const pid = await startAdbServer(options);
        started.push(pid);
        if (pid !== undefined) cleanups.unshift(() => process.kill(pid, 'SIGKILL'));
        return pid;
      },
    });
    await until(registry, (snapshot) => snapshot.servers[0]?.state === 'up');
    expect(started).toHaveLength(1);
    expect(registry.snapshot().servers[0]).toMatchObject({ version: 41, problem: null });
  });

  it('are never started at an address of the command line', async () => {
    const registry = registryOf({
      localAddress: `127.0.0.1:${await freePort()}`,
      startServer: () => Promise.reject(new Error('started')),
    });
    await registry.settled(new AbortController().signal);
    expect(registry.snapshot().servers[0]).toMatchObject({ state: 'down', problem: { code: 'adb-server-refused' } });
  });

  it('say which variable is wrong', async () => {
    const registry = registryOf({ env: { ADB_SERVER_SOCKET: 'unix:/x' } });
    await registry.settled(new AbortController().signal);
    expect(registry.snapshot().servers[0]).toMatchObject({
      state: 'down',
      problem: { code: 'adb-address-invalid', params: { variable: 'ADB_SERVER_SOCKET' } },
    });
    await expect(registry.connect('local', '127.0.0.1', 1)).rejects.toThrow('adb-address-invalid');
  });

  it('end their watches at the abort and at close', async () => {
    const registry = registryOf({ watchLocal: false });
    const stop = new AbortController();
    const watch = registry.watch(stop.signal)[Symbol.asyncIterator]();
    expect((await watch.next()).value).toEqual({ servers: [], devices: [] });
    const pending = watch.next();
    stop.abort();
    expect((await pending).done).toBe(true);
    const other = registry.watch(new AbortController().signal)[Symbol.asyncIterator]();
    await other.next();
    const last = other.next();
    await registry.close();
    expect((await last).done).toBe(true);
  });
});
