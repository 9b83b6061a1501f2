import { type KeyboardEvent, useEffect, useState } from 'react';
import { useForm } from './form-context.ts';

/** What a field holds while it is nothing that could stand in the text. */
export interface Held {
  /** What the control shows. */
  readonly shown: string;
  /** Whether that is not in the text. */
  readonly held: boolean;
  change(next: string): void;
  /** Escape gives the text's own value back. */
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * A control whose content is a piece of JSON text. It goes into the text as it
 * is, once it is right; until then the field keeps it and says so.
 */
export function useHeld(
  key: string,
  current: string,
  isRight: (text: string) => boolean,
  put: (text: string) => void,
): Held {
  const form = useForm();
  const [own, setOwn] = useState<{ readonly text: string; readonly over: string } | null>(null);
  // A change of the text from elsewhere goes before what was typed here.
  const held = own !== null && own.over === current;
  useEffect(() => {
    form.unapplied(key, held);
    return () => form.unapplied(key, false);
  }, [form, key, held]);
  return {
    shown: held ? own.text : current,
    held,
    change: (next) => {
      if (isRight(next)) {
        setOwn(null);
        if (next !== current) put(next);
      } else setOwn({ text: next, over: current });
    },
    onKeyDown: (event) => {
      if (event.key !== 'Escape' || !held) return;
      event.stopPropagation();
      setOwn(null);
    },
  };
}
