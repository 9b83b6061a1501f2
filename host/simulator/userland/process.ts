import type { FileStore } from '../files/file-store.ts';
import type { VirtualAndroid } from '../virtual-device.ts';
import type { ByteSink, ByteSource } from './channel.ts';

/** What all commands of one device share. */
export interface UserlandDevice {
  readonly android: VirtualAndroid;
  readonly files: FileStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One running command. */
export interface Process {
  readonly device: UserlandDevice;
  /** The command's own name, then its arguments. */
  readonly argv: readonly string[];
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  /** Aborted when the stream that the command runs for is closed. */
  readonly signal: AbortSignal;
}

/** A program: resolves with its exit code, 0 to 255. */
export type Command = (process: Process) => Promise<number>;

/** The uid that adbd runs commands as. */
export const SHELL_UID = 2000;

/** Resolves with the value, or null when the signal aborts first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
