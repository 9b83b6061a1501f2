import { describe, expect, it } from 'vitest';
import type { AdbServerInfo } from '../../shared/model/device.ts';
import { createChanges } from './changes.ts';
import { parseGetprop, parseUsers } from './device-facts.ts';
import { toDeviceState, toTransport } from './device-state.ts';
import { createSlots } from './slots.ts';

describe('parseGetprop', () => {
  it('reads values with brackets, colons, line breaks and nothing', () => {
    const read = parseGetprop(
      '[ro.a]: [one]\n[ro.b]: [x]: [y]]\n[persist.c]: [line 1\nline 2]\r\n[ro.d]: []\nnoise\n[ro.product.model]: [Pixel 6]\n',
    );
    expect(Object.fromEntries(read)).toEqual({
      'ro.a': 'one',
      'ro.b': 'x]: [y]',
      'persist.c': 'line 1\nline 2',
      'ro.d': '',
      'ro.product.model': 'Pixel 6',
    });
  });
});

describe('parseUsers', () => {
  it('reads owner, work profile and names with separators', () => {
    const text =
      'Users:\n\tUserInfo{0:Owner:c13} running\n\tUserInfo{10:Work: a}b:1030} running\n\tUserInfo{11:Gast:410}\n';
    expect(parseUsers(text, 10)).toEqual([
      { id: 0, name: 'Owner', running: true, current: false },
      { id: 10, name: 'Work: a}b', running: true, current: true },
      { id: 11, name: 'Gast', running: false, current: false },
    ]);
  });

  it.each(["cmd: Can't find service: package", '', 'Users:\n\tUserInfo{x:Owner:c13}'])(
    'never takes %j for no users',
    (text) => {
      expect(() => parseUsers(text, 0)).toThrow();
    },
  );
});

describe('states and transports', () => {
  it.each([
    ['device', 'device'],
    ['no permissions (user in plugdev group; are your udev rules wrong?); see [http://x]', 'no-permissions'],
    ['no permissions', 'no-permissions'],
    ['Device', 'unknown'],
    ['unknown', 'unknown'],
  ])('%j is %s', (text, state) => {
    expect(toDeviceState(text)).toBe(state);
  });

  it.each([
    ['K7QX02', { usb: '1-1' }, 'local', 'usb'],
    ['K7QX02', {}, 'local', 'unknown'],
    ['10.0.0.9:5555', {}, 'remote', 'tcp'],
    ['adb-K7QX02-aBcDeF._adb-tls-connect._tcp', {}, 'local', 'wifi'],
    ['emulator-5554', {}, 'local', 'emulator'],
    ['K7QX02', {}, 'demo', 'demo'],
  ])('%s with %j on %s is %s', (serial, properties, kind, transport) => {
    expect(toTransport({ serial, stateText: 'device', properties }, kind as AdbServerInfo['kind'])).toBe(transport);
  });
});

describe('createChanges', () => {
  it('gives a slow reader the newest value only', async () => {
    const changes = createChanges();
    let value = 0;
    const watch = changes.watch(() => value, new AbortController().signal);
    expect((await watch.next()).value).toBe(0);
    for (value = 1; value < 1_000; value++) changes.bump();
    expect((await watch.next()).value).toBe(1_000);
    changes.close();
    expect((await watch.next()).done).toBe(true);
  });
});

describe('createSlots', () => {
  it('lets only so many run, and the next also after a failure', async () => {
    const slots = createSlots(2);
    const running = { now: 0, most: 0 };
    const tasks = Array.from({ length: 9 }, (_, index) =>
      slots.run(async () => {
        running.most = Math.max(running.most, ++running.now);
        await new Promise((resolve) => setImmediate(resolve));
        running.now--;
        if (index % 3 === 0) throw new Error('no');
      }),
    );
    expect((await Promise.allSettled(tasks)).filter((task) => task.status === 'fulfilled')).toHaveLength(6);
    expect(running).toEqual({ now: 0, most: 2 });
  });
});
