import type { JournalEvent } from '../../shared/model/event.ts';
import type { Journal } from '../journal/journal.ts';

/** Between two looks at the file, in ms: another process may write to it, and says nothing. */
const LOOK_EVERY_MS = 500;
const AT_ONCE = 200;

/** Each event after `afterSeq` in its order, none left out and none twice, until the signal aborts. Null: from now on. */
export async function* eventsAsTheyHappen(
  journal: Journal,
  afterSeq: number | null,
  signal: AbortSignal,
): AsyncGenerator<JournalEvent, void, void> {
  let seen = afterSeq ?? journal.lastSeq();
  while (!signal.aborted) {
    const more = journal.eventsAfter(seen, AT_ONCE);
    for (const event of more) {
      if (signal.aborted) return;
      yield event;
      seen = event.seq;
    }
    if (more.length === 0) await somethingNew(journal, signal);
  }
}

async function somethingNew(journal: Journal, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = journal.subscribe(() => resolve());
  const timer = setTimeout(resolve, LOOK_EVERY_MS);
  timer.unref();
  signal.addEventListener('abort', () => resolve(), { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
