import type { PreparedCall } from '../../../shared/model/call.ts';
import type { Annotations } from '../../../shared/model/catalog.ts';
import { FlagBadges, WordBadge } from '../../parts/annotation-badges.tsx';
import { DeliberateBanner } from '../../parts/deliberate-banner.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Dialog, Note } from '../../ui/widgets.tsx';

/** The deliberate act before a call that may change something, or that our own check would refuse. Nothing runs by Enter alone. */
export function ConfirmDialog({
  prepared,
  annotations,
  onCancel,
  onConfirm,
}: {
  readonly prepared: PreparedCall;
  readonly annotations: Annotations | null;
  readonly onCancel: () => void;
  readonly onConfirm: (prepared: PreparedCall) => void;
}) {
  const { t } = useI18n();
  return (
    <Dialog
      title={prepared.hasEffect ? t('uiComposer.confirmTitle') : t('uiComposer.forceTitle')}
      onClose={onCancel}
      footer={
        <>
          <Button data-autofocus onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button act look="danger" icon="play" onClick={() => onConfirm(prepared)}>
            {prepared.refusals.length > 0 ? t('uiComposer.sendAnyway') : t('uiComposer.confirmRun')}
          </Button>
        </>
      }
    >
      <p>
        <span className="mono strong">
          <SafeText text={prepared.draft.tool} limit={160} />
        </span>{' '}
        <span className="sub">
          {t('uiComposer.confirmOn')} <SafeText text={prepared.authority} limit={160} />
        </span>
      </p>
      {prepared.hasEffect ? (
        <>
          {annotations === null ? (
            <Note tone="warn" icon="question">
              {t('uiComposer.confirmUnknown')}
            </Note>
          ) : (
            <div className="row wrap">
              <WordBadge facet="effect" value={annotations.effect} />
              <WordBadge facet="risk" value={annotations.risk} />
              <WordBadge facet="confirmation" value={annotations.confirmation} />
              <FlagBadges annotations={annotations} />
            </div>
          )}
          <p className="sub">{t('uiComposer.confirmText')}</p>
        </>
      ) : null}
      <DeliberateBanner prepared={prepared} />
      {prepared.refusals.map((refusal) => (
        <ProblemView
          key={`${refusal.code} ${JSON.stringify(refusal.params)}`}
          problem={refusal}
          tone="own"
          icon="shield"
        />
      ))}
      <pre className="raw-box confirm-args">
        <SafeText text={prepared.draft.argsText} limit={1500} block />
      </pre>
      <p className="dim fine mono anywhere">SHA-256 {prepared.wireSha256}</p>
    </Dialog>
  );
}
