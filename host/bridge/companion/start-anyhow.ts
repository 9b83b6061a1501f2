import { type Problem, toProblem } from '../../../shared/model/problem.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { type CompanionRun, startCompanion } from './instrumentation.ts';
import { startCompanionService } from './service-start.ts';
import type { StartedCompanion } from './start-announcement.ts';

export interface AnyStart {
  readonly started: StartedCompanion;
  /** The watched instrumentation; null where the service runs, of which Android tells no end. */
  readonly run: CompanionRun | null;
  /** Why instrumentation was refused; null where it was not. */
  readonly refusal: Problem | null;
}

/**
 * Starts the companion by instrumentation, and where Android refuses that by its foreground service. Throws the
 * `ProblemError` of the first where the second fails as well.
 */
export async function startAnyhow(io: DeviceIo, userId: number | null, timeoutMs: number): Promise<AnyStart> {
  try {
    const run = await startCompanion(io, userId, timeoutMs);
    return { started: run, run, refusal: null };
  } catch (error) {
    const refusal = toProblem(error);
    if (refusal.code !== 'companion.start-failed') throw error;
    const started = await startCompanionService(io, userId, timeoutMs).catch(() => null);
    if (started === null) throw error;
    return { started, run: null, refusal };
  }
}
