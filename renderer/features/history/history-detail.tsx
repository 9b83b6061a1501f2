import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { HistoryRow } from '../../../shared/model/event.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useHistoryTail, useSeenLabels } from '../../connection/streams.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Loading } from '../../ui/widgets.tsx';
import { EventList } from './event-list.tsx';
import { HistoryFile } from './history-file.tsx';
import { ProviderName } from './history-rows.tsx';
import { Outcome } from './outcome.tsx';

/** One exchange: how it ended, with whom, and its events in their order. */
export function HistoryDetail({
  exchangeId,
  row,
  onClose,
}: {
  readonly exchangeId: string;
  readonly row: HistoryRow | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const labels = useSeenLabels();
  const { value } = useHistoryTail();
  const events = useQuery({
    ...orpc.history.events.queryOptions({ input: { exchangeId } }),
    staleTime: row?.state === 'open' ? 0 : 60_000,
  });
  const { refetch } = events;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an open exchange is read again as the journal grows
  useEffect(() => {
    if (row?.state === 'open') void refetch();
  }, [value?.lastSeq, row?.state, refetch]);
  return (
    <section className="detail-pane history-detail" aria-label={t('uiHistory.detail')}>
      <header className="detail-head">
        <div className="grow">
          <h2 className="mono anywhere">
            <SafeText text={row?.tool ?? row?.method ?? exchangeId} limit={120} />
          </h2>
          {row === undefined ? null : (
            <div className="row wrap fine">
              <Outcome state={row.state} />
              {row.errorCode === null ? null : (
                <span className="mono tone-bad toned">
                  <SafeText text={row.errorCode} limit={60} />
                </span>
              )}
              <span className="num dim">
                {formatTime(row.startedAtMs)}
                {row.endedAtMs === null ? '' : ` · ${formatDuration(row.endedAtMs - row.startedAtMs)}`}
              </span>
              <span>
                <ProviderName providerKey={row.providerKey} labels={labels} />
              </span>
            </div>
          )}
          {row?.requestId == null ? null : (
            <div className="dim fine mono">
              request_id <SafeText text={row.requestId} limit={80} />
            </div>
          )}
        </div>
        <Button look="quiet" icon="cross" aria-label={t('common.close')} onClick={onClose} />
      </header>
      <div className="detail-body">
        {events.error === null ? null : <ProblemView problem={problemOf(events.error)} />}
        {events.isPending ? <Loading /> : null}
        {events.data === undefined ? null : <HistoryFile exchangeId={exchangeId} events={events.data} />}
        {events.data === undefined ? null : <EventList events={events.data} />}
        {events.data !== undefined && row?.state === 'open' ? (
          <p className="dim fine">{t('uiHistory.openHelp')}</p>
        ) : null}
      </div>
    </section>
  );
}
