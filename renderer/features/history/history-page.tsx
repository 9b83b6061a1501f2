import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { HistoryRow } from '../../../shared/model/event.ts';
import { useClient, useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useHistoryTail } from '../../connection/streams.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { currentQuery, replaceQuery } from '../../ui/location.ts';
import { PageHead } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Blank, Button, Loading, type Tone } from '../../ui/widgets.tsx';
import { EventList } from './event-list.tsx';
import './history.css';

const PAGE = 200;
const ROW = 34;

const STATES = {
  open: { tone: 'info', icon: 'hourglass' },
  success: { tone: 'ok', icon: 'check' },
  accepted: { tone: 'info', icon: 'clock' },
  'provider-error': { tone: 'bad', icon: 'stop' },
  malformed: { tone: 'bad', icon: 'warning' },
  'transport-failure': { tone: 'warn', icon: 'cable' },
  cancelled: { tone: 'plain', icon: 'minus' },
  refused: { tone: 'own', icon: 'shield' },
  notice: { tone: 'plain', icon: 'info' },
} as const satisfies Record<HistoryRow['state'], { tone: Tone; icon: IconName }>;

/** The journal as a list, newest first; it grows while one looks. */
export function HistoryPage() {
  const { t } = useI18n();
  const client = useClient();
  const [text, setText] = useState(() => currentQuery().get('q') ?? '');
  const [search, setSearch] = useState(text);
  const [selected, setSelected] = useState<string | null>(() => currentQuery().get('exchange'));
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.slice(0, 500)), 200);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => replaceQuery({ q: search, exchange: selected ?? '' }), [search, selected]);
  const list = useInfiniteQuery({
    queryKey: ['history.list', search],
    queryFn: ({ pageParam, signal }) => client.history.list({ search, beforeSeq: pageParam, limit: PAGE }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.rows.length < PAGE ? undefined : (last.rows.at(-1)?.seq ?? undefined)),
  });
  useTail(list.refetch);
  const rows = useMemo(() => distinct(list.data?.pages.flatMap((page) => page.rows) ?? []), [list.data]);
  const total = list.data?.pages[0]?.total;
  return (
    <div className="page">
      <PageHead
        title={t('shell.history')}
        marks={total === undefined ? null : <span className="dim num">{t('uiHistory.count', { total })}</span>}
      />
      <div className="history-bar">
        <label className="search grow">
          <Icon name="search" size={14} />
          <input
            className="text-input"
            type="search"
            data-search
            aria-label={t('uiHistory.search')}
            placeholder={t('uiHistory.search')}
            value={text}
            onChange={(event) => setText(event.target.value)}
            spellCheck={false}
          />
          <kbd>/</kbd>
        </label>
      </div>
      {list.error === null ? null : (
        <div className="pad">
          <ProblemView problem={problemOf(list.error)} title={t('uiHistory.failed')} alert>
            <div>
              <Button icon="refresh" onClick={() => void list.refetch()}>
                {t('common.retry')}
              </Button>
            </div>
          </ProblemView>
        </div>
      )}
      {list.isPending ? <Loading /> : null}
      {list.data !== undefined && rows.length === 0 ? (
        <Blank icon="clock" title={search === '' ? t('uiHistory.empty') : t('uiHistory.noMatch')}>
          {search === '' ? <p>{t('uiHistory.emptyHelp')}</p> : null}
        </Blank>
      ) : null}
      {rows.length > 0 ? (
        <div className={`history ${selected === null ? '' : 'with-detail'}`}>
          <Rows
            rows={rows}
            selected={selected}
            onSelect={setSelected}
            onEnd={() => (list.hasNextPage && !list.isFetching ? void list.fetchNextPage() : undefined)}
          />
          {selected === null ? null : (
            <Detail
              exchangeId={selected}
              row={rows.find((row) => row.exchangeId === selected)}
              onClose={() => setSelected(null)}
            />
          )}
        </div>
      ) : null}
    </div>
  );
}

/** Reads again when the journal grew, at most once a second. */
function useTail(refetch: () => unknown): void {
  const { value } = useHistoryTail();
  const last = useRef<number | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const seq = value?.lastSeq;
    const grew = seq !== undefined && last.current !== undefined && seq !== last.current;
    last.current = seq;
    if (!grew || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      refetch();
    }, 500);
  }, [value, refetch]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Pages that were read while the journal grew may overlap. */
function distinct(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const seen = new Set<string>();
  return rows.filter((row) => !seen.has(row.exchangeId) && seen.add(row.exchangeId));
}

function Rows({
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
  return (
    <div
      ref={scroller}
      className="history-list"
      role="listbox"
      aria-label={t('shell.history')}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `history-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const look = STATES[row.state];
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
              style={{ height: ROW, transform: `translateY(${item.start}px)` }}
              onClick={() => onSelect(row.exchangeId)}
            >
              <span className="mono num dim h-time">{formatTime(row.startedAtMs, today)}</span>
              <span className="h-state">
                <Badge tone={look.tone} icon={look.icon}>
                  {t(`uiHistory.state.${row.state}`)}
                </Badge>
              </span>
              <span className="mono ellipsis h-what">
                <SafeText text={row.tool ?? row.method ?? ''} limit={80} fixed />
                {row.tool !== null && row.method !== null ? <span className="dim"> {row.method}</span> : null}
              </span>
              <span className="mono ellipsis h-error toned tone-bad">
                {row.errorCode === null ? null : <SafeText text={row.errorCode} limit={40} fixed />}
              </span>
              <span className="num dim h-duration">
                {row.endedAtMs === null ? '' : formatDuration(row.endedAtMs - row.startedAtMs)}
              </span>
              <span className="ellipsis dim h-where">
                <SafeText text={`${row.providerKey ?? ''} · ${row.deviceKey}`} limit={120} fixed />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Detail({
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
        {events.data === undefined ? null : <EventList events={events.data} />}
        {events.data !== undefined && row?.state === 'open' ? (
          <p className="dim fine">{t('uiHistory.openHelp')}</p>
        ) : null}
      </div>
    </section>
  );
}
