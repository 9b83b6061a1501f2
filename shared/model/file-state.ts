import type { FileState } from './result-file.ts';

/** Whether nothing final can be said of a file yet. */
export function isUnderWay(state: FileState): boolean {
  return state === 'receiving' || state === 'checking';
}

/** Longest part of one `results.read`, in bytes. */
export const MAX_RESULT_PART = 1024 * 1024;
/** Most places of one `results.search`. */
export const MAX_RESULT_HITS = 1_000;
