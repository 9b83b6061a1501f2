import { clockCorrection } from '../../../shared/base/clock-correction.ts';
import type { Provider } from '../../../shared/model/provider.ts';
import type { Session } from '../../../shared/model/session.ts';
import { type OfProvider, useSession } from '../../connection/streams.ts';
import { BundleTable } from '../../parts/bundle-table.tsx';
import { ClockOffset } from '../../parts/clock-offset.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useNow } from '../../ui/clock.ts';
import { formatBytes, formatDuration, formatTime, remaining } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Blank, Card, Loading, Note } from '../../ui/widgets.tsx';
import { SessionActions } from './session-actions.tsx';
import { SessionList } from './session-list.tsx';
import { SESSION_LOOKS } from './session-look.ts';
import './providers.css';

export function SessionView({ of, provider }: { readonly of: OfProvider; readonly provider: Provider }) {
  const { t } = useI18n();
  const { value, problem } = useSession(of);
  if (provider.protocol === 'v1')
    return (
      <Note tone="info" icon="info">
        {t('uiProviders.v1NoSession')}
      </Note>
    );
  if (provider.protocol === 'none')
    return (
      <Note tone="bad" icon="ban">
        {t('uiProviders.noSession')}
      </Note>
    );
  if (value === undefined) return problem === null ? <Loading /> : <ProblemView problem={problem} />;
  const button = <SessionActions of={of} session={value} />;
  if (value === null) {
    return (
      <>
        <Blank icon="link" title={t('uiProviders.notNegotiated')}>
          <p>{t('uiProviders.notNegotiatedHelp')}</p>
          {button}
        </Blank>
        <SessionList of={of} current={value} />
      </>
    );
  }
  return (
    <>
      {value.problem === null ? null : (
        <ProblemView
          problem={value.problem}
          tone={value.state === 'failed' ? 'bad' : 'warn'}
          icon="ban"
          title={value.state === 'failed' ? t('uiProviders.negotiationFailed') : t('uiSessions.over')}
        />
      )}
      {value.state === 'failed' ? (
        <Note tone="bad" icon="shield">
          {t('uiProviders.noDowngrade')}
        </Note>
      ) : null}
      <SessionFacts session={value} action={button} />
      <div className={value.findings.length === 0 ? 'stack' : 'columns'}>
        <Card
          flush
          title={t('uiProviders.findingsTitle')}
          actions={<span className="dim fine">{t('uiProviders.ourVerdict')}</span>}
        >
          <FindingList findings={value.findings} />
        </Card>
        <Card
          flush
          title={t('uiProviders.rawAnswer')}
          actions={<span className="dim fine">{t('uiProviders.secretsMasked')}</span>}
        >
          {value.answer === null ? (
            <p className="dim pad">{t('uiProviders.noAnswer')}</p>
          ) : (
            <BundleTable bundle={value.answer} label={t('uiProviders.rawAnswer')} />
          )}
        </Card>
      </div>
      <SessionList of={of} current={value} />
    </>
  );
}

