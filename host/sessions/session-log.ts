import { z } from 'zod';
import { Bundle, type BundleEntry } from '../../shared/model/bundle.ts';
import type { JournalEvent } from '../../shared/model/event.ts';
import { Problem, problem } from '../../shared/model/problem.ts';
import { Session } from '../../shared/model/session.ts';
import type { SessionsDeps } from './deps.ts';
import { record } from './exchange.ts';
import { newSession } from './negotiation.ts';
import type { ProviderState } from './provider-state.ts';

const MAX_SESSIONS = 50;

/** Beside the answer in the event of a negotiation: what our reading of it gave, without the token. */
const Reading = Session.pick({
  selectedVersion: true,
  providerId: true,
  providerName: true,
  capabilities: true,
  otherCapabilities: true,
  limits: true,
  expiresAtMs: true,
  tokenBytes: true,
  findings: true,
  problem: true,
});
const Marks = z.object({ cause: Session.shape.cause, userId: z.number().nullable() });
const Ended = z.object({ session: z.object({ state: z.enum(['expired', 'ended']), reason: Problem }) });

/** In the exchange of its negotiation: how a session ended, and why. */
export function recordSessionEnd(deps: SessionsDeps, session: Session): void {
  record(deps, {
    kind: 'notice',
    exchangeId: session.id,
    deviceKey: session.deviceKey,
    providerKey: session.providerKey,
    method: 'negotiate',
    tool: null,
    requestId: null,
    payload: { session: { state: session.state, reason: session.problem } },
  });
}

/** Every negotiation with one Provider, newest first: of this run, and of earlier ones as the journal tells them. */
export function sessionsOf(deps: SessionsDeps, state: ProviderState): Session[] {
  state.current();
  const { deviceKey, providerKey, userId } = state.target;
  const own = [...state.past];
  const known = new Set(own.map(({ id }) => id));
  const earlier = deps.journal
    .exchangesOf({ deviceKey, providerKey, method: 'negotiate' }, MAX_SESSIONS)
    .filter((id) => !known.has(id))
    .flatMap((id) => fromEvents(deps, state, userId, deps.journal.events(id)));
  return [...own, ...earlier].sort((a, b) => b.startedAtMs - a.startedAtMs).slice(0, MAX_SESSIONS);
}

function fromEvents(
  deps: SessionsDeps,
  state: ProviderState,
  userId: number,
  events: readonly JournalEvent[],
): Session[] {
  const request = events.find(({ kind }) => kind === 'request');
  if (request === undefined) return [];
  const asked = payloadOf(request);
  const marks = Marks.safeParse(asked);
  if (marks.success && marks.data.userId !== null && marks.data.userId !== userId) return [];
  const started: Session = {
    ...newSession(deps, state, marks.success ? marks.data.cause : 'hand', offerOf(asked)),
    id: request.exchangeId,
    startedAtMs: request.atMs,
    earlierRun: true,
  };
  const failure = events.find(({ kind }) => kind === 'failure');
  const response = events.find(({ kind, data }) => kind === 'response' && !data.startsWith('{"late":true'));
  if (response === undefined) {
    const reason = Problem.safeParse(failure === undefined ? null : payloadOf(failure)['problem']);
    const unknown = problem('session-end-not-recorded');
    return [
      {
        ...started,
        state: 'failed',
        problem: reason.success ? reason.data : unknown,
        endedAtMs: failure?.atMs ?? null,
        durationMs: numberIn(failure, 'durationMs'),
      },
    ];
  }
  return [withAnswer(started, response, events)];
}

function withAnswer(started: Session, response: JournalEvent, events: readonly JournalEvent[]): Session {
  const answered = payloadOf(response);
  const reading = Reading.safeParse(answered['reading']);
  const bundle = Bundle.safeParse(answered['bundle']);
  const fields = reading.success ? reading.data : { problem: problem('session-reading-not-kept') };
  const whole: Session = {
    ...started,
    ...fields,
    answer: bundle.success ? bundle.data : null,
    durationMs: numberIn(response, 'durationMs'),
  };
  if (whole.problem !== null) return { ...whole, state: 'failed', endedAtMs: response.atMs };
  for (const event of events) {
    const ended = event.kind === 'notice' ? Ended.safeParse(payloadOf(event)) : null;
    if (ended?.success !== true) continue;
    const { state, reason } = ended.data.session;
    return { ...whole, state, problem: reason, endedAtMs: event.atMs };
  }
  return { ...whole, state: 'ended', problem: problem('session-end-not-recorded') };
}

/** What was offered, as the request carried it. */
function offerOf(asked: Record<string, unknown>): { versions: readonly number[]; capabilities: readonly string[] } {
  const extras = Bundle.safeParse(asked['extras']);
  const entries: readonly BundleEntry[] = extras.success ? extras.data : [];
  const versions = entries.find(({ key }) => key === 'consumer_versions');
  const capabilities = entries.find(({ key }) => key === 'consumer_capabilities');
  const names = z.array(z.string()).safeParse(capabilities?.t === 'string' ? readJson(capabilities.v) : null);
  return {
    versions: versions?.t === 'int[]' ? versions.v : [],
    capabilities: names.success ? names.data : [],
  };
}

function payloadOf(event: JournalEvent): Record<string, unknown> {
  const value = readJson(event.data);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function numberIn(event: JournalEvent | undefined, key: string): number | null {
  const value = event === undefined ? null : payloadOf(event)[key];
  return typeof value === 'number' ? value : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
