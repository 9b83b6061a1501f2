import { useMutation } from '@tanstack/react-query';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Operation } from '../../../shared/model/operation.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useOperations } from '../../connection/streams.ts';
import { FindingList } from '../../parts/findings.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useNow } from '../../ui/clock.ts';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Button, Note, type Tone } from '../../ui/widgets.tsx';
import { OutcomeBody } from './outcome-body.tsx';

const TONES: Readonly<Record<string, Tone>> = { succeeded: 'ok', failed: 'bad', cancelled: 'plain' };

/** A background operation that a call opened: each state with its time, as the Provider reported it. */
export function OperationView({ call }: { readonly call: CallRecord }) {
  const { t } = useI18n();
  const { value } = useOperations();
  const operation = value?.find((one) => one.callId === call.id);
  if (operation === undefined) return <p className="dim">{t('uiComposer.operationUnknown')}</p>;
  return (
    <div className="stack operation">
      <div className="row wrap">
        <span className="strong">{t('uiComposer.operation')}</span>
        <span className="mono dim">
          <SafeText text={operation.operationId} limit={120} />
        </span>
        <Badge tone={TONES[operation.state ?? ''] ?? 'info'}>
          {operation.state === null ? (
            t('uiComposer.operationNoState')
          ) : (
            <SafeText text={operation.state} limit={40} fixed />
          )}
        </Badge>
        {operation.cancelRequestedAtMs === null ? null : (
          <Badge look="dashed" icon="minus">
            {t('uiComposer.cancelRequested', { time: formatTime(operation.cancelRequestedAtMs) })}
          </Badge>
        )}
        <span className="grow" />
        {operation.endedAtMs === null ? <Controls operation={operation} /> : null}
      </div>
      {operation.progressText === null ? null : (
        <p className="mono fine">
          progress <SafeText text={operation.progressText} limit={400} />
        </p>
      )}
      {operation.paused === null ? null : (
        <ProblemView problem={operation.paused} tone="warn" title={t('uiComposer.operationPaused')} />
      )}
      <table className="table fine">
        <thead>
          <tr>
            <th scope="col">{t('uiComposer.queryTime')}</th>
            <th scope="col">{t('uiComposer.queryMethod')}</th>
            <th scope="col">{t('uiComposer.queryState')}</th>
          </tr>
        </thead>
        <tbody>
          {operation.queries.slice(-20).map((query) => (
            <tr key={query.exchangeId}>
              <td className="mono num">{formatTime(query.atMs)}</td>
              <td className="mono">{query.method}</td>
              <td className="mono">
                <SafeText text={query.state ?? query.errorCode ?? query.problem?.code ?? ''} limit={80} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <FindingList findings={operation.queries.flatMap(({ findings }) => findings)} />
      {operation.outcome === null ? null : <OutcomeBody call={{ ...call, outcome: operation.outcome }} />}
      {operation.state === 'cancelled' ? (
        <Note tone="plain" icon="minus">
          {t('uiComposer.operationCancelled')}
        </Note>
      ) : null}
    </div>
  );
}

function Controls({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const now = useNow();
  const poll = useMutation(orpc.operations.poll.mutationOptions());
  const cancel = useMutation(orpc.operations.cancel.mutationOptions());
  const { nextPollAtMs, callId } = operation;
  const error = poll.error ?? cancel.error;
  return (
    <>
      {nextPollAtMs === null ? null : (
        <span className="dim fine num">
          {t('uiComposer.nextPoll', { left: formatDuration(Math.max(0, nextPollAtMs - now)) })}
        </span>
      )}
      {operation.paused === null ? null : (
        <Button small icon="refresh" disabled={poll.isPending} onClick={() => poll.mutate({ callId })}>
          {t('uiComposer.pollNow')}
        </Button>
      )}
      <Button small icon="cross" disabled={cancel.isPending} onClick={() => cancel.mutate({ callId })}>
        {t('uiComposer.cancelOperation')}
      </Button>
      {error === null ? null : <ProblemView problem={problemOf(error)} alert />}
    </>
  );
}
