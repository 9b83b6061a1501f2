import { z } from 'zod';
import { Bundle } from './bundle.ts';
import { DeviceClock } from './device-clock.ts';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';

export const Limits = z.object({
  maxRequestBytes: z.number().nullable(),
  maxInlineResultBytes: z.number().nullable(),
  maxConcurrentRequests: z.number().nullable(),
  idempotencyWindowSeconds: z.number().nullable(),
});
export type Limits = z.infer<typeof Limits>;

/** What a negotiation offers (v2 2.2); a person may leave something out to see what follows. */
export const SessionOffer = z.object({
  versions: z.array(z.number().int().min(1).max(1_000)).min(1).max(8),
  capabilities: z.array(z.string().min(1).max(100)).max(16),
});
export type SessionOffer = z.infer<typeof SessionOffer>;

/** One v2 negotiation and its outcome (v2 2.2). The token itself never leaves the host. */
export const Session = z.object({
  id: z.string(),
  deviceKey: z.string(),
  providerKey: z.string(),
  state: z.enum(['negotiating', 'open', 'failed', 'expired', 'ended']),
  /**
   * Why it was negotiated: by a person, for a list of tools, for a list that was answered NEGOTIATION_REQUIRED, for the
   * query of an operation, or for a repeated call.
   */
  cause: z.enum(['hand', 'list', 'list-again', 'operation', 'retry']),
  /** Read back from the journal: an earlier run of the app had it. */
  earlierRun: z.boolean(),
  offeredVersions: z.array(z.number()),
  offeredCapabilities: z.array(z.string()),
  selectedVersion: z.number().nullable(),
  providerId: z.string().nullable(),
  providerName: z.string().nullable(),
  /** What both sides support and may be used. */
  capabilities: z.array(z.string()),
  /** What the Provider named besides; kept, not used. */
  otherCapabilities: z.array(z.string()),
  limits: Limits,
  /** Epoch ms; null: no expiry was given. */
  expiresAtMs: z.number().nullable(),
  /** What was known of the device's clock, by which `expires_at` is meant; null where it was not measured. */
  deviceClock: DeviceClock.nullable(),
  tokenBytes: z.number().nullable(),
  /** The answer as it came, secrets masked. Null while negotiating and where none came. */
  answer: Bundle.nullable(),
  findings: z.array(Finding),
  problem: Problem.nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  durationMs: z.number().nullable(),
});
export type Session = z.infer<typeof Session>;
