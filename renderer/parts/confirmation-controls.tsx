import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import { useOrpc } from '../connection/context.tsx';
import { problemOf } from '../connection/problem-of.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Button, Dialog } from '../ui/widgets.tsx';
import { FindingList } from './findings.tsx';
import { ProblemView } from './problem-view.tsx';
import { ResumeDialog } from './resume-dialog.tsx';

/** What a person can do about a confirmation. Each button is a deliberate act; nothing is opened or sent by itself. */
export function ConfirmationControls({ confirmation }: { readonly confirmation: Confirmation }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const confirm = useMutation(orpc.confirmations.confirm.mutationOptions());
  const launch = useMutation(orpc.confirmations.launch.mutationOptions());
  const stop = useMutation(orpc.confirmations.stop.mutationOptions());
  const setAside = useMutation(orpc.confirmations.setAside.mutationOptions());
  const [asking, setAsking] = useState<'confirm' | 'launch' | null>(null);
  const [resuming, setResuming] = useState(false);
  const { callId, state, canLaunch, canResume, hasResumeToken, findings } = confirmation;
  const open = state === 'waiting' || state === 'returned' || state === 'gone';
  const broken = findings.filter(({ severity, where }) => severity === 'must' && where === 'resolution');
  const run = (what: 'confirm' | 'launch') => {
    setAsking(null);
    (what === 'confirm' ? confirm : launch).mutate({ callId, confirmed: true });
  };
  const start = (what: 'confirm' | 'launch') => (broken.length > 0 ? setAsking(what) : run(what));
  // What did not work before it came to its end says nothing of that end.
  const error = open || state === 'launched' ? (confirm.error ?? launch.error ?? stop.error ?? setAside.error) : null;
  return (
    <div className="stack-s">
      <div className="row wrap">
        {state === 'launched' ? (
          <Button act icon="cross" disabled={stop.isPending} onClick={() => stop.mutate({ callId })}>
            {t('uiConfirmations.stop')}
          </Button>
        ) : null}
        {open && canLaunch ? (
          <>
            {canResume ? (
              <Button
                act
                {...(state === 'returned' ? {} : { look: 'primary' as const })}
                icon="phone"
                disabled={confirm.isPending}
                onClick={() => start('confirm')}
              >
                {t('uiConfirmations.confirm')}
              </Button>
            ) : null}
            <Button act icon="phone" disabled={launch.isPending} onClick={() => start('launch')}>
              {t('uiConfirmations.launchOnly')}
            </Button>
          </>
        ) : null}
        {canResume && (open || state === 'launched') ? (
          <Button
            act
            {...(state === 'returned' ? { look: 'primary' as const } : {})}
            icon="play"
            onClick={() => setResuming(true)}
          >
            {t('uiConfirmations.resume')}
          </Button>
        ) : null}
        {!canResume && hasResumeToken && state === 'resumed' ? (
          <Button small look="quiet" icon="bolt" onClick={() => setResuming(true)}>
            {t('uiDeliberate.title')}: {t('deviation.resume-token-twice')}
          </Button>
        ) : null}
        {open ? (
          <Button
            act
            look="quiet"
            title={t('uiConfirmations.setAsideHelp')}
            disabled={setAside.isPending}
            onClick={() => setAside.mutate({ callId })}
          >
            {t('uiConfirmations.setAside')}
          </Button>
        ) : null}
      </div>
      {error === null ? null : <ProblemView problem={problemOf(error)} title={t('uiConfirmations.failed')} alert />}
      {asking === null ? null : (
        <Dialog
          title={t('uiConfirmations.riskTitle')}
          onClose={() => setAsking(null)}
          footer={
            <>
              <Button data-autofocus onClick={() => setAsking(null)}>
                {t('common.cancel')}
              </Button>
              <Button act look="danger" icon="phone" onClick={() => run(asking)}>
                {t('uiConfirmations.openAnyway')}
              </Button>
            </>
          }
        >
          <p>{t('uiConfirmations.riskText')}</p>
          <div className="card">
            <FindingList findings={broken} />
          </div>
        </Dialog>
      )}
      {resuming ? <ResumeDialog callId={callId} used={!canResume} onClose={() => setResuming(false)} /> : null}
    </div>
  );
}
