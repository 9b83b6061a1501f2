import type { FileState, ReceivedFile } from '../../shared/model/result-file.ts';
import type { FileOnDisk } from './receive-file.ts';
import type { TakenResult } from './take-result.ts';
import { type FileVerdict, NOTHING_CHECKED } from './verify-file.ts';

/** What stopped on the way, by no fault of the file: the cable, the limit, the app's own end. */
const CUT = new Set([
  'companion.read-cut',
  'device-gone',
  'host-closed',
  'result-file-limit',
  'result-file-interrupted',
]);

/** The state and the numbers of a reading that has ended. */
export function receivedOf(taken: TakenResult): ReceivedFile {
  if (taken.kind === 'unopened') {
    const state = taken.problem.code === 'result-file-cancelled' ? 'cancelled' : 'failed';
    return { ...NOTHING_CAME, state, problem: taken.problem };
  }
  const { file, verdict } = taken;
  return {
    ...receivedSoFar(file),
    state: stateOf(file, verdict),
    problem: file.stopped,
    checks: verdict.checks,
  };
}

/** The numbers alone, before anything is judged. */
export function receivedSoFar(file: FileOnDisk): ReceivedFile {
  return {
    ...NOTHING_CAME,
    bytes: file.bytes,
    sha256: file.sha256,
    bytesPerSecond: file.durationMs <= 0 ? 0 : Math.round((file.bytes * 1_000) / file.durationMs),
    durationMs: file.durationMs,
  };
}

export const NOTHING_CAME: ReceivedFile = {
  state: 'receiving',
  bytes: 0,
  sha256: null,
  bytesPerSecond: 0,
  durationMs: 0,
  problem: null,
  checks: NOTHING_CHECKED,
};

function stateOf({ stopped }: FileOnDisk, { verified, checks, findings }: FileVerdict): FileState {
  if (stopped !== null) {
    if (stopped.code === 'result-file-cancelled') return 'cancelled';
    if (stopped.code === 'result-file-overrun') return 'mismatch';
    return CUT.has(stopped.code) ? 'cut' : 'failed';
  }
  if (verified) return 'verified';
  const differs = Object.values(checks).includes('differs') || findings.length > 0;
  return differs ? 'mismatch' : 'unverified';
}
