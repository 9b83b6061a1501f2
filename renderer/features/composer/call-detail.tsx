import { useState } from 'react';
import type { CallOutcome, CallRecord } from '../../../shared/model/call.ts';
import { BundleTable } from '../../parts/bundle-table.tsx';
import { DeliberateBanner } from '../../parts/deliberate-banner.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Segmented } from '../../ui/widgets.tsx';
import { ConfirmationPanel } from './confirmation-panel.tsx';
import { OperationView } from './operation-view.tsx';
import { OutcomeBody } from './outcome-body.tsx';
import { RetryBar } from './retry-bar.tsx';

type View = 'answer' | 'bundle' | 'sent' | 'findings';

/** One call: what it meant, what came over the wire, and what was sent. */
export function CallDetail({
  call,
  calls,
  onRetry,
  onSelect,
}: {
  readonly call: CallRecord;
  readonly calls: readonly CallRecord[];
  readonly onSelect: (id: string | null) => void;
  readonly onRetry: (call: CallRecord) => void;
}) {
  const { t } = useI18n();
  const [view, setView] = useState<View>('answer');
  const { outcome } = call;
  const findings = outcome?.findings ?? [];
  return (
    <div className="call-detail">
      <div className="lower-bar">
        <Segmented
          label={t('uiComposer.views')}
          value={view}
          options={[
            { value: 'answer', label: t('uiComposer.answer') },
            { value: 'bundle', label: t('uiComposer.rawBundle') },
            { value: 'sent', label: t('uiComposer.sent') },
            {
              value: 'findings',
              label:
                findings.length === 0 ? t('uiComposer.findings') : `${t('uiComposer.findings')} ${findings.length}`,
            },
          ]}
          onChange={setView}
        />
        <span className="grow" />
        {call.prepared.requestId !== null && outcome !== null ? (
          <Button small look="quiet" icon="repeat" title={t('uiComposer.retrySameHelp')} onClick={() => onRetry(call)}>
            {t('uiComposer.retrySame')}
          </Button>
        ) : null}
      </div>
      <RetryBar call={call} calls={calls} onSelect={onSelect} />
      <div className={`lower-body ${view === 'answer' && outcome?.kind === 'success' ? 'filled' : ''}`}>
        {view === 'answer' || view === 'sent' ? <DeliberateBanner prepared={call.prepared} /> : null}
        {view === 'answer' && call.prepared.resumes !== null ? (
          <Resumes callId={call.prepared.resumes} onSelect={onSelect} />
        ) : null}
        {view === 'answer' ? <OutcomeBody call={call} /> : null}
        {view === 'answer' && call.outcome?.kind === 'provider-error' ? <ConfirmationPanel call={call} /> : null}
        {view === 'answer' && call.outcome?.kind === 'accepted' ? <OperationView call={call} /> : null}
        {view === 'bundle' ? <RawBundle outcome={outcome} /> : null}
        {view === 'sent' ? <Sent call={call} /> : null}
        {view === 'findings' ? (
          <div className="card">
            <FindingList findings={findings} />
          </div>
        ) : null}
      </div>
    </div>
  );
}

function Resumes({ callId, onSelect }: { readonly callId: string; readonly onSelect: (id: string) => void }) {
  const { t } = useI18n();
  return (
    <p className="row fine sub">
      <Icon name="hand" size={12} /> {t('uiConfirmations.resumes')}
      <Button small look="quiet" onClick={() => onSelect(callId)}>
        {t('uiConfirmations.showOrigin')}
      </Button>
    </p>
  );
}

function RawBundle({ outcome }: { readonly outcome: CallOutcome | null }) {
  const { t } = useI18n();
  const bundle = outcome !== null && 'bundle' in outcome ? outcome.bundle : null;
  if (bundle === null)
    return <p className="dim">{outcome === null ? t('uiComposer.stillRunning') : t('uiComposer.noBundle')}</p>;
  return (
    <div className="card">
      <BundleTable bundle={bundle} label={t('uiComposer.rawBundle')} />
    </div>
  );
}

function Sent({ call }: { readonly call: CallRecord }) {
  const { t } = useI18n();
  const { prepared } = call;
  return (
    <div className="stack">
      {call.outcome?.kind === 'refused' ? <p className="tone-own toned strong">{t('uiComposer.neverSent')}</p> : null}
      <div className="card">
        <BundleTable bundle={prepared.extras} label={t('uiComposer.sent')} />
      </div>
      <dl className="facts fine">
        <dt>{t('uiComposer.target')}</dt>
        <dd className="mono">
          content://
          <SafeText text={prepared.authority} /> · {prepared.method}
        </dd>
        <dt>{t('uiComposer.via')}</dt>
        <dd>{t(`uiProviders.bridge.${prepared.bridge}`)}</dd>
        <dt>SHA-256</dt>
        <dd className="mono">{prepared.wireSha256}</dd>
        <dt>{t('uiComposer.wireSize')}</dt>
        <dd className="num">{prepared.wireBytes} B</dd>
      </dl>
    </div>
  );
}
