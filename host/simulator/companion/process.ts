import type { ActivityResult, DeviceIntent, InstalledPackage, VirtualAndroid } from '../virtual-device.ts';
import type { Clock } from './clock.ts';
import type { HandleTable } from './handles.ts';
import { ProtocolError } from './protocol-error.ts';

/** How `startActivityForResult` began. */
export type ActivityStart =
  | { readonly kind: 'started'; readonly target: InstalledPackage; readonly result: Promise<ActivityResult> }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'security'; readonly message: string };

/** What the companion's process sees of its device. */
export interface CompanionHost {
  readonly android: Pick<VirtualAndroid, 'sdk' | 'release' | 'properties' | 'packages' | 'acquire' | 'onPackageEvent'>;
  readonly clock: Clock;
  /** The installed companion itself. */
  readonly self: InstalledPackage;
  /** Lower-case hex SHA-256 of a package's current signers. */
  signingCertSha256(spec: InstalledPackage): readonly string[];
  isPermissionDefined(permission: string): boolean;
  startActivity(callerUid: number, component: string, intent: DeviceIntent): ActivityStart;
  /** A vendor's rule keeps the companion's own activity from the front. */
  isActivityBlocked(): boolean;
}

/** State of one companion process, shared by its connections. */
export interface CompanionProcess {
  readonly host: CompanionHost;
  readonly handles: HandleTable;
  readonly bootTimeMs: number;
  /** Calls whose answer nobody waits for, each still holding a thread. */
  abandoned: number;
  /** A `launch` or `startForResult` runs. */
  activityInFront: boolean;
}

/** What an operation answers: the JSON text of `ok`, and the handles in it. */
export interface OpResult {
  readonly text: string;
  readonly handles?: readonly string[];
}

export const EMPTY_RESULT: OpResult = { text: '{}' };

/**
 * Waits for a value, at most `timeoutMs`, or until `signal` aborts. Throws
 * `ProtocolError` TIMEOUT or CANCELLED; `late` then gets the value that came too late.
 */
export function waitFor<T>(
  value: Promise<T>,
  timeoutMs: number,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly late: (value: T | null) => void },
): Promise<T> {
  const { clock, signal, late } = options;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let open = true;
  const end = (): boolean => {
    if (!open) return false;
    open = false;
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
    return true;
  };
  const giveUp = (error: ProtocolError): void => {
    if (end()) reject(error);
  };
  const onAbort = (): void => giveUp(new ProtocolError('CANCELLED', 'The request was cancelled'));
  const cancelTimer = clock.after(timeoutMs, () =>
    giveUp(new ProtocolError('TIMEOUT', `No answer within ${timeoutMs} ms`)),
  );
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  value.then(
    (result) => {
      if (end()) resolve(result);
      else late(result);
    },
    (error: unknown) => {
      if (end()) reject(error);
      else late(null);
    },
  );
  return promise;
}
