import { setTimeout as delay } from 'node:timers/promises';
import type { CompanionStatus } from '../../shared/model/device.ts';
import { toProblem } from '../../shared/model/problem.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import { LatestValue } from '../base/latest-value.ts';
import { type ApkCache, createApkCache } from './apk-cache.ts';
import { currentUser, queryEnabledServices, shellUid } from './device-queries.ts';
import { type CompanionSource, lookForProviders } from './provider-look.ts';

export interface ProviderWatcherDeps {
  readonly io: DeviceIo;
  /** The companion of a user; null where none is in play. */
  readonly companion: (userId: number) => CompanionSource | null;
  /** Between two looks for changes without a companion, in ms; default 1 000. */
  readonly pollMs?: number;
  /**
   * Without a companion, a full look at the latest after this many polls without a change; default 30. It finds what the
   * listing does not show, such as a permission's definer that came or went.
   */
  readonly pollsToFullLook?: number;
  readonly now?: () => number;
}

/** The Providers of one device, live while somebody watches. */
export interface ProviderWatcher {
  /**
   * The picture so far at once (`looking` before the first look), then again at
   * each change until the signal aborts. `userId` null is the user in the
   * foreground when the watching starts. Watchers of one user share one look.
   */
  watch(userId: number | null, signal: AbortSignal): AsyncIterable<ProviderSnapshot>;
  /** Forgets what was read from APKs and looks again; resolves when that look has ended. */
  refresh(userId: number | null): Promise<void>;
}

/** The user is not known yet, or the device would not say. */
const UNKNOWN_USER = -1;
const POLL_MS = 1000;
const POLLS_TO_FULL_LOOK = 30;

export function createProviderWatcher(deps: ProviderWatcherDeps): ProviderWatcher {
  const cache = createApkCache();
  const watches = new Map<number | null, UserWatch>();
  return {
    async *watch(userId, signal) {
      const watch = watches.get(userId) ?? new UserWatch(deps, cache, userId);
      watches.set(userId, watch);
      watch.acquire();
      try {
        yield* watch.snapshots(signal);
      } finally {
        if (watch.release()) watches.delete(userId);
      }
    },
    async refresh(userId) {
      cache.clear();
      await watches.get(userId)?.refresh();
    },
  };
}

/** One loop for one user: look, wait for a reason to look again, look. */
class UserWatch {
  readonly #deps: ProviderWatcherDeps;
  readonly #cache: ApkCache;
  readonly #wantedUser: number | null;
  readonly #latest: LatestValue<ProviderSnapshot>;
  readonly #reasons = new LatestValue(0);
  readonly #ended = new LatestValue(0);
  #watchers = 0;
  #stop: AbortController | null = null;

