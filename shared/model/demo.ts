import { z } from 'zod';

/** What the person in front of a phone can do with a confirmation screen; `close` leaves it without a decision. */
export const DemoDecision = z.enum(['approve', 'deny', 'close']);
export type DemoDecision = z.infer<typeof DemoDecision>;

/**
 * One screen that a Provider of an embedded demo device shows to the person in front of it: what
 * v2 7.2 asks of a confirmation. It is the Provider's own screen, so everything here is device text.
 */
export const DemoPrompt = z.object({
  promptId: z.string(),
  serial: z.string(),
  model: z.string(),
  sinceMs: z.number(),
  kind: z.enum(['authorize', 'confirm']),
  package: z.string(),
  providerName: z.string(),
  callerUid: z.number(),
  /** Every package of the caller's UID. */
  callerPackages: z.array(z.string()),
  requestId: z.string(),
  tool: z.string(),
  title: z.string(),
  /** As they arrived, byte for byte; within the Provider's max_request_bytes. */
  argsText: z.string(),
  effect: z.string(),
  risk: z.string(),
  destructive: z.boolean(),
  /** What the Provider says cannot be undone; null where it says nothing. */
  consequences: z.string().nullable(),
  /** With `authorize`: the scopes that are missing; with `confirm`: those that the tool uses. */
  scopes: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      access: z.string(),
      sensitivity: z.string(),
    }),
  ),
});
export type DemoPrompt = z.infer<typeof DemoPrompt>;