function SessionFacts({ session, action }: { readonly session: Session; readonly action: React.ReactNode }) {
  const { t } = useI18n();
  const look = SESSION_LOOKS[session.state];
  const exactBytes = (value: number) => <Exact value={value} unit="B" about={formatBytes(value)} />;
  const limit = (value: number | null, format: (value: number) => React.ReactNode) =>
    value === null ? <span className="dim">{t('common.notDeclared')}</span> : format(value);
  return (
    <Card
      title={
        <span className="row wrap">
          {t('uiProviders.session')}
          <Badge tone={look.tone} icon={look.icon}>
            {t(`uiProviders.sessionState.${session.state}`)}
          </Badge>
          {session.state === 'open' || session.state === 'expired' ? <Countdown session={session} /> : null}
        </span>
      }
      actions={action}
    >
      <div className="stack">
        <dl className="session-grid">
          <Stat name="max_request_bytes">{limit(session.limits.maxRequestBytes, exactBytes)}</Stat>
          <Stat name="max_inline_result_bytes">{limit(session.limits.maxInlineResultBytes, exactBytes)}</Stat>
          <Stat name="max_concurrent_requests">{limit(session.limits.maxConcurrentRequests, String)}</Stat>
          <Stat name="idempotency_window_seconds">
            {limit(session.limits.idempotencyWindowSeconds, (value) => (
              <Exact value={value} unit="s" about={formatDuration(value * 1000)} />
            ))}
          </Stat>
        </dl>
        <dl className="facts">
          <dt>{t('uiProviders.selectedVersion')}</dt>
          <dd className="strong">{session.selectedVersion ?? <span className="dim">{t('common.none')}</span>}</dd>
          <dt>session_token</dt>
          <dd>
            {session.tokenBytes === null ? (
              <span className="dim">{t('common.none')}</span>
            ) : (
              <Badge icon="key" look="dashed">
                {t('shell.masked', { bytes: session.tokenBytes })}
              </Badge>
            )}
          </dd>
          <dt>provider_id</dt>
          <dd className="mono">
            {session.providerId === null ? (
              <span className="dim">{t('common.none')}</span>
            ) : (
              <SafeText text={session.providerId} />
            )}
          </dd>
          <dt>provider_name</dt>
          <dd>
            {session.providerName === null ? (
              <span className="dim">{t('common.none')}</span>
            ) : (
              <SafeText text={session.providerName} />
            )}
          </dd>
          <dt>{t('uiProviders.offered')}</dt>
          <dd className="mono">
            {session.offeredVersions.join(', ')} · {session.offeredCapabilities.join(', ') || t('common.none')}
          </dd>
          <dt>{t('uiProviders.capabilities')}</dt>
          <dd>
            <Capabilities names={session.capabilities} used={session.state !== 'failed'} />
          </dd>
          <dt>{t('uiProviders.otherCapabilities')}</dt>
          <dd>
            <Capabilities names={session.otherCapabilities} used={false} />
          </dd>
          <dt>{t('uiClock.title')}</dt>
          <dd>
            <ClockOffset clock={session.deviceClock} />
          </dd>
          <dt>{t('uiProviders.negotiatedAt')}</dt>
          <dd className="num">
            {formatTime(session.startedAtMs)}
            {session.durationMs === null ? null : ` · ${formatDuration(session.durationMs)}`}
          </dd>
        </dl>
      </div>
    </Card>
  );
}

function Countdown({ session }: { readonly session: Session }) {
  const { t } = useI18n();
  const now = useNow();
  if (session.expiresAtMs === null) return <span className="dim fine">{t('uiProviders.noExpiry')}</span>;
  // `expires_at` is an instant of the device's clock.
  const expiresAtMs = session.expiresAtMs - clockCorrection(session.deviceClock);
  const left = remaining(expiresAtMs, now);
  return (
    <span className={`fine num ${left === null ? 'tone-warn toned' : 'sub'}`}>
      {left === null
        ? t('uiProviders.expiredAt', { time: formatTime(expiresAtMs, now) })
        : t('uiProviders.expiresIn', { left })}
    </span>
  );
}

function Capabilities({ names, used }: { readonly names: readonly string[]; readonly used: boolean }) {
  const { t } = useI18n();
  if (names.length === 0) return <span className="dim">{t('common.none')}</span>;
  return (
    <span className="caps">
      {names.map((name) => (
        <Badge
          key={name}
          icon={used ? 'check' : 'question'}
          look={used ? 'soft' : 'dashed'}
          tone={used ? 'ok' : 'plain'}
        >
          <SafeText text={name} limit={60} fixed />
        </Badge>
      ))}
    </span>
  );
}

/** The number as declared, and beside it what it amounts to. */
function Exact({ value, unit, about }: { readonly value: number; readonly unit: string; readonly about: string }) {
  const exact = `${value.toLocaleString('en')} ${unit}`;
  return (
    <>
      {exact}
      {about === exact ? null : <div className="note-unit">{about}</div>}
    </>
  );
}

function Stat({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