  constructor(deps: ProviderWatcherDeps, cache: ApkCache, userId: number | null) {
    this.#deps = deps;
    this.#cache = cache;
    this.#wantedUser = userId;
    this.#latest = new LatestValue<ProviderSnapshot>({
      deviceKey: deps.io.deviceKey,
      userId: userId ?? UNKNOWN_USER,
      state: 'looking',
      origin: null,
      providers: [],
      problem: null,
      unreadable: [],
      atMs: this.#now(),
    });
  }

  acquire(): void {
    this.#watchers++;
    if (this.#stop !== null) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  /** True when nobody watches any more. */
  release(): boolean {
    this.#watchers--;
    if (this.#watchers > 0) return false;
    this.#stop?.abort();
    return true;
  }

  snapshots(signal: AbortSignal): AsyncIterable<ProviderSnapshot> {
    return this.#latest.watch(signal);
  }

  async refresh(): Promise<void> {
    const stop = this.#stop?.signal;
    if (stop === undefined || stop.aborted) return;
    this.#put({ ...this.#latest.value, state: 'looking' });
    this.#lookAgain();
    const wanted = this.#reasons.value;
    for await (const served of this.#ended.watch(stop)) if (served >= wanted) return;
  }

  #now(): number {
    return (this.#deps.now ?? Date.now)();
  }

  #lookAgain(): void {
    this.#reasons.set(this.#reasons.value + 1);
  }

  #put(snapshot: ProviderSnapshot): void {
    const { atMs: _, ...before } = this.#latest.value;
    const { atMs: __, ...after } = snapshot;
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#latest.set(snapshot);
  }

  async #run(signal: AbortSignal): Promise<void> {
    let started = false;
    while (!signal.aborted) {
      const serving = this.#reasons.value;
      let seen = 'none';
      try {
        const userId = await this.#user(signal);
        const companion = this.#deps.companion(userId);
        if (!started && companion !== null) {
          void this.#followStatus(companion, signal);
          void this.#followEvents(companion, signal);
        }
        started = true;
        seen = await this.#look(userId, companion, signal);
      } catch (error) {
        if (signal.aborted) return;
        const reason = toProblem(error);
        seen = `failed ${reason.code}`;
        // What was found before stays in sight; the state says that it may be old.
        this.#put({ ...this.#latest.value, state: 'failed', problem: reason, atMs: this.#now() });
      }
      this.#ended.set(serving);
      await this.#untilChanged(serving, seen, signal);
    }
  }

  async #user(signal: AbortSignal): Promise<number> {
    if (this.#latest.value.userId !== UNKNOWN_USER) return this.#latest.value.userId;
    const userId = this.#wantedUser ?? (await currentUser(this.#deps.io, signal));
    this.#put({ ...this.#latest.value, userId });
    return userId;
  }

  /** Looks, and answers the mark of what the package manager listed before the look. */
  async #look(userId: number, companion: CompanionSource | null, signal: AbortSignal): Promise<string> {
    const { io } = this.#deps;
    const seen = await this.#mark(signal);
    const shell = { sdk: io.sdk, root: (await shellUid(io, signal)) === 0 };
    const found = await lookForProviders({ io, userId, companion, cache: this.#cache, shell, signal });
    if (signal.aborted) return seen;
    const { providers, unreadable, origin, problem } = found;
    this.#put({
      deviceKey: io.deviceKey,
      userId,
      state: 'ready',
      origin,
      providers,
      problem,
      unreadable,
      atMs: this.#now(),
    });
    return seen;
  }

  /** What changes when a package is added, replaced, removed, enabled or disabled. */
  async #mark(signal: AbortSignal): Promise<string> {
    try {
      const { services } = await queryEnabledServices(this.#deps.io, this.#latest.value.userId, signal);
      return JSON.stringify(services.map(({ raw, ...facts }) => facts));
    } catch (error) {
      signal.throwIfAborted();
      return `failed ${toProblem(error).code}`;
    }
  }

  /** Ends when somebody asked for another look since `serving`, or polling shows a change. */
  async #untilChanged(serving: number, seen: string, signal: AbortSignal): Promise<void> {
    const turn = new AbortController();
    const either = AbortSignal.any([signal, turn.signal]);
    const asked = (async () => {
      for await (const reasons of this.#reasons.watch(either)) if (reasons !== serving) return;
    })();
    try {
      await Promise.race([asked, this.#pollUntilChanged(seen, either)]);
    } finally {
      turn.abort();
    }
  }

  async #pollUntilChanged(seen: string, signal: AbortSignal): Promise<void> {
    const most = this.#deps.pollsToFullLook ?? POLLS_TO_FULL_LOOK;
    for (let polls = 0; polls < most; ) {
      await this.#pause(signal);
      if (signal.aborted) return;
      if (this.#latest.value.userId === UNKNOWN_USER) return;
      if (this.#latest.value.state === 'ready' && this.#latest.value.origin === 'companion') continue;
      polls++;
      const now = await this.#mark(signal).catch(() => seen);
      if (now !== seen) return;
    }
  }

  /** A companion that connects, goes, or gets its permission changes the picture. */
  async #followStatus(companion: CompanionSource, signal: AbortSignal): Promise<void> {
    let before = markOf(companion.status());
    while (!signal.aborted) {
      try {
        for await (const status of companion.watch(signal)) {
          const now = markOf(status);
          if (now !== before) this.#lookAgain();
          before = now;
        }
      } catch {
        // The watch ended; its reason is in the companion's own status.
      }
      await this.#pause(signal);
    }
  }

  async #followEvents(companion: CompanionSource, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (companion.status().state === 'connected') {
        try {
          const events = companion.packageEvents(signal)[Symbol.asyncIterator]();
          let next = events.next();
          // What happened between the last look and this subscription is not told.
          this.#lookAgain();
          for (let event = await next; event.done !== true; event = await next) {
            this.#lookAgain();
            next = events.next();
          }
        } catch {
          // Events may have been missed.
          this.#lookAgain();
        }
      }
      await this.#pause(signal);
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await delay(this.#deps.pollMs ?? POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** What of a companion's status bears on the picture; its clock, measured again and again, does not. */
function markOf({ clock: _, ...rest }: CompanionStatus): string {
  return JSON.stringify(rest);
}
