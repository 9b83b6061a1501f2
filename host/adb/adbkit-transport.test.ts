import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { toProblem } from '../../shared/model/problem.ts';
import { type Adbd, serveAdbd } from '../simulator/adbd/serve-adbd.ts';
import { createAdbkitTransport } from './adbkit-transport.ts';
import { freePort, type RealAdbServer, startRealAdbServer } from './testing/real-adb-server.ts';
import { shDevice } from './testing/sh-device.ts';
import type { AdbDeviceRow } from './transport.ts';

const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => toProblem(error),
  );

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

async function nextRows(
  rows: AsyncIterator<readonly AdbDeviceRow[]>,
  wanted: (rows: readonly AdbDeviceRow[]) => boolean,
): Promise<readonly AdbDeviceRow[]> {
  for (;;) {
    const next = await rows.next();
    if (next.done) throw new Error('the tracker ended');
    if (wanted(next.value)) return next.value;
  }
}

describe('with the real adb server', () => {
  let adb: RealAdbServer;
  const devices: Adbd[] = [];
  beforeAll(async () => {
    adb = await startRealAdbServer();
  });
  afterEach(async () => {
    await Promise.all(devices.splice(0).map((device) => device.close()));
  });
  afterAll(() => adb.stop());

  const plugIn = async (
    authorization: 'granted' | 'pending' = 'granted',
    open?: (s: string) => Duplex | null | undefined,
  ) => {
    const device = await serveAdbd(shDevice({ serial: 'SH1', ...(open && { open }) }), { authorization });
    devices.push(device);
    return device;
  };

  it('tells its version', async () => {
    expect(await adb.connection.version()).toBe(41);
  });

  it('names what a failed connection says', async () => {
    const port = await freePort();
    const refused = await problemOf(adb.connection.connect('127.0.0.1', port));
    expect(refused).toMatchObject({ code: 'connect-failed', params: { target: `127.0.0.1:${port}` } });
    expect(refused.raw).toContain('failed to connect');
    const gone = await problemOf(adb.connection.disconnect('127.0.0.1', port));
    expect(gone).toMatchObject({ code: 'disconnect-failed' });
    expect(gone.raw).toContain('no such device');
  });

  it('says that an old server cannot pair', async () => {
    const port = await freePort();
    const problem = await problemOf(adb.connection.pair('127.0.0.1', port, '123456'));
    expect(['pair-unsupported', 'pair-failed']).toContain(problem.code);
    expect(problem.raw).not.toBe('');
  });

  it('keeps the words for an unknown device', async () => {
    expect(await problemOf(adb.connection.openService('nope', 'shell:id'))).toEqual({
      code: 'device-not-found',
      params: { serial: 'nope', request: 'transport' },
      raw: "device 'nope' not found",
    });
    expect(await problemOf(adb.connection.features('nope'))).toMatchObject({ code: 'device-not-found' });
  });

  it('sees a device come and go, and opens services on it', async () => {
    const device = await plugIn();
    const serial = `127.0.0.1:${device.port}`;
    const stop = new AbortController();
    const rows = adb.connection.trackDevices(stop.signal)[Symbol.asyncIterator]();
    expect(await adb.connection.connect('127.0.0.1', device.port)).toContain('connected to');
    const listed = await nextRows(rows, (list) =>
      list.some((row) => row.serial === serial && row.stateText === 'device'),
    );
    const row = listed.find((item) => item.serial === serial);
    expect(row?.properties['model']).toBe('Sh_Device');
    expect(row?.properties['transport_id']).toMatch(/^\d+$/);
    expect(await adb.connection.features(serial)).toContain('shell_v2');
    expect(await text(await adb.connection.openService(serial, 'exec:echo hello'))).toBe('hello\n');
    expect(await problemOf(adb.connection.openService(serial, 'localabstract:nobody'))).toMatchObject({
      code: 'service-refused',
      params: { service: 'localabstract' },
      raw: 'closed',
    });
    await device.close();
    await nextRows(rows, (list) => list.every((item) => item.serial !== serial || item.stateText !== 'device'));
    stop.abort();
    expect((await rows.next()).done).toBe(true);
  });

  it('tells an unauthorized device with the words of the server', async () => {
    const device = await plugIn('pending');
    const serial = `127.0.0.1:${device.port}`;
    const stop = new AbortController();
    const rows = adb.connection.trackDevices(stop.signal)[Symbol.asyncIterator]();
    const connecting = problemOf(adb.connection.connect('127.0.0.1', device.port));
    await nextRows(rows, (list) => list.some((row) => row.serial === serial && row.stateText === 'unauthorized'));
    const problem = await problemOf(adb.connection.openService(serial, 'shell:id'));
    expect(problem.code).toBe('device-unauthorized');
    expect(problem.raw).toContain('confirmation dialog');
    stop.abort();
    await adb.connection.disconnect('127.0.0.1', device.port);
    expect((await connecting).code).toBe('connect-unauthorized');
  });

  it('carries 200 streams at once and leaves no socket behind', async () => {
    const echo = (service: string) => (service.startsWith('echo:') ? new PassThrough() : undefined);
    const device = await plugIn('granted', echo);
    const serial = `127.0.0.1:${device.port}`;
    await adb.connection.connect('127.0.0.1', device.port);
    const before = openSockets();
    const streams = await Promise.all(Array.from({ length: 200 }, () => adb.connection.openService(serial, 'echo:')));
    expect(openSockets()).toBeGreaterThan(before + 150);
    await Promise.all(
      streams.map(async (stream, index) => {
        const message = `message ${index} `.repeat(50);
        stream.write(message);
        let got = '';
        for await (const chunk of stream) {
          got += (chunk as Buffer).toString();
          if (got.length >= message.length) break;
        }
        expect(got).toBe(message);
      }),
    );
    await Promise.all(streams.map((stream) => stream.closed || once(stream, 'close')));
    await vi.waitFor(() => expect(openSockets()).toBeLessThanOrEqual(before), { timeout: 10_000 });
  });

  it('closes a service when its signal aborts', async () => {
    const device = await plugIn('granted', (service) => (service === 'echo:' ? new PassThrough() : undefined));
    const serial = `127.0.0.1:${device.port}`;
    await adb.connection.connect('127.0.0.1', device.port);
    const stop = new AbortController();
    const stream = await adb.connection.openService(serial, 'echo:', stop.signal);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stop.abort();
    await closed;
    expect(toProblem(stream.errored)).toMatchObject({ code: 'adb-cancelled' });
  });
});

