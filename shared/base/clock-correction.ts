interface Offset {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

/** What to add to the computer's time, in whole ms: 0 where no difference was measured, or none beyond the measure's own error. */
export function clockCorrection(clock: Offset | null | undefined): number {
  if (clock == null || Math.abs(clock.offsetMs) <= clock.uncertaintyMs) return 0;
  return Math.round(clock.offsetMs);
}
