import { isJsonObject, type JsonObject, member, printJson } from '../../../shared/base/json.ts';
import type { Bundle } from '../../../shared/model/bundle.ts';
import { type Problem, ProblemError, problem } from '../../../shared/model/problem.ts';
import { decodeBundle } from '../../../shared/protocols/companion/decode-bundle.ts';
import {
  type CompanionHello,
  type CompanionOp,
  callParamsText,
  type PackageEvent,
  type WireError,
} from '../../../shared/protocols/companion/frames.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import type { ActivityData } from '../bridge.ts';
import {
  ANSWER_GRACE_MS,
  type CompanionAddress,
  type CompanionConnection,
  numberOf,
  openConnection,
} from './companion-connection.ts';
import { wireErrorProblem } from './companion-problems.ts';
import { type HandleStream, openHandleStream } from './handle-stream.ts';
import { readAllCandidates } from './read-candidates.ts';
import { readLaunch } from './read-launch.ts';

/** How long an op that only looks may take, in ms. */
const LOOK_MS = 60_000;

/** Package events that may wait unread before the stream fails. */
const MAX_UNREAD_EVENTS = 10_000;

export type CallReply =
  | {
      readonly kind: 'answer';
      /** Null: the Provider answered null. */
      readonly bundle: Bundle | null;
      readonly nullKeys: number;
      readonly elapsedMs: number | null;
    }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'failed'; readonly problem: Problem };

export type LaunchReply =
  | {
      readonly kind: 'result';
      readonly resultCode: number;
      readonly data: ActivityData | null;
      readonly elapsedMs: number | null;
    }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** What `ping` tells of the device's clock. */
export interface ClockReading {
  readonly elapsedRealtimeMs: number;
  readonly wallClockMs: number;
  /** Device clock minus host clock, in ms, taken at the middle of the round trip; off by half of it at most. */
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onSent?: () => void;
}

/** One connected companion: the ops of section 3, typed. Made by `connectCompanion`. */
export interface CompanionClient {
  readonly hello: CompanionHello;
  readonly isOpen: boolean;
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<Problem>;
  /** `ContentProvider.call`; `extrasText` goes in byte for byte. Never rejects. */
  call(
    params: {
      readonly authority: string;
      readonly method: string;
      readonly arg: string | null;
      readonly extrasText: string;
      readonly timeoutMs: number;
    },
    options?: CallOptions,
  ): Promise<CallReply>;
  /** Raw Candidates of every page, in order of package. */
  discover(kind: 'cetp' | 'agent-provider', signal?: AbortSignal): Promise<readonly JsonObject[]>;
  ping(): Promise<ClockReading>;
  /** Unknown handles are no error; neither is a connection that is gone, since its handles went with it. */
  release(handles: readonly string[]): Promise<void>;
  /**
   * Installs, updates and removals from the call on. Throws `ProblemError` when the connection ends, as events are
   * missed from then on; ends without an error when the signal aborts.
   */
  packageEvents(signal: AbortSignal): AsyncIterable<PackageEvent>;
  /** Launches a `pendingIntent` handle and waits for the activity's result; an abort ends the wait. Never rejects. */
  launch(handle: string, timeoutMs: number, signal: AbortSignal): Promise<LaunchReply>;
  /** Reads an `fd` handle on a connection of its own. */
  readHandle(handle: string, signal?: AbortSignal): Promise<HandleStream>;
  /** `reason` is what open requests are told; by default that this desktop closed. */
  close(reason?: Problem): void;
}

/** Connects and authenticates. Throws `ProblemError` as `openConnection` does. */
export async function connectCompanion(
  io: DeviceIo,
  address: CompanionAddress,
  signal?: AbortSignal,
): Promise<CompanionClient> {
  const { connection, hello } = await openConnection(io, address, signal);
  return new Client(io, address, connection, hello);
}

class Client implements CompanionClient {
  readonly hello: CompanionHello;
  readonly #io: DeviceIo;
  readonly #address: CompanionAddress;
  readonly #connection: CompanionConnection;
  #packageWatchers = 0;

