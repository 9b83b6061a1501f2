import type { RealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { serveAdbd } from '../../host/simulator/adbd/serve-adbd.ts';
import {
  createVirtualAndroid,
  type SimulatedAndroid,
  type VirtualAndroidOptions,
} from '../../host/simulator/android/virtual-android.ts';
import { createDeviceServices } from '../../host/simulator/userland/services.ts';

export interface PluggedPhone {
  readonly android: SimulatedAndroid;
  /** As the adb server names it: `127.0.0.1:<port>`. */
  readonly serial: string;
  unplug(): Promise<void>;
}

/** A virtual device behind the real adb server, as `adb connect` takes it. */
export async function plugIn(
  server: RealAdbServer,
  options: VirtualAndroidOptions & { readonly serialno: string },
): Promise<PluggedPhone> {
  const android = createVirtualAndroid(options);
  const adbd = await serveAdbd(createDeviceServices(android, { serial: options.serialno }));
  const serial = `127.0.0.1:${adbd.port}`;
  await server.connection.connect('127.0.0.1', adbd.port);
  return {
    android,
    serial,
    unplug: async () => {
      android.companion()?.crash();
      await adbd.close();
    },
  };
}
