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

/** The attempts of one request_id that are still listed, in their order; a v1 call has none but itself. */
export function attemptsOf(call: CallRecord, calls: readonly CallRecord[]): readonly CallRecord[] {
  const { protocol, requestId } = call.prepared;
  if (protocol === 'v1' || requestId === null || call.outcome?.kind === 'refused') return [call];
  return calls
    .filter((one) => one.prepared.requestId === requestId && one.outcome?.kind !== 'refused')
    .sort((a, b) => a.attempt - b.attempt);
}

export function kindOf(call: CallRecord): OutcomeKind {
  return call.outcome?.kind ?? 'running';
}
