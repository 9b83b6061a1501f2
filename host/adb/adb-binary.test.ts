import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toProblem } from '../../shared/model/problem.ts';
import { adbCandidates, findAdb } from './adb-binary.ts';
import { createAdbkitTransport } from './adbkit-transport.ts';
import { startAdbServer } from './start-server.ts';
import { freePort, startRealAdbServer } from './testing/real-adb-server.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'cetp-find-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function fakeAdb(folder: string, script: string): string {
  const file = path.join(root, folder, 'adb');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
const says = (version: string) =>
  `echo "Android Debug Bridge version 1.0.${version}"; echo "Version 35.0.1-99"; echo "Installed as $0"`;

describe('findAdb', () => {
  it('finds the real one and reads its version', async () => {
    const found = await findAdb({ env: process.env });
    if (!found.ok) throw new Error(found.error.code);
    expect(found.value).toMatchObject({ source: 'PATH', protocol: 41 });
    expect(found.value.raw).toContain('Android Debug Bridge version 1.0.41');
    expect(found.value.raw).toContain(found.value.version);
  });

  it('prefers ADB, then PATH, then the SDK variables, then the usual folders', async () => {
    const env: Record<string, string> = {};
    const home = path.join(root, 'home');
    const search = async () => {
      const found = await findAdb({ env, home, platform: 'linux' });
      return found.ok ? [found.value.source, found.value.path, found.value.version] : [found.error.code];
    };
    const inHome = fakeAdb('home/Android/Sdk/platform-tools', says('41'));
    expect(await search()).toEqual(['sdk-folder', inHome, '35.0.1-99']);
    env['ANDROID_SDK_ROOT'] = path.join(root, 'root');
    const inRoot = fakeAdb('root/platform-tools', says('41'));
    expect(await search()).toEqual(['ANDROID_SDK_ROOT', inRoot, '35.0.1-99']);
    env['PATH'] = `${path.join(root, 'empty')}:${path.join(root, 'bin')}`;
    const inPath = fakeAdb('bin', says('39'));
    expect(await search()).toEqual(['PATH', inPath, '35.0.1-99']);
    env['ADB'] = path.join(root, 'nowhere/adb');
    expect(await search()).toEqual(['adb-variable-bad']);
  });

  it('goes on after one that does not run, and tells when none does', async () => {
    const env = { PATH: `${path.join(root, 'a')}:${path.join(root, 'b')}` };
    fakeAdb('a', 'echo "cannot execute here" >&2; exit 1');
    const only = await findAdb({ env, home: root, platform: 'darwin' });
    expect(only).toMatchObject({ ok: false, error: { code: 'adb-unusable', params: { count: 1 } } });
    expect(only.ok ? '' : only.error.raw).toContain('cannot execute here');
    const good = fakeAdb('b', says('41'));
    expect(await findAdb({ env, home: root, platform: 'darwin' })).toMatchObject({ value: { path: good } });
  });

  it('says that there is none', async () => {
    fakeAdb('bin', 'echo "some other tool"');
    const env = { PATH: path.join(root, 'none') };
    expect(await findAdb({ env, home: root, platform: 'darwin' })).toMatchObject({ error: { code: 'adb-missing' } });
    const other = await findAdb({ env: { PATH: path.join(root, 'bin') }, home: root, platform: 'darwin' });
    expect(other).toMatchObject({ error: { code: 'adb-unusable' } });
  });

  it('knows the folders of Windows and macOS', () => {
    const windows = adbCandidates({
      env: { Path: 'C:\\Tools;relative', LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local' },
      platform: 'win32',
      home: 'C:\\Users\\ann',
    });
    expect(windows.map((candidate) => candidate.path)).toEqual([
      'C:\\Tools\\adb.exe',
      'C:\\Users\\ann\\AppData\\Local\\Android\\Sdk\\platform-tools\\adb.exe',
    ]);
    const mac = adbCandidates({ env: {}, platform: 'darwin', home: '/Users/ann' });
    expect(mac[0]?.path).toBe('/Users/ann/Library/Android/sdk/platform-tools/adb');
  });
});

describe('startAdbServer', () => {
  it('starts the real server, and leaves one that already runs alone', async () => {
    const found = await findAdb({ env: process.env });
    if (!found.ok) throw new Error(found.error.code);
    const port = await freePort();
    const connection = createAdbkitTransport({ host: '127.0.0.1', port });
    const pid = await startAdbServer({ binary: found.value, port, env: process.env, connection });
    try {
      expect(await connection.version()).toBe(41);
    } finally {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    }
    const running = await startRealAdbServer();
    try {
      const { port: taken, connection: there } = running;
      const second = await startAdbServer({ binary: found.value, port: taken, env: process.env, connection: there });
      expect(second).toBeUndefined();
      expect(await there.version()).toBe(41);
    } finally {
      await running.stop();
    }
  });

  it('tells what adb said when it ends', async () => {
    const file = fakeAdb('bad', 'echo "no room on device" >&2; exit 3');
    const port = await freePort();
    const connection = createAdbkitTransport({ host: '127.0.0.1', port });
    const failed = await startAdbServer({ binary: { path: file }, port, env: {}, connection }).catch(toProblem);
    expect(failed).toMatchObject({ code: 'adb-start-failed', params: { port } });
    expect((failed as { raw: string }).raw).toContain('no room on device');
    expect((failed as { raw: string }).raw).toContain('adb ended with 3');
  });
});
