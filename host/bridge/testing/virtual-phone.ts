import { createAdbkitTransport } from '../../adb/adbkit-transport.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { createDeviceIo } from '../../adb/device-io-adb.ts';
import { serveAdbServer } from '../../simulator/adb-server/serve-adb-server.ts';
import {
  createVirtualAndroid,
  type SimulatedAndroid,
  type VirtualAndroidOptions,
} from '../../simulator/android/virtual-android.ts';
import { createDeviceServices } from '../../simulator/userland/services.ts';
import type { BinderOutcome, DeviceBundle, PackageSpec, ProviderApp } from '../../simulator/virtual-device.ts';

export const GARDEN = 'org.sample.garden';
export const GARDEN_AUTHORITY = 'org.sample.garden.tools';
export const ACCESS_TOOLS = 'com.clawseed.permission.ACCESS_TOOLS';

export interface Received {
  readonly uid: number;
  readonly method: string;
  readonly arg: string | null;
  readonly extras: DeviceBundle | null;
}

type Answer = (received: Received) => Promise<BinderOutcome> | BinderOutcome;

/** An answer with plain entries. */
export function bundle(entries: DeviceBundle['entries'], rest: Partial<DeviceBundle> = {}): BinderOutcome {
  return { kind: 'bundle', bundle: { entries, objects: {}, ...rest } };
}

/** A package whose one Provider answers by `answer` and keeps what it received. */
export function gardenPackage(
  answer: Answer,
  change: Partial<PackageSpec> = {},
  permission: string | null = ACCESS_TOOLS,
) {
  const received: Received[] = [];
  const app: ProviderApp = {
    call: async (caller, method, arg, extras) => {
      const call = { uid: caller.uid, method, arg, extras };
      received.push(call);
      return answer(call);
    },
  };
  const spec: PackageSpec = {
    package: GARDEN,
    label: 'Garden',
    labelIsResource: false,
    versionName: '1.0',
    versionCode: 1,
    sharedUserId: null,
    signer: GARDEN,
    services: [
      {
        name: `${GARDEN}.ToolService`,
        exported: true,
        enabled: true,
        permission,
        processName: null,
        actions: ['com.clawseed.action.TOOL_PROVIDER'],
        metaData: [{ name: 'com.clawseed.tools.authority', value: { t: 'string', v: GARDEN_AUTHORITY } }],
      },
    ],
    providers: [
      {
        name: `${GARDEN}.ToolProvider`,
        authorities: [GARDEN_AUTHORITY],
        exported: true,
        enabled: true,
        readPermission: permission,
        writePermission: permission,
        grantUriPermissions: false,
        initOrder: 100,
        processName: null,
      },
    ],
    definesPermissions: permission === null ? [] : [permission],
    usesPermissions: [],
    paddingBytes: 0,
    apps: { [GARDEN_AUTHORITY]: app },
    ...change,
  };
  return { spec, received };
}

export interface VirtualPhone {
  readonly android: SimulatedAndroid;
  readonly io: DeviceIo;
  /** Service streams that are open towards the device, other than shell commands. */
  openSockets(): number;
  /** The cable is pulled: every stream ends, the companion lives on. */
  unplug(): void;
  plugIn(): void;
  close(): Promise<void>;
}

/** A virtual device behind the embedded adb server, reached through the real transport and device I/O. */
export async function startVirtualPhone(options: VirtualAndroidOptions): Promise<VirtualPhone> {
  const android = createVirtualAndroid(options);
  const serial = 'GARDEN01';
  const services = createDeviceServices(android, { serial });
  const server = await serveAdbServer();
  server.setDevices([{ services }]);
  const connection = createAdbkitTransport({ host: '127.0.0.1', port: server.port });
  const io = createDeviceIo({ connection, serial, deviceKey: `test/${serial}`, sdk: android.sdk });
  let open = 0;
  const counted: DeviceIo = {
    ...io,
    openLocalAbstract: async (name, signal) => {
      const stream = await io.openLocalAbstract(name, signal);
      open++;
      stream.once('close', () => open--);
      return stream;
    },
  };
  return {
    android,
    io: counted,
    openSockets: () => open,
    unplug: () => server.setDevices([]),
    plugIn: () => server.setDevices([{ services }]),
    close: () => server.close(),
  };
}
