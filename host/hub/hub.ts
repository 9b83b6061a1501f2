import type { CompanionStatus, Device } from '../../shared/model/device.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import type { Provider, ProviderSnapshot } from '../../shared/model/provider.ts';
import { UNKNOWN_COMPANION } from '../bridge/companion/companion-status.ts';
import { type Changes, createChanges } from '../devices/changes.ts';
import type { DeviceRegistry } from '../devices/device-registry.ts';
import type { ProviderAccess, Target } from '../sessions/deps.ts';
import { DeviceRuntime, type RuntimeOptions } from './device-runtime.ts';

export interface OnDevice {
  readonly deviceKey: string;
  /** Null is the current user. */
  readonly userId: number | null;
}

export interface HubOptions {
  readonly registry: DeviceRegistry;
  readonly apk: RuntimeOptions['apk'];
  /** The device left; its sessions and calls end. */
  readonly onGone: (device: Device) => void;
  /** A Provider was removed or replaced. */
  readonly onProviderGone: (target: Target, change: 'removed' | 'replaced') => void;
}

/** How long a look goes on after its last reader, in ms: a call that follows finds a fresh picture. */
const LINGER_MS = 30_000;

/** Which runtime, picture and bridge belong to a device and user. */
export class Hub {
  readonly #options: HubOptions;
  readonly #runtimes = new Map<string, DeviceRuntime>();
  readonly #pictures = new Map<string, ProviderSnapshot>();
  readonly #lingering = new Map<string, { readonly stop: AbortController; timer: NodeJS.Timeout }>();
  readonly #changes: Changes = createChanges();
  readonly #stopListening: () => void;
  /** Ends every watch with the hub: the registry's own streams have ended then, and would end again at once for ever. */
  readonly #closed = new AbortController();

