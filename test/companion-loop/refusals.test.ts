import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceIo } from '../../host/adb/device-io.ts';
import { createDeviceIo } from '../../host/adb/device-io-adb.ts';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { connectCompanion } from '../../host/bridge/companion/companion-client.ts';
import { CompanionJvm } from './companion-jvm.ts';
import { type LoopPhone, plugInLoop } from './loop-phone.ts';

/** Who and what the companion's real server turns away, seen from the desktop's end of adb (companion protocol 1 and 2). */
let jvm: CompanionJvm;
let server: RealAdbServer;
let phone: LoopPhone;
let io: DeviceIo;
let socket: string;
let token: string;

beforeAll(async () => {
  [jvm, server] = await Promise.all([CompanionJvm.start(), startRealAdbServer()]);
  phone = await plugInLoop(server, jvm);
  io = createDeviceIo({ connection: server.connection, serial: phone.serial, deviceKey: 'loop', sdk: 34 });
});
afterAll(async () => {
  await phone?.close();
  await server?.stop();
  await jvm?.stop();
});
beforeEach(async () => {
  const { status } = await jvm.launch();
  socket = status['cetp.socket'] ?? '';
  token = status['cetp.token'] ?? '';
});

/** Everything that comes until the companion closes. */
async function untilClosed(stream: Duplex): Promise<string> {
  let all = '';
  for await (const chunk of stream) all += String(chunk);
  return all;
}

async function answersTo(...chunks: readonly (string | Uint8Array)[]): Promise<string> {
  const stream = await io.openLocalAbstract(socket);
  for (const chunk of chunks) stream.write(chunk);
  return untilClosed(stream);
}

const hello = (given: string, protocol: unknown = 1) =>
  `${JSON.stringify({ id: 1, op: 'hello', params: { protocol, token: given } })}\n`;
const codesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { error?: { code: string } }).error?.code ?? 'ok');

describe('a peer', () => {
  test.each([10_123, 1_000, 2_001])('with UID %d is cut off without a word (1.5)', async (uid) => {
    await jvm.command(`peer ${uid}`);
    expect(await answersTo()).toBe('');
    await expect(connectCompanion(io, { socket, token })).rejects.toMatchObject({ problem: { code: /^companion\./ } });
  });

  test('that is root is served like the shell (1.5)', async () => {
    await jvm.command('peer 0');
    const client = await connectCompanion(io, { socket, token });
    expect(client.hello.sdk).toBe(34);
    client.close();
  });

  test('finds nobody under another name', async () => {
    await expect(io.openLocalAbstract(`${socket}x`)).rejects.toMatchObject({ problem: { code: 'service-refused' } });
  });
});

describe('a token', () => {
  test('that is wrong is refused, and the desktop says so', async () => {
    expect(codesIn(await answersTo(hello('0'.repeat(64))))).toEqual(['UNAUTHENTICATED']);
    await expect(connectCompanion(io, { socket, token: '0'.repeat(64) })).rejects.toMatchObject({
      problem: { code: 'companion.unauthenticated' },
    });
  });

  test('of the process before is refused', async () => {
    const old = token;
    const { status } = await jvm.launch();
    socket = status['cetp.socket'] ?? '';
    expect(codesIn(await answersTo(hello(old)))).toEqual(['UNAUTHENTICATED']);
  });

  test('is asked for before anything else (2)', async () => {
    expect(codesIn(await answersTo('{"id":1,"op":"ping","params":{}}\n'))).toEqual(['UNAUTHENTICATED']);
  });

  test('is not given twice', async () => {
    expect(codesIn(await answersTo(hello(token), hello(token)))).toEqual(['ok', 'UNAUTHENTICATED']);
  });
});

describe('a frame', () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x78);

  test.each([
    ['that is no JSON', ['{"id":1,\n']],
    ['that is empty', ['\n']],
    ['that is no object', ['[1]\n']],
    ['that is no UTF-8', [new Uint8Array([0x7b, 0xff, 0xfe, 0x7d, 0x0a])]],
  ] as const)('%s ends the connection (2)', async (_what, chunks) => {
    expect(codesIn(await answersTo(hello(token), ...chunks))).toEqual(['ok', 'BAD_FRAME']);
  });

  test('of 4 MiB without its end ends the connection (2)', async () => {
    const stream = await io.openLocalAbstract(socket);
    stream.write(hello(token));
    for (let i = 0; i < 4; i++) stream.write(megabyte);
    let all = '';
    stream.on('data', (chunk) => {
      all += String(chunk);
    });
    await new Promise((resolve) => stream.once('close', resolve));
    expect(codesIn(all)).toEqual(['ok', 'BAD_FRAME']);
  });

  test('of another protocol number is told what is spoken (2)', async () => {
    const stream = await io.openLocalAbstract(socket);
    stream.write(hello(token, 2));
    for await (const chunk of stream) {
      expect(JSON.parse(String(chunk))).toMatchObject({
        error: { code: 'UNSUPPORTED_PROTOCOL', detail: { supported: [1] } },
      });
      break;
    }
  });
});
