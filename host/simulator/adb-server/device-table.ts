import type { DeviceServices } from '../virtual-device.ts';

/** One attached device, as the server lists it. */
export interface AttachedDevice {
  readonly services: DeviceServices;
  /** In adb's words; `device` unless told otherwise. */
  readonly state: string;
  readonly transportId: number;
}

/** Which device a request means. */
export type DeviceSelector =
  | { readonly by: 'serial'; readonly serial: string }
  | { readonly by: 'transportId'; readonly id: string }
  | { readonly by: 'any' };

export type Selection =
  | { readonly ok: true; readonly device: AttachedDevice }
  | { readonly ok: false; readonly text: string };

/** The attached devices, their transport ids, and who wants to hear of changes. */
export class DeviceTable {
  #devices: readonly AttachedDevice[] = [];
  #nextTransportId = 1;
  readonly #listeners = new Set<() => void>();

  get devices(): readonly AttachedDevice[] {
    return this.#devices;
  }

  /** Replaces the list. A device whose services stay the same object keeps its transport id. */
  set(list: readonly { readonly services: DeviceServices; readonly state?: string }[]): void {
    this.#devices = list.map(({ services, state }) => ({
      services,
      state: state ?? 'device',
      transportId: this.#devices.find((known) => known.services === services)?.transportId ?? this.#nextTransportId++,
    }));
    for (const listener of [...this.#listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the very same attachment is still there and usable. */
  isOnline(device: AttachedDevice): boolean {
    return this.#devices.some((known) => known.transportId === device.transportId && known.state === 'device');
  }

  /** The device, or adb's own text of why not. */
  select(selector: DeviceSelector): Selection {
    const device = this.#find(selector);
    return typeof device === 'string' ? { ok: false, text: device } : { ok: true, device };
  }

  /** As `select`, and the device must be ready for services. */
  selectOnline(selector: DeviceSelector): Selection {
    const selection = this.select(selector);
    if (!selection.ok) return selection;
    const { state } = selection.device;
    if (state === 'device' || state === 'recovery' || state === 'rescue' || state === 'sideload') return selection;
    return { ok: false, text: state === 'unauthorized' ? UNAUTHORIZED_TEXT : `device ${state}` };
  }

  /** `host:devices`, or its long form. */
  list(long: boolean): string {
    return this.#devices.map((device) => `${long ? longLine(device) : shortLine(device)}\n`).join('');
  }

  #find(selector: DeviceSelector): AttachedDevice | string {
    switch (selector.by) {
      case 'serial':
        return (
          this.#devices.find((device) => device.services.serial === selector.serial) ??
          `device '${selector.serial}' not found`
        );
      case 'transportId':
        return (
          this.#devices.find((device) => String(device.transportId) === selector.id) ??
          `no device with transport id '${selector.id}'`
        );
      case 'any': {
        const [first, second] = this.#devices;
        if (first === undefined) return 'no devices/emulators found';
        return second === undefined ? first : 'more than one device/emulator';
      }
    }
  }
}

const UNAUTHORIZED_TEXT = [
  'device unauthorized.',
  "This adb server's $ADB_VENDOR_KEYS is not set",
  "Try 'adb kill-server' if that seems wrong.",
  'Otherwise check for a confirmation dialog on your device.',
].join('\n');

const shortLine = (device: AttachedDevice): string => `${device.services.serial}\t${device.state}`;

function longLine(device: AttachedDevice): string {
  const words = [`${device.services.serial.padEnd(22)} ${device.state}`];
  if (device.state === 'device') {
    for (const name of ['name', 'model', 'device'] as const) {
      const value = bannerProperty(device.services.banner, `ro.product.${name}`);
      const label = name === 'name' ? 'product' : name;
      if (value !== null) words.push(`${label}:${value.replace(/[^A-Za-z0-9_.-]/g, '_')}`);
    }
  }
  words.push(`transport_id:${device.transportId}`);
  return words.join(' ');
}

/** A property of `device::k=v;k=v;features=…`. */
function bannerProperty(banner: string, name: string): string | null {
  for (const pair of (banner.split('::')[1] ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return null;
}