  constructor(options: HubOptions) {
    this.#options = options;
    this.#stopListening = options.registry.onDevice(({ kind, device }) => {
      if (kind === 'gone') {
        this.#drop(device.key);
        options.onGone(device);
      }
      this.#changes.bump();
    });
  }

  /** The user that null stands for: the one in the foreground, as far as the device told; else 0. */
  currentUser(deviceKey: string): number {
    const device = this.#options.registry.snapshot().devices.find(({ key }) => key === deviceKey);
    return device?.users.find(({ current }) => current)?.id ?? 0;
  }

  /** The device's runtime. Throws `device-not-ready`, `device-unknown`, or `host-closed`. */
  runtime(deviceKey: string): DeviceRuntime {
    if (this.#closed.signal.aborted) throw new ProblemError(problem('host-closed'));
    const known = this.#runtimes.get(deviceKey);
    if (known !== undefined) return known;
    const runtime = new DeviceRuntime({ io: this.#options.registry.io(deviceKey), apk: this.#options.apk });
    this.#runtimes.set(deviceKey, runtime);
    return runtime;
  }

  /** The Providers, live. While the device is away the last picture stays, marked `failed` with the reason. */
  async *watchProviders(target: OnDevice, reader: AbortSignal): AsyncGenerator<ProviderSnapshot, void, void> {
    const signal = AbortSignal.any([reader, this.#closed.signal]);
    const key = this.#pictureKey(target);
    for (;;) {
      for await (const runtime of this.#whenReady(target, signal)) {
        if (runtime instanceof ProblemError) {
          const last = this.#pictures.get(key);
          yield { ...(last ?? this.#nothingYet(target)), state: 'failed', problem: runtime.problem, atMs: Date.now() };
          continue;
        }
        const either = AbortSignal.any([signal, runtime.gone.signal]);
        const last = this.#pictures.get(key);
        yield { ...(last ?? this.#nothingYet(target)), state: 'looking' };
        await runtime.connectCompanion(this.#user(target));
        for await (const snapshot of runtime.watcher.watch(target.userId, either)) {
          this.#keep(target, key, snapshot);
          yield snapshot;
        }
        break;
      }
      if (signal.aborted) return;
    }
  }

  async refresh(target: OnDevice): Promise<void> {
    await this.runtime(target.deviceKey).watcher.refresh(target.userId);
  }

  async *watchCompanion(target: OnDevice, reader: AbortSignal): AsyncGenerator<CompanionStatus, void, void> {
    const signal = AbortSignal.any([reader, this.#closed.signal]);
    for (;;) {
      for await (const runtime of this.#whenReady(target, signal)) {
        if (runtime instanceof ProblemError) {
          yield { ...UNKNOWN_COMPANION, userId: target.userId, problem: runtime.problem };
          continue;
        }
        const either = AbortSignal.any([signal, runtime.gone.signal]);
        yield* runtime.companion(this.#user(target)).watch(either);
        break;
      }
      if (signal.aborted) return;
    }
  }

  async installCompanion(target: OnDevice): Promise<CompanionStatus> {
    return this.runtime(target.deviceKey).companion(this.#user(target)).install();
  }

  async uninstallCompanion(target: OnDevice): Promise<CompanionStatus> {
    return this.runtime(target.deviceKey).companion(this.#user(target)).uninstall();
  }

  /** On a person's wish: starts an installed companion, and takes it back from another inspector. */
  async takeCompanion(target: OnDevice): Promise<CompanionStatus> {
    const manager = this.runtime(target.deviceKey).companion(this.#user(target));
    await manager.restart();
    return manager.status();
  }

  /** For the doctor: connects an installed companion, never installs one. */
  async companionStatus(deviceKey: string, userId: number | null): Promise<CompanionStatus> {
    const runtime = this.runtime(deviceKey);
    const user = this.#user({ deviceKey, userId });
    await runtime.connectCompanion(user);
    return runtime.companion(user).status();
  }

  /** For the doctor: the device's clock as it is now; null where the companion cannot tell. */
  async measureClock({ deviceKey, userId }: OnDevice): Promise<DeviceClock | null> {
    return this.runtime(deviceKey).companion(this.#user({ deviceKey, userId })).measureClock();
  }

  /** A finished look. Throws `ProblemError` where there is none. */
  async discover(deviceKey: string, userId: number | null): Promise<ProviderSnapshot> {
    const target = { deviceKey, userId };
    const key = this.#pictureKey(target);
    this.#linger(target, key);
    const stop = new AbortController();
    try {
      for await (const snapshot of this.watchProviders(target, stop.signal)) {
        if (snapshot.state === 'looking') continue;
        if (snapshot.state === 'failed' && snapshot.providers.length === 0) {
          throw new ProblemError(snapshot.problem ?? problem('discovery-failed'));
        }
        return snapshot;
      }
    } finally {
      stop.abort();
    }
    throw new ProblemError(problem('discovery-failed'));
  }

  /** The Provider as it is now and the bridge that calls to it take. */
  async access(target: Target): Promise<ProviderAccess> {
    const runtime = this.runtime(target.deviceKey);
    let snapshot = await this.discover(target.deviceKey, target.userId);
    if (isOlderThan(runtime.companion(this.#user(target)).status(), snapshot, target.providerKey)) {
      await runtime.watcher.refresh(target.userId);
      snapshot = await this.discover(target.deviceKey, target.userId);
    }
    const provider = snapshot.providers.find(({ key }) => key === target.providerKey);
    if (provider === undefined) throw new ProblemError(problem('provider-gone', { provider: target.providerKey }));
    if (provider.bridge === 'none') {
      throw new ProblemError(
        provider.bridgeProblem ?? problem('provider-unreachable', { provider: target.providerKey }),
      );
    }
    const device = this.#options.registry.snapshot().devices.find(({ key }) => key === target.deviceKey);
    return {
      provider,
      deviceLabel: labelOf(device, target.deviceKey),
      bridge: runtime.bridge(provider.bridge, provider.userId),
      clock: provider.bridge === 'companion' ? await runtime.companion(provider.userId).clock() : null,
    };
  }

  close(): void {
    this.#stopListening();
    this.#closed.abort();
    for (const { stop, timer } of this.#lingering.values()) {
      clearTimeout(timer);
      stop.abort();
    }
    for (const key of [...this.#runtimes.keys()]) this.#drop(key);
    this.#changes.close();
  }

  /** The runtime once the device is ready; before that, each reason why it is not. */
  async *#whenReady(target: OnDevice, signal: AbortSignal): AsyncGenerator<DeviceRuntime | ProblemError, void, void> {
    let told = '';
    for await (const _ of this.#options.registry.watch(signal)) {
      try {
        const runtime = this.runtime(target.deviceKey);
        this.#requireUser(target);
        yield runtime;
        return;
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const now = JSON.stringify(error.problem);
        if (now === told) continue;
        told = now;
        // A user may have been added since the device told its facts.
        if (error.problem.code === 'user-unknown') this.#options.registry.refresh(target.deviceKey);
        yield error;
      }
    }
  }

  /** A user that the device does not have must not look like one without apps. */
  #requireUser({ deviceKey, userId }: OnDevice): void {
    const { users } = this.#options.registry.snapshot().devices.find(({ key }) => key === deviceKey) ?? { users: [] };
    if (userId === null || users.length === 0 || users.some(({ id }) => id === userId)) return;
    throw new ProblemError(problem('user-unknown', { user: userId, known: users.map(({ id }) => id).join(', ') }));
  }

  #nothingYet(target: OnDevice): ProviderSnapshot {
    return {
      deviceKey: target.deviceKey,
      userId: this.#user(target),
      state: 'looking',
      origin: null,
      providers: [],
      problem: null,
      unreadable: [],
      atMs: Date.now(),
    };
  }

  #user({ deviceKey, userId }: OnDevice): number {
    return userId ?? this.currentUser(deviceKey);
  }

  #pictureKey(target: OnDevice): string {
    return `${target.deviceKey} ${target.userId ?? 'current'}`;
  }

  /** Keeps a look going for a while, so that several calls in a row share one. */
  #linger(target: OnDevice, key: string): void {
    const known = this.#lingering.get(key);
    if (known !== undefined) {
      known.timer.refresh();
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort();
      this.#lingering.delete(key);
    }, LINGER_MS);
    timer.unref();
    this.#lingering.set(key, { stop, timer });
    void (async () => {
      for await (const _ of this.watchProviders(target, stop.signal)) {
        // Only to keep the watcher's loop alive.
      }
    })().catch(() => {});
  }

  #keep(target: OnDevice, key: string, snapshot: ProviderSnapshot): void {
    const before = this.#pictures.get(key);
    this.#pictures.set(key, snapshot);
    if (before === undefined || snapshot.state !== 'ready') return;
    for (const provider of before.providers) {
      const now = snapshot.providers.find((other) => other.key === provider.key);
      if (now === undefined) this.#options.onProviderGone({ ...target, providerKey: provider.key }, 'removed');
      else if (codeOf(now) !== codeOf(provider)) {
        this.#options.onProviderGone({ ...target, providerKey: provider.key }, 'replaced');
      }
    }
  }

  #drop(deviceKey: string): void {
    this.#runtimes.get(deviceKey)?.close();
    this.#runtimes.delete(deviceKey);
  }
}

/** Whether the picture was made before the companion connected or got its permission: what it refuses may work now. */
function isOlderThan(
  companion: CompanionStatus,
  { origin, providers }: ProviderSnapshot,
  providerKey: string,
): boolean {
  if (companion.state !== 'connected') return false;
  const provider = providers.find(({ key }) => key === providerKey);
  const wasDenied = provider?.bridgeProblem?.code === 'bridge-permission-denied';
  return origin === 'shell' || (wasDenied && companion.permission === 'granted');
}

/** What differs when the app behind a Provider was replaced, also by a build of the same version. */
function codeOf({ candidate, protocol, authority, versions }: Provider): string {
  return JSON.stringify([
    candidate.versionCode,
    candidate.uid,
    candidate.signingCertSha256,
    protocol,
    authority,
    versions,
  ]);
}

export function labelOf(device: Device | undefined, fallback: string): string {
  if (device === undefined) return fallback;
  const name = [device.manufacturer, device.model].filter((part) => part !== null).join(' ');
  return name === '' ? device.serial : name;
}
