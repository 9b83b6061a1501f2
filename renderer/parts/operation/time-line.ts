import type { Operation } from '../../../shared/model/operation.ts';

/** A stretch of one state; places are 0 to 1 of the whole line. */
export interface Stretch {
  /** Null: before the first state was reported. */
  readonly state: string | null;
  readonly from: number;
  readonly to: number;
}
export interface Mark {
  readonly kind: 'poll' | 'no-answer' | 'cancel-asked' | 'cancel-acknowledged';
  readonly at: number;
}
export interface TimeLine {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stretches: readonly Stretch[];
  readonly marks: readonly Mark[];
}

/** The operation's life from its acceptance to its end, or to now. Times are the answers', by this computer's clock. */
export function timeLineOf(operation: Operation, nowMs: number): TimeLine {
  const { startedAtMs, endedAtMs, steps, queries, cancelAskedAtMs, cancelRequestedAtMs } = operation;
  const known = [...steps, ...queries].map(({ atMs }) => atMs);
  const toMs = Math.max(startedAtMs + 1, ...known, endedAtMs ?? nowMs);
  const place = (atMs: number) => Math.min(1, Math.max(0, (atMs - startedAtMs) / (toMs - startedAtMs)));
  const starts = [{ state: null as string | null, atMs: startedAtMs }, ...steps];
  const stretches = starts.map(({ state, atMs }, index) => ({
    state,
    from: place(atMs),
    to: place(starts[index + 1]?.atMs ?? toMs),
  }));
  const marks: Mark[] = queries
    .filter(({ method }) => method === 'get_operation')
    .map(({ atMs, answeredAtMs }) => ({ kind: answeredAtMs === null ? 'no-answer' : 'poll', at: place(atMs) }));
  if (cancelAskedAtMs !== null) marks.push({ kind: 'cancel-asked', at: place(cancelAskedAtMs) });
  if (cancelRequestedAtMs !== null) marks.push({ kind: 'cancel-acknowledged', at: place(cancelRequestedAtMs) });
  return { fromMs: startedAtMs, toMs, stretches, marks };
}
