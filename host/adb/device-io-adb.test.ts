import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toProblem } from '../../shared/model/problem.ts';
import { type Adbd, serveAdbd } from '../simulator/adbd/serve-adbd.ts';
import { createVirtualAndroid } from '../simulator/android/virtual-android.ts';
import { createDeviceServices } from '../simulator/userland/services.ts';
import type { DeviceIo } from './device-io.ts';
import { createDeviceIo } from './device-io-adb.ts';
import { encodeShellPacket } from './shell-packets.ts';
import { type RealAdbServer, startRealAdbServer } from './testing/real-adb-server.ts';
import { type ShDeviceOptions, shDevice } from './testing/sh-device.ts';

const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => toProblem(error),
  );

let adb: RealAdbServer;
let folder: string;
const devices: Adbd[] = [];

beforeAll(async () => {
  adb = await startRealAdbServer();
  folder = mkdtempSync(path.join(tmpdir(), 'cetp-io-'));
});
afterEach(async () => {
  await Promise.all(devices.splice(0).map((device) => device.close()));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await adb.stop();
});

async function deviceIo(options: Partial<ShDeviceOptions> = {}): Promise<{ io: DeviceIo; device: Adbd }> {
  const device = await serveAdbd(shDevice({ serial: 'IO', ...options }));
  devices.push(device);
  await adb.connection.connect('127.0.0.1', device.port);
  const serial = `127.0.0.1:${device.port}`;
  return { io: createDeviceIo({ connection: adb.connection, serial, deviceKey: `local/${serial}`, sdk: 34 }), device };
}

describe.each([
  ['shell v2', ['shell_v2', 'cmd'], true],
  ['shell v1', ['cmd'], false],
])('shell over %s', (_name, features, v2) => {
  it('gives output and exit code', async () => {
    const { io } = await deviceIo({ features });
    const result = await io.shell(['sh', '-c', 'echo "out $1"; echo err >&2; exit 7', 'x', `it's "q" $HOME`]);
    expect(result).toEqual(
      v2
        ? { stdout: `out it's "q" $HOME\n`, stderr: 'err\n', exitCode: 7 }
        : { stdout: `out it's "q" $HOME\nerr\n`, stderr: '', exitCode: 7 },
    );
  });

  it('never gives a cut output as a whole one', async () => {
    const { io } = await deviceIo({ features });
    const problem = await problemOf(io.shell(['head', '-c', '300000', '/dev/zero'], { maxBytes: 100_000 }));
    expect(problem).toMatchObject({ code: 'shell-output-too-large', params: { limit: 100_000 } });
  });

  it('ends a command that takes too long', async () => {
    const { io } = await deviceIo({ features });
    expect((await problemOf(io.shell(['sleep', '1000'], { timeoutMs: 100 }))).code).toBe('shell-timeout');
  });

  it('ends with the signal', async () => {
    const { io } = await deviceIo({ features });
    const stop = new AbortController();
    const running = problemOf(io.shell(['sleep', '1000'], { signal: stop.signal }));
    stop.abort();
    expect((await running).code).toBe('adb-cancelled');
  });

  it('tells a lost device from an empty output', async () => {
    const { io, device } = await deviceIo({ features });
    const running = problemOf(io.shell(['sh', '-c', 'echo half; sleep 1000']));
    await io.shell(['true']);
    await device.close();
    expect((await running).code).toBe('device-connection-lost');
  });
});

describe('shellStream', () => {
  it('streams stdout while the command runs and keeps stderr aside', async () => {
    const { io } = await deviceIo();
    const stream = await io.shellStream(['sh', '-c', 'echo why >&2; cat; exit 3']);
    stream.write('over and back');
    stream.end();
    expect(await text(stream)).toBe('over and back');
    expect(stream.exitCode).toBe(3);
    expect(stream.stderrText).toBe('why\n');
  });

  it('fails when the device goes away in the middle', async () => {
    const { io, device } = await deviceIo();
    const stream = await io.shellStream(['cat']);
    const failed = problemOf(text(stream));
    await device.close();
    expect((await failed).code).toBe('device-connection-lost');
  });

  it('fails on packets that are none', async () => {
    const bad = () => {
      const stream = new PassThrough();
      stream.write(Buffer.concat([encodeShellPacket(1, Buffer.from('a')), Buffer.from([9, 255, 255, 255, 255])]));
      return stream;
    };
    const { io } = await deviceIo({ open: (service) => (service.startsWith('shell,v2') ? bad() : undefined) });
    expect((await problemOf(text(await io.shellStream(['x'])))).code).toBe('shell-protocol');
    expect((await problemOf(io.shell(['x']))).code).toBe('shell-protocol');
  });
});

