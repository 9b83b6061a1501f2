import { describe, expect, it } from 'vitest';
import { isLoopback, resolveAdbServerAddress } from './server-address.ts';

describe('resolveAdbServerAddress', () => {
  it.each([
    [{}, null, '127.0.0.1', 5037, 'default'],
    [{ ADB_SERVER_SOCKET: 'tcp:lab:6000', ANDROID_ADB_SERVER_PORT: '7000' }, null, 'lab', 6000, 'ADB_SERVER_SOCKET'],
    [{ ADB_SERVER_SOCKET: 'tcp:6000' }, null, '127.0.0.1', 6000, 'ADB_SERVER_SOCKET'],
    [{ ADB_SERVER_SOCKET: 'tcp:[::1]:6000' }, null, '::1', 6000, 'ADB_SERVER_SOCKET'],
    [{ ADB_SERVER_SOCKET: '', ANDROID_ADB_SERVER_PORT: '7000' }, null, '127.0.0.1', 7000, 'ANDROID_ADB_SERVER_PORT'],
    [{ ANDROID_ADB_SERVER_ADDRESS: '10.1.2.3' }, null, '10.1.2.3', 5037, 'ANDROID_ADB_SERVER_ADDRESS'],
    [
      { ANDROID_ADB_SERVER_ADDRESS: 'lab', ANDROID_ADB_SERVER_PORT: '7000' },
      null,
      'lab',
      7000,
      'ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT',
    ],
    [{ ADB_SERVER_SOCKET: 'tcp:lab:6000' }, 'other:9000', 'other', 9000, '--adb'],
    [{}, '9000', '127.0.0.1', 9000, '--adb'],
  ])('reads %j with %j', (env, override, host, port, source) => {
    expect(resolveAdbServerAddress(env, override)).toEqual({ ok: true, value: { host, port, source } });
  });

  it.each([
    [{ ADB_SERVER_SOCKET: 'localfilesystem:/tmp/adb' }, null, 'ADB_SERVER_SOCKET'],
    [{ ADB_SERVER_SOCKET: 'tcp:lab:' }, null, 'ADB_SERVER_SOCKET'],
    [{ ADB_SERVER_SOCKET: 'tcp:lab:70000' }, null, 'ADB_SERVER_SOCKET'],
    [{ ADB_SERVER_SOCKET: 'lab:5037' }, null, 'ADB_SERVER_SOCKET'],
    [{ ANDROID_ADB_SERVER_PORT: '5037x' }, null, 'ANDROID_ADB_SERVER_PORT'],
    [{ ANDROID_ADB_SERVER_PORT: '0' }, null, 'ANDROID_ADB_SERVER_PORT'],
    [{ ANDROID_ADB_SERVER_ADDRESS: 'a b' }, null, 'ANDROID_ADB_SERVER_ADDRESS'],
    [{}, 'lab', '--adb'],
    [{}, '', '--adb'],
    [{}, ':5037', '--adb'],
    [{}, 'lab:5037\n', '--adb'],
  ])('names what is wrong in %j with %j', (env, override, variable) => {
    expect(resolveAdbServerAddress(env, override)).toMatchObject({
      ok: false,
      error: { code: 'adb-address-invalid', params: { variable } },
    });
  });
});

describe('addresses', () => {
  it('knows this machine', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '::1'].map(isLoopback)).toEqual([true, true, true, true]);
    expect(['10.0.0.1', 'localhost.example', '127.evil.example'].map(isLoopback)).toEqual([false, false, false]);
  });
});
