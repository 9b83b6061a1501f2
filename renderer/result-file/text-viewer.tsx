import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useOrpc } from '../connection/context.tsx';
import { problemOf } from '../connection/problem-of.ts';
import { ProblemView } from '../parts/problem-view.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button, CopyButton, Loading } from '../ui/widgets.tsx';
import { rowAt, splitRows } from './rows.ts';
import { SearchBar } from './search-bar.tsx';

const PART = 128 * 1024;
/** Shown before a place that was jumped to, in bytes. */
const LEAD = 4 * 1024;
const ROW = 18;
/** Of the gutter with the offsets, in characters. */
const GUTTER = 13;

interface Place {
  /** Where the part starts. */
  readonly offset: number;
  /** The row to show; null is the first. */
  readonly target: number | null;
  /** What was found there. */
  readonly found: string;
}

/** A part of a result at a time, with its way through the whole: head, tail, any offset, any text. */
export function TextViewer({ callId, totalBytes }: { readonly callId: string; readonly totalBytes: number }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const [place, setPlace] = useState<Place>({ offset: 0, target: null, found: '' });
  const part = useQuery({
    ...orpc.results.read.queryOptions({ input: { callId, offset: place.offset, length: PART, as: 'text' } }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5_000,
  });
  const go = (offset: number, target: number | null = null, found = '') =>
    setPlace({ offset: Math.max(0, Math.min(offset, Math.max(0, totalBytes - 1))), target, found });
  const { data } = part;
  const number = (value: number) => value.toLocaleString('en-US');
  return (
    <div className="result-viewer">
      <div className="row wrap result-bar">
        <Button small disabled={place.offset === 0 && place.target === null} onClick={() => go(0)}>
          {t('uiResult.head')}
        </Button>
        <Button
          small
          icon="back"
          disabled={data === undefined || data.offset === 0}
          aria-label={t('uiResult.previousPart')}
          title={t('uiResult.previousPart')}
          onClick={() => go((data?.offset ?? 0) - PART)}
        />
        <Button
          small
          icon="chevron"
          disabled={data === undefined || data.nextOffset >= data.totalBytes}
          aria-label={t('uiResult.nextPart')}
          title={t('uiResult.nextPart')}
          onClick={() => go(data?.nextOffset ?? 0)}
        />
        <Button small onClick={() => go(totalBytes - PART, totalBytes)}>
          {t('uiResult.tail')}
        </Button>
        <JumpTo totalBytes={totalBytes} onGo={(offset) => go(offset - LEAD, offset)} />
        <SearchBar
          callId={callId}
          onGo={(offset, found) =>
            offset === null ? setPlace({ ...place, found: '' }) : go(offset - LEAD, offset, found)
          }
        />
      </div>
      {part.error === null ? null : <ProblemView problem={problemOf(part.error)} alert />}
      {data === undefined ? (
        part.error === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <Rows text={data.text ?? ''} offset={data.offset} place={place} />
          <div className="row wrap fine dim">
            <span className="num">
              {t('uiResult.range', {
                from: number(data.offset),
                to: number(data.nextOffset),
                total: number(data.totalBytes),
              })}
            </span>
            {data.invalid === 0 ? null : (
              <span className="toned tone-warn">
                <Icon name="warning" size={12} /> {t('uiResult.invalid', { count: number(data.invalid) })}
              </span>
            )}
            {data.masked === 0 ? null : <span>{t('uiResult.masked', { count: data.masked })}</span>}
            <span className="grow" />
            <CopyButton text={data.text ?? ''} label={t('uiResult.copyPart')} />
          </div>
        </>
      )}
    </div>
  );
}

function JumpTo({ totalBytes, onGo }: { readonly totalBytes: number; readonly onGo: (offset: number) => void }) {
  const { t } = useI18n();
  const [text, setText] = useState('');
  const offset = /^\d{1,15}$/.test(text.replaceAll(/[,_ ]/g, '')) ? Number(text.replaceAll(/[,_ ]/g, '')) : null;
  const valid = offset !== null && offset < totalBytes;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) onGo(offset);
      }}
    >
      <input
        className="text-input num result-jump"
        value={text}
        inputMode="numeric"
        aria-label={t('uiResult.jump')}
        placeholder={t('uiResult.jump')}
        aria-invalid={text !== '' && !valid}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}

function Rows({ text, offset, place }: { readonly text: string; readonly offset: number; readonly place: Place }) {
  const { t } = useI18n();
  const scroller = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(100);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const probe = element.querySelector('.result-probe');
    const fit = () => {
      const width = (probe?.getBoundingClientRect().width ?? 0) / 10;
      if (width > 0) setColumns(Math.max(20, Math.floor((element.clientWidth - 12) / width) - GUTTER));
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const rows = useMemo(() => splitRows(text, offset, columns), [text, offset, columns]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
  });
  const marked = place.target === null ? -1 : rowAt(rows, place.target);
  useEffect(() => {
    if (marked < 0) virtual.scrollToOffset(0);
    else virtual.scrollToIndex(marked, { align: 'center' });
  }, [marked, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the keys
    <section ref={scroller} className="result-rows mono" aria-label={t('uiResult.content')} tabIndex={0}>
      <span className="result-probe" aria-hidden="true">
        0000000000
      </span>
      <div style={{ height: rows.length * ROW, position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <div
              key={item.index}
              className={`result-row ${item.index === marked ? 'marked' : ''}`}
              style={{ height: ROW, transform: `translateY(${item.start}px)` }}
            >
              <span className="result-offset num">
                {item.index === marked ? '▸' : ''}
                {row.startsLine ? row.offset.toLocaleString('en-US') : '↪'}
              </span>
              <Marked text={row.text} found={item.index === marked ? place.found : ''} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** A place that goes on in the next row has its row marked only. */
function Marked({ text, found }: { readonly text: string; readonly found: string }) {
  const at = found === '' ? -1 : text.indexOf(found);
  if (at < 0) return <SafeText text={text} limit={2000} fixed />;
  return (
    <span>
      <SafeText text={text.slice(0, at)} limit={2000} fixed />
      <mark>
        <SafeText text={found} limit={1000} fixed />
      </mark>
      <SafeText text={text.slice(at + found.length)} limit={2000} fixed />
    </span>
  );
}
