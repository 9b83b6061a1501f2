import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDeviceServices } from '../userland/services.ts';
import { installed, NOTES, notesSpec, testAndroid } from '../userland/test-android.ts';
import type { DeviceServices } from '../virtual-device.ts';
import { COMMAND, encodePacket, type Packet, PacketReader } from './packet.ts';
import { type Adbd, serveAdbd } from './serve-adbd.ts';
import { adb, type RealAdb, startRealAdb } from './test-adb.ts';

const APK = randomBytes(200_000);

/** An abstract socket that says back what it hears. */
const echoSocket = (): Duplex => {
  const duplex: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, callback) => {
      duplex.push(chunk);
      callback();
    },
  });
  return duplex;
};

const services = createDeviceServices(
  testAndroid({
    packages: [installed(notesSpec)],
    apks: { [NOTES]: APK },
    installApk: (apk) => (Buffer.from(apk).equals(APK) ? null : 'INSTALL_PARSE_FAILED_NOT_APK: no'),
    connectAbstract: (name) => (name === 'echo' ? echoSocket() : null),
  }),
  { serial: 'KIWI0001' },
);

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('behind a real adb server', () => {
  let server: RealAdb;
  let device: Adbd;
  let serial: string;
  const run = (...args: readonly string[]) => server.run('-s', serial, ...args);

  beforeAll(async () => {
    server = await startRealAdb();
    device = await serveAdbd(services);
    serial = `127.0.0.1:${device.port}`;
    expect((await server.run('connect', serial)).stdout).toBe(`connected to ${serial}\n`);
  });
  afterAll(async () => {
    await server.stop();
    await device.close();
  });

  test('it is listed with its names, and offers what it can do', async () => {
    const { stdout } = await server.run('devices', '-l');
    expect(stdout).toMatch(new RegExp(`^${serial} +device product:kiwi model:Kiwi_7__test_ device:kiwi7 `, 'm'));
    expect((await run('features')).stdout.split('\n')).toContain('shell_v2');
  });

  test('a shell command gives its output, its errors and its exit code apart', async () => {
    expect(await run('shell', 'echo out; nosuch; exit 9')).toEqual({
      stdout: 'out\n',
      stderr: '/system/bin/sh: nosuch: inaccessible or not found\n',
      code: 9,
    });
  });

  test('without shell v2 everything is one stream and there is no exit code', async () => {
    const { stdout, code } = await run('shell', '-x', 'nosuch; echo rc=$?');
    expect(stdout).toBe('/system/bin/sh: nosuch: inaccessible or not found\nrc=127\n');
    expect(code).toBe(0);
  });

  test('32 MiB come back intact, pushed and pulled', async () => {
    const bytes = randomBytes(32 * 1024 * 1024);
    const [from, to] = [join(server.folder, 'up'), join(server.folder, 'down')];
    await writeFile(from, bytes);
    expect((await run('push', from, '/data/local/tmp/big')).code).toBe(0);
    expect((await run('shell', 'stat -c %s /data/local/tmp/big')).stdout).toBe('33554432\n');
    expect((await run('pull', '/data/local/tmp/big', to)).code).toBe(0);
    expect(sha(await readFile(to))).toBe(sha(bytes));
  });

  test('what a client sends before it hangs up is kept to the last byte', async () => {
    const input = randomBytes(700_001);
    const path = '/data/local/tmp/streamed';
    await adb(server.port, ['-s', serial, 'exec-in', `cat > ${path}`], { input });
    const size = async (): Promise<string> => (await run('shell', `stat -c %s ${path} 2>/dev/null`)).stdout;
    // The client has gone; the server still hands over what it took. A lost byte ends in the test's own time-out.
    while (Number(await size()) < input.length) await run('get-state');
    expect(await size()).toBe('700001\n');
  });

  test('a write to a forbidden place fails in words', async () => {
    const from = join(server.folder, 'small');
    await writeFile(from, 'x');
    const { stdout, stderr, code } = await run('push', from, '/system/bin/small');
    expect(stdout + stderr).toContain('Read-only file system');
    expect(code).toBe(1);
  });

  test('an APK is installed by streaming, and a wrong one is refused with the code', async () => {
    const good = join(server.folder, 'good.apk');
    const bad = join(server.folder, 'bad.apk');
    await writeFile(good, APK);
    await writeFile(bad, 'not an apk');
    expect((await run('install', '-r', good)).stdout).toContain('Success');
    const refused = await run('install', '-r', bad);
    expect(refused.stdout + refused.stderr).toContain('INSTALL_PARSE_FAILED_NOT_APK: no');
    expect(refused.code).toBe(1);
  });

  test('an installed APK is read by ranges, byte by byte', async () => {
    const path = (await run('shell', 'pm', 'path', NOTES)).stdout.trim().replace('package:', '');
    const { stdout } = await run(
      'shell',
      `dd if=${path} bs=4096 skip=7 count=3 2>/dev/null | tail -c 10 | head -c 4 > /data/local/tmp/r`,
    );
    expect(stdout).toBe('');
    await run('pull', '/data/local/tmp/r', join(server.folder, 'r'));
    expect(await readFile(join(server.folder, 'r'))).toEqual(APK.subarray(4096 * 10 - 10, 4096 * 10 - 6));
  });

  test('a forward reaches an abstract socket', async () => {
    const port = Number((await run('forward', 'tcp:0', 'localabstract:echo')).stdout);
    const socket = connect(port, '127.0.0.1');
    socket.write('ping');
    const [heard] = await once(socket, 'data');
    expect(String(heard)).toBe('ping');
    socket.destroy();
  });

  test('many streams at once do not mix', async () => {
    const outputs = await Promise.all(
      Array.from({ length: 12 }, (_, index) => run('shell', `echo begin ${index}; exit ${index}`)),
    );
    for (const [index, output] of outputs.entries()) {
      expect(output.stdout).toBe(`begin ${index}\n`);
      expect(output.code).toBe(index);
    }
  });

  test('a device that goes away and comes back works again', async () => {
    const other = await serveAdbd(services);
    const name = `127.0.0.1:${other.port}`;
    await server.run('connect', name);
    const hanging = server.run('-s', name, 'shell', 'echo here; sleep 600');
    await other.close();
    expect((await hanging).code).not.toBe(0);
    await server.run('disconnect', name);
    const again = await serveAdbd(services, { port: other.port });
    expect((await server.run('connect', name)).stdout).toBe(`connected to ${name}\n`);
    expect((await server.run('-s', name, 'shell', 'echo back')).stdout).toBe('back\n');
    await again.close();
  });

  test('a device whose owner never agrees is unauthorized', async () => {
    const locked = await serveAdbd(services, { authorization: 'pending' });
    const name = `127.0.0.1:${locked.port}`;
    expect((await server.run('connect', name)).stdout).toContain('failed to authenticate');
    expect((await server.run('devices')).stdout).toContain(`${name}\tunauthorized\n`);
    expect((await server.run('-s', name, 'shell', 'id')).stderr).toContain('device unauthorized.');
    await locked.close();
  });
});

