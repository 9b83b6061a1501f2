import { expect, test } from 'vitest';
import type { ProblemError } from '../../../shared/model/problem.ts';
import { MAX_LINE_BYTES } from '../../../shared/protocols/companion/limits.ts';
import { HELLO, scriptedDevice, TOKEN } from '../testing/scripted-companion.ts';
import { connectCompanion } from './companion-client.ts';
import { CompanionConnection } from './companion-connection.ts';

const address = { socket: 's', token: TOKEN };
const params = (method: string, extrasText = 'null') => ({
  authority: 'org.sample.garden',
  method,
  arg: null,
  extrasText,
  timeoutMs: 5_000,
});

const hasCode = (code: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ code }) }) as unknown as ProblemError;

async function connected(device = scriptedDevice()) {
  const client = await connectCompanion(device.io, address);
  return { client, peer: device.peer(), device };
}

test('hello carries protocol and token first', async () => {
  const { client, peer } = await connected();
  expect(peer.requests[0]?.line).toBe(`{"id":1,"op":"hello","params":{"protocol":1,"token":"${TOKEN}"}}`);
  expect(client.hello.uid).toBe(HELLO.uid);
});

test('a call sends the extras text as it is, and reads the Bundle', async () => {
  const { client, peer } = await connected();
  const order: string[] = [];
  const extrasText = '{ "args" : {"t":"string","v":"{\\"n\\":1.0}"} }';
  const calling = client.call(params('execute_tool', extrasText), { onSent: () => order.push('sent') });
  calling.then(() => order.push('answered'));
  const [request] = await peer.received('call');
  expect(request?.line).toContain(`"extras":${extrasText},"timeoutMs":5000}`);
  peer.ok(request?.id ?? 0, { result: { big: { t: 'long', v: '9007199254740993' } }, elapsedMs: 12, nullKeys: 1 });
  expect(await calling).toEqual({
    kind: 'answer',
    bundle: [{ key: 'big', t: 'long', v: '9007199254740993' }],
    nullKeys: 1,
    elapsedMs: 12,
  });
  expect(order).toEqual(['sent', 'answered']);
});

test('16 go at once, the others wait; replies find their calls in any order', async () => {
  const { client, peer } = await connected();
  const calls = Array.from({ length: 40 }, (_, i) => client.call(params(`m${i}`)));
  const first = await peer.received('call', 16);
  expect(first).toHaveLength(16);
  const answered = new Set<number>();
  while (answered.size < 40) {
    const open = (await peer.received('call', Math.min(40, answered.size + 1))).filter(({ id }) => !answered.has(id));
    expect(open.length).toBeLessThanOrEqual(16);
    for (const { id, params: sent } of open.toReversed()) {
      answered.add(id);
      peer.ok(id, { result: { echo: { t: 'string', v: sent?.['method'] } }, elapsedMs: 1 });
    }
  }
  const replies = await Promise.all(calls);
  replies.forEach((reply, i) => {
    expect(reply).toMatchObject({ kind: 'answer', bundle: [{ key: 'echo', v: `m${i}` }] });
  });
});

test('cancel, release and ping pass while 16 calls are open', async () => {
  const { client, peer } = await connected(
    scriptedDevice((request, far) => {
      if (request.op === 'ping') far.ok(request.id, { elapsedRealtimeMs: 5_000, wallClockMs: Date.now() + 60_000 });
      if (request.op === 'release') far.ok(request.id, {});
    }),
  );
  for (let i = 0; i < 20; i++) void client.call(params('slow'));
  await peer.received('call', 16);
  await client.release(['h1', 'h2']);
  expect((await peer.received('release'))[0]?.params).toEqual({ handles: ['h1', 'h2'] });
  const clock = await client.ping();
  expect(Math.round(clock.offsetMs / 10_000)).toBe(6);
  expect(clock.elapsedRealtimeMs).toBe(5_000);
});

