import { randomBytes } from 'node:crypto';
import { type Duplex, duplexPair } from 'node:stream';
import type { InstrumentationRun } from '../virtual-device.ts';
import { encodeBundle } from './bundle-codec.ts';
import { Connection } from './connection.ts';
import { HandleTable } from './handles.ts';
import { PROTOCOL } from './hello.ts';
import type { CompanionHost, CompanionProcess } from './process.ts';
import { PendingTriggers, type Trigger, type TriggerStatus } from './triggers.ts';

/** Without an authenticated connection the companion ends after this long (section 1). */
const IDLE_LIMIT_MS = 120_000;
const RESULT_OK = -1;
const RESULT_CANCELED = 0;

/** A running companion process, from `am instrument` to its end. */
export class CompanionEndpoint {
  readonly socketName = `cetp-inspector-${randomBytes(8).toString('hex')}`;
  readonly run: InstrumentationRun;
  private readonly token = randomBytes(32).toString('hex');
  private readonly process: CompanionProcess;
  private readonly connections = new Set<Connection>();
  private readonly authenticated = new Set<Connection>();
  private readonly triggers: PendingTriggers;
  private readonly stopWatching: () => void;
  private readonly endRun: (ended: Awaited<InstrumentationRun['ended']>) => void;
  private cancelIdle: () => void = () => {};
  private open = true;

  /** `bootTimeMs`: wall clock of the device's boot, for `elapsedRealtimeMs`. */
  constructor(host: CompanionHost, bootTimeMs: number) {
    const handles = new HandleTable(host.android.sdk);
    this.process = { host, handles, bootTimeMs, abandoned: 0, activityInFront: false };
    this.triggers = new PendingTriggers(host.clock);
    const { promise, resolve } = Promise.withResolvers<Awaited<InstrumentationRun['ended']>>();
    this.endRun = resolve;
    this.run = {
      status: {
        'cetp.protocol': String(PROTOCOL),
        'cetp.socket': this.socketName,
        'cetp.token': this.token,
        'cetp.version': host.self.spec.versionName,
      },
      statusCode: 0,
      ended: promise,
    };
    this.stopWatching = host.android.onPackageEvent((event) => {
      for (const connection of this.authenticated) connection.sendPackageEvent(event);
    });
    this.startIdle();
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Calls that were given up and still hold a thread. */
  get abandonedCalls(): number {
    return this.process.abandoned;
  }

  /** PendingIntents and descriptors that the desktop holds and has not released. */
  get heldHandles(): number {
    return this.process.handles.size;
  }

  /**
   * A connection to the abstract socket from a process of `peerUid`; null when
   * nobody listens any more. Only the shell and root are served, any other is closed at once.
   */
  connect(peerUid: number): Duplex | null {
    if (!this.open) return null;
    const [near, far] = duplexPair();
    if (peerUid !== 2000 && peerUid !== 0) {
      far.end();
      return near;
    }
    const connection = new Connection(this.process, far, {
      token: this.token,
      onAuthenticated: (ready) => {
        this.authenticated.add(ready);
        this.cancelIdle();
      },
      onClosed: (closed) => this.closed(closed),
      onTriggerAck: (id, status) => this.triggers.settle(id, status),
    });
    this.connections.add(connection);
    return near;
  }

  /** What another app's background trigger is answered. */
  submitTrigger(trigger: Trigger): Promise<TriggerStatus | 'host_unavailable'> {
    const { id, answer } = this.triggers.open();
    const { callerUid, callerPackages, signingCertSha256, extras } = trigger;
    const head = JSON.stringify({ id, callerUid, callerPackages, signingCertSha256 }).slice(0, -1);
    for (const connection of this.authenticated) {
      if (!connection.watchesTriggers) continue;
      const { entries } = this.process.handles.adopt(connection, extras);
      connection.sendEvent('trigger', `${head},"extras":${encodeBundle(entries)}}`);
    }
    return answer;
  }

  /** The process was killed or force-stopped under `am instrument`. */
  crash(): void {
    this.end({ result: { shortMsg: 'Process crashed.' }, code: RESULT_CANCELED });
  }

  private closed(connection: Connection): void {
    this.connections.delete(connection);
    if (this.authenticated.delete(connection) && this.authenticated.size === 0 && this.open) this.startIdle();
  }

  private startIdle(): void {
    this.cancelIdle();
    this.cancelIdle = this.process.host.clock.after(IDLE_LIMIT_MS, () => this.end({ result: {}, code: RESULT_OK }));
  }

  private end(ended: Awaited<InstrumentationRun['ended']>): void {
    if (!this.open) return;
    this.open = false;
    this.cancelIdle();
    this.stopWatching();
    for (const connection of [...this.connections]) connection.close();
    this.process.handles.releaseAll();
    this.endRun(ended);
  }
}
