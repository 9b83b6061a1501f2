import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A second Ctrl+C counts only after this, in ms: a terminal and a parent process may both pass on the first. */
const SAME_INTERRUPT_MS = 500;

/** Ctrl+C, a polite kill, or the end of the terminal, as the entry hears them. */
export interface Signals {
  heard: () => void;
}

/** The first interrupt aborts the signal given back, a second one calls `insist`. */
export function listenForInterrupt(signals: Signals, insist: () => void): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | null = null;
  signals.heard = () => {
    if (firstAt !== null && performance.now() - firstAt > SAME_INTERRUPT_MS) insist();
    firstAt ??= performance.now();
    controller.abort();
  };
  return controller.signal;
}

/** The command was interrupted before its answer. */
export class Interrupted extends Error {}

/** Ends with `work`, or with `Interrupted` once `graceMs` have passed since the interrupt. */
export function unlessInterrupted<T>(signal: AbortSignal, work: Promise<T>, graceMs = 0): Promise<T> {
  const late = elapsedSince(signal, graceMs).then(() => Promise.reject(new Interrupted()));
  return Promise.race([work, late]);
}

/** Resolves `ms` after the interrupt, and never without one. */
export async function elapsedSince(signal: AbortSignal, ms: number): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  if (ms > 0) await delay(ms, undefined, { ref: false });
}
