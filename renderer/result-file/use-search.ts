import { useCallback, useEffect, useRef, useState } from 'react';
import { MAX_RESULT_HITS } from '../../shared/model/file-state.ts';
import type { Problem } from '../../shared/model/problem.ts';
import { useClient } from '../connection/context.tsx';
import { problemOf } from '../connection/problem-of.ts';

export interface Search {
  readonly text: string;
  /** In ascending order; at most 1,000. */
  readonly hits: readonly number[];
  readonly state: 'none' | 'running' | 'whole' | 'limit';
  /** How far it is, in bytes. */
  readonly searched: number;
  readonly problem: Problem | null;
}

const NONE: Search = { text: '', hits: [], state: 'none', searched: 0, problem: null };

/** Searches a result from its start; a new text, `stop` and the page's end stop the one before. */
export function useSearch(callId: string) {
  const client = useClient();
  const [search, setSearch] = useState<Search>(NONE);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setSearch((now) => (now.state === 'running' ? { ...now, state: 'limit' } : now));
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  const find = useCallback(
    async (text: string, onFirst: (offset: number) => void) => {
      running.current?.abort();
      if (text === '') return setSearch(NONE);
      const abort = new AbortController();
      running.current = abort;
      setSearch({ ...NONE, text, state: 'running' });
      const update = (change: (now: Search) => Search) => {
        if (running.current === abort) setSearch(change);
      };
      let isFirst = true;
      try {
        const input = { callId, text, offset: 0, limit: MAX_RESULT_HITS };
        for await (const step of await client.results.search(input, { signal: abort.signal })) {
          if (step.kind === 'hits') {
            const [first] = step.offsets;
            if (isFirst && first !== undefined && running.current === abort) onFirst(first);
            isFirst = false;
            update((now) => ({ ...now, hits: [...now.hits, ...step.offsets] }));
          } else if (step.kind === 'progress') update((now) => ({ ...now, searched: step.bytes }));
          else update((now) => ({ ...now, state: step.whole ? 'whole' : 'limit', searched: step.nextOffset }));
        }
      } catch (error) {
        if (!abort.signal.aborted) update((now) => ({ ...now, state: 'limit', problem: problemOf(error) }));
      }
    },
    [client, callId],
  );
  return { search, find, stop };
}
