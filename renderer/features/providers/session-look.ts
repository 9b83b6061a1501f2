import type { Session } from '../../../shared/model/session.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/widgets.tsx';

export const SESSION_LOOKS = {
  negotiating: { tone: 'info', icon: 'hourglass' },
  open: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'stop' },
  expired: { tone: 'warn', icon: 'clock' },
  ended: { tone: 'plain', icon: 'minus' },
} as const satisfies Record<Session['state'], { tone: Tone; icon: IconName }>;
