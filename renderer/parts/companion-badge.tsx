import type { CompanionStatus } from '../../shared/model/device.ts';
import { useI18n } from '../ui/i18n.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Badge, type Tone } from '../ui/widgets.tsx';

const STATES = {
  unknown: { tone: 'plain', icon: 'question' },
  'not-installed': { tone: 'warn', icon: 'warning' },
  installed: { tone: 'info', icon: 'check' },
  starting: { tone: 'info', icon: 'hourglass' },
  connected: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'stop' },
} as const satisfies Record<CompanionStatus['state'], { tone: Tone; icon: IconName }>;

/** The companion's state in one word. */
export function CompanionBadge({ state }: { readonly state: CompanionStatus['state'] }) {
  const { t } = useI18n();
  const look = STATES[state];
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {t(`uiDevices.companionState.${state}`)}
    </Badge>
  );
}
