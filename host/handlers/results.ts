import { implement } from '@orpc/server';
import { results as contract } from '../../shared/contract/results.ts';
import type { ResultStore } from '../results/result-store.ts';
import { guarded, guardedStream } from './problems.ts';

const os = implement(contract);

/** Parts of the files that results brought; the page names a call and never a path. */
export function resultHandlers(results: Pick<ResultStore, 'info' | 'read' | 'search' | 'discard'>) {
  return {
    info: os.info.handler(({ input }) => guarded(() => results.info(input.callId))),
    read: os.read.handler(({ input: { callId, ...part } }) => guarded(() => results.read(callId, part))),
    search: os.search.handler(({ input: { callId, ...what }, signal }) =>
      guardedStream((s) => results.search(callId, what, s), signal),
    ),
    discard: os.discard.handler(({ input }) =>
      guarded(async () => ({ discarded: await results.discard(input.callId) })),
    ),
  };
}
