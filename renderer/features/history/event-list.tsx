import { useState } from 'react';
import type { JournalEvent } from '../../../shared/model/event.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { indentJson } from '../../ui/json-indent.ts';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, CopyButton, Segmented } from '../../ui/widgets.tsx';

/** The events of one exchange in their order, each as its JSON. */
export function EventList({ events }: { readonly events: readonly JournalEvent[] }) {
  const first = events[0]?.atMs ?? 0;
  return events.map((event) => <Event key={event.seq} event={event} sinceMs={event.atMs - first} />);
}

function Event({ event, sinceMs }: { readonly event: JournalEvent; readonly sinceMs: number }) {
  const { t } = useI18n();
  const [view, setView] = useState<'tree' | 'text'>('tree');
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
        <Segmented
          label={name}
          value={view}
          options={[
            { value: 'tree', label: t('uiCatalog.tree') },
            { value: 'text', label: t('uiCatalog.raw') },
          ]}
          onChange={setView}
        />
        <CopyButton text={event.data} />
      </div>
      <div className="pad history-json">
        {view === 'tree' ? (
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
