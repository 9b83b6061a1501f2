import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { boundedSocket } from './bounded-socket.ts';

test('a reader that never reads is let go before it fills the memory', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(client, 'open');
  client.pause();
  const [socket] = (await accepted) as [WebSocket];
  const bounded = boundedSocket(socket, 8 * 1024 * 1024);
  const closed = once(socket, 'close');
  const chunk = 'x'.repeat(1024 * 1024);
  for (let sent = 0; sent < 64; sent++) bounded.send(chunk);
  await closed;
  expect(socket.bufferedAmount).toBeLessThan(32 * 1024 * 1024);
  client.terminate();
  await new Promise((resolve) => server.close(resolve));
});