describe('with a peer of its own', () => {
  const closers: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** A connected peer that sends packets and waits for the next one. */
  async function peer(device: DeviceServices, version = 0x01000001) {
    const adbd = await serveAdbd(device);
    closers.push(() => adbd.close());
    const socket: Socket = connect(adbd.port, '127.0.0.1');
    const reader = new PacketReader();
    reader.verifyChecksum = version === 0x01000000;
    const inbox: Packet[] = [];
    const waiting: ((packet: Packet) => void)[] = [];
    socket.on('data', (chunk: Buffer) => {
      for (const packet of reader.push(chunk)) {
        const next = waiting.shift();
        if (next === undefined) inbox.push(packet);
        else next(packet);
      }
    });
    const send = (command: number, arg0: number, arg1: number, payload: Buffer | string = ''): void => {
      for (const part of encodePacket({ command, arg0, arg1, payload: Buffer.from(payload) }, true)) socket.write(part);
    };
    const receive = (): Promise<Packet> => {
      const packet = inbox.shift();
      return packet === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(packet);
    };
    send(COMMAND.CNXN, version, 4096, 'host::');
    const banner = await receive();
    return { socket, send, receive, inbox, banner };
  }

  test('the oldest protocol version gets checksums and small packets', async () => {
    const { send, receive, banner } = await peer(services, 0x01000000);
    expect(banner.payload.toString()).toMatch(/^device::ro\.product\.name=kiwi;.*;features=shell_v2,/);
    send(
      COMMAND.OPEN,
      5,
      0,
      'exec:dd if=/data/local/tmp/none; head -c 9000 /data/app/~~c2FtcGxl==/org.sample.notes-bm90ZXM=/base.apk\0',
    );
    const okay = await receive();
    expect([okay.command, okay.arg1]).toEqual([COMMAND.OKAY, 5]);
    const first = await receive();
    expect(first.command).toBe(COMMAND.WRTE);
    expect(first.payload.length).toBeLessThanOrEqual(4096);
  });

  test('the next chunk waits for the OKAY of the last', async () => {
    const { send, receive, inbox } = await peer(services);
    send(COMMAND.OPEN, 5, 0, `exec:cat /data/app/~~c2FtcGxl==/${NOTES}-bm90ZXM=/base.apk`);
    const { arg0: id } = await receive();
    const parts = [(await receive()).payload];
    // A second stream runs through while the first one waits.
    send(COMMAND.OPEN, 6, 0, 'exec:echo second');
    expect((await receive()).arg1).toBe(6);
    expect((await receive()).payload.toString()).toBe('second\n');
    expect(inbox).toEqual([]);
    for (;;) {
      send(COMMAND.OKAY, 5, id);
      const packet = await receive();
      if (packet.command === COMMAND.CLSE) break;
      parts.push(packet.payload);
    }
    expect(sha(Buffer.concat(parts))).toBe(sha(APK));
  });

  test('a refused service is closed and never opened', async () => {
    const { send, receive } = await peer(services);
    send(COMMAND.OPEN, 9, 0, 'localabstract:nobody\0');
    const packet = await receive();
    expect([packet.command, packet.arg0, packet.arg1]).toEqual([COMMAND.CLSE, 0, 9]);
  });

  test('a lost connection closes every stream', async () => {
    const sockets: Duplex[] = [];
    const { send, receive, socket } = await peer({
      ...services,
      open: () => {
        const stream = echoSocket();
        sockets.push(stream);
        return stream;
      },
    });
    send(COMMAND.OPEN, 1, 0, 'a');
    send(COMMAND.OPEN, 2, 0, 'b');
    await receive();
    await receive();
    const closed = Promise.all(sockets.map((stream) => once(stream, 'close')));
    socket.destroy();
    await closed;
    expect(sockets.map((stream) => stream.destroyed)).toEqual([true, true]);
  });

  test('garbage ends the connection', async () => {
    const { socket } = await peer(services);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.write(Buffer.alloc(64, 0x41));
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  test('what a closing peer sent without waiting for an OKAY is taken to the last byte', async () => {
    const taken: Buffer[] = [];
    const next: (() => void)[] = [];
    const service = new Duplex({
      read: () => undefined,
      // Takes a write only when the test says so.
      write: (chunk, _encoding, callback) => {
        taken.push(chunk);
        next.push(callback);
      },
    });
    const { send, receive } = await peer({ ...services, open: () => service });
    send(COMMAND.OPEN, 1, 0, 'a');
    const { arg0: id } = await receive();
    for (const text of ['one ', 'two ', 'three']) send(COMMAND.WRTE, 1, id, text);
    send(COMMAND.CLSE, 1, id);
    const closed = once(service, 'close');
    await once(service, 'resume');
    for (let count = 0; count < 3; count++) next[count]?.();
    await closed;
    expect(Buffer.concat(taken).toString()).toBe('one two three');
  });

  test('a stream that the peer closes ends the command', async () => {
    const { send, receive } = await peer(services);
    send(COMMAND.OPEN, 3, 0, 'shell,v2,raw:sleep 600');
    const { arg0: id } = await receive();
    send(COMMAND.CLSE, 3, id);
    // The connection lives on.
    send(COMMAND.OPEN, 4, 0, 'exec:echo alive');
    await receive();
    expect((await receive()).payload.toString()).toBe('alive\n');
  });
});