test('a call that waits for a place is cancelled without a word to the device', async () => {
  const { client, peer } = await connected();
  for (let i = 0; i < 16; i++) void client.call(params('slow'));
  const abort = new AbortController();
  const waiting = client.call(params('late'), { signal: abort.signal });
  abort.abort();
  expect(await waiting).toEqual({
    kind: 'failed',
    problem: { code: 'call-cancelled', params: { sent: 'no' }, raw: null },
  });
  await peer.received('call', 16);
  expect(peer.requests.some((request) => request.op === 'cancel')).toBe(false);
  expect(peer.requests.some((request) => request.line.includes('"late"'))).toBe(false);
});

test('a call in flight is abandoned on the device, and its CANCELLED awaited', async () => {
  const { client, peer } = await connected();
  const abort = new AbortController();
  const calling = client.call(params('slow'), { signal: abort.signal });
  const [request] = await peer.received('call');
  abort.abort();
  const [cancel] = await peer.received('cancel');
  expect(cancel?.params).toEqual({ id: request?.id });
  peer.ok(cancel?.id ?? 0, { cancelled: true });
  peer.error(request?.id ?? 0, 'CANCELLED', 'abandoned');
  expect(await calling).toMatchObject({ problem: { code: 'call-cancelled', params: { sent: 'yes' } } });
});

test('an answer that wins against the cancel is the answer', async () => {
  const { client, peer } = await connected();
  const abort = new AbortController();
  const calling = client.call(params('quick'), { signal: abort.signal });
  const [request] = await peer.received('call');
  abort.abort();
  const [cancel] = await peer.received('cancel');
  peer.ok(request?.id ?? 0, { result: null, elapsedMs: 3 });
  peer.ok(cancel?.id ?? 0, { cancelled: false });
  expect(await calling).toEqual({ kind: 'answer', bundle: null, nullKeys: 0, elapsedMs: 3 });
});

test('a lost connection answers every call, and says which had been sent', async () => {
  const { client, peer } = await connected();
  const calls = Array.from({ length: 18 }, () => client.call(params('slow')));
  await peer.received('call', 16);
  peer.stream.destroy();
  const replies = await Promise.all(calls);
  const codes = replies.map((reply) => (reply.kind === 'failed' ? reply.problem.code : reply.kind));
  expect(codes.filter((code) => code === 'companion.lost-after-send')).toHaveLength(16);
  expect(codes.filter((code) => code === 'companion.lost-before-send')).toHaveLength(2);
  expect(client.isOpen).toBe(false);
  expect(await client.call(params('after'))).toMatchObject({ problem: { code: 'companion.lost-before-send' } });
});

test('a device that answers nothing at all ends the connection', async () => {
  const device = scriptedDevice();
  const connection = new CompanionConnection(await device.io.openLocalAbstract('s'));
  const silent = connection.request('ping', null, { replyWithinMs: 20 });
  const other = connection.request('watch', '{}', { replyWithinMs: 60_000 });
  expect(await silent).toMatchObject({ problem: { code: 'companion.no-reply', params: { op: 'ping', ms: 20 } } });
  expect(await other).toMatchObject({
    problem: { code: 'companion.lost-after-send', params: { reason: 'companion.no-reply' } },
  });
  expect(await connection.closed).toMatchObject({ code: 'companion.no-reply' });
});

test.each([
  ['no JSON', 'hello?'],
  ['an empty line', ''],
  ['an answer to nobody', '{"id":999,"ok":{}}'],
  ['an event without its facts', '{"event":"package","data":{}}'],
])('%s ends the connection as a bad reply', async (_, line) => {
  const { client, peer } = await connected();
  const calling = client.call(params('m'));
  await peer.received('call');
  peer.send(line);
  expect(await calling).toMatchObject({
    problem: { code: 'companion.lost-after-send', params: { reason: 'companion.bad-reply' } },
  });
  await peer.gone();
});

