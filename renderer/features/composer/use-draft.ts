import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OfProvider } from '../../connection/streams.ts';

const SAVE_AFTER_MS = 600;

export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Why the draft is not kept; the text itself is still here. */
  readonly problem: Problem | null;
}

/** The arguments as typed, kept in the host for each Provider and tool; saved while typing and when the page is left. */
export function useDraft(of: OfProvider, tool: string, initial: string): Draft {
  const client = useClient();
  const [text, setState] = useState(initial);
  const [problem, setProblem] = useState<Problem | null>(null);
  const unsaved = useRef<string | null>(null);
  const save = useRef(() => {});
  save.current = () => {
    const argsText = unsaved.current;
    if (argsText === null) return;
    unsaved.current = null;
    client.calls.putDraft({ ...of, tool, argsText }).then(
      () => setProblem(null),
      (error: unknown) => setProblem(problemOf(error)),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each edit starts the wait anew
  useEffect(() => {
    const timer = setTimeout(() => save.current(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const flush = () => save.current();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
  return {
    text,
    setText: (next) => {
      unsaved.current = next;
      setState(next);
    },
    problem,
  };
}
