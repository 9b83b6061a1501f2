import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { HistoryRow } from '../../../shared/model/event.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useHistoryTail } from '../../connection/streams.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { currentQuery, replaceQuery } from '../../ui/location.ts';
import { PageHead } from '../../ui/page.tsx';
import { Blank, Button, Loading } from '../../ui/widgets.tsx';
import { HistoryDetail } from './history-detail.tsx';
import { HistoryRows } from './history-rows.tsx';
import './history.css';

const PAGE = 200;

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
          <HistoryRows
            rows={rows}
            selected={selected}
            onSelect={setSelected}
            onEnd={() => (list.hasNextPage && !list.isFetching ? void list.fetchNextPage() : undefined)}
          />
          {selected === null ? null : (
            <HistoryDetail
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