describe('readRange', () => {
  it.each([
    [0, 1],
    [0, 4096],
    [511, 2],
    [1_000_000, 70_001],
    [2_999_900, 100],
    [2_999_900, 5_000],
    [3_000_000, 10],
    [9_000_000, 10],
    [0, 3_000_000],
  ])('reads from %i, %i bytes', async (offset, length) => {
    const file = path.join(folder, "it's a file");
    const data = createHash('shake256', { outputLength: 3_000_000 }).update('range').digest();
    writeFileSync(file, data);
    const { io } = await deviceIo();
    expect(await io.fileSize(file)).toBe(data.length);
    const got = await io.readRange(file, offset, length);
    expect(Buffer.compare(got, data.subarray(offset, offset + length))).toBe(0);
  });

  it('reports a file that cannot be read', async () => {
    const { io } = await deviceIo();
    const problem = await problemOf(io.readRange(path.join(folder, 'missing'), 0, 10));
    expect(problem.code).toBe('file-unreadable');
    expect(problem.raw).toContain('No such file');
  });

  it('reports a read that the device cut short', async () => {
    const file = path.join(folder, 'cut');
    writeFileSync(file, randomBytes(10_000));
    const cut = () => {
      const stream = new PassThrough();
      stream.end(readFileSync(file).subarray(0, 100));
      return stream;
    };
    const { io } = await deviceIo({ open: (service) => (service.startsWith('exec:dd') ? cut() : undefined) });
    expect(await problemOf(io.readRange(file, 0, 5_000))).toMatchObject({
      code: 'file-read-short',
      params: { expected: 5_000, got: 100 },
    });
  });
});

describe('push', () => {
  /** A sync service that keeps what SEND brings, or refuses it. */
  const syncService = (stored: Map<string, Buffer>, refusal: string | null) => {
    let input: Buffer = Buffer.alloc(0);
    let file: Buffer[] = [];
    let target = '';
    return new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        input = Buffer.concat([input, chunk]);
        while (input.length >= 8) {
          const id = input.toString('ascii', 0, 4);
          const length = id === 'DONE' || id === 'QUIT' ? 0 : input.readUInt32LE(4);
          if (input.length < 8 + length) break;
          const payload = input.subarray(8, 8 + length);
          input = input.subarray(8 + length);
          if (id === 'SEND') {
            target = payload.toString();
            file = [];
          } else if (id === 'DATA') {
            if (length > 65_536) this.destroy(new Error('chunk too large'));
            file.push(Buffer.from(payload));
          } else if (id === 'DONE') {
            const answer = Buffer.from(refusal ?? '');
            const header = Buffer.alloc(8);
            header.write(refusal === null ? 'OKAY' : 'FAIL');
            header.writeUInt32LE(answer.length, 4);
            stored.set(target, Buffer.concat(file));
            this.push(Buffer.concat([header, answer]));
          } else if (id === 'QUIT') this.push(null);
        }
        done();
      },
    });
  };

  it.each([0, 1, 65_536, 5_000_001])('writes %i bytes', async (size) => {
    const stored = new Map<string, Buffer>();
    const { io } = await deviceIo({ open: (service) => (service === 'sync:' ? syncService(stored, null) : undefined) });
    const data = randomBytes(size);
    await io.push('/data/local/tmp/a,b.apk', data);
    expect([...stored.keys()]).toEqual(['/data/local/tmp/a,b.apk,33188']);
    expect(stored.get('/data/local/tmp/a,b.apk,33188')?.equals(data)).toBe(true);
  });

  it('gives the refusal in the words of the device', async () => {
    const open = (service: string) =>
      service === 'sync:' ? syncService(new Map(), 'couldn’t create file: Read-only file system') : undefined;
    const { io } = await deviceIo({ open });
    expect(await problemOf(io.push('/system/x', randomBytes(200_000)))).toMatchObject({
      code: 'push-failed',
      raw: 'couldn’t create file: Read-only file system',
    });
  });
});

describe('openLocalAbstract', () => {
  it('opens the socket of that name, and says when nobody listens', async () => {
    const open = (service: string) => (service === 'localabstract:cetp' ? new PassThrough() : undefined);
    const { io } = await deviceIo({ open });
    const stream = await io.openLocalAbstract('cetp');
    stream.write('ping');
    const [first] = (await stream[Symbol.asyncIterator]().next()).value as [number];
    expect(first).toBe('p'.charCodeAt(0));
    stream.destroy();
    expect((await problemOf(io.openLocalAbstract('other'))).code).toBe('service-refused');
    expect((await problemOf(io.openLocalAbstract('n'.repeat(108)))).code).toBe('socket-name-invalid');
  });
});

describe('with the virtual Android behind the real server', () => {
  it('reads, writes and runs as on a phone', async () => {
    const android = createVirtualAndroid({ sdk: 34 });
    const device = await serveAdbd(createDeviceServices(android, { serial: 'VA' }));
    devices.push(device);
    await adb.connection.connect('127.0.0.1', device.port);
    const serial = `127.0.0.1:${device.port}`;
    const io = createDeviceIo({ connection: adb.connection, serial, deviceKey: `local/${serial}`, sdk: 34 });
    const [installed] = android.packages();
    if (installed === undefined) throw new Error('no package');
    const apk = android.apk(installed.spec.package) ?? new Uint8Array();
    const file = `${installed.codePath}/base.apk`.replace('base.apk/base.apk', 'base.apk');
    expect(await io.fileSize(file)).toBe(apk.length);
    expect(Buffer.compare(await io.readRange(file, 777, 1_500), apk.subarray(777, 2_277))).toBe(0);
    const data = randomBytes(300_000);
    await io.push('/data/local/tmp/a b.bin', data);
    expect(Buffer.compare(await io.readRange('/data/local/tmp/a b.bin', 0, data.length), data)).toBe(0);
    expect(await io.shell(['no-such-command'])).toMatchObject({ exitCode: 127 });
    expect((await problemOf(io.fileSize('/data/local/tmp/missing'))).code).toBe('file-unreadable');
    expect((await problemOf(io.openLocalAbstract('nobody'))).code).toBe('service-refused');
  });
});
