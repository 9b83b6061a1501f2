import type { CallRecord } from '../../../shared/model/call.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/widgets.tsx';

export type OutcomeKind = NonNullable<CallRecord['outcome']>['kind'] | 'running';

/** What the Provider answered, what the transport could not do, and what we refused never look alike. */
export const OUTCOMES: Readonly<Record<OutcomeKind, { readonly tone: Tone; readonly icon: IconName }>> = {
  running: { tone: 'info', icon: 'hourglass' },
  success: { tone: 'ok', icon: 'check' },
  accepted: { tone: 'info', icon: 'clock' },
  'provider-error': { tone: 'bad', icon: 'stop' },
  malformed: { tone: 'bad', icon: 'warning' },
  'transport-failure': { tone: 'warn', icon: 'cable' },
  cancelled: { tone: 'plain', icon: 'minus' },
  refused: { tone: 'own', icon: 'shield' },
};

export function kindOf(call: CallRecord): OutcomeKind {
  return call.outcome?.kind ?? 'running';
}
