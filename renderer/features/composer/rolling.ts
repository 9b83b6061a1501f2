/** How old a preparation may get, in ms, before it is made anew: 10 s, less where the wait itself is short. */
export function rollAfterMs(timeoutMs: number): number {
  return Math.max(50, Math.min(10_000, Math.floor(timeoutMs / 3)));
}

/** Whether a preparation of that instant has used up too much of its deadline. */
export function isStale(madeAtMs: number, timeoutMs: number, nowMs: number): boolean {
  return nowMs - madeAtMs >= rollAfterMs(timeoutMs);
}

/** The wait as typed, in seconds, as ms; null where the contract would refuse it (0.1 s to 600 s). */
export function parseTimeout(seconds: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(seconds.trim())) return null;
  const ms = Math.round(Number(seconds) * 1000);
  return ms >= 100 && ms <= 600_000 ? ms : null;
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
