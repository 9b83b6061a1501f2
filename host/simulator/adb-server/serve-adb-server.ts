import { createServer, type Socket } from 'node:net';
import type { DeviceServices } from '../virtual-device.ts';
import { DeviceTable } from './device-table.ts';
import { HostClient } from './host-client.ts';

export interface AdbServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
}

export interface AdbHostServer {
  readonly port: number;
  /**
   * Replaces the devices; trackers hear of it, and streams of a device that is gone or no longer `device` are cut.
   * A device keeps its transport id as long as its services are the same object.
   */
  setDevices(list: readonly { readonly services: DeviceServices; readonly state?: string }[]): void;
  close(): Promise<void>;
}

/** Serves adb's host protocol (what `adb` and adbkit speak) for virtual devices, with no adb on the machine. */
export async function serveAdbServer(options: AdbServerOptions = {}): Promise<AdbHostServer> {
  const table = new DeviceTable();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new HostClient(socket, table);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the adb server listens on no TCP port');
  return {
    port: address.port,
    setDevices: (list) => table.set(list),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
