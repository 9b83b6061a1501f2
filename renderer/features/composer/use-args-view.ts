import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../../connection/context.tsx';

export type ArgsView = 'text' | 'form' | 'both';

const KEY = 'ui.args-view';
/** From this width on, text and form fit beside each other. */
const wideQuery = matchMedia('(min-width: 1600px)');

/** How the arguments are edited; remembered on this machine, in the host too, where the next run finds it. */
export function useArgsView(): {
  readonly view: ArgsView;
  readonly wide: boolean;
  readonly setView: (view: ArgsView) => void;
} {
  const client = useClient();
  const wide = useSyncExternalStore(
    (listener) => {
      wideQuery.addEventListener('change', listener);
      return () => wideQuery.removeEventListener('change', listener);
    },
    () => wideQuery.matches,
  );
  const [chosen, setChosen] = useState<ArgsView>(() => parse(localStorage.getItem(KEY)));
  useEffect(() => {
    // A browser's storage belongs to one port, and each run has another.
    if (localStorage.getItem(KEY) !== null) return;
    client.app
      .getSettings()
      .then((settings) => {
        if (localStorage.getItem(KEY) === null) setChosen(parse(settings[KEY]));
      })
      .catch(() => undefined);
  }, [client]);
  return {
    view: chosen === 'both' && !wide ? 'form' : chosen,
    wide,
    setView: (next) => {
      localStorage.setItem(KEY, next);
      setChosen(next);
      // Kept locally either way; the next change tries the host again.
      client.app.putSetting({ key: KEY, value: next }).catch(() => undefined);
    },
  };
}

function parse(value: string | null | undefined): ArgsView {
  return value === 'form' || value === 'both' ? value : 'text';
}
