import { type KeyboardEvent, useState } from 'react';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { RequestQueue } from '../../../shared/model/queue.ts';
import { type OfProvider, useOperations, useQueue, type Watched } from '../../connection/streams.ts';
import { DeliberateBadge } from '../../parts/deliberate-banner.tsx';
import { OperationState } from '../../parts/operation/operation-story.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { STATE_LOOKS } from '../../result-file/file-looks.ts';
import { useNow } from '../../ui/clock.ts';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Blank, Button, Loading, Segmented } from '../../ui/widgets.tsx';
import { CallDetail } from './call-detail.tsx';
import { kindOf, OUTCOMES } from './outcome-look.ts';
import { QueueLine } from './queue-line.tsx';

/** The calls of this run, newest first; each answer belongs to its call. */
export function CallColumn({
  of,
  tool,
  calls,
  failure,
  selected,
  onSelect,
  onCancel,
  onRetry,
}: {
  readonly of: OfProvider;
  readonly tool: string;
  readonly calls: Watched<CallRecord[]>;
  readonly failure: Problem | null;
  /** Null follows the newest. */
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onCancel: (call: CallRecord) => void;
  readonly onRetry: (call: CallRecord) => void;
}) {
  const { t } = useI18n();
  const [which, setWhich] = useState<'tool' | 'all'>('tool');
  const all = calls.value ?? [];
  const queue = useQueue(of).value;
  const shown = which === 'all' ? all : all.filter((call) => call.prepared.draft.tool === tool);
  // The one that `cancelNewest` of the workbench takes.
  const newestRunning = all.find((call) => call.endedAtMs === null && call.prepared.draft.tool === tool);
  const current = shown.find((call) => call.id === selected) ?? shown[0];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || current === undefined) return;
    event.preventDefault();
    const next = shown[shown.indexOf(current) + step];
    if (next === undefined) return;
    onSelect(next.id);
    document.getElementById(`call-${next.id}`)?.focus();
  };
  return (
    <section className="composer-right" aria-label={t('uiComposer.results')}>
      <div className="composer-bar">
        <h2>{t('uiComposer.results')}</h2>
        <span className="tally">{shown.length}</span>
        <span className="grow" />
        <Segmented
          label={t('uiComposer.whichCalls')}
          value={which}
          options={[
            { value: 'tool', label: t('uiComposer.thisTool') },
            { value: 'all', label: t('uiComposer.allTools') },
          ]}
          onChange={setWhich}
        />
      </div>
      <QueueLine queue={queue} />
      {failure === null ? null : (
        <div className="pad">
          <ProblemView problem={failure} title={t('uiComposer.runFailed')} alert />
        </div>
      )}
      {calls.problem === null ? null : (
        <div className="pad">
          <ProblemView problem={calls.problem} tone="warn" title={t('uiComposer.callsStale')} />
        </div>
      )}
      {calls.value === undefined ? calls.problem === null ? <Loading /> : null : null}
      {calls.value !== undefined && shown.length === 0 && calls.problem === null ? (
        <Blank icon="play" title={t('uiComposer.noCalls')}>
          <p>{t('uiComposer.noCallsHelp')}</p>
        </Blank>
      ) : null}
      {shown.length === 0 ? null : (
        <ul className="calls" onKeyDown={onKeyDown} aria-label={t('uiComposer.results')}>
          {shown.slice(0, 100).map((call) => (
            <CallCard
              key={call.id}
              call={call}
              named={which === 'all'}
              selected={call === current}
              onSelect={onSelect}
              onCancel={onCancel}
              keyed={call === newestRunning}
              queue={queue}
            />
          ))}
        </ul>
      )}
      {shown.length > 100 ? (
        <p className="dim fine pad">{t('uiComposer.moreCalls', { count: shown.length - 100 })}</p>
      ) : null}
      {current === undefined ? null : (
        <CallDetail key={current.id} call={current} calls={all} onRetry={onRetry} onSelect={onSelect} />
      )}
    </section>
  );
}

