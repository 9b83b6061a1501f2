import { useEffect, useState } from 'react';
import { useConnectionState, useRetryNow } from '../connection/context.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { Button } from '../ui/widgets.tsx';

/** A first connection gets this long, in ms, before its absence is news. */
const PATIENCE_MS = 1500;

export function ConnectionBanner() {
  const { t } = useI18n();
  const state = useConnectionState();
  const retryNow = useRetryNow();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (state !== 'connecting') return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const visible = state === 'lost' || (state === 'connecting' && slow);
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
