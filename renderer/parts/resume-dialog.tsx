import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Deviation } from '../../shared/model/deviation.ts';
import { useOrpc } from '../connection/context.tsx';
import { problemOf } from '../connection/problem-of.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button, Dialog } from '../ui/widgets.tsx';
import { BundleTable } from './bundle-table.tsx';
import { DeliberateBanner } from './deliberate-banner.tsx';
import { ProblemView } from './problem-view.tsx';

/** The resumed call as it will be sent, and the act that sends it. */
export function ResumeDialog({
  callId,
  used,
  onClose,
}: {
  readonly callId: string;
  /** The token was sent before: only a second use on purpose is left. */
  readonly used: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useI18n();
  const [deliberate, setDeliberate] = useState<readonly Deviation[]>(used ? ['resume-token-twice'] : []);
  const orpc = useOrpc();
  const preview = useQuery({
    ...orpc.calls.resume.queryOptions({ input: { callId, deliberate: [...deliberate] } }),
    // A prepared call is sent once, and its deadline runs.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const run = useMutation(orpc.calls.run.mutationOptions({ onSuccess: onClose }));
  const prepared = preview.data ?? null;
  const error = preview.error ?? run.error;
  return (
    <Dialog
      title={t('uiConfirmations.resumeTitle')}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            act
            look={prepared !== null && prepared.refusals.length > 0 ? 'danger' : 'primary'}
            icon="play"
            disabled={prepared === null || preview.isFetching || run.isPending}
            onClick={() =>
              prepared !== null &&
              run.mutate({ preparedId: prepared.id, confirmed: true, force: prepared.refusals.length > 0 })
            }
          >
            {prepared !== null && prepared.refusals.length > 0
              ? t('uiComposer.sendAnyway')
              : t('uiConfirmations.resumeSend')}
          </Button>
        </>
      }
    >
      <p className="sub">{t('uiConfirmations.resumeText')}</p>
      <label className="row fine">
        <input
          type="checkbox"
          checked={deliberate.includes('changed-args-on-resume')}
          onChange={(event) => {
            const others = deliberate.filter((one) => one !== 'changed-args-on-resume');
            setDeliberate(event.target.checked ? [...others, 'changed-args-on-resume'] : others);
          }}
        />
        <span>
          {t('uiDeliberate.title')}: {t('deviation.changed-args-on-resume')}
        </span>
      </label>
      {error === null ? null : <ProblemView problem={problemOf(error)} alert />}
      {prepared === null ? (
        error === null ? (
          <span className="spinner" />
        ) : null
      ) : (
        <>
          <DeliberateBanner prepared={prepared} />
          {prepared.refusals.map((refusal) => (
            <ProblemView
              key={`${refusal.code} ${JSON.stringify(refusal.params)}`}
              problem={refusal}
              tone="own"
              icon="shield"
            />
          ))}
          <p className="mono fine">
            content://
            <SafeText text={prepared.authority} limit={160} /> · {prepared.method}
          </p>
          <div className="card">
            <BundleTable bundle={prepared.extras} label={t('uiComposer.preview')} />
          </div>
          <p className="dim fine mono anywhere">SHA-256 {prepared.wireSha256}</p>
        </>
      )}
    </Dialog>
  );
}
