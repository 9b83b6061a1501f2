import { useEffect, useRef, useState } from 'react';
import type { RunTotals, SavedCallResult } from '../../../shared/model/collection.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OnDevice } from '../../connection/streams.ts';

export interface RunRequest {
  readonly folder: string;
  readonly files: string[] | null;
  readonly environment: string | null;
  readonly device: OnDevice | null;
  readonly confirmed: boolean;
}

export interface RunState {
  /** Null while none is under way. */
  readonly runId: string | null;
  readonly running: boolean;
  readonly total: number;
  readonly current: string | null;
  /** The last result of each file, since the folder was opened. */
  readonly results: ReadonlyMap<string, SavedCallResult>;
  readonly totals: RunTotals | null;
  readonly cancelled: boolean;
  readonly problem: Problem | null;
}

const IDLE: RunState = {
  runId: null,
  running: false,
  total: 0,
  current: null,
  results: new Map(),
  totals: null,
  cancelled: false,
  problem: null,
};

/** One run at a time. Leaving the page ends it: nothing is sent that nobody sees. */
export function useRun() {
  const client = useClient();
  const [state, setState] = useState(IDLE);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (request: RunRequest) => {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    const change = (next: (before: RunState) => Partial<RunState>) => {
      if (abort.current === own && !own.signal.aborted) setState((before) => ({ ...before, ...next(before) }));
    };
    change(() => ({ running: true, runId: null, current: null, totals: null, cancelled: false, problem: null }));
    try {
      const events = await client.collections.run({ ...request, vars: {}, bail: false }, { signal: own.signal });
      for await (const event of events) {
        if (event.kind === 'started') {
          const { runId, files } = event;
          change(({ results }) => {
            const kept = new Map(results);
            for (const file of files) kept.delete(file);
            return { runId, total: files.length, results: kept };
          });
        }
        if (event.kind === 'call-started') change(() => ({ current: event.file }));
        if (event.kind === 'call-ended') {
          change(({ results }) => ({ results: new Map(results).set(event.result.file, event.result) }));
        }
        if (event.kind === 'ended') change(() => ({ totals: event.totals, cancelled: event.cancelled }));
      }
    } catch (error) {
      change(() => ({ problem: problemOf(error) }));
    }
    change(() => ({ running: false, runId: null, current: null }));
  };
  const cancel = () => {
    if (state.runId === null) return;
    client.collections.cancel({ runId: state.runId }).catch((error: unknown) => {
      setState((before) => ({ ...before, problem: problemOf(error) }));
    });
  };
  const reset = () => {
    abort.current?.abort();
    setState(IDLE);
  };
  return { state, start, cancel, reset };
}
