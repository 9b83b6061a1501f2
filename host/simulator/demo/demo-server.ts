import { serveAdbServer } from '../adb-server/serve-adb-server.ts';
import { createDeviceServices } from '../userland/services.ts';
import { createDemoDevices, type DemoDevice } from './demo-devices.ts';

export interface DemoServer {
  readonly host: string;
  readonly port: number;
  /** The devices behind it, for tests that change them. */
  readonly devices: readonly DemoDevice[];
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** The embedded adb server with the demo devices, on a free port of this machine only. */
export async function startDemoServer(devices: readonly DemoDevice[] = createDemoDevices()): Promise<DemoServer> {
  const server = await serveAdbServer({ host: HOST });
  server.setDevices(
    devices.map(({ android, serial, state }) => ({ services: createDeviceServices(android, { serial }), state })),
  );
  return {
    host: HOST,
    port: server.port,
    devices,
    close: async () => {
      for (const { android } of devices) android.companion()?.crash();
      await server.close();
    },
  };
}
