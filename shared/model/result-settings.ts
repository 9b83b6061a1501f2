/** Settings of the host for files of results: whole numbers above zero; anything else counts as not set. */
export const RESULT_SETTINGS = {
  /** Of one file, in MiB. */
  maxFile: 'results.maxFileMiB',
  /** Days after its end that a result is kept. */
  keepDays: 'results.keepDays',
  /** Of all kept results together, in MiB. */
  keepTotal: 'results.keepTotalMiB',
} as const;

export const RESULT_DEFAULTS = { maxFile: 2_048, keepDays: 7, keepTotal: 8_192 } as const;

/** A setting as a number; null where it is not set to one that counts. */
export function resultSetting(text: string | null | undefined): number | null {
  return /^\d{1,9}$/.test(text ?? '') && Number(text) > 0 ? Number(text) : null;
}
