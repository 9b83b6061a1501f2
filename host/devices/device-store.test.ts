import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Device } from '../../shared/model/device.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import type { AdbDeviceRow, AdbServerConnection } from '../adb/transport.ts';
import { createVirtualAndroid } from '../simulator/android/virtual-android.ts';
import { createDeviceServices } from '../simulator/userland/services.ts';
import { DeviceStore } from './device-store.ts';
import { createSlots } from './slots.ts';

const stores: DeviceStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.apply(null);
  vi.useRealTimers();
});

function setup(options: { models?: Record<string, string>; broken?: Set<string>; debounceMs?: number } = {}) {
  const models: Record<string, string> = options.models ?? { S1: 'One' };
  const opened: string[] = [];
  const connection = {
    features: async () => ['shell_v2'],
    openService: async (serial: string, service: string) => {
      opened.push(service);
      if (options.broken?.has(serial)) throw new ProblemError(problem('service-refused', { serial }, 'closed'));
      const android = createVirtualAndroid({ sdk: 33, model: models[serial] ?? 'None' });
      const stream = createDeviceServices(android, { serial }).open(service);
      if (stream === null) throw new ProblemError(problem('service-refused', { serial }, 'closed'));
      return stream;
    },
  } as unknown as AdbServerConnection;
  const events: string[] = [];
  let changed = () => {};
  const store = new DeviceStore({
    server: { id: 'local', kind: 'local' },
    connection,
    offlineDebounceMs: options.debounceMs ?? 60_000,
    factsTimeoutMs: 10_000,
    factsRetryMs: [60_000],
    slots: createSlots(2),
    onChange: () => changed(),
    onReady: (device) => events.push(`ready ${device.serial}`),
    onGone: (device) => events.push(`gone ${device.serial}`),
  });
  stores.push(store);
  const until = (wanted: () => boolean) =>
    new Promise<void>((resolve) => {
      changed = () => {
        if (!wanted()) return;
        changed = () => {};
        resolve();
      };
      changed();
    });
  const one = () => store.devices()[0] as Device;
  return { store, events, until, one, opened };
}

const row = (serial: string, stateText: string, properties: Record<string, string> = {}): AdbDeviceRow => ({
  serial,
  stateText,
  properties,
});

describe('a device that was just plugged in', () => {
  it('is not shown as offline at once', async () => {
    const { store, until } = setup({ debounceMs: 20 });
    store.apply([row('S1', 'offline')]);
    expect(store.devices()).toEqual([]);
    expect(store.settled).toBe(false);
    await until(() => store.devices()[0]?.state === 'offline');
    expect(store.settled).toBe(true);
  });

  it('is shown as soon as it is anything else', async () => {
    const { store, one, until } = setup();
    store.apply([row('S1', 'offline')]);
    store.apply([row('S1', 'unauthorized')]);
    expect(one().state).toBe('unauthorized');
    store.apply([row('S1', 'device')]);
    await until(() => one().sdk === 33);
    store.apply([row('S1', 'offline')]);
    expect(one()).toMatchObject({ state: 'offline', sdk: 33, model: 'One' });
  });
});

describe('facts', () => {
  it('stay while a device flaps and are read again each time it returns', async () => {
    const { store, one, until, events, opened } = setup();
    store.apply([row('S1', 'device', { transport_id: '1', usb: '1-1' })]);
    await until(() => one().sdk === 33);
    const reads = opened.filter((service) => service.endsWith('getprop')).length;
    store.apply([]);
    expect(store.devices()).toEqual([]);
    store.apply([row('S1', 'device', { transport_id: '2', usb: '1-1' })]);
    expect(one()).toMatchObject({ model: 'One', sdk: 33, transport: 'usb' });
    await until(() => store.settled);
    expect(events).toEqual(['ready S1', 'gone S1', 'ready S1']);
    expect(opened.filter((service) => service.endsWith('getprop'))).toHaveLength(reads + 1);
  });

  it('stay, with the reason, when they cannot be read again', async () => {
    const broken = new Set<string>();
    const { store, one, until } = setup({ broken });
    store.apply([row('S1', 'device', { transport_id: '1' })]);
    await until(() => one().sdk === 33);
    broken.add('S1');
    store.apply([row('S1', 'device', { transport_id: '2' })]);
    await until(() => one().problem !== null);
    expect(one()).toMatchObject({
      sdk: 33,
      problem: { code: 'device-facts-unreadable', params: { cause: 'service-refused' }, raw: 'closed' },
    });
  });

  it('of an address do not pass to another phone there', async () => {
    const models: Record<string, string> = { '10.0.0.9:5555': 'Old' };
    const broken = new Set<string>();
    const { store, one, until } = setup({ models, broken });
    store.apply([row('10.0.0.9:5555', 'device', { transport_id: '1' })]);
    await until(() => one().sdk === 33);
    broken.add('10.0.0.9:5555');
    store.apply([row('10.0.0.9:5555', 'device', { transport_id: '2' })]);
    expect(one().model).toBe(null);
    await until(() => one().problem !== null);
    expect(one()).toMatchObject({ model: null, sdk: null });
    store.apply([]);
    store.apply([row('10.0.0.9:5555', 'unauthorized', { transport_id: '3' })]);
    expect(one()).toMatchObject({ model: null, sdk: null });
  });
});

describe('rows', () => {
  it('of the same serial stay apart', () => {
    const { store } = setup();
    store.apply([row('????', 'no permissions (a); see [b]'), row('????', 'no permissions (a); see [b]')]);
    expect(store.devices().map((device) => [device.key, device.state])).toEqual([
      ['local/????', 'no-permissions'],
      ['local/????#2', 'no-permissions'],
    ]);
  });

  it('keep words that nobody knows', () => {
    const { store, one } = setup();
    store.apply([row('S1', 'quarantined')]);
    expect(one()).toMatchObject({ state: 'unknown', stateText: 'quarantined' });
  });
});
