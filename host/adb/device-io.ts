import type { Duplex } from 'node:stream';
import type { ServiceStream } from './transport.ts';

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null where the device has no shell v2 and gave none. */
  readonly exitCode: number | null;
}

export interface ShellOptions {
  readonly signal?: AbortSignal;
  /** In ms; default 15 000. */
  readonly timeoutMs?: number;
  /** In bytes of stdout and stderr each; default 8 MiB. More is an error, never a cut. */
  readonly maxBytes?: number;
}

/** The stdout of a running command. An end without the device's exit packet destroys it with `device-connection-lost`. */
export interface ShellStream extends Duplex {
  /** Stderr so far, at most 64 KiB of its end; absent where the device merges it into stdout. */
  readonly stderrText?: string;
  /** Once ended; null before, or where the device gives none. */
  readonly exitCode?: number | null;
}

/**
 * What the rest of the host does with one device. The only way from
 * discovery, bridge and doctor to adb.
 */
export interface DeviceIo {
  /** `<server id>/<serial>`. */
  readonly deviceKey: string;
  readonly sdk: number | null;
  /** Runs a command; each argument is quoted for the device's `sh`. */
  shell(args: readonly string[], options?: ShellOptions): Promise<ShellResult>;
  /** A command's stdout as a stream, for long-running ones. */
  shellStream(args: readonly string[], signal?: AbortSignal): Promise<ShellStream>;
  /** Bytes `[offset, offset + length)` of a file, through `exec:dd`; fewer at the end of the file. */
  readRange(path: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Size of a file in bytes. */
  fileSize(path: string, signal?: AbortSignal): Promise<number>;
  /** Writes a file through the sync service. */
  push(path: string, data: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** `localabstract:<name>`, directly over the device's transport. */
  openLocalAbstract(name: string, signal?: AbortSignal): Promise<ServiceStream>;
}
