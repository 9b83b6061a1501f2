import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RPC_PATH } from '../../shared/contract/security.ts';
import { createHost, type Host } from '../host.ts';
import { type RunningServer, startServer } from './server.ts';

let root: string;
let host: Host;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'cetp-server-'));
  mkdirSync(path.join(root, 'site', 'assets'), { recursive: true });
  writeFileSync(path.join(root, 'secret.js'), 'outside');
  writeFileSync(path.join(root, 'site', 'index.html'), '<html><head></head><body></body></html>');
  writeFileSync(path.join(root, 'site', 'assets', 'app.js'), '1');
  host = await createHost({
    journalFile: ':memory:',
    assetsRoot: null,
    version: '0',
    demo: false,
    env: {},
    watchLocal: false,
  });
  server = await startServer({ router: host.router, rendererRoot: path.join(root, 'site'), port: 0 });
  token = new URL(server.url).searchParams.get('token') ?? '';
});
afterAll(async () => {
  await server.close();
  await host.close();
  rmSync(root, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A raw request: `fetch` would neither send a foreign Host nor leave `..` in a path. */
function get(
  target: string,
  headers: http.OutgoingHttpHeaders = {},
  method = 'GET',
  port = server.port,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path: target, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

function open(options: { protocol?: string; origin?: string; host?: string; path?: string }): Promise<'open' | number> {
  return new Promise((resolve) => {
    const headers = {
      ...(options.origin === undefined ? {} : { origin: options.origin }),
      ...(options.host === undefined ? {} : { host: options.host }),
    };
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${options.path ?? RPC_PATH}`, options.protocol ?? [], {
      headers,
    });
    socket.on('open', () => {
      socket.close();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => {});
  });
}

describe('the page', () => {
  test('is refused without the token', async () => {
    expect((await get('/')).status).toBe(403);
    expect((await get(`/?token=${'0'.repeat(64)}`)).status).toBe(403);
  });

  test('the token is traded for a strict cookie and leaves the address', async () => {
    const answer = await get(`/?token=${token}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/');
    const cookie = answer.headers['set-cookie']?.[0] ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const page = await get('/', { cookie: cookie.split(';')[0] });
    expect(page.status).toBe(200);
    expect(page.body).toContain(`<meta name="cetp-token" content="${token}">`);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe-eval');
    expect(page.headers['cache-control']).toBe('no-store');
  });

  test('the token leaves the address also where the cookie is known', async () => {
    const cookie = (await get(`/?token=${token}`)).headers['set-cookie']?.[0]?.split(';')[0];
    expect(await get(`/?token=${token}`, { cookie })).toMatchObject({ status: 302, headers: { location: '/' } });
  });

  test('a foreign Host is refused, whatever it knows', async () => {
    expect((await get(`/?token=${token}`, { host: `evil.example:${server.port}` })).status).toBe(403);
  });
});

describe('files', () => {
  test('built ones are served', async () => {
    expect(await get('/assets/app.js')).toMatchObject({ status: 200, body: '1' });
  });

  test.each([
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/assets/%00.js',
    '/%',
    '/index.html',
    '/assets',
  ])('nothing else: %s', async (target) => {
    expect((await get(target)).status).toBe(404);
  });

  test('only GET and HEAD', async () => {
    expect((await get('/assets/app.js', {}, 'POST')).status).toBe(405);
  });
});

describe('files of results', () => {
  const callId = '0e2a5c1e-7d7e-4f6e-9f0c-6a4f2f1f0a02';
  let served: RunningServer;
  let cookie = '';

  beforeAll(async () => {
    const folder = path.join(root, 'results');
    mkdirSync(folder);
    served = await startServer({ router: host.router, rendererRoot: root, resultsFolder: folder, port: 0 });
    writeFileSync(path.join(folder, `${callId}.result`), '<script>1</script>');
    const file = { mediaType: null, sizeBytes: null, sha256: null, received: null };
    const outputVerdict = { state: 'not-checked', issues: [], reason: 'test' };
    const at = { startedAtMs: 1, endedAtMs: 2, pid: 1 };
    const entry = { version: 1, callId, deviceKey: 'd', providerKey: 'p', tool: '../a"b\n', ...at };
    writeFileSync(path.join(folder, `${callId}.json`), JSON.stringify({ ...entry, file, findings: [], outputVerdict }));
    const own = new URL(served.url).searchParams.get('token');
    cookie = (await get(`/?token=${own}`, {}, 'GET', served.port)).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  });
  afterAll(() => served.close());

  const download = (headers: http.OutgoingHttpHeaders, target = `/results/${callId}`, method = 'GET') =>
    get(target, headers, method, served.port);

  test('come as attachments of no type that a browser would show, under a harmless name', async () => {
    const answer = await download({ cookie, 'sec-fetch-site': 'same-origin' });
    expect(answer).toMatchObject({ status: 200, body: '<script>1</script>' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="___a_b_-0e2a5c1e.bin"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(await download({ cookie }, undefined, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test('are refused without the cookie of this run, and to the pages of other ports and sites', async () => {
    expect((await download({})).status).toBe(403);
    expect((await download({ cookie: `${cookie}0` })).status).toBe(403);
    expect((await download({ cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await download({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await download({ cookie, origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await download({ cookie, host: 'evil.example' })).status).toBe(403);
  });

  test.each(['', '../secret', `${callId}.json`, callId.toUpperCase(), '..%2f..%2fsecret.js', 'x'])(
    'nothing but a call can be named: %j',
    async (name) => {
      expect((await download({ cookie }, `/results/${name}`)).status).toBe(404);
    },
  );
});

describe('the contract', () => {
  test('opens with the token, from our page or from a terminal', async () => {
    expect(await open({ protocol: `cetp.${token}` })).toBe('open');
    expect(await open({ protocol: `cetp.${token}`, origin: `http://127.0.0.1:${server.port}` })).toBe('open');
  });

  test('is refused without the token, and with a wrong one', async () => {
    expect(await open({})).toBe(403);
    expect(await open({ protocol: `cetp.${'0'.repeat(64)}` })).toBe(403);
  });

  test('is refused to another origin, another host, another path', async () => {
    expect(await open({ protocol: `cetp.${token}`, origin: 'http://evil.example' })).toBe(403);
    expect(await open({ protocol: `cetp.${token}`, origin: `http://127.0.0.1:${server.port + 1}` })).toBe(403);
    expect(await open({ protocol: `cetp.${token}`, host: 'evil.example' })).toBe(403);
    expect(await open({ protocol: `cetp.${token}`, path: '/other' })).toBe(403);
  });
});

describe('a neighbour on this machine without the token', () => {
  /** Bytes as they are; resolves with the answer when the server has closed the connection. */
  const raw = (target: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const client = net.connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true }, () =>
        client.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${UPGRADE}`),
      );
      client.on('data', (chunk) => {
        answer += chunk;
      });
      client.on('error', () => {});
      client.on('end', () => client.destroy());
      client.on('close', () => resolve(answer));
    });
  const UPGRADE = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ].join('\r\n');

  test.each(['//', '//[', 'http://['])('cannot end the process by the target %s', async (target) => {
    expect(await raw(target)).toMatch(/^HTTP\/1\.1 403 /);
    expect((await get(target)).status).toBe(400);
  });

  test('cannot end the process by resetting what was refused', async () => {
    for (let n = 0; n < 20; n++) {
      await new Promise((resolve) => {
        const client = net.connect(server.port, '127.0.0.1', () => {
          client.write(`GET ${RPC_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${UPGRADE}`);
          setImmediate(() => client.resetAndDestroy());
        });
        client.on('error', () => {});
        client.on('close', resolve);
      });
    }
    expect((await get('/assets/app.js')).status).toBe(200);
  });

  test('does not keep the server from closing', async () => {
    const other = await startServer({ router: host.router, rendererRoot: root, port: 0 });
    const client = net.connect({ host: '127.0.0.1', port: other.port, allowHalfOpen: true });
    const closed = new Promise((resolve) => client.on('close', resolve));
    client.on('error', () => {});
    client.write(`GET ${RPC_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${other.port}\r\n${UPGRADE}`);
    await new Promise((resolve) => client.once('data', resolve));
    await other.close();
    client.destroy();
    await closed;
  });
});
