import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { HistoryRow } from '../../../shared/model/event.ts';
import { useDevices, useSeenLabels } from '../../connection/streams.ts';
import { DeliberateBadge } from '../../parts/deliberate-banner.tsx';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Outcome } from './outcome.tsx';

const ROW = 32;
/** The column heads, which stay while the rows scroll under them. */
const HEAD = 28;

/** The exchanges, newest first; only the visible ones are drawn. */
export function HistoryRows({
  rows,
  selected,
  onSelect,
  onEnd,
}: {
  readonly rows: readonly HistoryRow[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly onEnd: () => void;
}) {
  const { t } = useI18n();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  });
  const items = virtual.getVirtualItems();
  const end = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (end >= rows.length - 20) onEnd();
  }, [end, rows.length, onEnd]);
  const at = rows.findIndex((row) => row.exchangeId === selected);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(rows.length - 1, at + step));
    const row = rows[to];
    if (row === undefined) return;
    onSelect(row.exchangeId);
    virtual.scrollToIndex(to, { align: 'auto' });
  };
  const today = Date.now();
  const labels = useSeenLabels();
  const devices = useDevices().value?.devices ?? [];
  const dated = rows.some((row) => new Date(row.startedAtMs).toDateString() !== new Date(today).toDateString());
  return (
    <div
      ref={scroller}
      className={`history-list ${dated ? 'dated' : ''}`}
      role="listbox"
      aria-label={t('shell.history')}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `history-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className="history-columns" aria-hidden="true">
        <span>{t('uiHistory.column.time')}</span>
        <span>{t('uiHistory.column.outcome')}</span>
        <span>{t('uiHistory.column.what')}</span>
        <span className="h-error">{t('uiHistory.column.error')}</span>
        <span className="h-duration">{t('uiHistory.column.duration')}</span>
        <span className="h-where">{t('uiHistory.column.provider')}</span>
        <span className="h-device">{t('uiHistory.column.device')}</span>
      </div>
      <div style={{ height: rows.length * ROW, position: 'relative' }} role="presentation">
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox takes the keys for all its options
            <div
              key={row.exchangeId}
              id={`history-${row.exchangeId}`}
              role="option"
              aria-selected={row.exchangeId === selected}
              aria-posinset={item.index + 1}
              aria-setsize={rows.length}
              tabIndex={-1}
              className="history-row"
              style={{ height: ROW, transform: `translateY(${item.start - HEAD}px)` }}
              onClick={() => onSelect(row.exchangeId)}
            >
              <span className="mono num dim h-time">{formatTime(row.startedAtMs, today)}</span>
              <span>
                <Outcome state={row.state} />
              </span>
              <span className="mono ellipsis h-what">
                <DeliberateBadge marks={row.deliberate} brief />{' '}
                <SafeText text={row.tool ?? row.method ?? ''} limit={80} fixed />
                {row.tool !== null && row.method !== null ? <span className="dim"> {row.method}</span> : null}
              </span>
              <span className="mono ellipsis h-error toned tone-bad">
                {row.errorCode === null ? null : <SafeText text={row.errorCode} limit={40} fixed />}
              </span>
              <span className="num dim h-duration">
                {row.endedAtMs === null ? '' : formatDuration(row.endedAtMs - row.startedAtMs)}
              </span>
              <span className="ellipsis h-where" title={row.providerKey ?? ''}>
                <ProviderName providerKey={row.providerKey} labels={labels} />
              </span>
              <span className="ellipsis dim h-device" title={row.deviceKey}>
                <SafeText
                  text={devices.find(({ key }) => key === row.deviceKey)?.model ?? row.deviceKey}
                  limit={60}
                  fixed
                />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The label where it was seen, and the package, which no label can imitate. */
export function ProviderName({
  providerKey,
  labels,
}: {
  readonly providerKey: string | null;
  readonly labels: ReadonlyMap<string, string>;
}) {
  if (providerKey === null) return null;
  const label = labels.get(providerKey);
  const [owner = providerKey] = providerKey.split('/');
  return (
    <>
      {label === undefined ? null : (
        <>
          <SafeText text={label} limit={40} fixed />{' '}
        </>
      )}
      <span className="dim">
        <SafeText text={owner} limit={100} fixed />
      </span>
    </>
  );
}
