import type { HistoryRow } from '../../../shared/model/event.ts';
import { useI18n } from '../../ui/i18n.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Badge, type Tone } from '../../ui/widgets.tsx';

const STATES = {
  open: { tone: 'info', icon: 'hourglass' },
  success: { tone: 'ok', icon: 'check' },
  accepted: { tone: 'info', icon: 'clock' },
  'provider-error': { tone: 'bad', icon: 'stop' },
  malformed: { tone: 'bad', icon: 'warning' },
  'transport-failure': { tone: 'warn', icon: 'cable' },
  cancelled: { tone: 'plain', icon: 'minus' },
  refused: { tone: 'own', icon: 'shield' },
  notice: { tone: 'plain', icon: 'info' },
} as const satisfies Record<HistoryRow['state'], { tone: Tone; icon: IconName }>;

/** How an exchange ended, as a word with its icon. */
export function Outcome({ state }: { readonly state: HistoryRow['state'] }) {
  const { t } = useI18n();
  const look = STATES[state];
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {t(`uiHistory.state.${state}`)}
    </Badge>
  );
}