  constructor(io: DeviceIo, address: CompanionAddress, connection: CompanionConnection, hello: CompanionHello) {
    this.#io = io;
    this.#address = address;
    this.#connection = connection;
    this.hello = hello;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  get closed(): Promise<Problem> {
    return this.#connection.closed;
  }

  async call(params: Parameters<CompanionClient['call']>[0], options: CallOptions = {}): Promise<CallReply> {
    const reply = await this.#connection.request('call', callParamsText(params), {
      signal: options.signal,
      onSent: options.onSent,
      replyWithinMs: params.timeoutMs + ANSWER_GRACE_MS,
    });
    if (reply.kind !== 'ok') return reply;
    const result = member(reply.value, 'result');
    if (result === undefined) return failed(problem('companion.bad-reply', { reason: 'the result is missing' }));
    const counts = { nullKeys: numberOf(reply.value, 'nullKeys') ?? 0, elapsedMs: numberOf(reply.value, 'elapsedMs') };
    if (result === null) return { kind: 'answer', bundle: null, ...counts };
    const bundle = decodeBundle(result);
    if (bundle.ok) return { kind: 'answer', bundle: bundle.value, ...counts };
    const { path, message } = bundle.error;
    return failed(problem('companion.bad-bundle', { path, reason: message }, printJson(result).slice(0, 64 * 1024)));
  }

  discover(kind: 'cetp' | 'agent-provider', signal?: AbortSignal): Promise<readonly JsonObject[]> {
    return readAllCandidates(
      (paramsText) => this.#connection.request('discover', paramsText, { signal, replyWithinMs: LOOK_MS }),
      kind,
    );
  }

  async ping(): Promise<ClockReading> {
    const wallBefore = Date.now();
    const before = performance.now();
    const value = await this.#look('ping', null);
    const roundTripMs = performance.now() - before;
    const elapsedRealtimeMs = numberOf(value, 'elapsedRealtimeMs');
    const wallClockMs = numberOf(value, 'wallClockMs');
    if (elapsedRealtimeMs === null || wallClockMs === null) {
      throw new ProblemError(problem('companion.bad-reply', { reason: 'ping without its clocks' }));
    }
    return { elapsedRealtimeMs, wallClockMs, offsetMs: wallClockMs - (wallBefore + roundTripMs / 2), roundTripMs };
  }

  async release(handles: readonly string[]): Promise<void> {
    if (handles.length === 0) return;
    await this.#connection.request('release', JSON.stringify({ handles }), { replyWithinMs: LOOK_MS });
  }

  packageEvents(signal: AbortSignal): AsyncIterable<PackageEvent> {
    const unread: PackageEvent[] = [];
    let end: Problem | 'aborted' | null = signal.aborted ? 'aborted' : null;
    let wake = () => {};
    const stop = (reason: Problem | 'aborted') => {
      if (end !== null) return;
      end = reason;
      removeListener();
      signal.removeEventListener('abort', onAbort);
      void this.#watchPackages(-1);
      wake();
    };
    const onAbort = () => stop('aborted');
    const removeListener = this.#connection.onPackageEvent((event) => {
      unread.push(event);
      if (unread.length > MAX_UNREAD_EVENTS) stop(problem('companion.events-missed', { limit: MAX_UNREAD_EVENTS }));
      wake();
    });
    if (end === null) {
      signal.addEventListener('abort', onAbort, { once: true });
      void this.#connection.closed.then(stop);
      void this.#watchPackages(1).then((refusal) => refusal !== null && stop(refusal));
    }
    return {
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) {
            const event = unread.shift();
            if (event !== undefined) yield event;
            else if (end === 'aborted') return;
            else if (end !== null) throw new ProblemError(end);
            else {
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
            }
          }
        } finally {
          stop('aborted');
        }
      },
    };
  }

  async launch(handle: string, timeoutMs: number, signal: AbortSignal): Promise<LaunchReply> {
    const reply = await this.#connection.request('launch', JSON.stringify({ handle, timeoutMs }), {
      signal,
      replyWithinMs: timeoutMs + ANSWER_GRACE_MS,
    });
    return reply.kind === 'ok' ? readLaunch(reply.value) : reply;
  }

  readHandle(handle: string, signal?: AbortSignal): Promise<HandleStream> {
    return openHandleStream(this.#io, this.#address, handle, signal);
  }

  close(reason?: Problem): void {
    this.#connection.close(reason);
  }

  /** Turns the device's events on with the first watcher and off with the last. */
  async #watchPackages(change: 1 | -1): Promise<Problem | null> {
    this.#packageWatchers += change;
    const on = change === 1;
    if (this.#packageWatchers !== (on ? 1 : 0)) return null;
    if (!this.isOpen) return null;
    const reply = await this.#connection.request('watch', JSON.stringify({ packages: on }), { replyWithinMs: LOOK_MS });
    return reply.kind === 'ok' ? null : reply.kind === 'error' ? wireErrorProblem(reply.error) : reply.problem;
  }

  async #look(op: CompanionOp, paramsText: string | null): Promise<JsonObject> {
    const reply = await this.#connection.request(op, paramsText, { replyWithinMs: LOOK_MS });
    if (reply.kind === 'failed') throw new ProblemError(reply.problem);
    if (reply.kind === 'error') throw new ProblemError(wireErrorProblem(reply.error));
    if (!isJsonObject(reply.value)) throw new ProblemError(problem('companion.bad-reply', { reason: 'no object' }));
    return reply.value;
  }
}

function failed(reason: Problem): CallReply {
  return { kind: 'failed', problem: reason };
}
