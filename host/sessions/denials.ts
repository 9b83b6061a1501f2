import type { CallOutcome } from '../../shared/model/call.ts';
import type { Finding } from '../../shared/model/finding.ts';
import type { HeldCall } from './prepare.ts';

/** Android's `Activity.RESULT_CANCELED`. */
const RESULT_CANCELED = 0;

/**
 * v2 4.3: a denial is answered USER_CANCELLED. The screen tells a Consumer only that it was closed with RESULT_CANCELED,
 * denied or left, so that a call that is carried out after it is told as what was seen, and not as a broken MUST.
 */
export function denialFindings(held: HeldCall, outcome: CallOutcome): Finding[] {
  const resultCode = held.resume?.resultCode() ?? null;
  if (resultCode !== RESULT_CANCELED || (outcome.kind !== 'success' && outcome.kind !== 'accepted')) return [];
  const params = { resultCode, outcome: outcome.kind };
  return [{ rule: 'carried-out-after-cancel', clause: 'v2 4.3', severity: 'should', params, where: null }];
}
