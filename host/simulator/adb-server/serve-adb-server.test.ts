import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adb } from '../adbd/test-adb.ts';
import { createDeviceServices } from '../userland/services.ts';
import { installed, NOTES, notesSpec, testAndroid } from '../userland/test-android.ts';
import { type AdbHostServer, serveAdbServer } from './serve-adb-server.ts';
import { ask, RawHostClient } from './test-host-client.ts';

const APK = randomBytes(150_000);
const android = testAndroid({ packages: [installed(notesSpec)], apks: { [NOTES]: APK } });
const services = createDeviceServices(android, { serial: 'KIWI0001' });
const locked = createDeviceServices(android, { serial: 'LOCKED000000001' });
const OFFLINE = createDeviceServices(android, { serial: '10.0.0.9:6000' });

let server: AdbHostServer;
beforeEach(async () => {
  server = await serveAdbServer();
  server.setDevices([{ services }, { services: locked, state: 'unauthorized' }]);
});
afterEach(() => server.close());

describe('to a raw client', () => {
  test.each([
    ['host:version', 'OKAY00040029'],
    ['host:foo', "FAIL001aunknown host service 'foo'"],
    ['host:devices', 'OKAY002dKIWI0001\tdevice\nLOCKED000000001\tunauthorized\n'],
    ['host:transport-id:999999', "FAIL0024no device with transport id '999999'"],
    ['host:tport:serial:does-not-exist', "FAIL0021device 'does-not-exist' not found"],
    ['host:list-forward', 'OKAY0000'],
    ['host-serial:KIWI0001:get-state', 'OKAY0006device'],
    ['host-serial:LOCKED000000001:get-state', 'OKAY000cunauthorized'],
    ['host-serial:KIWI0001:features', 'OKAY002bshell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir'],
    ['host-transport-id:1:get-serialno', 'OKAY0008KIWI0001'],
    ['host:get-state', 'FAIL001dmore than one device/emulator'],
    ['host:kill', 'FAIL003athe demo server does not support: stopping the demo server'],
    ['host:pair:123456:10.0.0.1:37000', 'OKAY0042Failed: the demo server has built-in devices only and cannot pair.'],
    ['host:disconnect:10.0.0.1:5', "FAIL001bno such device '10.0.0.1:5'"],
    ['shell:id', "FAIL001funknown host service 'shell:id'"],
  ])('%s', async (request, answer) => {
    expect(await ask(server.port, request)).toBe(answer);
  });

  test('the long list pads the serial, tells names of ready devices only, and ids last', async () => {
    const text = await ask(server.port, 'host:devices-l');
    expect(text.slice(8)).toBe(
      'KIWI0001               device product:kiwi model:Kiwi_7__test_ device:kiwi7 transport_id:1\n' +
        'LOCKED000000001        unauthorized transport_id:2\n',
    );
  });

  test('a serial may hold colons', async () => {
    server.setDevices([{ services: OFFLINE, state: 'offline' }]);
    expect(await ask(server.port, 'host-serial:10.0.0.9:6000:get-state')).toBe('OKAY0007offline');
    expect(await ask(server.port, 'host:transport:10.0.0.9:6000')).toBe('FAIL000edevice offline');
  });

  test('an unauthorized device is refused with the four lines', async () => {
    expect(await ask(server.port, 'host:transport:LOCKED000000001')).toMatch(
      /^FAIL00a7device unauthorized\.\n.*\n.*\nOtherwise check for a confirmation dialog on your device\.$/,
    );
  });

  test('a tracker gets the whole list at once and again at each change, and is cut when it speaks', async () => {
    const client = new RawHostClient(server.port).send('host:track-devices');
    expect(await client.text(4)).toBe('OKAY');
    expect(await client.framed()).toContain('KIWI0001\tdevice\n');
    server.setDevices([{ services: OFFLINE, state: 'no permissions (udev); see [http://x]' }]);
    expect(await client.framed()).toBe('10.0.0.9:6000\tno permissions (udev); see [http://x]\n');
    server.setDevices([]);
    expect(await client.framed()).toBe('');
    client.socket.write('x');
    expect((await client.rest()).length).toBe(0);
    await client.close();
  });

  test('a device keeps its transport id, a new one gets another', async () => {
    server.setDevices([{ services: OFFLINE }, { services }]);
    expect(await ask(server.port, 'host:devices-l')).toMatch(
      /10\.0\.0\.9:6000 .*transport_id:3\nKIWI0001 .*transport_id:1\n$/,
    );
  });

  test('a service is a raw stream after the device is chosen, in one go or by transport id', async () => {
    const client = new RawHostClient(server.port).send('host:transport:KIWI0001').send('exec:echo hello');
    expect((await client.rest()).toString()).toBe('OKAYOKAYhello\n');
    await client.close();
    const byId = new RawHostClient(server.port).send('host:tport:serial:KIWI0001');
    expect(await byId.text(4)).toBe('OKAY');
    expect((await byId.take(8)).readBigUInt64LE()).toBe(1n);
    byId.send('localabstract:nobody');
    expect((await byId.rest()).toString()).toBe('FAIL0006closed');
    await byId.close();
  });

  test('sync lists and stats in both generations', async () => {
    const client = new RawHostClient(server.port).send('host:transport:KIWI0001').send('sync:');
    expect(await client.text(8)).toBe('OKAYOKAY');
    const request = (id: string, path: string): void => {
      const head = Buffer.alloc(8);
      head.write(id, 'latin1');
      head.writeUInt32LE(Buffer.byteLength(path), 4);
      client.socket.write(Buffer.concat([head, Buffer.from(path)]));
    };
    request('STAT', `/data/app/~~c2FtcGxl==/${NOTES}-bm90ZXM=/base.apk`);
    const stat = await client.take(16);
    expect([stat.toString('latin1', 0, 4), stat.readUInt32LE(4), stat.readUInt32LE(8)]).toEqual([
      'STAT',
      0o100644,
      APK.length,
    ]);
    request('STA2', '/no/such');
    const missing = await client.take(72);
    expect([missing.toString('latin1', 0, 4), missing.readUInt32LE(4)]).toEqual(['STA2', 2]);
    request('LIST', `/data/app/~~c2FtcGxl==/${NOTES}-bm90ZXM=`);
    const entry = await client.take(20);
    expect(entry.toString('latin1', 0, 4)).toBe('DENT');
    expect(await client.text(entry.readUInt32LE(16))).toBe('base.apk');
    expect(await client.text(4)).toBe('DONE');
    await client.take(16);
    request('RECV', '/nope');
    const failed = await client.take(8);
    expect(failed.toString('latin1', 0, 4)).toBe('FAIL');
    expect(await client.text(failed.readUInt32LE(4))).toBe('No such file or directory');
    request('QUIT', '');
    expect((await client.rest()).length).toBe(0);
    await client.close();
  });

  test('a device that goes offline cuts its streams', async () => {
    const client = new RawHostClient(server.port).send('host:transport:KIWI0001').send('shell:echo on; sleep 600');
    expect(await client.text(11)).toBe('OKAYOKAYon\n');
    server.setDevices([{ services, state: 'offline' }]);
    expect((await client.rest()).length).toBe(0);
    await client.close();
  });

  test('hundreds of clients at once, some of which hang up in the middle', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const client = new RawHostClient(server.port).send('host:transport:KIWI0001');
        client.send(index % 4 === 0 ? 'exec:cat' : `exec:echo ${index}`);
        if (index % 4 === 0) {
          await client.text(8);
          await client.close();
          return index;
        }
        const text = (await client.rest()).toString();
        await client.close();
        return text === `OKAYOKAY${index}\n` ? index : text;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });

  test('a request that is no request is refused', async () => {
    const client = new RawHostClient(server.port);
    client.socket.write('GET / HTTP/1.1\r\n');
    expect((await client.rest()).toString()).toBe('FAIL000einvalid length');
    await client.close();
  });
});

