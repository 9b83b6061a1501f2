import type { RequestQueue } from '../../../shared/model/queue.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import './retry-bar.css';

/** The requests to one Provider against its limit; nothing while none waits and none is in doubt. */
export function QueueLine({ queue }: { readonly queue: RequestQueue | undefined }) {
  const { t } = useI18n();
  if (queue === undefined || (queue.waiting.length === 0 && queue.unknown === 0)) return null;
  const { running, unknown, limit } = queue;
  return (
    <p className="queue-line row fine sub num" title={t('uiRetries.queueHelp')} role="status">
      <Icon name="hourglass" />
      {t('uiRetries.queue', { running, unknown, waiting: queue.waiting.length, limit })}
    </p>
  );
}
