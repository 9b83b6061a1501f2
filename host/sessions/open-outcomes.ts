import { Bundle, entryOf } from '../../shared/model/bundle.ts';
import type { JournalEvent } from '../../shared/model/event.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import type { SessionsDeps } from './deps.ts';
import type { ProviderState } from './provider-state.ts';

/** v2 2.2: the shortest window in which a Provider remembers a request_id, in seconds. */
const LEAST_WINDOW_SECONDS = 86_400;
const MAX_LOOKED_AT = 20;

/** What is about to be sent. */
export interface NewExecution {
  readonly tool: string;
  readonly argsText: string;
  readonly requestId: string;
  /** v1 has no ids to ask by, and a read may be made anew. */
  readonly counts: boolean;
}

/**
 * v2 4.1 and 6: after a time-out or a lost connection of a call with effects, only the same request_id may ask for its
 * outcome. A refusal for a new id with the same tool and arguments while an earlier one has no answer: of this run or an
 * earlier one, within the window in which the earlier id still tells.
 */
export function openOutcomes(deps: SessionsDeps, state: ProviderState, call: NewExecution): Problem[] {
  const { tool, argsText, requestId, counts } = call;
  if (!counts) return [];
  const { journal, clock } = deps;
  const { deviceKey, providerKey } = state.target;
  const kept = redact(
    { tool, args: argsText },
    { registry: journal.secrets, scope: secretScope(deviceKey, providerKey) },
  );
  const asKept = kept.value as { tool: string; args: string };
  const window = state.current().open?.limits.idempotencyWindowSeconds ?? LEAST_WINDOW_SECONDS;
  const query = { deviceKey, providerKey, tool: asKept.tool, requestId, sinceMs: clock.now() - window * 1000 };
  for (const id of journal.unanswered(query, MAX_LOOKED_AT)) {
    // One that is under way here has not ended; sending another beside it is no guess.
    const record = state.calls.records.find((one) => one.id === id);
    if (record !== undefined && record.endedAtMs === null) continue;
    const events = journal.events(id);
    if (argsOf(events) !== asKept.args || neverLeft(events)) continue;
    return [problem('outcome-still-open', { tool, requestId: events[0]?.requestId ?? '' })];
  }
  return [];
}

/** Null where the event was too long to be kept whole. */
function argsOf(events: readonly JournalEvent[]): string | null {
  const payload = payloadOf(events.find(({ kind }) => kind === 'request'));
  const extras = Bundle.safeParse(payload['extras']);
  const args = extras.success ? entryOf(extras.data, 'args') : undefined;
  return args?.t === 'string' ? args.v : null;
}

function neverLeft(events: readonly JournalEvent[]): boolean {
  return payloadOf(events.find(({ kind }) => kind === 'failure'))['sent'] === false;
}

function payloadOf(event: JournalEvent | undefined): Record<string, unknown> {
  if (event === undefined) return {};
  try {
    const value: unknown = JSON.parse(event.data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
