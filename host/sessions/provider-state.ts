import { clockCorrection } from '../../shared/base/clock-correction.ts';
import type { Catalog, ProviderInfo } from '../../shared/model/catalog.ts';
import type { CatalogDiff } from '../../shared/model/catalog-diff.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';
import type { ReadList } from '../../shared/protocols/cetp/catalog-diff.ts';
import type { OpenSession, ToolReading } from '../../shared/protocols/cetp/codec.ts';
import { LatestValue } from '../base/latest-value.ts';
import { CallList } from './call-list.ts';
import type { Clock, Target } from './deps.ts';
import type { Interrupt } from './exchange.ts';
import { Gate } from './gate.ts';

/** Requests at once where the Provider names no limit, and at most: the companion takes 16 a connection. */
const LOCAL_CONCURRENCY = 12;
const MAX_PAST = 50;
const LONGEST_TIMER_MS = 60 * 60 * 1000;

/** The last list that was read, kept while newer attempts fail. */
export interface LoadedCatalog {
  readonly catalog: Catalog;
  readonly readings: readonly ToolReading[];
  readonly info: ProviderInfo | null;
  /** The v1 namespace of a Consumer's names. */
  readonly label: string | null;
  /** The v2 one, as negotiated. */
  readonly providerId: string | null;
}

/** What is known of one Provider for one user of one device. Changed only by the files beside this one. */
export class ProviderState {
  readonly target: Target & { readonly userId: number };
  readonly session = new LatestValue<Session | null>(null);
  readonly gate = new Gate(LOCAL_CONCURRENCY);
  readonly calls = new CallList();
  /** Requests in flight or waiting. */
  readonly interrupts = new Set<Interrupt>();
  /** Told when a session opens. */
  readonly onOpen = new Set<() => void>();
  /** Told when a session that was open is over, and why. */
  onEnded: (session: Session) => void = () => {};
  /** The negotiations of this run, newest first. */
  past: readonly Session[] = [];
  negotiating: Promise<Session> | null = null;
  loadingCatalog: Promise<Catalog> | null = null;
  loaded: LoadedCatalog | null = null;
  /** The list that the next one is compared with; stays when the app is replaced. */
  lastList: (ReadList & { readonly earlierRun: boolean }) | null = null;
  /** The last comparison of two lists that found something, or the first of all. */
  diff: CatalogDiff | null = null;
  /** The device's clock as last measured: expiry and deadlines are meant by it (v2 2.2, 4.1). */
  deviceClock: DeviceClock | null = null;
  readonly #clock: Clock;
  /** The token's holder of the session on show; kept after its end for deliberate negative tests. */
  #open: OpenSession | null = null;
  /** The one before it, for the same. */
  #previous: OpenSession | null = null;
  #stopExpiry: () => void = () => {};

  constructor(target: Target & { readonly userId: number }, clock: Clock) {
    this.target = target;
    this.#clock = clock;
  }

  /** Now, by the device's clock as far as that is known; epoch ms. */
  deviceNow(): number {
    return this.#clock.now() + clockCorrection(this.deviceClock);
  }

  /** The session on show, and what its calls need. A session whose time is up has expired, timer or not. */
  current(): { session: Session | null; open: OpenSession | null } {
    this.#expireIfDue();
    return { session: this.session.value, open: this.#open };
  }

  /** The token of a session that is over, for deliberate negative tests; null where this run knows none. Secret. */
  staleToken(): string | null {
    const { session, open } = this.current();
    return (session?.state === 'open' || open === null ? this.#previous : open)?.token ?? null;
  }

  /** Puts a new session on show. */
  begin(session: Session, open: OpenSession | null): void {
    this.#stopExpiry();
    this.gate.settleAll();
    this.#replaceOpen(session);
    if (this.#open !== null && this.#open !== open) this.#previous = this.#open;
    this.#open = open;
    this.#remember(session);
    if (session.state !== 'open') return;
    this.gate.setLimit(Math.min(session.limits.maxConcurrentRequests ?? LOCAL_CONCURRENCY, LOCAL_CONCURRENCY));
    this.#armExpiry(session);
    for (const told of [...this.onOpen]) told();
  }

  /** Ends the session in force, if there is one (and, where an id is given, if it is that one). */
  end(reason: Problem, sessionId?: string): void {
    const { session } = this.current();
    if (session?.state !== 'open' || (sessionId !== undefined && session.id !== sessionId)) return;
    this.#finish(session, 'ended', reason);
  }

  close(): void {
    this.#stopExpiry();
  }

  #armExpiry(session: Session): void {
    if (session.expiresAtMs === null) return;
    const left = Math.max(0, session.expiresAtMs - this.deviceNow());
    this.#stopExpiry = this.#clock.after(Math.min(left, LONGEST_TIMER_MS), () => {
      if (!this.#expireIfDue()) this.#armExpiry(session);
    });
  }

  #expireIfDue(): boolean {
    const session = this.session.value;
    if (session?.state !== 'open' || session.expiresAtMs === null || this.deviceNow() < session.expiresAtMs) {
      return false;
    }
    this.#finish(session, 'expired', problem('session-expired', { expiresAtMs: session.expiresAtMs }));
    return true;
  }

  #finish(session: Session, state: 'expired' | 'ended', reason: Problem): void {
    this.#stopExpiry();
    this.gate.settleAll();
    const ended = { ...session, state, problem: reason, endedAtMs: this.#clock.now() };
    this.#remember(ended);
    this.onEnded(ended);
  }

  /** v2 2.2: a new negotiation ends the session in force; it keeps its own record. */
  #replaceOpen(next: Session): void {
    const before = this.session.value;
    if (before?.state !== 'open' || before.id === next.id) return;
    this.#finish(before, 'ended', problem('session-renegotiated'));
  }

  #remember(session: Session): void {
    const others = this.past.filter(({ id }) => id !== session.id);
    this.past = [session, ...others].slice(0, MAX_PAST);
    this.session.set(session);
  }
}
