import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../shared/model/session.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OfProvider } from '../../connection/streams.ts';
import { BundleTable } from '../../parts/bundle-table.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { ProblemLine, ProblemView } from '../../parts/problem-view.tsx';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Card } from '../../ui/widgets.tsx';
import { SESSION_LOOKS } from './session-look.ts';

/** Every negotiation with this Provider, newest first: offer, answer, and why it ended. */
export function SessionList({ of, current }: { readonly of: OfProvider; readonly current: Session | null }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  // Asked again whenever the session on show changes.
  const changed = current === null ? '' : `${current.id} ${current.state}`;
  const list = useQuery({
    ...orpc.sessions.list.queryOptions({ input: of }),
    queryKey: ['sessions.list', of, changed],
    placeholderData: (before: Session[] | undefined) => before,
  });
  const sessions = list.data ?? [];
  return (
    <Card flush title={t('uiSessions.negotiations')} actions={<span className="dim fine">{sessions.length}</span>}>
      {list.error === null ? null : <ProblemView problem={problemOf(list.error)} />}
      <ol className="session-list" aria-label={t('uiSessions.negotiations')}>
        {sessions.map((session) => (
          <Negotiation key={session.id} session={session} />
        ))}
      </ol>
    </Card>
  );
}

function Negotiation({ session }: { readonly session: Session }) {
  const { t } = useI18n();
  const look = SESSION_LOOKS[session.state];
  return (
    <li>
      <details>
        <summary>
          <span className="mono num">{formatTime(session.startedAtMs)}</span>
          <Badge tone={look.tone} icon={look.icon}>
            {t(`uiProviders.sessionState.${session.state}`)}
          </Badge>
          <span>{t(`uiSessions.cause.${session.cause}`)}</span>
          <span className="sub grow session-reason">
            {session.problem === null ? null : <ProblemLine problem={session.problem} />}
          </span>
          {session.earlierRun ? <Badge look="outline">{t('uiSessions.earlierRun')}</Badge> : null}
          <span className="dim fine num">
            {session.endedAtMs === null
              ? null
              : t('uiSessions.lasted', {
                  duration: formatDuration(Math.max(0, session.endedAtMs - session.startedAtMs)),
                })}
          </span>
        </summary>
        <div className="stack pad">
          <dl className="facts fine">
            <dt>{t('uiProviders.offered')}</dt>
            <dd className="mono">
              {session.offeredVersions.join(', ')} · {session.offeredCapabilities.join(', ') || t('common.none')}
            </dd>
            <dt>{t('uiProviders.selectedVersion')}</dt>
            <dd>{session.selectedVersion ?? <span className="dim">{t('common.none')}</span>}</dd>
            <dt>{t('uiProviders.capabilities')}</dt>
            <dd className="mono">
              <SafeText text={session.capabilities.join(', ') || t('common.none')} limit={400} />
            </dd>
            <dt>{t('uiSessions.limits')}</dt>
            <dd className="mono">
              {Object.entries(session.limits)
                .map(([name, value]) => `${name} ${value ?? '–'}`)
                .join(' · ')}
            </dd>
            <dt>{t('uiSessions.expiry')}</dt>
            <dd>{session.expiresAtMs === null ? t('uiProviders.noExpiry') : formatTime(session.expiresAtMs)}</dd>
            <dt>{t('uiSessions.ended')}</dt>
            <dd>{session.endedAtMs === null ? t('uiSessions.notEnded') : formatTime(session.endedAtMs)}</dd>
          </dl>
          {session.findings.length === 0 ? null : <FindingList findings={session.findings} />}
          {session.answer === null ? null : <BundleTable bundle={session.answer} label={t('uiProviders.rawAnswer')} />}
        </div>
      </details>
    </li>
  );
}
