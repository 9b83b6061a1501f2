import { useEffect, useState } from 'react';
import { useConnectionState, useRetryNow } from '../connection/context.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { Button } from '../ui/widgets.tsx';

/** How long, in ms, a missing connection is no news: a first one takes its time, and a host that hands over a new port is back at once. */
const PATIENCE_MS = { connecting: 1500, lost: 300, open: 0 };

export function ConnectionBanner() {
  const { t } = useI18n();
  const state = useConnectionState();
  const retryNow = useRetryNow();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (state === 'open') return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS[state]);
    return () => clearTimeout(timer);
  }, [state]);
  const visible = state !== 'open' && slow;
  useEffect(() => {
    // What is on screen may be old: nothing shows the colour of a live state.
    document.documentElement.toggleAttribute('data-stale', visible);
  }, [visible]);
  return (
    <div role="status" aria-live="assertive">
      {visible ? (
        <div className="banner tone-warn">
          <Icon name="plug" />
          <span className="strong">{state === 'lost' ? t('shell.connectionLost') : t('shell.connecting')}</span>
          <span className="grow sub">{state === 'lost' ? t('shell.connectionLostHelp') : ''}</span>
          <Button small onClick={retryNow}>
            {t('common.retry')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
