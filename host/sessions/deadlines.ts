import { clockCorrection } from '../../shared/base/clock-correction.ts';
import type { CallDraft, PreparedCall } from '../../shared/model/call.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';

/** The instant of this computer's clock at which a deadline of the device's clock passes; null for v1. */
export function hostDeadline({ deadlineAtMs, deviceClock }: PreparedCall): number | null {
  return deadlineAtMs === null ? null : deadlineAtMs - clockCorrection(deviceClock);
}

/**
 * v2 4.1: the Provider checks the deadline by its own clock. Where a Consumer that trusts the computer's would lose half
 * of this wait or more, it is said, whichever of the two the deadline is meant by.
 */
export function deadlineWarnings({ timeoutMs, deadlineAtMs }: CallDraft, clock: DeviceClock | null): Problem[] {
  const offset = clockCorrection(clock);
  if (Math.abs(offset) < timeoutMs / 2) return [];
  const params = { offsetMs: offset, uncertaintyMs: Math.ceil(clock?.uncertaintyMs ?? 0), timeoutMs };
  return [problem(deadlineAtMs == null ? 'clock-skew' : 'clock-skew-as-typed', params)];
}

/** A deadline that was typed and has passed already, by the device's clock. */
export function deadlineRefusals({ deadlineAtMs }: CallDraft, deviceNowMs: number): Problem[] {
  if (deadlineAtMs == null || deadlineAtMs > deviceNowMs) return [];
  return [problem('deadline-in-past', { deadlineAtMs, nowMs: Math.round(deviceNowMs) })];
}
