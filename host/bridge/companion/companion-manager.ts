import type { JsonObject } from '../../../shared/base/json.ts';
import type { CompanionStatus } from '../../../shared/model/device.ts';
import type { DeviceClock } from '../../../shared/model/device-clock.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/model/problem.ts';
import type { PackageEvent } from '../../../shared/protocols/companion/frames.ts';
import { COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { LatestValue } from '../../base/latest-value.ts';
import { versionOfApk } from './bundled-apk.ts';
import { ClockWatch } from './clock-watch.ts';
import { type CompanionClient, connectCompanion } from './companion-client.ts';
import type { CompanionAddress } from './companion-connection.ts';
import { connectedStatus, describedStatus, idleStatus, UNKNOWN_COMPANION } from './companion-status.ts';
import { installApk } from './install-companion.ts';
import { isInstalled, readInstalled } from './installed-app.ts';
import type { CompanionRun, InstrumentationEnd } from './instrumentation.ts';
import { pidsOf, seesForeign } from './process-look.ts';
import { ProcessNames } from './process-names.ts';
import { startAnyhow } from './start-anyhow.ts';
import { uninstallCompanion } from './uninstall-companion.ts';

export interface CompanionManagerOptions {
  readonly io: DeviceIo;
  /** Android user; null is the current one. */
  readonly userId: number | null;
  /** The companion's APK; null where this build has none. */
  readonly apk: () => Promise<Uint8Array | null> | null;
  /** From `am instrument` to the companion's first word, in ms. */
  readonly startTimeoutMs?: number;
  /** For `pm install`, in ms: a person may have to agree on the device. */
  readonly installTimeoutMs?: number;
  /** When to look for a foreign companion after ours ended, in ms from the look before. */
  readonly foreignLooksMs?: readonly number[];
  /** Between two looks at the device's clock, in ms. */
  readonly clockEveryMs?: number;
}

/** The companion of one device and user: installing, starting, reuse, and who holds it. */
export interface CompanionManager {
  readonly io: DeviceIo;
  status(): CompanionStatus;
  /** Looks whether it is installed, without starting it. Throws `ProblemError` where the device cannot tell. */
  probe(): Promise<CompanionStatus>;
  /** The status, again at each change; looks first where nothing is known. */
  watch(signal: AbortSignal): AsyncIterable<CompanionStatus>;
  /**
   * The connected client: the open one, else by the remembered socket, else by a start. One start at a time. Throws
   * `ProblemError`; after another inspector took the companion over it throws `companion.taken-over` until `restart`.
   */
  ensure(): Promise<CompanionClient>;
  /** As `ensure`, on a person's wish: also takes the companion back. */
  restart(): Promise<CompanionClient>;
  /**
   * Installs, updates or reinstalls (which renews the permission grant), then connects. Throws `ProblemError` on a
   * refusal.
   */
  install(): Promise<CompanionStatus>;
  /** Removes it for this user. Throws `ProblemError` on a refusal. */
  uninstall(): Promise<CompanionStatus>;
  /** The open client, without starting anything. */
  current(): CompanionClient | null;
  /** The device's clock while connected, waiting for its first measurement; null where it is not known. */
  clock(): Promise<DeviceClock | null>;
  /** The same, measured now. */
  measureClock(): Promise<DeviceClock | null>;
  /** Raw Candidates of all pages. */
  discover(kind: 'cetp' | 'agent-provider', signal?: AbortSignal): Promise<readonly JsonObject[]>;
  /** From the first look at it on; throws when events may be missed, so that the caller looks again. */
  packageEvents(signal: AbortSignal): AsyncIterable<PackageEvent>;
  /** The process behind an authority, as far as `discover` told. */
  processNameOf(authority: string): string | null;
  /** Closes every connection. The companion ends by itself after its idle time. */
  close(): void;
}

const DEFAULTS = {
  startTimeoutMs: 20_000,
  installTimeoutMs: 180_000,
  foreignLooksMs: [0, 400, 1_200],
  clockEveryMs: 300_000,
} as const;

export function createCompanionManager(options: CompanionManagerOptions): CompanionManager {
  return new Manager(options);
}

class Manager implements CompanionManager {
  readonly io: DeviceIo;
  readonly #options: Required<CompanionManagerOptions>;
  readonly #status: LatestValue<CompanionStatus>;
  /** The version in our own APK, once read. */
  #bundled: Promise<string | null> | null = null;
  readonly #processes = new ProcessNames();
  #client: CompanionClient | null = null;
  #clock: ClockWatch | null = null;
  #remembered: CompanionAddress | null = null;
  #run: CompanionRun | null = null;
  /** Process ids of the companion when we started it. */
  #ownPids: ReadonlySet<string> | null = null;
  #connecting: Promise<CompanionClient> | null = null;
  /** The look at how our companion ended; a start waits for it. */
  #judging: Promise<void> = Promise.resolve();
  #installing: Promise<CompanionStatus> | null = null;
  #uninstalling: Promise<CompanionStatus> | null = null;
  /** `pm install` in the middle: it ends the companion, so a start waits for it. */
  #replacing: Promise<void> | null = null;
  #takenOver: Problem | null = null;
  /** Why instrumentation did not start the companion that runs now; null: it did. */
  #refusal: Problem | null = null;
  #closed = false;

  constructor(options: CompanionManagerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.io = options.io;
    this.#status = new LatestValue<CompanionStatus>({ ...UNKNOWN_COMPANION, userId: options.userId });
  }

  status(): CompanionStatus {
    return this.#status.value;
  }

  async probe(): Promise<CompanionStatus> {
    if (this.#client?.isOpen || this.#connecting !== null) return this.status();
    const installed = await isInstalled(this.io, this.#options.userId);
    if (this.#client?.isOpen || this.#connecting !== null) return this.status();
    if (!installed) this.#idle('not-installed');
    else if (this.status().state === 'unknown' || this.status().state === 'not-installed') this.#idle('installed');
    return this.status();
  }

  async *watch(signal: AbortSignal): AsyncGenerator<CompanionStatus> {
    if (this.status().state === 'unknown') {
      this.probe().catch((error: unknown) => this.#fail(toProblem(error)));
    }
    yield* this.#status.watch(signal);
  }

  ensure(): Promise<CompanionClient> {
    if (this.#client?.isOpen) return Promise.resolve(this.#client);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async restart(): Promise<CompanionClient> {
    await this.#judging;
    this.#takenOver = null;
    return this.ensure();
  }

  install(): Promise<CompanionStatus> {
    this.#installing ??= after(this.#uninstalling, () => this.#install()).finally(() => {
      this.#installing = null;
    });
    return this.#installing;
  }

  uninstall(): Promise<CompanionStatus> {
    this.#uninstalling ??= after(this.#installing, () => this.#uninstall()).finally(() => {
      this.#uninstalling = null;
    });
    return this.#uninstalling;
  }

  current(): CompanionClient | null {
    return this.#client?.isOpen ? this.#client : null;
  }

  async clock(): Promise<DeviceClock | null> {
    if (this.current() === null) return null;
    const first = await this.#clock?.first;
    return this.status().clock ?? first ?? null;
  }

  async measureClock(): Promise<DeviceClock | null> {
    return this.current() === null ? null : ((await this.#clock?.measure()) ?? null);
  }

  async discover(kind: 'cetp' | 'agent-provider', signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const client = await this.ensure();
    const candidates = await client.discover(kind, signal);
    this.#processes.learn(candidates);
    return candidates;
  }

  packageEvents(signal: AbortSignal): AsyncIterable<PackageEvent> {
    const open = this.current();
    if (open !== null) return open.packageEvents(signal);
    const ensure = () => this.ensure();
    return {
      async *[Symbol.asyncIterator]() {
        yield* (await ensure()).packageEvents(signal);
      },
    };
  }

  processNameOf(authority: string): string | null {
    return this.#processes.of(authority);
  }

  close(): void {
    this.#closed = true;
    this.#leave();
  }

  async #install(): Promise<CompanionStatus> {
    const apk = await this.#options.apk();
    if (apk === null) throw new ProblemError(problem('companion.apk-missing'));
    await this.#connecting?.catch(() => {});
    const before = this.status().state;
    this.#leave();
    try {
      this.#replacing = installApk(this.io, apk, this.#options.userId, this.#options.installTimeoutMs);
      await this.#replacing;
    } catch (error) {
      const state = before === 'connected' ? 'installed' : before;
      this.#idle(state, toProblem(error));
      throw error;
    } finally {
      this.#replacing = null;
    }
    this.#takenOver = null;
    this.#remembered = null;
    this.#idle('installed');
    // The installation has succeeded; a failed start is told by the status.
    await this.ensure().catch(() => {});
    return this.status();
  }

  async #uninstall(): Promise<CompanionStatus> {
    await this.#connecting?.catch(() => {});
    const before = this.status().state;
    this.#leave();
    try {
      this.#replacing = uninstallCompanion(this.io, this.#options.userId);
      await this.#replacing;
    } catch (error) {
      this.#idle(before === 'connected' ? 'installed' : before, toProblem(error));
      throw error;
    } finally {
      this.#replacing = null;
    }
    this.#takenOver = null;
    this.#remembered = null;
    this.#idle('not-installed');
    await this.#describe();
    return this.status();
  }

  /** Adds what the package manager tells of a companion that does not run, and what this inspector would install. */
  async #describe(): Promise<void> {
    const bundledVersion = await this.#bundledVersion();
    if (this.#status.value.bundledVersion !== bundledVersion) {
      this.#status.set({ ...this.#status.value, bundledVersion });
    }
    if (this.#status.value.state !== 'installed' || this.#status.value.version !== null) return;
    const facts = await readInstalled(this.io);
    const now = this.#status.value;
    if (now.state === 'installed' && now.version === null && facts.version !== null) {
      this.#status.set(describedStatus(now, facts));
    }
  }

  #bundledVersion(): Promise<string | null> {
    this.#bundled ??= Promise.resolve(this.#options.apk()).then(versionOfApk);
    return this.#bundled;
  }

  async #connect(): Promise<CompanionClient> {
    try {
      await this.#replacing?.catch(() => {});
      await this.#judging;
      this.#refuseWhereLost();
      const client = (await this.#reuse()) ?? (await this.#start());
      if (this.#closed) client.close();
      this.#refuseWhereLost();
      return client;
    } catch (error) {
      this.#fail(toProblem(error));
      throw error;
    }
  }

  #refuseWhereLost(): void {
    if (this.#closed) throw new ProblemError(problem('companion.closed'));
    if (this.#takenOver !== null) throw new ProblemError(this.#takenOver);
  }

  /** The app outlives a dead `am`, so the socket it had may still be there (section 1.2). */
  async #reuse(): Promise<CompanionClient | null> {
    if (this.#remembered === null) return null;
    const bundledVersion = await this.#bundledVersion();
    try {
      return this.#adopt(await connectCompanion(this.io, this.#remembered), bundledVersion);
    } catch (error) {
      // Only the device itself can say that nobody listens there; an absent device says nothing of the companion.
      const { code } = toProblem(error);
      if (code !== 'service-refused' && !code.startsWith('companion.')) throw error;
      this.#remembered = null;
    }
    // Ours is gone, and a start of ours could end a foreign companion: first learn why. While `am` is open it will say.
    const run = this.#run;
    if (run !== null) {
      await Promise.race([run.ended, new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
      await this.#judging;
    } else if (await this.#seesForeign()) this.#takenOver = problem('companion.taken-over');
    this.#refuseWhereLost();
    return null;
  }

  async #start(): Promise<CompanionClient> {
    this.#leave();
    this.#idle('starting');
    const { userId, startTimeoutMs } = this.#options;
    if (!(await isInstalled(this.io, userId))) throw new ProblemError(problem('companion.not-installed'));
    const bundledVersion = await this.#bundledVersion();
    const { run, started, refusal } = await startAnyhow(this.io, userId, startTimeoutMs);
    try {
      const client = await connectCompanion(this.io, started.address);
      this.#ownPids = await pidsOf(this.io, COMPANION_PACKAGE);
      this.#remembered = started.address;
      this.#refusal = refusal;
      this.#run = run;
      void run?.ended.then((end) => {
        if (this.#run === run) this.#judging = this.#judgeEnd(end);
      });
      return this.#adopt(client, bundledVersion);
    } catch (error) {
      run?.stop();
      throw error;
    }
  }

  #adopt(client: CompanionClient, bundledVersion: string | null): CompanionClient {
    this.#client = client;
    this.#status.set(connectedStatus(this.status(), client.hello, bundledVersion, this.#refusal));
    this.#clock = new ClockWatch(client, {
      everyMs: this.#options.clockEveryMs,
      onMeasured: (clock) => {
        if (this.#client === client) this.#status.set({ ...this.status(), clock });
      },
    });
    void client.closed.then((reason) => {
      if (this.#client !== client) return;
      this.#client = null;
      if (this.#takenOver === null) this.#fail(reason);
    });
    return client;
  }

  /** Another desktop's start ends ours within moments: then a process lives that we did not start (section 1.2). */
  async #judgeEnd(end: InstrumentationEnd): Promise<void> {
    this.#run = null;
    if (end.kind === 'watcher-lost') return;
    this.#remembered = null;
    const foreign = !end.finished && (await this.#seesForeign());
    if (this.#closed) return;
    this.#client?.close(end.problem);
    this.#client = null;
    if (foreign) this.#takenOver = problem('companion.taken-over', {}, end.problem.raw);
    if (this.#takenOver === null && end.finished) this.#idle('installed');
    else this.#fail(this.#takenOver ?? end.problem);
  }

  #seesForeign(): Promise<boolean> {
    return seesForeign(this.io, COMPANION_PACKAGE, this.#ownPids, this.#options.foreignLooksMs);
  }

  /** Lets go of the run and the connection, without ending the companion. */
  #leave(): void {
    const run = this.#run;
    const client = this.#client;
    this.#run = null;
    this.#client = null;
    run?.stop();
    client?.close();
  }

  #fail(reason: Problem): void {
    this.#idle(reason.code === 'companion.not-installed' ? 'not-installed' : 'failed', reason);
  }

  #idle(state: CompanionStatus['state'], reason: Problem | null = null): void {
    this.#status.set(idleStatus(this.#status.value, state, reason));
    if (state === 'installed' || state === 'not-installed') void this.#describe();
  }
}

/** Two changes of one installation never run at once; a failed one before does not keep the next. */
async function after<T>(before: Promise<unknown> | null, work: () => Promise<T>): Promise<T> {
  await before?.catch(() => {});
  return work();
}
