import { cancelFate, type Operation } from '../../../shared/model/operation.ts';
import { useNow } from '../../ui/clock.ts';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Note, type Tone } from '../../ui/widgets.tsx';
import { progressMessage, progressOf } from './progress-of.ts';
import { timeLineOf } from './time-line.ts';
import './operation.css';

const LOOKS: Readonly<Record<string, { readonly tone: Tone; readonly icon: IconName }>> = {
  queued: { tone: 'info', icon: 'hourglass' },
  running: { tone: 'info', icon: 'play' },
  succeeded: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'stop' },
  cancelled: { tone: 'plain', icon: 'minus' },
};
const UNKNOWN = { tone: 'warn', icon: 'question' } as const;
const lookOf = (state: string) => (Object.hasOwn(LOOKS, state) ? LOOKS[state] : undefined) ?? UNKNOWN;

/** The state as the Provider wrote it. */
export function OperationState({ state, asked = true }: { readonly state: string | null; readonly asked?: boolean }) {
  const { t } = useI18n();
  if (state === null)
    return <Badge look="dashed">{t(asked ? 'uiOperations.stateUnknown' : 'uiOperations.noState')}</Badge>;
  const { tone, icon } = lookOf(state);
  return (
    <Badge tone={tone} icon={icon}>
      <SafeText text={state} limit={40} fixed />
    </Badge>
  );
}

/** The states one after the other on a line of time, each query a mark; the list below says the same in words. */
export function OperationStory({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const now = useNow();
  const line = timeLineOf(operation, now);
  return (
    <div className="op-story">
      <div className="op-line" aria-hidden="true">
        {line.stretches.map(({ state, from, to }) => (
          <span
            key={`${from} ${state ?? ''}`}
            className={`op-stretch tone-${state === null ? 'plain' : lookOf(state).tone}`}
            style={{ left: `${from * 100}%`, width: `max(2px, ${(to - from) * 100}%)` }}
          />
        ))}
        {line.marks.map(({ kind, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks may share kind and place
          <span key={`${kind} ${index}`} className={`op-mark ${kind}`} style={{ left: `${at * 100}%` }} />
        ))}
      </div>
      <div className="op-scale fine dim num">
        <span>{formatTime(line.fromMs, now)}</span>
        <span>{t('uiOperations.took', { duration: formatDuration(line.toMs - line.fromMs) })}</span>
        <span>{operation.endedAtMs === null ? t('uiOperations.now') : formatTime(line.toMs, now)}</span>
      </div>
      <Events operation={operation} nowMs={now} />
    </div>
  );
}

interface Told {
  readonly atMs: number;
  readonly icon: IconName;
  readonly text: React.ReactNode;
}

function Events({ operation, nowMs }: { readonly operation: Operation; readonly nowMs: number }) {
  const { t } = useI18n();
  const { startedAtMs, steps, cancelAskedAtMs, cancelRequestedAtMs, pickedUpAtMs, queries } = operation;
  const refused = queries.find(({ method, errorCode }) => method === 'cancel_operation' && errorCode !== null);
  const told: Told[] = [
    { atMs: startedAtMs, icon: 'clock', text: t('uiOperations.accepted') },
    ...steps.map(({ atMs, state }) => ({
      atMs,
      icon: lookOf(state).icon,
      text: (
        <>
          {t('uiOperations.reported')} <OperationState state={state} />
        </>
      ),
    })),
  ];
  if (cancelAskedAtMs !== null) told.push({ atMs: cancelAskedAtMs, icon: 'hand', text: t('uiOperations.cancelAsked') });
  if (cancelRequestedAtMs !== null) {
    told.push({ atMs: cancelRequestedAtMs, icon: 'check', text: t('uiOperations.cancelAcknowledged') });
  }
  if (refused !== undefined) {
    const text = (
      <>
        {t('uiOperations.cancelRefused')}{' '}
        <span className="mono">
          <SafeText text={refused.errorCode ?? ''} limit={80} fixed />
        </span>
      </>
    );
    told.push({ atMs: refused.answeredAtMs ?? refused.atMs, icon: 'ban', text });
  }
  if (pickedUpAtMs !== null) told.push({ atMs: pickedUpAtMs, icon: 'refresh', text: t('uiOperations.pickedUp') });
  told.sort((a, b) => a.atMs - b.atMs);
  return (
    <ol className="op-events" aria-label={t('uiOperations.story')}>
      {told.map(({ atMs, icon, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two events may share time and kind
        <li key={`${atMs} ${icon} ${index}`}>
          <span className="mono num dim">{formatTime(atMs, nowMs)}</span>
          <Icon name={icon} size={13} />
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

/** A bar only where the Provider's `progress` makes one; its own text beside it in any case. */
export function OperationProgress({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const { progressText, endedAtMs } = operation;
  if (progressText === null) return null;
  const bar = progressOf(progressText);
  const message = progressMessage(progressText);
  return (
    <div className="op-progress">
      {bar === null || endedAtMs !== null ? null : (
        <>
          <progress value={bar.current} max={bar.total} aria-label={t('uiOperations.progress')} />
          <span className="num fine">
            {bar.current} / {bar.total}
          </span>
        </>
      )}
      <span className="fine sub">
        <SafeText text={message !== null && bar !== null ? message : progressText} limit={300} />
      </span>
    </div>
  );
}

/** What became of the request to cancel: asked, acknowledged and ended are told apart (v2 4.4). */
export function CancelFateNote({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const fate = cancelFate(operation);
  if (fate === 'none') return null;
  const asked = formatTime(operation.cancelAskedAtMs ?? 0);
  const ended = operation.endedAtMs === null ? '' : formatTime(operation.endedAtMs);
  const look = { won: 'plain', lost: 'warn', refused: 'warn', unanswered: 'warn', acknowledged: 'info' } as const;
  return (
    <Note tone={look[fate]} icon={fate === 'won' ? 'minus' : fate === 'acknowledged' ? 'hourglass' : 'info'}>
      {t(`uiOperations.fate.${fate}`, { asked, ended, state: operation.state ?? '' })}
    </Note>
  );
}
