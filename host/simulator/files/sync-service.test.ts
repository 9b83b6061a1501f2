import { expect, test } from 'vitest';
import { createDeviceServices } from '../userland/services.ts';
import { testAndroid } from '../userland/test-android.ts';
import { drain, open, shell } from '../userland/test-shell.ts';

const device = () => createDeviceServices(testAndroid(), { serial: 'S' });

const request = (id: string, body: string | Buffer | number): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  if (typeof body === 'number') {
    head.writeUInt32LE(body, 4);
    return head;
  }
  const bytes = Buffer.from(body);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
};

/** Sends everything, one byte a chunk, and returns everything that comes back. */
async function talk(services: ReturnType<typeof device>, ...parts: Buffer[]): Promise<Buffer> {
  const stream = open(services, 'sync:');
  for (const byte of Buffer.concat(parts)) stream.write(Buffer.of(byte));
  stream.end();
  return drain(stream);
}

test('a file goes up with its mode and time, and comes down in chunks', async () => {
  const services = device();
  const up = await talk(
    services,
    request('SEND', `/sdcard/a,b,${0o100640}`),
    request('DATA', 'hello '),
    request('DATA', 'world'),
    request('DONE', 1_700_000_000),
    request('QUIT', ''),
  );
  expect(up).toEqual(request('OKAY', 0));
  expect((await shell(services, "stat -c '%s %a %Y' /sdcard/a,b")).stdout).toBe('11 640 1700000000\n');
  const down = await talk(services, request('RECV', '/sdcard/a,b'));
  expect(down).toEqual(Buffer.concat([request('DATA', 'hello world'), request('DONE', 0)]));
});

test('a chunk on the way down holds 64 KiB at most', async () => {
  const services = device();
  const bytes = Buffer.alloc(150_000, 7);
  const stream = open(services, 'sync:');
  stream.write(Buffer.concat([request('SEND', '/sdcard/f,420'), request('DATA', bytes.subarray(0, 65_536))]));
  stream.write(
    Buffer.concat([request('DATA', bytes.subarray(65_536, 131_072)), request('DATA', bytes.subarray(131_072))]),
  );
  stream.end(Buffer.concat([request('DONE', 0), request('RECV', '/sdcard/f')]));
  const answer = await drain(stream);
  const sizes: number[] = [];
  for (let at = 8; answer.toString('latin1', at, at + 4) === 'DATA'; at += 8 + answer.readUInt32LE(at + 4)) {
    sizes.push(answer.readUInt32LE(at + 4));
  }
  expect(sizes).toEqual([65_536, 65_536, 18_928]);
});

test('the second generation of the list tells sizes of 64 bits', async () => {
  const services = device();
  await shell(services, 'echo abc > /sdcard/x');
  const answer = await talk(services, request('LIS2', '/sdcard'));
  expect(answer.toString('latin1', 0, 4)).toBe('DNT2');
  expect(answer.readBigUInt64LE(4 + 36)).toBe(4n);
  expect(answer.readUInt32LE(4 + 68)).toBe(1);
  expect(answer.toString('latin1', 76, 77)).toBe('x');
  expect(answer.subarray(77)).toEqual(Buffer.concat([Buffer.from('DONE'), Buffer.alloc(72)]));
});

test.each([
  ['an unknown command', [request('WHAT', '')], 'unknown command "WHAT"'],
  ['a path that is too long', [request('STAT', 'x'.repeat(1025))], 'path too long'],
  ['a file without a mode', [request('SEND', '/sdcard/f')], 'missing mode in "/sdcard/f"'],
  ['an oversize chunk', [request('SEND', '/sdcard/f,420'), request('DATA', 65_537)], 'oversize data message'],
  [
    'something else inside a file',
    [request('SEND', '/sdcard/f,420'), request('STAT', 1)],
    'expected DATA or DONE, got "STAT"',
  ],
  [
    'a forbidden place',
    [request('SEND', '/data/app/f,420'), request('DONE', 0)],
    "couldn't create file: Permission denied",
  ],
])('%s is refused in words', async (_what, parts, message) => {
  expect(await talk(device(), ...parts)).toEqual(request('FAIL', message));
});

test('a file that is cut off leaves nothing behind', async () => {
  const services = device();
  expect(await talk(services, request('SEND', '/sdcard/half,420'), request('DATA', 'first half'))).toEqual(
    Buffer.alloc(0),
  );
  expect((await shell(services, 'ls /sdcard')).stdout).toBe('');
});
