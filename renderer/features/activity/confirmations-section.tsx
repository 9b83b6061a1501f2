import type { Confirmation } from '../../../shared/model/confirmation.ts';
import { useConfirmations } from '../../connection/streams.ts';
import { ConfirmationControls } from '../../parts/confirmation-controls.tsx';
import { ConfirmationState, ConfirmationSteps } from '../../parts/confirmation-steps.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useNow } from '../../ui/clock.ts';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Card } from '../../ui/widgets.tsx';
import './activity.css';

/** Calls that wait until someone decides on the device (v2 4.3). */
export function ConfirmationsSection() {
  const { t } = useI18n();
  const { value, problem } = useConfirmations();
  const waiting = value?.filter(({ state }) => state === 'waiting' || state === 'launched' || state === 'returned');
  const ended = value?.filter((one) => !waiting?.includes(one)) ?? [];
  return (
    <Card
      flush
      title={
        <span className="row">
          <Icon name="hand" /> {t('uiActivity.person')}
          {waiting === undefined ? null : <span className="tally">{waiting.length}</span>}
        </span>
      }
    >
      <p className="sub activity-note">{t('uiActivity.personHelp')}</p>
      {problem === null ? null : (
        <div className="activity-note">
          <ProblemView problem={problem} tone="warn" title={t('uiActivity.stale')} />
        </div>
      )}
      {waiting === undefined ? (
        problem === null ? (
          <p className="activity-note" role="status">
            <span className="spinner" /> {t('shell.loading')}
          </p>
        ) : null
      ) : waiting.length === 0 ? (
        <p className="dim activity-note">{t('uiActivity.personNone')}</p>
      ) : (
        <ul className="activity-list">
          {waiting.map((one) => (
            <Waiting key={one.callId} confirmation={one} />
          ))}
        </ul>
      )}
      {ended.length === 0 ? null : (
        <details className="activity-note">
          <summary>{t('uiActivity.personEnded', { count: ended.length })}</summary>
          <ul className="activity-list">
            {ended.slice(0, 50).map((one) => (
              <Waiting key={one.callId} confirmation={one} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Waiting({ confirmation }: { readonly confirmation: Confirmation }) {
  const { t } = useI18n();
  const now = useNow();
  const { deviceKey, userId, providerKey, toolIndex, tool, sinceMs, state, steps } = confirmation;
  const of = { deviceKey, userId, providerKey };
  const to = toolIndex === null ? links.provider(of, 'tools') : links.call(of, toolIndex);
  return (
    <li className="activity-item stack-s">
      <div className="row wrap">
        <a className="link mono strong" href={`#${to}`}>
          <SafeText text={tool} limit={120} fixed />
        </a>
        <span className="sub">
          <SafeText text={confirmation.providerLabel} limit={60} fixed /> ·{' '}
          <SafeText text={confirmation.deviceLabel} limit={60} fixed />
        </span>
        <span className="grow" />
        {state === 'waiting' || state === 'launched' || state === 'returned' ? (
          <span className="num fine" title={formatTime(sinceMs)}>
            {t('uiActivity.waitsFor', { time: waited(now - sinceMs) })}
          </span>
        ) : null}
        <ConfirmationState state={state} />
      </div>
      <div className="fine sub">
        <span className="mono">
          <SafeText text={confirmation.errorCode} limit={60} />
        </span>{' '}
        {confirmation.errorMessage === null ? null : <SafeText text={confirmation.errorMessage} limit={300} />}
      </div>
      <ConfirmationControls confirmation={confirmation} />
      <ConfirmationSteps steps={steps.slice(-4)} />
      <div className="mono dim fine">request_id {confirmation.requestId}</div>
    </li>
  );
}

/** In whole seconds, as the clock of the page runs. */
function waited(ms: number): string {
  return ms < 1000 ? '< 1 s' : formatDuration(Math.floor(ms / 1000) * 1000);
}
