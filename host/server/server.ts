import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { RESULTS_PATH, RPC_MAX_MESSAGE_BYTES, RPC_PATH, SECURITY_HEADERS } from '../../shared/contract/security.ts';
import type { HostRouter } from '../handlers/router.ts';
import { Access } from './access.ts';
import { boundedSocket } from './bounded-socket.ts';
import { openDownload } from './result-download.ts';
import { readStatic } from './static-files.ts';

export interface ServerOptions {
  readonly router: HostRouter;
  /** Folder of the built renderer. */
  readonly rendererRoot: string;
  /** Where files of results lie, for downloads; without it there are none. */
  readonly resultsFolder?: string;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface RunningServer {
  /** The address with this run's token: whoever has it may use the app. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** What may wait for a reader that does not read, in bytes; past it the reader is let go. */
const MAX_UNREAD_BYTES = 2 * RPC_MAX_MESSAGE_BYTES;

/** Serves the renderer and the contract to this machine only (127.0.0.1). */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const token = randomBytes(32).toString('hex');
  const http = createServer();
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  const access = new Access(token, port);

  const rpc = new RPCHandler(options.router);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: RPC_MAX_MESSAGE_BYTES,
    handleProtocols: (protocols) => access.protocolWithToken(protocols) ?? false,
  });
  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate());
    void rpc.upgrade(boundedSocket(socket, MAX_UNREAD_BYTES), { context: {} });
  });
  // Every connection, also one that was refused or is half way up: Node's own list does not hold upgraded ones.
  const connections = new Set<Duplex>();
  http.on('connection', (stream: Duplex) => {
    connections.add(stream);
    stream.once('close', () => connections.delete(stream));
  });
  http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // A reset of who was refused concerns nobody; without a listener it would end the process.
    stream.on('error', () => stream.destroy());
    const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim());
    const allowed =
      access.hostAllowed(request) &&
      access.originAllowed(request) &&
      parseTarget(request)?.pathname === RPC_PATH &&
      access.protocolWithToken(protocols) !== null;
    if (!allowed) {
      const refusal = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
      stream.end(refusal, () => stream.destroy());
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => sockets.emit('connection', socket, request));
  });
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, { access, token, ...options }).catch(() => {
      if (!response.headersSent) send(response, 500, 'text/plain', 'Internal error');
      else response.destroy();
    });
  });

  return {
    url: `http://127.0.0.1:${port}/?token=${token}`,
    port,
    close: () =>
      new Promise((resolve) => {
        sockets.close();
        http.close(() => resolve());
        for (const stream of connections) stream.destroy();
      }),
  };
}

/** The request's target, which need not be an address at all; null then. */
function parseTarget(request: IncomingMessage): URL | null {
  return URL.parse(request.url ?? '/', 'http://host');
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { access, token, ...options }: { access: Access; token: string } & ServerOptions,
): Promise<void> {
  const { rendererRoot: root, resultsFolder } = options;
  if (!access.hostAllowed(request)) return send(response, 403, 'text/plain', 'Forbidden host');
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain', 'GET only');
  const url = parseTarget(request);
  if (url === null) return send(response, 400, 'text/plain', 'Not an address');
  if (url.pathname === '/') {
    if (access.tokenMatches(url.searchParams.get('token'))) {
      // The token leaves the address bar, and so the browser's history.
      response.setHeader('set-cookie', `${access.cookieName}=${token}; HttpOnly; SameSite=Strict; Path=/`);
      response.setHeader('location', '/');
      return send(response, 302, 'text/plain', '');
    }
    if (access.cookieMatches(request)) return page(response, root, token);
    return send(
      response,
      403,
      'text/plain',
      'Open the address that the terminal printed: it carries the token of this run.',
    );
  }
  if (url.pathname.startsWith(RESULTS_PATH)) {
    if (!access.cookieMatches(request) || !access.isOwnPage(request))
      return send(response, 403, 'text/plain', 'Forbidden');
    return download(request, response, resultsFolder ?? null, url.pathname);
  }
  const file = await readStatic(root, url.pathname);
  if (file === null || file.type.startsWith('text/html')) return send(response, 404, 'text/plain', 'Not found');
  response.setHeader('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  send(response, 200, file.type, file.body);
}

/** A result as it came, in no more memory than the stream's own buffer. A reader that leaves ends it. */
async function download(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string | null,
  pathname: string,
): Promise<void> {
  const found = folder === null ? null : await openDownload(folder, pathname);
  if (found === null) return send(response, 404, 'text/plain', 'Not found');
  response.writeHead(200, found.headers);
  if (request.method === 'HEAD') {
    found.stream.destroy();
    response.end();
    return;
  }
  await pipeline(found.stream, response);
}

/** The page carries the token for its WebSocket; it is given only to who has the token already. */
async function page(response: ServerResponse, root: string, token: string): Promise<void> {
  const file = await readStatic(root, '/');
  if (file === null) return send(response, 500, 'text/plain', 'The renderer is not built: run "npm run build".');
  const html = file.body.toString('utf8').replace('</head>', `<meta name="cetp-token" content="${token}"></head>`);
  response.setHeader('cache-control', 'no-store');
  send(response, 200, file.type, html);
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
