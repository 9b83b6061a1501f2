import type { WebSocket } from 'ws';

/**
 * The socket as the contract's handler uses it. A reader that leaves more than `maxUnreadBytes` waiting is let go:
 * what waits is held in this process's memory, and a page that lives connects again.
 */
export function boundedSocket(socket: WebSocket, maxUnreadBytes: number): Pick<WebSocket, 'addEventListener' | 'send'> {
  return {
    addEventListener: socket.addEventListener.bind(socket),
    send: (data: Parameters<WebSocket['send']>[0]) => {
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
      else socket.send(data);
    },
  };
}
