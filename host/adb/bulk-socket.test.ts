import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BulkSocket } from './bulk-socket.ts';

let server: Server;
let accepted: Promise<Socket>;
let address: { host: string; port: number };

beforeEach(async () => {
  const peer = Promise.withResolvers<Socket>();
  accepted = peer.promise;
  server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    peer.resolve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
});

afterEach(async () => {
  (await accepted).destroy();
  server.close();
});

async function connected(): Promise<{ ours: BulkSocket; theirs: Socket }> {
  const ours = new BulkSocket(address);
  await once(ours, 'connect');
  return { ours, theirs: await accepted };
}

it('carries both ways, and ends when the other side does', async () => {
  const { ours, theirs } = await connected();
  theirs.once('data', (data) => theirs.end(`heard ${data}`));
  ours.write('hello');
  const heard: string[] = [];
  ours.on('data', (chunk: Uint8Array) => heard.push(Buffer.from(chunk).toString()));
  await once(ours, 'close');
  expect(heard.join('')).toBe('heard hello');
});

it('reads every byte in order into memory that is used again', async () => {
  const { ours, theirs } = await connected();
  const sent = Buffer.alloc(8 * 1024 * 1024);
  for (let at = 0; at < sent.length; at += 4) sent.writeUInt32LE(at, at);
  theirs.end(sent);
  const memory = new Set<ArrayBufferLike>();
  const parts: Buffer[] = [];
  ours.on('data', (chunk: Uint8Array) => {
    parts.push(Buffer.from(chunk));
    memory.add(chunk.buffer);
    ours.recycle(chunk);
  });
  await once(ours, 'close');
  expect(Buffer.concat(parts).equals(sent)).toBe(true);
  expect(memory.size).toBeLessThan(8);
});

it('never takes memory that it did not hand out', async () => {
  const { ours, theirs } = await connected();
  const foreign = new Uint8Array(256 * 1024);
  ours.recycle(foreign);
  theirs.end(Buffer.alloc(64 * 1024, 7));
  ours.resume();
  await once(ours, 'close');
  expect(foreign.every((byte) => byte === 0)).toBe(true);
});

it('stops reading while nobody takes what came', async () => {
  const { ours, theirs } = await connected();
  theirs.write(Buffer.alloc(64 * 1024 * 1024));
  await once(ours, 'readable');
  await new Promise((resolve) => setImmediate(resolve));
  expect(ours.readableLength).toBeLessThan(2 * 1024 * 1024);
  expect(theirs.writableLength).toBeGreaterThan(0);
  ours.destroy();
  await new Promise((resolve) => theirs.once('close', resolve));
});

it('keeps what came before an end until it is read', async () => {
  const { ours, theirs } = await connected();
  theirs.end('last words');
  await once(theirs, 'finish');
  ours.end();
  await new Promise((resolve) => theirs.once('close', resolve));
  const chunks: Uint8Array[] = [];
  for await (const chunk of ours) chunks.push(chunk as Uint8Array);
  expect(Buffer.concat(chunks).toString()).toBe('last words');
});

it('is told why there is no connection', async () => {
  const { ours } = await connected();
  ours.destroy();
  server.close();
  const refused = new BulkSocket({ host: '127.0.0.1', port: 1 });
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  expect(refused.destroyed).toBe(true);
});
