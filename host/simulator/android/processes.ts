import type { BinderCaller, BinderOutcome, DeviceBundle, PackageSpec, ProviderApp } from '../virtual-device.ts';
import { parcelSize } from './parcel-size.ts';

/** Exceptions that a Provider's `call()` can carry to its caller (android-facts 1.3). */
const CARRIED_EXCEPTIONS: ReadonlySet<string> = new Set([
  'java.io.FileNotFoundException',
  'java.lang.IllegalArgumentException',
  'java.lang.UnsupportedOperationException',
  'android.database.sqlite.SQLiteException',
  'android.os.OperationCanceledException',
  'android.content.OperationApplicationException',
  'java.lang.SecurityException',
  'android.os.BadParcelableException',
  'java.lang.NullPointerException',
  'java.lang.IllegalStateException',
  'android.os.NetworkOnMainThreadException',
  'android.os.ServiceSpecificException',
]);

interface Process {
  readonly pid: number;
  readonly death: Promise<BinderOutcome>;
  readonly die: () => void;
}

/** The running app processes, one a package. */
export class Processes {
  private readonly running = new Map<string, Process>();
  private readonly limitBytes: number;
  private nextPid = 3_200;

  /** `limitBytes`: how large a transaction may be in either direction. */
  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  pidOf(packageName: string): number | null {
    return this.running.get(packageName)?.pid ?? null;
  }

  start(packageName: string): Process {
    const known = this.running.get(packageName);
    if (known) return known;
    const { promise, resolve } = Promise.withResolvers<BinderOutcome>();
    this.nextPid += 41;
    const started: Process = { pid: this.nextPid, death: promise, die: () => resolve({ kind: 'died' }) };
    this.running.set(packageName, started);
    return started;
  }

  /** Ends a process: calls in flight die, and the apps lose what was in memory. */
  kill(packageName: string, spec: PackageSpec | null): void {
    const known = this.running.get(packageName);
    if (!known) return;
    this.running.delete(packageName);
    known.die();
    for (const app of Object.values(spec?.apps ?? {})) app.restart?.();
  }

  /**
   * The Provider as Binder shows it to one client: bounded, with only the exceptions that a Parcel
   * carries, and bound to the process that runs now: when that dies, so does the client.
   */
  guard(spec: PackageSpec, uid: number, app: ProviderApp): ProviderApp {
    const { pid, death } = this.start(spec.package);
    return {
      call: async (caller, method, arg, extras) => {
        if (this.pidOf(spec.package) !== pid) return { kind: 'died' };
        if (parcelSize(extras) + (arg ?? '').length * 2 > this.limitBytes) {
          return { kind: 'too-large', side: 'request' };
        }
        const outcome = await Promise.race([death, this.run(app, caller, method, arg, extras)]);
        if (outcome.kind === 'died' && this.pidOf(spec.package) === pid) this.kill(spec.package, spec);
        return withCreator(outcome, uid);
      },
    };
  }

  private async run(
    app: ProviderApp,
    caller: BinderCaller,
    method: string,
    arg: string | null,
    extras: DeviceBundle | null,
  ): Promise<BinderOutcome> {
    const outcome = await app.call(caller, method, arg, extras);
    if (outcome.kind === 'exception' && !CARRIED_EXCEPTIONS.has(outcome.class)) {
      return { kind: 'bundle', bundle: { entries: [], objects: {} } };
    }
    if (outcome.kind !== 'bundle' || parcelSize(outcome.bundle) <= this.limitBytes) return outcome;
    closeObjects(outcome.bundle);
    return { kind: 'too-large', side: 'reply' };
  }
}

/** A Provider does not know its own UID: it leaves -1, and the system fills it in. */
function withCreator(outcome: BinderOutcome, uid: number): BinderOutcome {
  if (outcome.kind !== 'bundle') return outcome;
  const objects = Object.entries(outcome.bundle.objects).map(([key, object]) => [
    key,
    object.t === 'pendingIntent' && object.creatorUid === -1 ? { ...object, creatorUid: uid } : object,
  ]);
  return { kind: 'bundle', bundle: { ...outcome.bundle, objects: Object.fromEntries(objects) } };
}

function closeObjects(bundle: DeviceBundle): void {
  for (const object of Object.values(bundle.objects)) {
    if (object.t === 'fd') object.close();
  }
}
