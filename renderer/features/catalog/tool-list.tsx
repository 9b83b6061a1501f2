import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import type { ToolRow } from '../../../shared/model/catalog.ts';
import { FlagBadges, WordBadge } from '../../parts/annotation-badges.tsx';
import { FindingCounts } from '../../parts/findings.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Blank, Button } from '../../ui/widgets.tsx';

const ROW = 76;

/** Any number of tools; only the visible ones are drawn. One tab stop, arrows move, Enter opens the composer. */
export function ToolList({
  rows,
  total,
  selected,
  v1,
  onSelect,
  onOpen,
  onClear,
}: {
  readonly rows: readonly ToolRow[];
  readonly total: number;
  readonly selected: number | null;
  readonly v1: boolean;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (index: number) => void;
  readonly onClear: () => void;
}) {
  const { t } = useI18n();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 3,
  });
  const at = rows.findIndex((row) => row.index === selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(0, at - 1),
      Home: 0,
      End: rows.length - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    };
    if (event.key === 'Enter' && selected !== null) {
      const row = rows[at];
      if (row?.state === 'ok' || row?.name != null) onOpen(selected);
      return;
    }
    const to = steps[event.key];
    if (to === undefined || rows.length === 0) return;
    event.preventDefault();
    const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (row !== undefined) onSelect(row.index);
  };
  if (total === 0) {
    return (
      <Blank icon="tool" title={t('uiCatalog.empty')}>
        <p>{t('uiCatalog.emptyHelp')}</p>
      </Blank>
    );
  }
  return (
    <div
      ref={scroller}
      id="tool-list"
      className="tool-list"
      role="listbox"
      aria-label={t('uiProviders.tools')}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `tool-${selected}`}
      onKeyDown={onKeyDown}
    >
      {rows.length === 0 ? (
        <Blank icon="search" title={t('uiCatalog.noMatch')}>
          <Button onClick={onClear}>{t('uiCatalog.clear')}</Button>
        </Blank>
      ) : null}
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <Row
              key={row.index}
              row={row}
              top={item.start}
              position={item.index + 1}
              size={rows.length}
              selected={row.index === selected}
              v1={v1}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}

const Row = memo(function Row({
  row,
  top,
  position,
  size,
  selected,
  v1,
  onSelect,
  onOpen,
}: {
  readonly row: ToolRow;
  readonly top: number;
  readonly position: number;
  readonly size: number;
  readonly selected: boolean;
  readonly v1: boolean;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (index: number) => void;
}) {
  const { t } = useI18n();
  return (
    // The listbox above takes the keys for all its options.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={`tool-${row.index}`}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={size}
      tabIndex={-1}
      className={`tool-row ${row.state}`}
      style={{ height: ROW, transform: `translateY(${top}px)` }}
      // The first click may lay the list out anew, so that no double click is made of the two: their count tells.
      onClick={(event) => (event.detail === 2 && row.name !== null ? onOpen(row.index) : onSelect(row.index))}
    >
      <div className="row tool-line">
        <span className="mono strong ellipsis">
          {row.name === null ? (
            <span className="toned tone-bad">{t('uiCatalog.unnamed', { index: row.index })}</span>
          ) : (
            <SafeText text={row.name} limit={90} fixed />
          )}
        </span>
        {row.title === null ? null : (
          <span className="sub ellipsis tool-title">
            <SafeText text={row.title} limit={80} fixed />
          </span>
        )}
        {row.consumerName === null || row.consumerName === row.name ? null : (
          <span className="mono dim ellipsis tool-title" title={t('uiCatalog.consumerName')}>
            <span className="sr-only">{t('uiCatalog.consumerName')}: </span>→{' '}
            <SafeText text={row.consumerName} limit={90} fixed />
          </span>
        )}
        <span className="grow" />
        {row.annotations === null || row.annotations.execution === 'sync' ? null : (
          <WordBadge facet="execution" value={row.annotations.execution} compact />
        )}
        {row.state === 'malformed' ? (
          <Badge tone="bad" look="solid" icon="stop">
            {t('uiCatalog.findings.malformed')}
          </Badge>
        ) : null}
        {row.collidesWith.length > 0 ? (
          <Badge tone="warn" look="outline" icon="warning">
            {t('uiCatalog.findings.collision')}
          </Badge>
        ) : null}
        <FindingCounts findings={row.findings} />
      </div>
      <div className="ellipsis sub fine tool-text">
        {row.description === '' ? (
          <span className="dim">{t('uiCatalog.noDescription')}</span>
        ) : (
          <SafeText text={row.description} limit={220} fixed />
        )}
      </div>
      <div className="row tool-line badges">
        {row.annotations === null ? (
          <Badge look="dashed" icon="question">
            {v1 ? t('uiCatalog.v1NoAnnotations') : t('uiCatalog.noAnnotations')}
          </Badge>
        ) : (
          <>
            <WordBadge facet="effect" value={row.annotations.effect} compact />
            <WordBadge facet="risk" value={row.annotations.risk} compact />
            <WordBadge facet="confirmation" value={row.annotations.confirmation} compact />
            <FlagBadges annotations={row.annotations} />
          </>
        )}
      </div>
    </div>
  );
});
