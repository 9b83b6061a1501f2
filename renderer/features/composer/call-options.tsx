import { useI18n } from '../../ui/i18n.tsx';
import './retry-bar.css';

/** What a draft asks for besides its arguments: retries, and a deadline of its own. */
export interface CallOptions {
  /** 0 is none. */
  readonly retries: number;
  /** A local date and time as typed; null takes the deadline from the wait. */
  readonly deadline: string | null;
}

export const NO_OPTIONS: CallOptions = { retries: 0, deadline: null };
const RETRIES = [0, 1, 2, 3, 5];

/** Epoch ms of a local date and time as an input gives it; null where it is none. */
export function parseDeadline(text: string): number | null {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

export function CallOptionsRow({
  options,
  onChange,
}: {
  readonly options: CallOptions;
  readonly onChange: (options: CallOptions) => void;
}) {
  const { t } = useI18n();
  const { retries, deadline } = options;
  return (
    <div className="call-options">
      <label className="row" title={t('uiRetries.autoHelp')}>
        <span className="sub">{t('uiRetries.auto')}</span>
        <select
          className="select"
          value={retries}
          onChange={(event) => onChange({ ...options, retries: Number(event.target.value) })}
        >
          {RETRIES.map((count) => (
            <option key={count} value={count}>
              {count === 0 ? t('uiRetries.autoOff') : t('uiRetries.autoUpTo', { count })}
            </option>
          ))}
        </select>
      </label>
      <label className="row" title={t('uiRetries.deadlineHelp')}>
        <span className="sub">{t('uiRetries.deadline')}</span>
        <select
          className="select"
          value={deadline === null ? 'wait' : 'at'}
          onChange={(event) => onChange({ ...options, deadline: event.target.value === 'wait' ? null : soon() })}
        >
          <option value="wait">{t('uiRetries.deadlineFromWait')}</option>
          <option value="at">{t('uiRetries.deadlineAt')}</option>
        </select>
      </label>
      {deadline === null ? null : (
        <input
          className="text-input num"
          type="datetime-local"
          step="1"
          value={deadline}
          aria-label={t('uiRetries.deadlineTime')}
          aria-invalid={parseDeadline(deadline) === null}
          onChange={(event) => onChange({ ...options, deadline: event.target.value })}
        />
      )}
    </div>
  );
}

/** A minute from now, as the input wants it. */
function soon(): string {
  const at = new Date(Date.now() + 60_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
