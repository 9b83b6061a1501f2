import { z } from 'zod';

/** How far a device's wall clock is from this computer's, as one round trip to the companion measured it. */
export const DeviceClock = z.object({
  /** Device minus computer, in ms. */
  offsetMs: z.number(),
  /** Half of the round trip, in ms: the offset is off by no more. */
  uncertaintyMs: z.number(),
  /** Epoch ms of the computer. */
  measuredAtMs: z.number(),
});
export type DeviceClock = z.infer<typeof DeviceClock>;
