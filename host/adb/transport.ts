import type { Duplex } from 'node:stream';

/** A service's bytes. */
export interface ServiceStream extends Duplex {
  /** Gives a chunk's memory back for chunks to come; nobody may read the chunk any more. Absent where nothing is gained. */
  recycle?(chunk: Uint8Array): void;
}

/** One row of the server's device list, in the server's words. */
export interface AdbDeviceRow {
  readonly serial: string;
  /** Such as `device`, or `no permissions (…); see […]`. */
  readonly stateText: string;
  /** `product`, `model`, `device`, `usb`, `transport_id` and what else the long form gives. */
  readonly properties: Readonly<Record<string, string>>;
}

/** One adb server. Every failure is a `ProblemError`. */
export interface AdbServerConnection {
  readonly host: string;
  readonly port: number;
  /** The server's protocol number (`host:version`), such as 41. */
  version(signal?: AbortSignal): Promise<number>;
  /** The full list, again at each change, until the signal aborts or the server goes away (then it throws). */
  trackDevices(signal: AbortSignal): AsyncIterable<readonly AdbDeviceRow[]>;
  /** What the device and the server both can, such as `shell_v2` (`host-serial:…:features`). */
  features(serial: string, signal?: AbortSignal): Promise<readonly string[]>;
  /**
   * Opens a service on a device (`shell,v2,raw:…`, `exec:…`, `localabstract:…`, `sync:`) as a byte stream.
   * Resolves after the device's OKAY. Destroying the stream closes the service, and so does an abort, also later.
   */
  openService(serial: string, service: string, signal?: AbortSignal): Promise<ServiceStream>;
  /** `host:connect:…`; resolves with the server's text when it says connected, else throws. */
  connect(host: string, port: number): Promise<string>;
  disconnect(host: string, port: number): Promise<string>;
  /** `host:pair:CODE:HOST:PORT`; the text decides, not a status. */
  pair(host: string, port: number, code: string): Promise<string>;
}