describe('with a server that misbehaves', () => {
  let server: Server | null = null;
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    if (server !== null) await new Promise((resolve) => server?.close(resolve));
    server = null;
  });

  const serve = async (answer: (request: string, socket: Socket) => void) => {
    const own = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => answer(data.toString('latin1').slice(4), socket));
    });
    server = own;
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const address = own.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return createAdbkitTransport({ host: '127.0.0.1', port: address.port });
  };

  it.each([
    ['ends at once', 'adb-server-gone', (socket: Socket) => socket.end()],
    ['resets', 'adb-server-gone', (socket: Socket) => socket.resetAndDestroy()],
    ['stops within an answer', 'adb-server-gone', (socket: Socket) => socket.end('OKAY0004')],
    ['stops within a status', 'adb-server-gone', (socket: Socket) => socket.end('OK')],
    ['speaks another protocol', 'adb-protocol', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['gives a length that is none', 'adb-protocol', (socket: Socket) => socket.write('OKAYzz04abcd')],
    ['gives a version that is none', 'adb-protocol', (socket: Socket) => socket.write('OKAY0004abcx')],
    ['refuses', 'adb-refused', (socket: Socket) => socket.write('FAIL0003why')],
    ['refuses without a word', 'adb-refused', (socket: Socket) => socket.write('FAIL0000')],
  ])('reports one that %s', async (_name, code, act) => {
    const connection = await serve((_request, socket) => act(socket));
    expect((await problemOf(connection.version())).code).toBe(code);
  });

  it('falls back to the short list of old servers', async () => {
    const connection = await serve((request, socket) => {
      if (request === 'host:track-devices-l') socket.end('FAIL0014unknown host service');
      else socket.write('OKAY0010ABC\tunauthorized');
    });
    const stop = new AbortController();
    const rows = connection.trackDevices(stop.signal)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toEqual([{ serial: 'ABC', stateText: 'unauthorized', properties: {} }]);
    stop.abort();
    expect((await rows.next()).done).toBe(true);
  });

  it('throws when the server goes away under the tracker', async () => {
    const connection = await serve((_request, socket) => {
      socket.write('OKAY0000');
      socket.end();
    });
    const rows = connection.trackDevices(new AbortController().signal)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toEqual([]);
    expect((await problemOf(rows.next())).code).toBe('adb-server-gone');
  });

  it('notices under an idle tracker that the server answers nobody any more', async () => {
    const connection = await serve((request, socket) => {
      if (request === 'host:track-devices-l') socket.write('OKAY0000');
      else socket.destroy();
    });
    const rows = connection.trackDevices(new AbortController().signal)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toEqual([]);
    expect((await problemOf(rows.next())).code).toBe('adb-server-gone');
  });

  it('takes what only the plain list tells', async () => {
    const connection = await serve((request, socket) => {
      if (request === 'host:track-devices-l') socket.write('OKAY000cS1   offline');
      else socket.end('OKAY0011S1   unauthorized');
    });
    const stop = new AbortController();
    const rows = connection.trackDevices(stop.signal)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toMatchObject([{ serial: 'S1', stateText: 'offline' }]);
    expect((await rows.next()).value).toMatchObject([{ serial: 'S1', stateText: 'unauthorized' }]);
    stop.abort();
    expect((await rows.next()).done).toBe(true);
  });

  it('stops waiting when the signal aborts', async () => {
    const stop = new AbortController();
    const connection = await serve(() => stop.abort());
    expect((await problemOf(connection.version(stop.signal))).code).toBe('adb-cancelled');
    expect((await problemOf(connection.version(AbortSignal.abort()))).code).toBe('adb-cancelled');
  });

  it('says that nobody listens', async () => {
    const connection = createAdbkitTransport({ host: '127.0.0.1', port: await freePort() });
    expect(await problemOf(connection.version())).toMatchObject({ code: 'adb-server-refused' });
  });

  it('refuses a request that the protocol cannot carry', async () => {
    const connection = await serve((_request, socket) => socket.write('OKAY'));
    const problem = await problemOf(connection.openService('S', `shell:${'x'.repeat(70_000)}`));
    expect(problem.code).toBe('adb-request-too-long');
  });
});
