import type { AdbServerInfo, Device, DeviceState } from '../../shared/model/device.ts';
import type { AdbDeviceRow } from '../adb/transport.ts';

const WORDS: ReadonlySet<string> = new Set([
  'device',
  'unauthorized',
  'authorizing',
  'offline',
  'recovery',
  'rescue',
  'sideload',
  'bootloader',
  'connecting',
  'detached',
  'host',
]);

/** The server's words as a state; words that are new to us are `unknown` and stay visible as the state text. */
export function toDeviceState(stateText: string): DeviceState {
  if (WORDS.has(stateText)) return stateText as DeviceState;
  return /^no permissions\b/.test(stateText) ? 'no-permissions' : 'unknown';
}

/** How the device is reached, as far as serial and row tell. */
export function toTransport(row: AdbDeviceRow, server: AdbServerInfo['kind']): Device['transport'] {
  if (server === 'demo') return 'demo';
  if (/^emulator-\d+$/.test(row.serial)) return 'emulator';
  if (/\._adb-tls-connect\._tcp\.?$/.test(row.serial)) return 'wifi';
  if (/:\d{1,5}$/.test(row.serial)) return 'tcp';
  return Object.hasOwn(row.properties, 'usb') ? 'usb' : 'unknown';
}
