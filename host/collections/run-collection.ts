import type { RunEvent, RunTotals, SavedCallEntry, SavedCallResult } from '../../shared/model/collection.ts';
import { type CallRun, type RunCallDeps, runSavedCall, skipped } from './run-call.ts';

export interface RunPlan extends Omit<CallRun, 'signal'> {
  readonly runId: string;
  readonly entries: readonly SavedCallEntry[];
  /** Ends the run at the first call that does not pass. */
  readonly bail: boolean;
}

export interface RunClock {
  /** Epoch ms. */
  now(): number;
  /** Ms that only grow. */
  monotonic(): number;
}

/** One call after the other, each with its start and its end; calls that are not reached are told as skipped. */
export async function* runCollection(
  deps: RunCallDeps & { readonly clock: RunClock },
  plan: RunPlan,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const { runId, entries, bail } = plan;
  const startedMs = deps.clock.monotonic();
  const totals: Record<keyof RunTotals, number> = { passed: 0, failed: 0, errors: 0, skipped: 0 };
  yield { kind: 'started', runId, files: entries.map(({ file }) => file), atMs: deps.clock.now() };
  let ended = false;
  for (const [index, entry] of entries.entries()) {
    let result: SavedCallResult;
    if (ended || signal.aborted) result = skipped(entry);
    else {
      yield { kind: 'call-started', index, file: entry.file };
      result = await runSavedCall(deps, entry, { ...plan, signal });
    }
    totals[result.state === 'error' ? 'errors' : result.state]++;
    if (bail && (result.state === 'failed' || result.state === 'error')) ended = true;
    yield { kind: 'call-ended', index, result };
  }
  const durationMs = deps.clock.monotonic() - startedMs;
  yield { kind: 'ended', totals, cancelled: signal.aborted, durationMs };
}