test('a line above 4 MiB ends the connection before it is whole', async () => {
  const { client, peer } = await connected();
  const calling = client.call(params('m'));
  await peer.received('call');
  peer.stream.write('x'.repeat(MAX_LINE_BYTES));
  expect(await calling).toMatchObject({ problem: { params: { reason: 'companion.bad-reply' } } });
});

test('a request line above 4 MiB is not sent, and one of exactly 4 MiB is', async () => {
  const device = scriptedDevice((request, far) => far.ok(request.id, { result: null, elapsedMs: 1 }));
  const { client, peer } = await connected(device);
  const text = (length: number) => `"${'x'.repeat(length - 2)}"`;
  const overhead = `{"id":2,"op":"call","params":{"authority":"org.sample.garden","method":"m","arg":null,"extras":,"timeoutMs":5000}}\n`;
  const room = MAX_LINE_BYTES - overhead.length;
  expect(await client.call(params('m', text(room)))).toMatchObject({ kind: 'answer' });
  expect(await client.call(params('m', text(room + 1)))).toMatchObject({
    problem: { code: 'companion.line-too-long', params: { bytes: MAX_LINE_BYTES + 1, limit: MAX_LINE_BYTES } },
  });
  expect(peer.requests.filter((request) => request.op === 'call')).toHaveLength(1);
});

test('a Bundle that breaks the protocol is told with its raw text, and costs only its own call', async () => {
  const device = scriptedDevice((request, far) => {
    const bad = request.params?.['method'] === 'bad';
    far.ok(request.id, { result: bad ? { a: { t: 'int', v: 1.5 } } : {}, elapsedMs: 1 });
  });
  const { client } = await connected(device);
  expect(await client.call(params('bad'))).toEqual({
    kind: 'failed',
    problem: {
      code: 'companion.bad-bundle',
      params: { path: 'a', reason: 'must be a 32-bit integer' },
      raw: '{"a":{"t":"int","v":1.5}}',
    },
  });
  expect(await client.call(params('good'))).toMatchObject({ kind: 'answer', bundle: [] });
});

test('a refused hello says why', async () => {
  const refuse = (code: string, detail?: object) => {
    const device = scriptedDevice();
    const open = device.io.openLocalAbstract;
    device.io.openLocalAbstract = async (name) => {
      const stream = await open(name);
      const peer = device.peer();
      peer.ok = (id) => peer.error(id, code, 'refused', detail);
      return stream;
    };
    return connectCompanion(device.io, address);
  };
  await expect(refuse('UNAUTHENTICATED')).rejects.toThrow(hasCode('companion.unauthenticated'));
  await expect(refuse('UNSUPPORTED_PROTOCOL', { supported: [2, 3] })).rejects.toMatchObject({
    problem: { code: 'companion.unsupported-protocol', params: { supported: '[2,3]' } },
  });
});

test('discover reads every page, and asks for smaller ones where a page is too large', async () => {
  const packages = ['a', 'b', 'c', 'd', 'e'];
  const device = scriptedDevice((request, far) => {
    const { after, limit } = request.params as { after?: string; limit?: number };
    if (limit === undefined || limit > 2) return far.error(request.id, 'REPLY_TOO_LARGE', 'too large');
    const from = after === undefined ? 0 : packages.indexOf(after) + 1;
    const page = packages.slice(from, from + limit).map((name) => ({ package: name }));
    far.ok(request.id, { candidates: page, more: from + limit < packages.length });
  });
  const { client } = await connected(device);
  expect(await client.discover('cetp')).toEqual(packages.map((name) => ({ package: name })));
});

test('pages that do not advance are an error, never a short list', async () => {
  const device = scriptedDevice((request, far) => far.ok(request.id, { candidates: [{ package: 'a' }], more: true }));
  const { client } = await connected(device);
  await expect(client.discover('cetp')).rejects.toThrow(hasCode('companion.bad-reply'));
});

