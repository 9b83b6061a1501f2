import { ProblemError, problem } from '../../shared/model/problem.ts';
import { parseLongRows, parseShortRows } from './device-rows.ts';
import type { Conversation } from './smart-socket.ts';
import type { AdbDeviceRow } from './transport.ts';

/**
 * Servers before 30 announce a new device but not that it became
 * `unauthorized` or `offline` afterwards; the plain list tells. It costs them
 * well under a millisecond.
 */
const POLL_MS = 1_000;

export interface TrackerOptions {
  readonly open: (what: string, signal: AbortSignal) => Promise<Conversation>;
  /** One request that is answered by one block. */
  readonly ask: (service: string, what: string, signal: AbortSignal) => Promise<string>;
  readonly signal: AbortSignal;
  readonly pollMs?: number;
}

/** The server's list at the start and at each change, until the abort (it ends) or the server's end (it throws). */
export async function* trackDevices(options: TrackerOptions): AsyncGenerator<readonly AdbDeviceRow[]> {
  const { signal } = options;
  let conversation: Conversation | null = null;
  try {
    const long = await start(options, 'host:track-devices-l');
    conversation = long ?? (await start(options, 'host:track-devices'));
    if (conversation === null) throw new ProblemError(problem('adb-refused', { request: 'host:track-devices' }));
    const parse = long === null ? parseShortRows : parseLongRows;
    const listService = long === null ? 'host:devices' : 'host:devices-l';
    let last: string | null = null;
    for (;;) {
      const block = watchPromise(conversation.readBlock());
      while (!(await block.settledWithin(options.pollMs ?? POLL_MS))) {
        const text = await options.ask(listService, listService, signal).catch(nullWhenRefused);
        // A block that arrived meanwhile is newer or the same.
        if (text === null || block.settled || text === last) continue;
        last = text;
        yield parse(text);
      }
      const text = await block.value;
      if (text === last) continue;
      last = text;
      yield parse(text);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    conversation?.close();
  }
}

/** A poll that fails otherwise tells that the server is gone, which an idle tracker would not notice. */
function nullWhenRefused(error: unknown): null {
  if (error instanceof ProblemError && error.problem.code === 'adb-refused') return null;
  throw error;
}

/** Null where the server refuses the request: those before version 40 do not know the long form. */
async function start(options: TrackerOptions, service: string): Promise<Conversation | null> {
  const conversation = await options.open(service, options.signal);
  try {
    await conversation.send(service);
    await conversation.expectOkay((raw) => problem('adb-refused', { request: service }, raw));
    conversation.waitWithoutLimit();
    return conversation;
  } catch (error) {
    conversation.close();
    const refused = error instanceof ProblemError && error.problem.code === 'adb-refused';
    if (refused && service.endsWith('-l')) return null;
    throw error;
  }
}

interface WatchedPromise<T> {
  readonly value: Promise<T>;
  readonly settled: boolean;
  settledWithin(ms: number): Promise<boolean>;
}

/** Waits again and again for one promise without piling up reactions on it, as `Promise.race` would. */
function watchPromise<T>(value: Promise<T>): WatchedPromise<T> {
  const state = { settled: false, wake: () => {} };
  const settle = () => {
    state.settled = true;
    state.wake();
  };
  value.then(settle, settle);
  return {
    value,
    get settled() {
      return state.settled;
    },
    settledWithin: (ms) =>
      new Promise((resolve) => {
        if (state.settled) return resolve(true);
        const timer = setTimeout(() => resolve(false), ms);
        state.wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
  };
}
