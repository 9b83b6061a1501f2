import { clockCorrection } from '../../shared/base/clock-correction.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import { formatDuration, formatTime } from '../ui/format.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Badge } from '../ui/widgets.tsx';

/** From here on a Consumer that does not know the difference sends wrong deadlines, in ms. */
const SKEW_MS = 2_000;

/** The device's clock against this computer's, with how exact that is. */
export function ClockOffset({ clock }: { readonly clock: DeviceClock | null }) {
  const { t } = useI18n();
  if (clock === null) return <span className="dim">{t('uiClock.unknown')}</span>;
  const correction = clockCorrection(clock);
  const offset = formatDuration(Math.abs(correction));
  const uncertainty = formatDuration(Math.ceil(clock.uncertaintyMs));
  const skewed = Math.abs(clock.offsetMs) - clock.uncertaintyMs > SKEW_MS;
  const text =
    correction === 0 ? t('uiClock.equal') : t(correction > 0 ? 'uiClock.ahead' : 'uiClock.behind', { offset });
  return (
    <span className="row wrap">
      {skewed ? (
        <Badge tone="warn" icon="warning">
          {text}
        </Badge>
      ) : (
        <span>{text}</span>
      )}
      <span className="dim fine num">{t('uiClock.within', { uncertainty, time: formatTime(clock.measuredAtMs) })}</span>
      {skewed ? <span className="fine sub">{t('uiClock.skew')}</span> : null}
    </span>
  );
}

/** In whose time a deadline is, for the line that shows it. */
export function DeadlineClock({ clock }: { readonly clock: DeviceClock | null }) {
  const { t } = useI18n();
  if (clock === null) return <span className="dim">{t('uiClock.deadlineOwn')}</span>;
  const correction = clockCorrection(clock);
  if (correction === 0) return null;
  const sign = correction > 0 ? '+' : '−';
  return (
    <span className="dim">{t('uiClock.deadlineIn', { offset: `${sign}${formatDuration(Math.abs(correction))}` })}</span>
  );
}
