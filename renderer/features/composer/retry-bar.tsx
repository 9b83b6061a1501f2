import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { CallRetry } from '../../../shared/model/retry.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useNow } from '../../ui/clock.ts';
import { formatTime, remaining } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Badge, Button, Note } from '../../ui/widgets.tsx';
import { attemptsOf, kindOf, OUTCOMES } from './outcome-look.ts';
import './retry-bar.css';

/** The attempts of one request_id, and how it may be asked again (v2 4.1, 5, 6). */
export function RetryBar({
  call,
  calls,
  onSelect,
}: {
  readonly call: CallRecord;
  readonly calls: readonly CallRecord[];
  /** Null follows the newest. */
  readonly onSelect: (id: string | null) => void;
}) {
  const attempts = attemptsOf(call, calls);
  const isNewest = attempts.at(-1)?.id === call.id;
  if (attempts.length < 2 && call.retry === null) return null;
  return (
    <div className="retry-bar">
      {attempts.length < 2 ? null : <Attempts attempts={attempts} current={call.id} onSelect={onSelect} />}
      {call.retry === null || !isNewest ? null : <Again call={call} retry={call.retry} onSelect={onSelect} />}
    </div>
  );
}

function Attempts({
  attempts,
  current,
  onSelect,
}: {
  readonly attempts: readonly CallRecord[];
  readonly current: string;
  readonly onSelect: (id: string) => void;
}) {
  const { t } = useI18n();
  return (
    <ol className="attempts" aria-label={t('uiRetries.attempts')}>
      {attempts.map((one) => {
        const kind = kindOf(one);
        const { tone, icon } = OUTCOMES[kind];
        return (
          <li key={one.id}>
            <button type="button" aria-current={one.id === current} onClick={() => onSelect(one.id)}>
              <span className="fine dim">{t('uiRetries.attempt', { attempt: one.attempt })}</span>
              <Badge tone={tone} icon={icon}>
                {t(`uiComposer.outcome.${kind}`)}
              </Badge>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Again({
  call,
  retry,
  onSelect,
}: {
  readonly call: CallRecord;
  readonly retry: CallRetry;
  readonly onSelect: (id: string | null) => void;
}) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const now = useNow();
  const again = useMutation(orpc.calls.retry.mutationOptions());
  const [asking, setAsking] = useState<'no' | 'effect' | 'against'>('no');
  const left = remaining(retry.notBeforeMs, now);
  const over = retry.safeUntilMs !== null && now > retry.safeUntilMs;
  const against = left !== null || over;
  const send = (deliberate: boolean) => {
    setAsking('no');
    again.mutate({ callId: call.id, confirmed: true, deliberate });
    onSelect(null);
  };
  const start = () => {
    if (call.prepared.hasEffect) setAsking('effect');
    else send(false);
  };
  const waits = retry.auto !== null && retry.auto.nextAtMs !== null;
  return (
    <div className="stack-s">
      <div className="row wrap">
        <span className="fine sub grow">{t(`uiRetries.kind.${retry.kind}`)}</span>
        {against ? (
          <Button act small look="quiet" disabled={again.isPending} onClick={() => setAsking('against')}>
            {t('uiRetries.early')}
          </Button>
        ) : null}
        {over ? null : (
          <Button
            act
            small
            icon="repeat"
            title={t('uiRetries.againHelp')}
            disabled={left !== null || again.isPending || waits}
            onClick={start}
          >
            {left === null ? t('uiRetries.again') : t('uiRetries.againIn', { left })}
          </Button>
        )}
      </div>
      <Auto call={call} retry={retry} />
      {retry.safeUntilMs === null || !call.prepared.hasEffect ? null : (
        <p className={`fine ${over ? 'tone-warn toned' : 'dim'}`}>
          {t(over ? 'uiRetries.windowOver' : 'uiRetries.safeUntil', { time: formatTime(retry.safeUntilMs, now) })}
        </p>
      )}
      {asking === 'no' ? null : (
        <Note tone={asking === 'against' ? 'own' : 'warn'} icon={asking === 'against' ? 'shield' : 'warning'}>
          <p>
            {over ? t('uiRetries.confirmWindow') : asking === 'against' ? t('uiRetries.confirmEarly') : null}{' '}
            {call.prepared.hasEffect ? t('uiRetries.confirmEffect') : null}
          </p>
          <div className="row wrap">
            <Button act small look="primary" icon="repeat" onClick={() => send(asking === 'against')}>
              {t('uiRetries.send')}
            </Button>
            <Button small onClick={() => setAsking('no')}>
              {t('common.cancel')}
            </Button>
          </div>
        </Note>
      )}
      {again.error === null ? null : (
        <ProblemView problem={problemOf(again.error)} tone="own" icon="shield" title={t('uiRetries.failed')} alert />
      )}
    </div>
  );
}

/** What follows by itself, and the way to stop it. */
function Auto({ call, retry: { auto } }: { readonly call: CallRecord; readonly retry: CallRetry }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const now = useNow();
  const stop = useMutation(orpc.calls.stopRetry.mutationOptions());
  if (auto === null) return null;
  if (auto.nextAtMs !== null) {
    return (
      <div className="row wrap" role="status">
        <Badge tone="info" icon="clock">
          {t('uiRetries.next', {
            attempt: call.attempt + 1,
            left: remaining(auto.nextAtMs, now) ?? '0 s',
            count: auto.left,
          })}
        </Badge>
        <Button act small icon="cross" disabled={stop.isPending} onClick={() => stop.mutate({ callId: call.id })}>
          {t('uiRetries.stop')}
        </Button>
      </div>
    );
  }
  if (auto.stopped === null) return null;
  return <ProblemView problem={auto.stopped} tone="plain" icon="minus" title={t('uiRetries.noneFollows')} />;
}
