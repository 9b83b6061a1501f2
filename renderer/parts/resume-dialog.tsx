import { useMutation, useQuery } from '@tanstack/react-query';
import { useOrpc } from '../connection/context.tsx';
import { problemOf } from '../connection/problem-of.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button, Dialog } from '../ui/widgets.tsx';
import { BundleTable } from './bundle-table.tsx';
import { ProblemView } from './problem-view.tsx';

/** The resumed call as it will be sent, and the act that sends it. */
export function ResumeDialog({ callId, onClose }: { readonly callId: string; readonly onClose: () => void }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const preview = useQuery({
    ...orpc.calls.resume.queryOptions({ input: { callId } }),
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
      {error === null ? null : <ProblemView problem={problemOf(error)} alert />}
      {prepared === null ? (
        error === null ? (
          <span className="spinner" />
        ) : null
      ) : (
        <>
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
