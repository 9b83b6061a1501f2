import type { CallRecord } from '../../../shared/model/call.ts';
import { useOperations } from '../../connection/streams.ts';
import { OperationControls } from '../../parts/operation/operation-controls.tsx';
import { OperationQueries } from '../../parts/operation/operation-queries.tsx';
import {
  CancelFateNote,
  OperationProgress,
  OperationState,
  OperationStory,
} from '../../parts/operation/operation-story.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Note } from '../../ui/widgets.tsx';
import { OutcomeBody } from './outcome-body.tsx';

/** A background operation that a call opened: each state with its time, as the Provider reported it. */
export function OperationView({ call }: { readonly call: CallRecord }) {
  const { t } = useI18n();
  const { value } = useOperations();
  const operation = value?.find((one) => one.callId === call.id || one.repeats.includes(call.id));
  if (operation === undefined) return <p className="dim">{t('uiOperations.unknown')}</p>;
  return (
    <section className="stack operation" aria-label={t('uiOperations.operation')}>
      <div className="row wrap">
        <span className="strong">{t('uiOperations.operation')}</span>
        <span className="mono dim">
          <SafeText text={operation.operationId} limit={120} />
        </span>
        <OperationState state={operation.state} asked={operation.queryCount > 0} />
      </div>
      {operation.callId === call.id ? null : <p className="fine sub">{t('uiOperations.repeated')}</p>}
      <OperationProgress operation={operation} />
      {operation.endedAtMs === null ? <OperationControls operation={operation} /> : null}
      {operation.paused === null ? null : (
        <ProblemView problem={operation.paused} tone="warn" title={t('uiOperations.paused')} />
      )}
      <CancelFateNote operation={operation} />
      <OperationStory operation={operation} />
      {operation.outcome === null ? null : <OutcomeBody call={{ ...call, outcome: operation.outcome }} />}
      {operation.state === 'cancelled' ? (
        <Note tone="plain" icon="minus">
          {t('uiOperations.cancelled')}
        </Note>
      ) : null}
      <OperationQueries operation={operation} />
    </section>
  );
}
