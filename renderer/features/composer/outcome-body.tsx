import { useMemo, useState } from 'react';
import type { CallOutcome, CallRecord } from '../../../shared/model/call.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { ResultFileView } from '../../result-file/result-file-view.tsx';
import { formatDuration } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { indentJson } from '../../ui/json-indent.ts';
import { SafeText } from '../../ui/safe-text.tsx';
import { CopyButton, Note, Segmented } from '../../ui/widgets.tsx';
import { V1Hint } from './v1-hint.tsx';

/** The answer in its kind: a value, the Provider's error, a failure on the way, or our refusal. */
export function OutcomeBody({ call }: { readonly call: CallRecord }) {
  const { t } = useI18n();
  const { outcome } = call;
  if (outcome === null) {
    return (
      <div className="row" role="status">
        <span className="spinner" />{' '}
        <span className="dim">
          {call.sentAtMs === null ? t('uiComposer.waitingTurn') : t('uiComposer.stillRunning')}
        </span>
      </div>
    );
  }
  switch (outcome.kind) {
    case 'success':
      if (outcome.file !== null) {
        return <ResultFileView callId={call.id} file={outcome.file} outputVerdict={outcome.outputVerdict} />;
      }
      return <Success outcome={outcome} />;
    case 'accepted':
      return (
        <Note tone="info" icon="clock" title={t('uiComposer.acceptedTitle')}>
          <p>{t('uiComposer.acceptedText')}</p>
          <p className="mono">
            operation_id <SafeText text={outcome.operationId ?? t('common.none')} />
          </p>
          {outcome.pollAfterMs === null ? null : <p className="num">poll_after_ms {outcome.pollAfterMs}</p>}
        </Note>
      );
    case 'provider-error':
      return <ProviderError call={call} outcome={outcome} />;
    case 'malformed':
      return <ProblemView problem={outcome.problem} tone="bad" icon="warning" title={t('uiComposer.malformedTitle')} />;
    case 'transport-failure':
      return <ProblemView problem={outcome.problem} tone="warn" icon="cable" title={t('uiComposer.transportTitle')} />;
    case 'cancelled':
      return <ProblemView problem={outcome.problem} tone="plain" icon="minus" title={t('uiComposer.cancelledTitle')} />;
    case 'refused':
      return <ProblemView problem={outcome.problem} tone="own" icon="shield" title={t('uiComposer.refusedTitle')} />;
  }
}

function Success({ outcome }: { readonly outcome: Extract<CallOutcome, { readonly kind: 'success' }> }) {
  const { t } = useI18n();
  const [view, setView] = useState<'text' | 'tree'>('text');
  const text = outcome.valueText;
  const shown = useMemo(
    () => (text === null ? '' : outcome.valueTruncated ? text : indentJson(text)),
    [text, outcome.valueTruncated],
  );
  return (
    <div className="success">
      <div className="row wrap">
        <Verdict verdict={outcome.outputVerdict} subject="output" brief />
        {text === null ? null : (
          <span className="dim fine num">
            {t('uiComposer.valueLength', { size: outcome.valueLength.toLocaleString('en-US') })}
          </span>
        )}
        <span className="grow" />
        {text === null ? null : (
          <>
            <Segmented
              label={t('uiComposer.valueView')}
              value={view}
              options={[
                { value: 'text', label: t('uiComposer.valueText') },
                { value: 'tree', label: t('uiCatalog.tree') },
              ]}
              onChange={setView}
            />
            <CopyButton text={text} label={t('uiComposer.copyValue')} />
          </>
        )}
      </div>
      <Verdict verdict={outcome.outputVerdict} subject="output" />
      {outcome.valueTruncated ? (
        <Note tone="warn" icon="warning">
          {t('uiComposer.valueTruncated', {
            shown: (text?.length ?? 0).toLocaleString('en-US'),
            total: outcome.valueLength.toLocaleString('en-US'),
          })}
        </Note>
      ) : null}
      {text === null ? null : view === 'text' ? (
        <div className="value-editor">
          <JsonEditor value={shown} readOnly label={t('uiComposer.answer')} />
        </div>
      ) : (
        <div className="card pad value-tree">
          <JsonTree text={text} label={t('uiComposer.answer')} />
        </div>
      )}
    </div>
  );
}

function ProviderError({
  call,
  outcome,
}: {
  readonly call: CallRecord;
  readonly outcome: Extract<CallOutcome, { readonly kind: 'provider-error' }>;
}) {
  const { t, known } = useI18n();
  const meaning = known(`errorCode.${outcome.errorCode}`);
  return (
    <div className="stack">
      <Note
        tone="bad"
        icon="stop"
        title={
          <span className="row wrap">
            {t('uiComposer.providerErrorTitle')}
            <span className="mono">
              <SafeText text={outcome.errorCode} limit={80} />
            </span>
          </span>
        }
      >
        <p className="sub">{outcome.known ? (meaning ?? '') : t('uiComposer.unknownCode')}</p>
        {outcome.errorMessage === null ? (
          <p className="dim">{t('uiComposer.noMessage')}</p>
        ) : (
          <div className="raw-box">
            <SafeText text={outcome.errorMessage} limit={1500} block />
          </div>
        )}
      </Note>
      <dl className="facts">
        <dt>retryable</dt>
        <dd>
          {outcome.retryable === null ? (
            <span className="dim">{t('common.notDeclared')}</span>
          ) : outcome.retryable ? (
            t('common.yes')
          ) : (
            t('common.no')
          )}
        </dd>
        <dt>retry_after_ms</dt>
        <dd className="num">
          {outcome.retryAfterMs === null ? (
            <span className="dim">{t('common.none')}</span>
          ) : (
            <SafeText
              text={
                /^\d{1,12}$/.test(outcome.retryAfterMs)
                  ? `${outcome.retryAfterMs} (${formatDuration(Number(outcome.retryAfterMs))})`
                  : outcome.retryAfterMs
              }
            />
          )}
        </dd>
        <dt>error_details</dt>
        <dd>
          {outcome.detailsText === null ? (
            <span className="dim">{t('common.none')}</span>
          ) : (
            <JsonTree text={outcome.detailsText} label="error_details" />
          )}
        </dd>
        {outcome.resolutionHint === null ? null : (
          <>
            <dt>resolution_hint</dt>
            <dd>
              <SafeText text={outcome.resolutionHint} limit={600} block />
            </dd>
          </>
        )}
        {outcome.authorizeIntent === null ? null : (
          <>
            <dt>authorize_intent</dt>
            <dd className="mono">
              <SafeText text={outcome.authorizeIntent} limit={300} />
              <div className="dim fine">{t('uiComposer.hintNotFollowed')}</div>
              {call.prepared.protocol === 'v1' ? <V1Hint call={call} action={outcome.authorizeIntent} /> : null}
            </dd>
          </>
        )}
        <dt>resolution</dt>
        <dd>
          {outcome.hasResolution ? t('uiComposer.hasResolution') : <span className="dim">{t('common.none')}</span>}
        </dd>
      </dl>
    </div>
  );
}
