import type { Operation } from '../../../shared/model/operation.ts';
import { useDevices, useOperations, useSeenLabels } from '../../connection/streams.ts';
import { links } from '../../parts/links.ts';
import { OperationControls } from '../../parts/operation/operation-controls.tsx';
import { OperationQueries } from '../../parts/operation/operation-queries.tsx';
import {
  CancelFateNote,
  OperationProgress,
  OperationState,
  OperationStory,
} from '../../parts/operation/operation-story.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Card, Loading } from '../../ui/widgets.tsx';

/** Ended ones stay a while in sight, below those that run. */
const ENDED_SHOWN = 10;

/** Background operations of every device: those that run, and those that have just ended (v2 4.4). */
export function OperationsSection() {
  const { t } = useI18n();
  const { value, problem } = useOperations();
  const running = value?.filter(({ endedAtMs }) => endedAtMs === null) ?? [];
  const ended = value?.filter(({ endedAtMs }) => endedAtMs !== null).slice(0, ENDED_SHOWN) ?? [];
  return (
    <Card
      flush
      title={
        <span className="row">
          <Icon name="clock" /> {t('uiOperations.section')}
          {running.length === 0 ? null : (
            <Badge tone="info">{t('uiOperations.running', { count: running.length })}</Badge>
          )}
        </span>
      }
    >
      {problem === null ? null : <ProblemView problem={problem} tone="warn" />}
      {value === undefined && problem === null ? <Loading /> : null}
      {value !== undefined && running.length + ended.length === 0 ? (
        <p className="sub pad">{t('uiOperations.none')}</p>
      ) : null}
      <ul className="op-list" aria-label={t('uiOperations.section')}>
        {[...running, ...ended].map((operation) => (
          <Row key={operation.callId} operation={operation} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const labels = useSeenLabels();
  const { deviceKey, providerKey, userId, tool, startedAtMs, endedAtMs, paused, pickedUpAtMs } = operation;
  const device = useDevices().value?.devices.find(({ key }) => key === deviceKey);
  const own = device?.users.find(({ current }) => current)?.id === userId ? null : userId;
  return (
    <li className="op-row">
      <div className="row wrap">
        <OperationState state={operation.state} asked={operation.queryCount > 0} />
        <span className="strong mono">
          <SafeText text={tool} limit={64} fixed />
        </span>
        <a className="sub" href={`#${links.provider({ deviceKey, userId: own, providerKey }, 'tools')}`}>
          <SafeText text={labels.get(providerKey) ?? providerKey} limit={80} fixed />
        </a>
        <span className="dim fine">
          <SafeText text={device?.model ?? deviceKey} limit={60} fixed />
        </span>
        {pickedUpAtMs === null ? null : <Badge icon="refresh">{t('uiOperations.fromJournal')}</Badge>}
        <span className="grow" />
        <span className="dim fine num">
          {endedAtMs === null
            ? t('uiOperations.since', { time: formatTime(startedAtMs) })
            : t('uiOperations.endedAt', { time: formatTime(endedAtMs) })}
        </span>
      </div>
      <OperationProgress operation={operation} />
      {paused === null ? null : <ProblemView problem={paused} tone="warn" title={t('uiOperations.paused')} />}
      {endedAtMs === null ? <OperationControls operation={operation} /> : null}
      <CancelFateNote operation={operation} />
      <details>
        <summary>{t('uiOperations.details', { count: operation.queryCount })}</summary>
        <dl className="facts fine">
          <dt>operation_id</dt>
          <dd className="mono">
            <SafeText text={operation.operationId} limit={120} />
          </dd>
          <dt>request_id</dt>
          <dd className="mono">{operation.requestId}</dd>
          <dt>{t('uiOperations.argsDigest')}</dt>
          <dd className="mono">{operation.argsSha256}</dd>
        </dl>
        <OperationStory operation={operation} />
        <OperationQueries operation={operation} />
      </details>
    </li>
  );
}
