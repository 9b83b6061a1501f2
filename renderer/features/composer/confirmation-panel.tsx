import type { CallRecord } from '../../../shared/model/call.ts';
import type { Confirmation } from '../../../shared/model/confirmation.ts';
import { useConfirmations } from '../../connection/streams.ts';
import { ConfirmationControls } from '../../parts/confirmation-controls.tsx';
import { ConfirmationState, ConfirmationSteps } from '../../parts/confirmation-steps.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Card } from '../../ui/widgets.tsx';

/** Under an answer that asks for a person (v2 4.3): who made the screen, what to do, and what happened so far. */
export function ConfirmationPanel({ call }: { readonly call: CallRecord }) {
  const { t } = useI18n();
  const { value } = useConfirmations();
  const confirmation = value?.find((one) => one.callId === call.id);
  if (confirmation === undefined) return null;
  return (
    <Card
      title={
        <span className="row">
          <Icon name="hand" /> {t('uiConfirmations.title')}
        </span>
      }
      actions={<ConfirmationState state={confirmation.state} />}
    >
      <div className="stack">
        <p className="sub">{t('uiConfirmations.help')}</p>
        <ConfirmationControls confirmation={confirmation} />
        <Facts confirmation={confirmation} />
        {confirmation.findings.length === 0 ? null : (
          <div className="card">
            <FindingList findings={confirmation.findings} />
          </div>
        )}
        <ConfirmationSteps steps={confirmation.steps} />
      </div>
    </Card>
  );
}

function Facts({ confirmation }: { readonly confirmation: Confirmation }) {
  const { t } = useI18n();
  const { resolution, hasResumeToken, canResume, sinceMs } = confirmation;
  return (
    <dl className="facts fine">
      <dt>{t('uiConfirmations.since')}</dt>
      <dd className="num">{formatTime(sinceMs)}</dd>
      <dt>{t('uiConfirmations.creator')}</dt>
      <dd>
        {resolution === null ? (
          t('uiConfirmations.noIntent')
        ) : resolution.creatorPackage === null ? (
          t('uiConfirmations.creatorUnknown')
        ) : (
          <>
            <span className="mono">
              <SafeText text={resolution.creatorPackage} limit={160} />
            </span>{' '}
            {resolution.creatorUid === null ? null : (
              <span className="dim num">{t('uiConfirmations.creatorUid', { uid: resolution.creatorUid })}</span>
            )}
          </>
        )}
      </dd>
      {resolution === null ? null : (
        <>
          <dt>{t('uiConfirmations.immutable')}</dt>
          <dd>
            {resolution.immutable === null
              ? t('uiConfirmations.notTold')
              : t(resolution.immutable ? 'common.yes' : 'common.no')}
          </dd>
          <dt>{t('uiConfirmations.kind')}</dt>
          <dd>
            {resolution.kind === null ? t('uiConfirmations.notTold') : t(`uiConfirmations.kind.${resolution.kind}`)}
          </dd>
        </>
      )}
      <dt>{t('uiConfirmations.token')}</dt>
      <dd>
        {t(
          !hasResumeToken
            ? 'uiConfirmations.tokenNone'
            : canResume
              ? 'uiConfirmations.tokenKept'
              : 'uiConfirmations.tokenUsed',
        )}
      </dd>
    </dl>
  );
}
