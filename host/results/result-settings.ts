import { RESULT_DEFAULTS, RESULT_SETTINGS, resultSetting } from '../../shared/model/result-settings.ts';
import type { KeepPolicy } from './result-index.ts';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** As set, else 2 GiB for one file, and 7 days and 8 GiB for what is kept. */
export function resultSettings(get: (key: string) => string | null): KeepPolicy & { readonly maxFileBytes: number } {
  const value = (name: keyof typeof RESULT_SETTINGS) =>
    resultSetting(get(RESULT_SETTINGS[name])) ?? RESULT_DEFAULTS[name];
  return {
    maxFileBytes: value('maxFile') * MIB,
    maxAgeMs: value('keepDays') * DAY_MS,
    maxTotalBytes: value('keepTotal') * MIB,
  };
}