test('package events: on with the first watcher, off with the last, an error when they may be missed', async () => {
  const device = scriptedDevice((request, far) => far.ok(request.id, {}));
  const { client, peer } = await connected(device);
  const abort = new AbortController();
  const first = client.packageEvents(abort.signal)[Symbol.asyncIterator]();
  const second = client.packageEvents(new AbortController().signal)[Symbol.asyncIterator]();
  await peer.received('watch');
  peer.send('{"event":"package","data":{"action":"added","package":"p"}}');
  peer.send('{"event":"of a later version","data":7}');
  expect(await first.next()).toEqual({ done: false, value: { action: 'added', package: 'p' } });
  expect(await second.next()).toEqual({ done: false, value: { action: 'added', package: 'p' } });
  abort.abort();
  expect(await first.next()).toEqual({ done: true, value: undefined });
  expect((await peer.received('watch')).map((request) => request.params)).toEqual([{ packages: true }]);
  peer.stream.destroy();
  await expect(second.next()).rejects.toThrow(hasCode('companion.connection-lost'));
});

test('the last watcher turns the events off', async () => {
  const device = scriptedDevice((request, far) => far.ok(request.id, {}));
  const { client, peer } = await connected(device);
  const abort = new AbortController();
  const events = client.packageEvents(abort.signal)[Symbol.asyncIterator]();
  abort.abort();
  expect((await events.next()).done).toBe(true);
  expect((await peer.received('watch', 2)).map((request) => request.params)).toEqual([
    { packages: true },
    { packages: false },
  ]);
});

test('a handle is read on a connection of its own, to its very end', async () => {
  const device = scriptedDevice((request, far) => {
    if (request.op !== 'read') return;
    far.ok(request.id, { size: 5 });
    far.stream.write(Buffer.from([0, 0, 0, 3, 1, 2]));
    far.stream.write(Buffer.from([3, 0, 0, 0, 2, 4, 5, 0, 0, 0, 0]));
  });
  const { client } = await connected(device);
  const stream = await client.readHandle('fd1');
  expect(stream.size).toBe(5);
  const bytes = [];
  for await (const chunk of stream.chunks) bytes.push(...chunk);
  expect(bytes).toEqual([1, 2, 3, 4, 5]);
  expect(device.peers).toHaveLength(2);
  await device.peer().gone();
  expect(device.peers[0]?.closed).toBe(false);
});

test.each<[string, Buffer, string]>([
  ['cut', Buffer.from([0, 0, 0, 9, 1]), 'companion.read-cut'],
  [
    'broken on the device',
    Buffer.concat([
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      Buffer.from('{"error":{"code":"PROVIDER_EXCEPTION","message":"EIO","detail":{"class":"java.io.IOException"}}}\n'),
    ]),
    'companion.provider-exception',
  ],
  ['beyond the protocol', Buffer.from([0, 1, 0, 1]), 'companion.bad-reply'],
])('a stream that is %s throws, and never looks whole', async (_, bytes, code) => {
  const device = scriptedDevice((request, far) => {
    if (request.op !== 'read') return;
    far.ok(request.id, { size: -1 });
    far.stream.write(bytes);
    far.stream.end();
  });
  const { client } = await connected(device);
  const stream = await client.readHandle('fd1');
  expect(stream.size).toBeNull();
  const read = async () => {
    for await (const _chunk of stream.chunks);
  };
  await expect(read()).rejects.toThrow(hasCode(code));
  await device.peer().gone();
});

test('a stale handle is the device refusing, and the connection is closed', async () => {
  const device = scriptedDevice((request, far) => far.error(request.id, 'STALE_HANDLE', 'gone'));
  const { client } = await connected(device);
  await expect(client.readHandle('old')).rejects.toThrow(hasCode('companion.stale-handle'));
  await device.peer().gone();
});
