import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../base/json.ts';
import { callParamsText, parseFrame, readHello, readPackageEvent, requestLine } from './frames.ts';

test('a request carries the extras text byte for byte', () => {
  const extrasText = '{"args":{"t":"string","v":"{\\"n\\": 1.0}"}}';
  const line = requestLine(
    7,
    'call',
    callParamsText({ authority: 'a"b', method: 'execute_tool', arg: null, extrasText, timeoutMs: 5000 }),
  );
  expect(line).toBe(
    `{"id":7,"op":"call","params":{"authority":"a\\"b","method":"execute_tool","arg":null,"extras":${extrasText},"timeoutMs":5000}}\n`,
  );
  expect(requestLine(1, 'ping', null)).toBe('{"id":1,"op":"ping"}\n');
});

test('reads answers, refusals and events', () => {
  expect(parseFrame('{"id":3,"ok":{"elapsedMs":4},"later":1}')).toEqual({
    ok: true,
    value: { kind: 'ok', id: 3, value: { elapsedMs: 4 } },
  });
  expect(parseFrame('{"id":null,"error":{"code":"BAD_FRAME","message":"too long"}}')).toEqual({
    ok: true,
    value: { kind: 'error', id: null, error: { code: 'BAD_FRAME', message: 'too long', detail: null } },
  });
  expect(parseFrame('{"event":"package","data":{"action":"added","package":"p"}}')).toEqual({
    ok: true,
    value: { kind: 'event', event: 'package', data: { action: 'added', package: 'p' } },
  });
});

test.each([
  '',
  '[]',
  '{"id":1}',
  '{"id":"1","ok":{}}',
  '{"id":1.5,"ok":{}}',
  '{"id":-1,"ok":{}}',
  '{"id":9007199254740993,"ok":{}}',
  '{"id":null,"ok":{}}',
  '{"id":1,"ok":[]}',
  '{"id":1,"error":"BUSY"}',
  '{"id":1,"error":{"code":5}}',
  '{"event":5}',
  '{"id":1,"id":2,"ok":{}}',
  `{"id":1,"ok":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`,
])('a line that is no frame is a fault: %s', (line) => {
  expect(parseFrame(line).ok).toBe(false);
});

test('hostile lines never throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(typeof parseFrame(line).ok).toBe('boolean');
    }),
  );
});

const hello = {
  protocol: 1,
  version: '1.2.0',
  package: 'p',
  uid: 10321,
  userId: 0,
  signingCertSha256: ['ab'],
  sdk: 34,
  queryAllPackages: true,
  permissions: { 'x.P': 'denied' },
};

function helloOf(value: object) {
  const parsed = parseJson(JSON.stringify(value));
  if (!parsed.ok) throw new Error('not JSON');
  return readHello(parsed.value.value as never);
}

test('hello', () => {
  const read = helloOf(hello);
  expect(read.ok && read.value.permissions.get('x.P')).toBe('denied');
});

test.each([
  { protocol: 2 },
  { version: 1 },
  { uid: '10321' },
  { userId: null },
  { sdk: 34.5 },
  { signingCertSha256: 'ab' },
  { permissions: null },
  { permissions: { 'x.P': 'maybe' } },
])('a hello that breaks the protocol is a fault: %j', (change) => {
  expect(helloOf({ ...hello, ...change }).ok).toBe(false);
});

test('package events', () => {
  expect(readPackageEvent({ action: 'replaced', package: 'p' })).toEqual({
    ok: true,
    value: { action: 'replaced', package: 'p' },
  });
  expect(readPackageEvent({ action: 'moved', package: 'p' }).ok).toBe(false);
  expect(readPackageEvent(null).ok).toBe(false);
});
