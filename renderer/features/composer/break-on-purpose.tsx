import { Deviation, MAX_TIMES, RESUME_ONLY } from '../../../shared/model/deviation.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge, Button } from '../../ui/widgets.tsx';

/** What a person chose to break in the next calls. */
export interface Broken {
  readonly deliberate: readonly Deviation[];
  readonly times: number;
}

export const UNBROKEN: Broken = { deliberate: [], times: 1 };

const OF_V2 = Deviation.options.filter((name) => !RESUME_ONLY.includes(name));
const OF_V1: readonly Deviation[] = ['unknown-method'];

/** Deliberate breaks of the rules, out of the way until they are wanted. */
export function BreakOnPurpose({
  protocol,
  broken,
  onChange,
}: {
  readonly protocol: 'v1' | 'v2';
  readonly broken: Broken;
  readonly onChange: (broken: Broken) => void;
}) {
  const { t } = useI18n();
  const { deliberate, times } = broken;
  const count = deliberate.length + (times > 1 ? 1 : 0);
  const toggle = (name: Deviation, on: boolean) =>
    onChange({ ...broken, deliberate: on ? [...deliberate, name] : deliberate.filter((one) => one !== name) });
  return (
    <details className="break-on-purpose">
      <summary>
        <Icon name="bolt" size={13} /> {t('uiDeliberate.title')}{' '}
        {count === 0 ? null : (
          <Badge tone="warn" icon="bolt">
            {t('uiDeliberate.count', { count })}
          </Badge>
        )}
      </summary>
      <div className="stack-s break-body">
        <p className="fine sub">{t('uiDeliberate.help')}</p>
        <div className="row wrap">
          <label className="row" title={t('deviationHelp.times')}>
            <span>{t('uiDeliberate.times')}</span>
            <input
              className="text-input num"
              type="number"
              style={{ width: 64 }}
              min={1}
              max={MAX_TIMES}
              value={times}
              onChange={(event) => onChange({ ...broken, times: within(event.target.valueAsNumber) })}
            />
          </label>
          <span className="grow" />
          {count === 0 ? null : (
            <Button small look="quiet" icon="cross" onClick={() => onChange(UNBROKEN)}>
              {t('uiDeliberate.clear')}
            </Button>
          )}
        </div>
        {times > 1 ? <p className="fine sub">{t('deviationHelp.times')}</p> : null}
        {(protocol === 'v2' ? OF_V2 : OF_V1).map((name) => (
          <label key={name} className="break-choice">
            <input
              type="checkbox"
              checked={deliberate.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            <span>
              {t(`deviation.${name}`)} <span className="fine sub">{t(`deviationHelp.${name}`)}</span>
            </span>
          </label>
        ))}
      </div>
    </details>
  );
}

function within(times: number): number {
  return Number.isInteger(times) ? Math.min(Math.max(times, 1), MAX_TIMES) : 1;
}
