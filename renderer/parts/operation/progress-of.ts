/** What a bar can show of `progress` (v2 4.4: display data only). */
export interface ShownProgress {
  readonly current: number;
  readonly total: number;
}

/** Null unless `current` and `total` are numbers that make a bar: finite, 0 up to `total`, `total` above 0. */
export function progressOf(progressText: string | null): ShownProgress | null {
  const { current, total } = membersOf(progressText);
  if (typeof current !== 'number' || typeof total !== 'number') return null;
  const usable = Number.isFinite(current) && Number.isFinite(total) && total > 0 && current >= 0 && current <= total;
  return usable ? { current, total } : null;
}

/** `message` where it is a text. */
export function progressMessage(progressText: string | null): string | null {
  const { message } = membersOf(progressText);
  return typeof message === 'string' && message !== '' ? message : null;
}

function membersOf(text: string | null): { current?: unknown; total?: unknown; message?: unknown } {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