function CallCard({
  call,
  named,
  selected,
  onSelect,
  onCancel,
  keyed,
  queue,
}: {
  readonly call: CallRecord;
  readonly named: boolean;
  readonly selected: boolean;
  readonly onSelect: (id: string) => void;
  readonly onCancel: (call: CallRecord) => void;
  /** Whether Escape cancels this one. */
  readonly keyed: boolean;
  readonly queue: RequestQueue | undefined;
}) {
  const { t } = useI18n();
  const kind = kindOf(call);
  const look = OUTCOMES[kind];
  return (
    <li className={`call ${selected ? 'selected' : ''}`}>
      <button
        type="button"
        id={`call-${call.id}`}
        className="call-main"
        aria-pressed={selected}
        onClick={() => onSelect(call.id)}
      >
        <Badge tone={look.tone} icon={look.icon}>
          {t(`uiComposer.outcome.${kind}`)}
        </Badge>
        <FileMark outcome={call.outcome} />
        {kind === 'accepted' ? <OperationMark callId={call.id} /> : null}
        {named ? (
          <span className="mono ellipsis">
            <SafeText text={call.prepared.draft.tool} limit={50} fixed />
          </span>
        ) : null}
        {call.attempt > 1 ? (
          <Badge look="dashed" icon="repeat" title={t('uiRetries.attempt', { attempt: call.attempt })}>
            <span aria-hidden="true">{call.attempt}</span>
            <span className="sr-only">{t('uiRetries.attempt', { attempt: call.attempt })}</span>
          </Badge>
        ) : null}
        {call.outcome?.kind === 'provider-error' ? (
          <span className="mono ellipsis tone-bad toned fine">
            <SafeText text={call.outcome.errorCode} limit={40} fixed />
          </span>
        ) : null}
        <DeliberateBadge marks={call.prepared.deliberate} brief />
        <span className="grow" />
        <span className="num fine">
          {call.endedAtMs === null && call.durationMs === null ? (
            <Elapsed since={call.startedAtMs} waiting={call.sentAtMs === null} place={placeOf(call, queue)} />
          ) : call.durationMs === null ? (
            <span className="dim">{t('uiRetries.notSent')}</span>
          ) : (
            formatDuration(call.durationMs)
          )}
        </span>
        <span className="mono dim fine">{formatTime(call.startedAtMs)}</span>
        <span className="mono dim fine call-id" title={call.prepared.requestId ?? ''}>
          {call.prepared.requestId === null ? '—' : call.prepared.requestId.slice(0, 8)}
        </span>
      </button>
      {kind === 'running' ? (
        <Button act small icon="cross" onClick={() => onCancel(call)}>
          {t('common.cancel')} {keyed ? <kbd>Esc</kbd> : null}
        </Button>
      ) : null}
    </li>
  );
}

/** What became of an accepted call, in the Provider's word. */
function OperationMark({ callId }: { readonly callId: string }) {
  const operation = useOperations().value?.find((one) => one.callId === callId);
  return operation?.state == null ? null : <OperationState state={operation.state} />;
}

/** A call that was answered with a file is one thing, and how the file came another. */
function FileMark({ outcome }: { readonly outcome: CallRecord['outcome'] }) {
  const { t } = useI18n();
  const state = outcome?.kind === 'success' ? outcome.file?.received?.state : undefined;
  if (state === undefined) return null;
  const look = STATE_LOOKS[state];
  return (
    <Badge tone={look.tone} icon={look.icon} look="outline">
      {t('uiResult.fileMark', { state: t(`fileState.${state}`) })}
    </Badge>
  );
}

/** Where a call stands in the queue, from 1; null where it does not. */
function placeOf(call: CallRecord, queue: RequestQueue | undefined): { place: number; count: number } | null {
  const index = queue?.waiting.indexOf(call.id) ?? -1;
  return index < 0 ? null : { place: index + 1, count: queue?.waiting.length ?? 0 };
}

function Elapsed({
  since,
  waiting,
  place,
}: {
  readonly since: number;
  readonly waiting: boolean;
  readonly place: { readonly place: number; readonly count: number } | null;
}) {
  const { t } = useI18n();
  const now = useNow();
  return (
    <span className="row dim">
      <span className="spinner" />{' '}
      {place !== null ? t('uiRetries.place', place) : waiting ? t('uiComposer.waiting') : null}{' '}
      {formatDuration(Math.max(0, Math.floor((now - since) / 1000) * 1000))}
    </span>
  );
}
