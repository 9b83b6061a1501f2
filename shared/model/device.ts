import { z } from 'zod';
import { DeviceClock } from './device-clock.ts';
import { Problem } from './problem.ts';

export const AdbServerInfo = z.object({
  /** `local`, `demo`, or `host:port` of a further one. */
  id: z.string(),
  kind: z.enum(['local', 'remote', 'demo']),
  host: z.string(),
  port: z.number(),
  state: z.enum(['connecting', 'up', 'down']),
  /** The server's protocol number, such as 41. */
  version: z.number().nullable(),
  problem: Problem.nullable(),
});
export type AdbServerInfo = z.infer<typeof AdbServerInfo>;

export const DeviceState = z.enum([
  'device',
  'unauthorized',
  'authorizing',
  'offline',
  'no-permissions',
  'recovery',
  'rescue',
  'sideload',
  'bootloader',
  'connecting',
  'detached',
  'host',
  'unknown',
]);
export type DeviceState = z.infer<typeof DeviceState>;

export const DeviceUser = z.object({
  id: z.number(),
  name: z.string(),
  running: z.boolean(),
  current: z.boolean(),
});
export type DeviceUser = z.infer<typeof DeviceUser>;

export const Device = z.object({
  /** `<server id>/<serial>`, stable while the device is known. */
  key: z.string(),
  serverId: z.string(),
  serial: z.string(),
  transportId: z.string().nullable(),
  state: DeviceState,
  /** The server's own words for the state, such as `no permissions (…); see […]`. */
  stateText: z.string(),
  transport: z.enum(['usb', 'tcp', 'wifi', 'emulator', 'demo', 'unknown']),
  manufacturer: z.string().nullable(),
  model: z.string().nullable(),
  /** `ro.build.version.release`, such as `14`. */
  androidRelease: z.string().nullable(),
  sdk: z.number().nullable(),
  /** `ro.serialno`: the same phone by USB and by Wi-Fi has one. */
  hardwareSerial: z.string().nullable(),
  users: z.array(DeviceUser),
  /** Set when the device answered, but a fact could not be read. */
  problem: Problem.nullable(),
});
export type Device = z.infer<typeof Device>;

export const DeviceSnapshot = z.object({
  servers: z.array(AdbServerInfo),
  devices: z.array(Device),
});
export type DeviceSnapshot = z.infer<typeof DeviceSnapshot>;

/** One user's companion on one device, as this inspector knows it. */
export const CompanionStatus = z.object({
  state: z.enum(['unknown', 'not-installed', 'installed', 'starting', 'connected', 'failed']),
  version: z.string().nullable(),
  uid: z.number().nullable(),
  /** Whether it holds `com.clawseed.permission.ACCESS_TOOLS`. */
  permission: z.enum(['granted', 'denied', 'undefined', 'unknown']),
  /** The Android user that it belongs to: each has an installation and a grant of its own. */
  userId: z.number().nullable(),
  /** The version that this inspector would install; null where it has none. */
  bundledVersion: z.string().nullable(),
  /** Whether the installed one is older than that. */
  isOlder: z.boolean(),
  /** How it was started; `service` is the fallback where the vendor refuses instrumentation. Null: not connected. */
  startedBy: z.enum(['instrumentation', 'service']).nullable(),
  /** When this inspector connected to it, in ms of the epoch; null: it is not connected. */
  connectedSinceMs: z.number().nullable(),
  /** The device's clock against this computer's; null where it was not measured. */
  clock: DeviceClock.nullable(),
  problem: Problem.nullable(),
});
export type CompanionStatus = z.infer<typeof CompanionStatus>;

export const DoctorCheck = z.object({
  id: z.enum([
    'adb-binary',
    'adb-server',
    'device',
    'authorization',
    'user',
    'companion',
    'permission',
    'clock',
    'discovery',
  ]),
  status: z.enum(['running', 'ok', 'warning', 'failed', 'skipped']),
  /** Facts found, as `doctor.<id>.<code>` in i18n. */
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Key of the remedy text, `remedy.<code>`, or null. */
  remedy: z.string().nullable(),
  raw: z.string().nullable(),
});
export type DoctorCheck = z.infer<typeof DoctorCheck>;
