import type { AdbServerInfo, Device, DeviceState } from '../../shared/model/device.ts';
import type { IconName } from '../ui/icon.tsx';

/** Filled = ready, half = on its way, ring = not usable: shape and colour, with a word beside or for screen readers. */
export function DeviceDot({ state, label }: { readonly state: DeviceState; readonly label: string }) {
  const kind = state === 'device' ? 'full' : state === 'connecting' || state === 'authorizing' ? 'half' : 'ring';
  return (
    <span className={`dot ${kind}`} title={label}>
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function ServerDot({ state }: { readonly state: AdbServerInfo['state'] }) {
  return (
    <span className={`dot ${state === 'up' ? 'full' : state === 'connecting' ? 'half' : 'ring'}`} aria-hidden="true" />
  );
}

export function transportIcon(transport: Device['transport']): IconName {
  switch (transport) {
    case 'usb':
      return 'usb';
    case 'tcp':
    case 'wifi':
      return 'wifi';
    case 'emulator':
      return 'box';
    case 'demo':
    case 'unknown':
      return 'phone';
  }
}
