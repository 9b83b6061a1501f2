import { useMemo, useState } from 'react';
import type { JournalEvent } from '../../../shared/model/event.ts';
import { BundleTable } from '../../parts/bundle-table.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { indentJson } from '../../ui/json-indent.ts';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, CopyButton, Segmented } from '../../ui/widgets.tsx';
import { readEventBundle } from './event-bundle.ts';

/** The events of one exchange in their order: as a Bundle where one came or went, and always as the JSON that was recorded. */
export function EventList({ events }: { readonly events: readonly JournalEvent[] }) {
  const first = events[0]?.atMs ?? 0;
  return events.map((event) => <Event key={event.seq} event={event} sinceMs={event.atMs - first} />);
}

function Event({ event, sinceMs }: { readonly event: JournalEvent; readonly sinceMs: number }) {
  const { t } = useI18n();
  const bundle = useMemo(() => readEventBundle(event.data), [event.data]);
  const [view, setView] = useState<'bundle' | 'tree' | 'text'>(bundle === null ? 'tree' : 'bundle');
  const name = t(`uiHistory.kind.${event.kind}`);
  return (
    <section className="card">
      <div className="card-head">
        <Badge tone={event.kind === 'failure' ? 'warn' : event.kind === 'response' ? 'ok' : 'plain'} look="outline">
          {name}
        </Badge>
        <span className="mono num dim">
          {formatTime(event.atMs)} {sinceMs > 0 ? `+${sinceMs} ms` : ''}
        </span>
        <span className="dim fine">#{event.seq}</span>
        <span className="grow" />
        {event.redactions > 0 ? (
          <Badge icon="key" look="dashed">
            {t('uiHistory.redactions', { count: event.redactions })}
          </Badge>
        ) : null}
        <span className="row event-tools">
          <Segmented
            label={name}
            value={view}
            options={[
              ...(bundle === null ? [] : [{ value: 'bundle' as const, label: 'Bundle' }]),
              { value: 'tree', label: t('uiCatalog.tree') },
              { value: 'text', label: t('uiCatalog.raw') },
            ]}
            onChange={setView}
          />
          <CopyButton text={event.data} />
        </span>
      </div>
      {view === 'bundle' && bundle !== null ? <BundleTable bundle={bundle.bundle} label={name} /> : null}
      <div className="pad history-json">
        {view === 'bundle' && bundle !== null ? (
          <>
            <h3>{t('uiHistory.beside')}</h3>
            <JsonTree text={bundle.rest} label={name} />
          </>
        ) : view === 'tree' ? (
          <JsonTree text={event.data} label={name} />
        ) : (
          <pre>
            <SafeText text={indentJson(event.data)} limit={8000} block />
          </pre>
        )}
      </div>
    </section>
  );
}
