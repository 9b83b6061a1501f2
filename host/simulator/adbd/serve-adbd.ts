import { createServer } from 'node:net';
import type { DeviceServices } from '../virtual-device.ts';
import { AdbdConnection } from './connection.ts';

export interface AdbdOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. The adb server claims 5555 to 5585 for emulators. */
  readonly port?: number;
  /** `pending`: the device asks its owner, who never answers; adb shows `unauthorized`. Default `granted`. */
  readonly authorization?: 'granted' | 'pending';
}

export interface Adbd {
  readonly port: number;
  /** How many adb servers are connected now. */
  connections(): number;
  /** Drops every connection and stops listening, like a device that is unplugged. */
  close(): Promise<void>;
}

/** Serves the adb device protocol over TCP, for `adb connect HOST:PORT`. Rejects when the port cannot be had. */
export async function serveAdbd(services: DeviceServices, options: AdbdOptions = {}): Promise<Adbd> {
  const host = options.host ?? '127.0.0.1';
  const connections = new Set<AdbdConnection>();
  const server = createServer((socket) => {
    const connection = new AdbdConnection(socket, services, options.authorization !== 'pending');
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('adbd listens on no TCP port');
  return {
    port: address.port,
    connections: () => connections.size,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.close();
      }),
  };
}
