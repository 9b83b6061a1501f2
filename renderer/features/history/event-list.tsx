import type { JournalEvent } from '../../../shared/model/event.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Badge, CopyButton } from '../../ui/widgets.tsx';

/** The events of one exchange in their order, each as its JSON. */
export function EventList({ events }: { readonly events: readonly JournalEvent[] }) {
  const { t } = useI18n();
  const first = events[0]?.atMs ?? 0;
  return events.map((event) => (
    <section key={event.seq} className="card">
      <div className="card-head">
        <Badge tone={event.kind === 'failure' ? 'warn' : event.kind === 'response' ? 'ok' : 'plain'} look="outline">
          {t(`uiHistory.kind.${event.kind}`)}
        </Badge>
        <span className="mono num dim">
          {formatTime(event.atMs)} {event.atMs > first ? `+${event.atMs - first} ms` : ''}
        </span>
        <span className="dim fine">#{event.seq}</span>
        <span className="grow" />
        {event.redactions > 0 ? (
          <Badge icon="key" look="dashed">
            {t('uiHistory.redactions', { count: event.redactions })}
          </Badge>
        ) : null}
        <CopyButton text={event.data} />
      </div>
      <div className="pad history-json">
        <JsonTree text={event.data} label={t(`uiHistory.kind.${event.kind}`)} />
      </div>
    </section>
  ));
}
