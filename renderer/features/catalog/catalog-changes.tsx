import { useQuery } from '@tanstack/react-query';
import type { CatalogDiff, MemberChange, ToolChange } from '../../../shared/model/catalog-diff.ts';
import { useOrpc } from '../../connection/context.tsx';
import type { OfProvider } from '../../connection/streams.ts';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Note, type Tone } from '../../ui/widgets.tsx';

const KINDS = {
  added: { tone: 'ok', icon: 'plus' },
  removed: { tone: 'bad', icon: 'minus' },
  changed: { tone: 'warn', icon: 'pencil' },
} as const satisfies Record<ToolChange['kind'], { tone: Tone; icon: IconName }>;

/** What is different from the list that was read before, also before a restart of the app; nothing where nothing is. */
export function CatalogChanges({ of, readAtMs }: { readonly of: OfProvider; readonly readAtMs: number }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const { data } = useQuery({
    ...orpc.catalog.diff.queryOptions({ input: of }),
    queryKey: ['catalog.diff', of, readAtMs],
    placeholderData: (before: CatalogDiff | null | undefined) => before,
  });
  if (data === undefined || data === null || data.verdict === 'same') return null;
  const count = (kind: ToolChange['kind']) => data.changes.filter((change) => change.kind === kind).length;
  const since = t('uiDiff.since', { time: formatTime(data.before.atMs) });
  return (
    <details className="catalog-changes">
      <summary>
        <span className="strong">{since}</span>
        {(['added', 'removed', 'changed'] as const).map((kind) =>
          count(kind) === 0 ? null : (
            <Badge key={kind} tone={KINDS[kind].tone} icon={KINDS[kind].icon}>
              {t(`uiDiff.${kind}`, { count: count(kind) })}
            </Badge>
          ),
        )}
        {data.before.earlierRun ? <Badge look="outline">{t('uiDiff.earlierRun')}</Badge> : null}
        <span className="sub fine">
          revision <Revision text={data.before.revision} /> → <Revision text={data.after.revision} />
        </span>
      </summary>
      <div className="stack pad catalog-changes-body">
        <Note
          tone={data.verdict === 'unchanged-revision' ? 'bad' : 'info'}
          icon={data.verdict === 'unchanged-revision' ? 'warning' : 'info'}
        >
          {t(`uiDiff.verdict.${data.verdict}`)}
        </Note>
        {data.changes.map((change) => (
          <Change key={`${change.kind} ${change.tool}`} change={change} />
        ))}
        {data.more === 0 ? null : <p className="sub">{t('uiDiff.more', { count: data.more })}</p>}
      </div>
    </details>
  );
}

function Revision({ text }: { readonly text: string | null }) {
  const { t } = useI18n();
  return text === null ? (
    <span>{t('common.none')}</span>
  ) : (
    <span className="mono">
      <SafeText text={text} limit={40} fixed />
    </span>
  );
}

function Change({ change }: { readonly change: ToolChange }) {
  const { t } = useI18n();
  const { tone, icon } = KINDS[change.kind];
  return (
    <section>
      <h3 className="row">
        <Badge tone={tone} icon={icon}>
          {t(`uiDiff.kind.${change.kind}`)}
        </Badge>
        <span className="mono">
          <SafeText text={change.tool} limit={100} />
        </span>
      </h3>
      {change.members.length === 0 ? null : (
        <table className="table fine diff-table">
          <thead>
            <tr>
              <th scope="col">{t('uiDiff.member')}</th>
              <th scope="col">{t('uiDiff.before')}</th>
              <th scope="col">{t('uiDiff.after')}</th>
            </tr>
          </thead>
          <tbody>
            {change.members.map((member) => (
              <Member key={member.member} change={member} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Member({ change }: { readonly change: MemberChange }) {
  const { t } = useI18n();
  const shown = (text: string | null) =>
    text === null ? <span className="dim">{t('uiDiff.absent')}</span> : <SafeText text={text} limit={600} block />;
  return (
    <tr>
      <th scope="row" className="mono">
        <SafeText text={change.member} limit={100} />
        {change.security ? (
          <div>
            <Badge tone="warn" icon="shield">
              {t('uiDiff.security')}
            </Badge>
          </div>
        ) : null}
      </th>
      <td className="mono">{shown(change.before)}</td>
      <td className="mono">{shown(change.after)}</td>
    </tr>
  );
}
