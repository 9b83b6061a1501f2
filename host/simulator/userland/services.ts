import { FileStore } from '../files/file-store.ts';
import { serveSync } from '../files/sync-service.ts';
import type { DeviceServices, VirtualAndroid } from '../virtual-device.ts';
import { ClosedError, ServiceChannel } from './channel.ts';
import type { UserlandDevice } from './process.ts';
import { serveExec, serveShellV1, serveShellV2 } from './shell-service.ts';

/** Longest service string. Source: android-facts 8. */
const SERVICE_MAX = 65_535;

/** What this adbd can do; every name is a promise to the adb client. */
const FEATURES: readonly string[] = ['shell_v2', 'cmd', 'stat_v2', 'ls_v2', 'fixed_push_mkdir'];

export interface DeviceIdentity {
  readonly serial: string;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number;
}

/** adbd's services (`shell:`, `shell,v2…:`, `exec:`, `sync:`, `localabstract:`) over a virtual Android. */
export function createDeviceServices(android: VirtualAndroid, identity: DeviceIdentity): DeviceServices {
  const now = identity.now ?? Date.now;
  const device: UserlandDevice = { android, files: new FileStore(android, now), now };
  return {
    serial: identity.serial,
    banner: bannerOf(android),
    features: FEATURES,
    open: (service) => {
      if (Buffer.byteLength(service) > SERVICE_MAX) return null;
      const colon = service.indexOf(':');
      const name = colon < 0 ? service : service.slice(0, colon);
      const argument = colon < 0 ? '' : service.slice(colon + 1);
      const [kind, ...options] = name.split(',');
      switch (kind) {
        case 'shell':
          return options.includes('v2')
            ? run((channel) => serveShellV2(channel, device, argument, !options.includes('raw') && argument === ''))
            : run((channel) => serveShellV1(channel, device, argument));
        case 'exec':
          return run((channel) => serveExec(channel, device, argument));
        case 'sync':
          return run((channel) => serveSync(channel, device.files));
        case 'localabstract':
          return android.connectAbstract(argument);
        default:
          return null;
      }
    },
  };
}

function run(serve: (channel: ServiceChannel) => Promise<void>): ServiceChannel['peer'] {
  const channel = new ServiceChannel();
  serve(channel).catch((error: unknown) => {
    // A closed stream is how a service normally stops; anything else is a fault of ours and ends the stream with it.
    channel.peer.destroy(error instanceof ClosedError ? undefined : (error as Error));
  });
  return channel.peer;
}

function bannerOf(android: VirtualAndroid): string {
  const property = (name: string): string => `${name}=${(android.properties[name] ?? '').replace(/[;\0]/g, '_')};`;
  const names = ['ro.product.name', 'ro.product.model', 'ro.product.device'];
  return `device::${names.map(property).join('')}features=${FEATURES.join(',')}`;
}
