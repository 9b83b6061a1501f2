import { z } from 'zod';
import { Bundle } from '../../shared/model/bundle.ts';
import type { JournalEvent } from '../../shared/model/event.ts';
import { diffCatalogs, type ReadList } from '../../shared/protocols/cetp/catalog-diff.ts';
import type { CetpCodec } from '../../shared/protocols/cetp/codec.ts';
import type { SessionsDeps } from './deps.ts';
import type { ProviderState } from './provider-state.ts';

/** How far back an earlier run's list is looked for, in exchanges. */
const LOOK_BACK = 5;

const Request = z.object({ protocol: z.enum(['v1', 'v2']), userId: z.number() });
const Response = z.object({ bundle: Bundle });

/** Before a list is read: the one before it, of this run or, for the first of a run, from the journal. */
export function rememberEarlierList(deps: SessionsDeps, state: ProviderState, codec: CetpCodec): void {
  state.lastList ??= fromJournal(deps, state, codec);
}

/** After a list was read. A comparison that found nothing does not take an earlier one's place. */
export function compareLists(state: ProviderState, now: ReadList): void {
  const before = state.lastList;
  state.lastList = { ...now, earlierRun: false };
  if (before === null) return;
  const diff = diffCatalogs(before, now);
  if (state.diff === null || diff.changes.length > 0 || diff.verdict !== 'same') state.diff = diff;
}

function fromJournal(deps: SessionsDeps, state: ProviderState, codec: CetpCodec): ProviderState['lastList'] {
  const { deviceKey, providerKey, userId } = state.target;
  for (const id of deps.journal.exchangesOf({ deviceKey, providerKey, method: 'list_tools' }, LOOK_BACK)) {
    const events = deps.journal.events(id);
    const asked = Request.safeParse(payloadOf(events.find(({ kind }) => kind === 'request')));
    if (!asked.success || asked.data.protocol !== codec.protocol || asked.data.userId !== userId) continue;
    const answer = events.find(({ kind }) => kind === 'response');
    // Where something was masked, what the Provider said is not known to the letter.
    if (answer === undefined || answer.redactions > 0) continue;
    const kept = Response.safeParse(payloadOf(answer));
    if (!kept.success) continue;
    const context = { requestId: answer.requestId ?? '', deadlineAtMs: 0, session: null };
    const list = codec.readTools(kept.data.bundle, context);
    if (list.problem !== null) continue;
    return { atMs: answer.atMs, revision: list.revision, readings: list.tools, earlierRun: true };
  }
  return null;
}

function payloadOf(event: JournalEvent | undefined): unknown {
  try {
    return JSON.parse(event?.data ?? 'null');
  } catch {
    return null;
  }
}
