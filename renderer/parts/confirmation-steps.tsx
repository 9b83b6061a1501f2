import type { Confirmation, ConfirmationStep } from '../../shared/model/confirmation.ts';
import { formatTime } from '../ui/format.ts';
import { useI18n } from '../ui/i18n.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Badge, type Tone } from '../ui/widgets.tsx';
import { ProblemLine } from './problem-view.tsx';

const LOOK: Readonly<Record<Confirmation['state'], { readonly tone: Tone; readonly icon: IconName }>> = {
  waiting: { tone: 'warn', icon: 'hand' },
  launched: { tone: 'info', icon: 'phone' },
  returned: { tone: 'warn', icon: 'hourglass' },
  resumed: { tone: 'plain', icon: 'check' },
  gone: { tone: 'bad', icon: 'cross' },
  superseded: { tone: 'plain', icon: 'minus' },
  'set-aside': { tone: 'plain', icon: 'minus' },
};

export function ConfirmationState({ state }: { readonly state: Confirmation['state'] }) {
  const { t } = useI18n();
  return (
    <Badge tone={LOOK[state].tone} icon={LOOK[state].icon}>
      {t(`uiConfirmations.state.${state}`)}
    </Badge>
  );
}

/** What happened to a confirmation, each step with its time. */
export function ConfirmationSteps({ steps }: { readonly steps: readonly ConfirmationStep[] }) {
  const { t } = useI18n();
  return (
    <ol className="confirmation-steps fine" aria-label={t('uiConfirmations.steps')}>
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added
        <li key={place}>
          <span className="mono num dim">{formatTime(step.atMs)}</span>{' '}
          <span>
            <StepText step={step} />
            {step.problem === null ? null : (
              <span className="sub">
                {' '}
                · <ProblemLine problem={step.problem} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function StepText({ step: { kind, resultCode } }: { readonly step: ConfirmationStep }) {
  const { t } = useI18n();
  if (kind !== 'returned') return t(`uiConfirmations.step.${kind}`);
  const names: Readonly<Record<number, string>> = {
    [-1]: t('uiConfirmations.resultOk'),
    0: t('uiConfirmations.resultCanceled'),
  };
  return t('uiConfirmations.step.returned', { code: names[resultCode ?? 1] ?? String(resultCode) });
}
