import { useState } from 'react';
import type { SavedCallEntry } from '../../../shared/model/collection.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OnDevice } from '../../connection/streams.ts';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { navigate } from '../../ui/location.ts';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Button, Card, Dialog } from '../../ui/widgets.tsx';
import { ResultView } from './result-view.tsx';
import type { RunState } from './use-run.ts';

type Asking = { readonly kind: 'delete' } | { readonly kind: 'draft'; readonly go: () => void } | null;

/** One file: what it says, and its last result beside it. */
export function CallView({
  folder,
  entry,
  environment,
  device,
  run,
  onRun,
  onChanged,
}: {
  readonly folder: string;
  readonly entry: SavedCallEntry;
  readonly environment: string | null;
  readonly device: OnDevice | null;
  readonly run: RunState;
  readonly onRun: () => void;
  readonly onChanged: () => void;
}) {
  const { t } = useI18n();
  const client = useClient();
  const [failure, setFailure] = useState<Problem | null>(null);
  const [asking, setAsking] = useState<Asking>(null);
  const [busy, setBusy] = useState(false);
  const { call, file, sha256 } = entry;
  const result = run.results.get(file);

  const guarded = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const open = () =>
    guarded(async () => {
      const { tool, toolIndex, argsText, ...of } = await client.collections.locate({
        folder,
        file,
        environment,
        device,
      });
      const draft = await client.calls.getDraft({ ...of, tool });
      const go = () =>
        void guarded(async () => {
          await client.calls.putDraft({ ...of, tool, argsText });
          navigate(links.call(of, toolIndex));
        });
      // A draft is somebody's work: it is not replaced without a word.
      if (draft.argsText === null || draft.argsText === argsText) go();
      else setAsking({ kind: 'draft', go });
    });
  const remove = () =>
    guarded(async () => {
      setAsking(null);
      if (sha256 !== null) await client.collections.remove({ folder, file, before: sha256 });
      onChanged();
    });

  return (
    <div className="stack">
      <div className="row wrap">
        <h2 className="grow anywhere">
          <SafeText text={call?.name ?? file} limit={200} />
        </h2>
        {call?.allowEffects === true ? (
          <Badge tone="warn" icon="bolt">
            {t('uiSaved.mayChange')}
          </Badge>
        ) : null}
        {call?.force === true ? (
          <Badge tone="own" icon="shield">
            {t('uiSaved.force')}
          </Badge>
        ) : null}
        <Button icon="pencil" disabled={call === null || busy} onClick={() => void open()}>
          {t('uiSaved.openInComposer')}
        </Button>
        <Button icon="trash" disabled={sha256 === null || busy} onClick={() => setAsking({ kind: 'delete' })}>
          {t('uiSaved.delete')}
        </Button>
        <Button act look="primary" icon="play" disabled={call === null || run.running} onClick={onRun}>
          {t('uiSaved.runOne')}
        </Button>
      </div>
      {failure === null ? null : <ProblemView problem={failure} alert />}
      {entry.problem === null ? null : <ProblemView problem={entry.problem} tone="warn" />}
      {result === undefined ? null : <ResultView result={result} />}
      {call === null ? null : (
        <Card title={t('uiSaved.inFile')}>
          <div className="stack">
            <dl className="facts">
              <dt>{t('uiSaved.file')}</dt>
              <dd className="mono">
                <SafeText text={file} limit={300} />
              </dd>
              <dt>Provider</dt>
              <dd className="mono">
                <SafeText text={call.provider} limit={300} />
              </dd>
              <dt>{t('uiSaved.tool')}</dt>
              <dd className="mono">
                <SafeText text={call.tool} limit={300} />
              </dd>
              {call.device === null ? null : (
                <>
                  <dt>{t('uiSaved.device')}</dt>
                  <dd className="mono">
                    <SafeText text={call.device} limit={300} />
                  </dd>
                </>
              )}
              {entry.needs.length === 0 ? null : (
                <>
                  <dt>{t('uiSaved.variables')}</dt>
                  <dd className="mono">
                    <SafeText text={entry.needs.join(', ')} limit={400} />
                  </dd>
                </>
              )}
            </dl>
            <div>
              <h3 className="fine dim">{t('uiComposer.arguments')}</h3>
              <pre className="raw-box">
                <SafeText text={call.argsText} limit={4000} block />
              </pre>
            </div>
          </div>
        </Card>
      )}
      {asking === null ? null : (
        <Dialog
          title={asking.kind === 'delete' ? t('uiSaved.deleteTitle') : t('uiSaved.draftTitle')}
          onClose={() => setAsking(null)}
          footer={
            <>
              <Button data-autofocus onClick={() => setAsking(null)}>
                {t('common.cancel')}
              </Button>
              <Button act look="danger" onClick={() => (asking.kind === 'delete' ? void remove() : asking.go())}>
                {asking.kind === 'delete' ? t('uiSaved.delete') : t('uiSaved.replaceDraft')}
              </Button>
            </>
          }
        >
          <p>{asking.kind === 'delete' ? t('uiSaved.deleteHelp') : t('uiSaved.draftHelp')}</p>
          <p className="mono anywhere">
            <SafeText text={file} limit={300} />
          </p>
        </Dialog>
      )}
    </div>
  );
}
