import type { Problem } from '../../shared/model/problem.ts';
import type { SessionsDeps } from './deps.ts';
import type { WayOut } from './gate.ts';
import type { ProviderState } from './provider-state.ts';

/** How long past its deadline a request counts as one that the Provider may be at work on, in ms. */
const GRACE_MS = 5_000;
/** Of `Clock.after`, in ms; a deadline that was typed may be later. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ends of a request after which the Provider is not at work on it: it answered, died, or was never reached. */
const OVER: ReadonlySet<string> = new Set([
  'companion.security',
  'companion.unknown-authority',
  'companion.provider-did-not-start',
  'companion.provider-exception',
  'companion.unreadable-reply',
  'companion.request-too-large',
  'companion.reply-too-large',
  'companion.provider-crashed',
  'companion.dead-provider',
  'companion.reply-too-big-for-binder',
  'companion.bad-params',
  'companion.bad-bundle',
  'companion.unknown-op',
]);

export interface PlaceOf {
  /** Of the exchange. */
  readonly id: string;
  readonly requestId: string | null;
  /** By this computer's clock, epoch ms. */
  readonly deadlineAtMs: number;
}

/**
 * v2 2.2 and 4.1: a Consumer that stops waiting does not stop the Provider, so the request keeps its place: until a
 * late answer, its deadline and a grace, an attempt with the same request_id, or the end of the session.
 */
export function keepPlace(
  { clock }: SessionsDeps,
  { gate }: ProviderState,
  leave: WayOut,
  { id, requestId, deadlineAtMs }: PlaceOf,
  end: { readonly sent: boolean; readonly problem: Problem },
): void {
  if (!end.sent || OVER.has(end.problem.code)) return;
  leave.linger({ id, requestId });
  const wait = Math.min(Math.max(0, deadlineAtMs - clock.now()) + GRACE_MS, LONGEST_TIMER_MS);
  clock.after(wait, () => gate.settle(id));
}