describe('to the real adb', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cetp-host-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const run = (...args: readonly string[]) => adb(server.port, args);

  test('it lists, runs, and passes exit codes on', async () => {
    expect((await run('devices')).stdout).toContain('KIWI0001\tdevice\nLOCKED000000001\tunauthorized\n');
    expect(await run('-s', 'KIWI0001', 'shell', 'echo a b; exit 4')).toEqual({ stdout: 'a b\n', stderr: '', code: 4 });
    expect((await run('-t', '1', 'get-serialno')).stdout).toBe('KIWI0001\n');
    expect((await run('-s', 'LOCKED000000001', 'shell', 'id')).stderr).toContain('device unauthorized.');
    expect((await run('-s', 'nobody', 'shell', 'id')).stderr).toContain("device 'nobody' not found");
  });

  test('32 MiB come back intact', async () => {
    const bytes = randomBytes(32 * 1024 * 1024);
    const digest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');
    await writeFile(join(folder, 'up'), bytes);
    expect((await run('-s', 'KIWI0001', 'push', join(folder, 'up'), '/sdcard/deep/er/big')).code).toBe(0);
    expect((await run('-s', 'KIWI0001', 'pull', '/sdcard/deep/er/big', join(folder, 'down'))).code).toBe(0);
    expect(digest(await readFile(join(folder, 'down')))).toBe(digest(bytes));
  });

  test('what a client sends before it hangs up is kept to the last byte', async () => {
    const input = randomBytes(700_001);
    const path = '/data/local/tmp/streamed';
    await adb(server.port, ['-s', 'KIWI0001', 'exec-in', `cat > ${path}`], { input });
    const size = async (): Promise<string> =>
      (await run('-s', 'KIWI0001', 'shell', `stat -c %s ${path} 2>/dev/null`)).stdout;
    while ((await size()) === '') await run('get-state');
    expect(await size()).toBe('700001\n');
  });

  test('what a demo cannot do is said in words', async () => {
    expect((await run('connect', '10.1.1.1:7000')).stdout).toContain('the demo server has built-in devices only');
    expect((await run('disconnect', 'x:1')).stderr).toContain("no such device 'x:1'");
    expect((await run('-s', 'KIWI0001', 'forward', 'tcp:0', 'tcp:1')).stderr).toContain('does not support: forward');
  });

  test('wait-for-device ends when the device comes', async () => {
    server.setDevices([]);
    const waiting = run('-s', 'KIWI0001', 'wait-for-device', 'shell', 'echo there');
    server.setDevices([{ services }]);
    expect((await waiting).stdout).toBe('there\n');
  });
});

test('a closed server refuses, and lets its port go', async () => {
  const other = await serveAdbServer();
  const client = new RawHostClient(other.port).send('host:track-devices');
  await client.text(4);
  const closed = once(client.socket, 'close');
  await other.close();
  await closed;
  const again = await serveAdbServer({ port: other.port });
  expect(await ask(again.port, 'host:version')).toBe('OKAY00040029');
  await again.close();
});
