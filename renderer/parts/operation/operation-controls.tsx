import { useMutation } from '@tanstack/react-query';
import { cancelFate, type Operation } from '../../../shared/model/operation.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useNow } from '../../ui/clock.ts';
import { remaining } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Button } from '../../ui/widgets.tsx';
import { ProblemView } from '../problem-view.tsx';

/** When it is asked next, and what a person can do: stop asking, go on, request a cancel. */
export function OperationControls({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const follow = useMutation(orpc.operations.follow.mutationOptions());
  const cancel = useMutation(orpc.operations.cancel.mutationOptions());
  const { callId, paused } = operation;
  const asks = paused === null;
  const error = follow.error ?? cancel.error;
  const asked = cancelFate(operation) === 'acknowledged';
  return (
    <div className="op-controls">
      <div className="row wrap">
        <NextPoll operation={operation} />
        <span className="grow" />
        <Button
          act
          small
          icon={asks ? 'minus' : 'refresh'}
          look={asks ? 'quiet' : 'primary'}
          title={asks ? t('uiOperations.stopHelp') : t('uiOperations.continueHelp')}
          disabled={follow.isPending}
          onClick={() => follow.mutate({ callId, follow: !asks })}
        >
          {asks ? t('uiOperations.stop') : t('uiOperations.continue')}
        </Button>
        <Button
          act
          small
          icon="hand"
          title={t('uiOperations.cancelHelp')}
          disabled={cancel.isPending}
          onClick={() => cancel.mutate({ callId })}
        >
          {asked ? t('uiOperations.cancelAgain') : t('uiOperations.cancel')}
        </Button>
      </div>
      {error === null ? null : <ProblemView problem={problemOf(error)} tone="warn" alert />}
    </div>
  );
}

function NextPoll({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const now = useNow();
  const { nextPollAtMs, paused, pollAfterMs } = operation;
  if (paused !== null) return null;
  const left = nextPollAtMs === null ? null : remaining(nextPollAtMs, now);
  return (
    <span className="dim fine num">
      {nextPollAtMs === null
        ? t('uiOperations.asking')
        : left === null
          ? t('uiOperations.nextNow')
          : t('uiOperations.next', { left })}{' '}
      · {t('uiOperations.every', { ms: pollAfterMs })}
    </span>
  );
}
