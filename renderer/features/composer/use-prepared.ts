import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallDraft, PreparedCall } from '../../../shared/model/call.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { isAbort, problemOf } from '../../connection/problem-of.ts';
import { isStale, rollAfterMs } from './rolling.ts';

const DEBOUNCE_MS = 250;

export interface Preparation {
  /** What is shown and what will be sent. */
  readonly prepared: PreparedCall | null;
  readonly problem: Problem | null;
  /** The draft was edited since; `prepared` is not of this text. */
  readonly pending: boolean;
}

export interface Prepared extends Preparation {
  /** What is shown, prepared anew first where it is no longer of this draft or its deadline has run down. Null where that failed. */
  readonly ensure: () => Promise<PreparedCall | null>;
  /** Prepares the next call; a prepared call is sent once. */
  readonly next: () => void;
}

/** Keeps the exact Bundle of the draft prepared: after each edit, and again while idle so that the deadline stays true. */
export function usePrepared(draft: CallDraft): Prepared {
  const client = useClient();
  const [state, setState] = useState<Preparation>({ prepared: null, problem: null, pending: true });
  const current = useRef({ draft, state, madeAtMs: 0, round: 0 });
  current.current.draft = draft;

  const show = useCallback((next: Preparation) => {
    current.current.state = next;
    setState(next);
  }, []);

  const prepare = useCallback(async (): Promise<PreparedCall | null> => {
    const round = ++current.current.round;
    try {
      const prepared = await client.calls.prepare(current.current.draft);
      // A later edit or a later round has overtaken this answer.
      if (round !== current.current.round) return null;
      current.current.madeAtMs = Date.now();
      show({ prepared, problem: null, pending: false });
      return prepared;
    } catch (error) {
      if (round === current.current.round && !isAbort(error)) {
        show({ prepared: null, problem: problemOf(error), pending: false });
      }
      return null;
    }
  }, [client, show]);

  const { argsText, timeoutMs, requestId, deadlineAtMs } = draft;
  const retries = draft.autoRetry?.max ?? 0;
  const broken = JSON.stringify([draft.deliberate ?? [], draft.times ?? 1]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the edits
  useEffect(() => {
    current.current.round++;
    show({ ...current.current.state, pending: true });
    const timer = setTimeout(() => void prepare(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [argsText, timeoutMs, requestId, deadlineAtMs, retries, broken, prepare, show]);

  useEffect(() => {
    const timer = setInterval(
      () => {
        const { state: shown, madeAtMs, draft: of } = current.current;
        if (!shown.pending && document.visibilityState === 'visible' && isStale(madeAtMs, of.timeoutMs, Date.now()))
          void prepare();
      },
      Math.min(1000, rollAfterMs(timeoutMs)),
    );
    return () => clearInterval(timer);
  }, [prepare, timeoutMs]);

  const ensure = useCallback(async () => {
    const { state: shown, madeAtMs, draft: of } = current.current;
    const fresh = shown.prepared !== null && !shown.pending && !isStale(madeAtMs, of.timeoutMs, Date.now());
    return fresh ? shown.prepared : prepare();
  }, [prepare]);

  // What was just sent stays on show until its successor is there, and counts as pending: a second Run must not meet it.
  const next = useCallback(() => {
    show({ ...current.current.state, pending: true });
    void prepare();
  }, [prepare, show]);

  return { ...state, ensure, next };
}
