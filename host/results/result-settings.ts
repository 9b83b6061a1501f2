import { DEFAULT_MAX_FILE_BYTES } from './receive-file.ts';
import type { KeepPolicy } from './result-index.ts';

/** Settings of the journal, in whole numbers; anything else counts as not set. */
export const RESULT_SETTINGS = {
  /** Of one file, in MiB. */
  maxFile: 'results.maxFileMiB',
  /** Days after its end that a result is kept. */
  keepDays: 'results.keepDays',
  /** Of all kept results together, in MiB. */
  keepTotal: 'results.keepTotalMiB',
} as const;

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const DEFAULT_KEEP_DAYS = 7;
const DEFAULT_KEEP_BYTES = 8 * 1024 * MIB;

/** As set, else 2 GiB for one file, and 7 days and 8 GiB for what is kept. */
export function resultSettings(get: (key: string) => string | null): KeepPolicy & { readonly maxFileBytes: number } {
  const number = (key: string): number | null => {
    const text = get(key) ?? '';
    return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
  };
  const inBytes = (mib: number | null) => (mib === null ? null : mib * MIB);
  return {
    maxFileBytes: inBytes(number(RESULT_SETTINGS.maxFile)) ?? DEFAULT_MAX_FILE_BYTES,
    maxAgeMs: (number(RESULT_SETTINGS.keepDays) ?? DEFAULT_KEEP_DAYS) * DAY_MS,
    maxTotalBytes: inBytes(number(RESULT_SETTINGS.keepTotal)) ?? DEFAULT_KEEP_BYTES,
  };
}
