import { z } from 'zod';
import { Bundle } from './bundle.ts';
import { DeliberateMark, Deviation, MAX_TIMES } from './deviation.ts';
import { DeviceClock } from './device-clock.ts';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';
import { ResultFile } from './result-file.ts';
import { CallRetry, MAX_AUTO_RETRIES } from './retry.ts';
import { SchemaVerdict, ValueIssue } from './schema-verdict.ts';

export { SchemaVerdict, ValueIssue };

/** What to fill in: only what is required, every property, or what the schema's author offers. */
export const GenerateMode = z.enum(['minimal', 'all', 'example']);
export type GenerateMode = z.infer<typeof GenerateMode>;

/** Arguments made from a schema, with the schema's own verdict on them: made is not the same as valid. */
export const GeneratedArgs = z.object({
  text: z.string(),
  verdict: SchemaVerdict,
  /** JSON pointers of optional parts that were left out, at most 20: too deep, too many, or no value was found. */
  leftOut: z.array(z.string()),
});
export type GeneratedArgs = z.infer<typeof GeneratedArgs>;

export const CallDraft = z.object({
  deviceKey: z.string(),
  userId: z.number().nullable(),
  providerKey: z.string(),
  tool: z.string(),
  /** The arguments as typed; sent byte for byte. */
  argsText: z.string(),
  /** How long the Consumer waits, in ms; the v2 deadline is now plus this, by the device's clock where that is known. */
  timeoutMs: z.number().int().min(100).max(600_000),
  /** A UUID, or null for a new one. */
  requestId: z.string().nullable(),
  /** The v2 deadline as it is sent, epoch ms; absent or null: from the wait. */
  deadlineAtMs: z.number().int().min(0).max(8.64e15).nullable().optional(),
  /** Repeats an error by itself where v2 5 allows it, so many times at most; absent or null: never. */
  autoRetry: z
    .object({ max: z.number().int().min(1).max(MAX_AUTO_RETRIES) })
    .nullable()
    .optional(),
  /** What is broken on purpose; absent: nothing. */
  deliberate: z.array(Deviation).max(Deviation.options.length).optional(),
  /** The same bytes so many times at once, each a call of its own; absent: once. */
  times: z.number().int().min(1).max(MAX_TIMES).optional(),
});
export type CallDraft = z.infer<typeof CallDraft>;

/** Exactly what will be sent. `calls.run` sends this and nothing else. */
export const PreparedCall = z.object({
  id: z.string(),
  draft: CallDraft,
  protocol: z.enum(['v1', 'v2']),
  bridge: z.enum(['companion', 'shell']),
  authority: z.string(),
  method: z.string(),
  requestId: z.string().nullable(),
  /** As it is sent; null for v1. */
  deadlineAtMs: z.number().nullable(),
  /** The device's clock, by which the deadline is meant; null where it was not measured, and for v1. */
  deviceClock: DeviceClock.nullable(),
  /** The extras with secrets masked. */
  extras: Bundle,
  /** Digest and size of the extras' wire text with secrets in it; the journal's `sent` carries the same. */
  wireSha256: z.string(),
  wireBytes: z.number(),
  argsBytes: z.number(),
  maxRequestBytes: z.number().nullable(),
  /** The device command of the shell bridge; null with the companion. */
  shellCommand: z.string().nullable(),
  argsVerdict: SchemaVerdict,
  /** Points that warn and do not stop. */
  warnings: z.array(Problem),
  /** What our own validation refuses by default; running needs `force`. */
  refusals: z.array(Problem),
  /** Whether the tool may change something: running it needs a deliberate act. */
  hasEffect: z.boolean(),
  /** The call that this one resumes after a person decided (v2 4.3); null for any other. */
  resumes: z.string().nullable(),
  /** Why this call breaks the rules on purpose; empty for any other. */
  deliberate: z.array(DeliberateMark),
  /** One of several copies that leave at once; `of` is the first one's id. */
  burst: z.object({ of: z.string(), index: z.number(), count: z.number() }).nullable(),
  /** The draft above shows secrets masked: it is not the text that is sent, and cannot be sent again. */
  secretsHidden: z.boolean().optional(),
});
export type PreparedCall = z.infer<typeof PreparedCall>;

const common = { findings: z.array(Finding) };

/**
 * The three verdicts never look alike: what the Provider answered, what the
 * transport could not do, and what we refused ourselves.
 */
export const CallOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('success'),
    ...common,
    bundle: Bundle,
    /** The decoded value as JSON text, every digit kept; null where a file came instead. */
    valueText: z.string().nullable(),
    /** Where the value is longer than 2 MiB: the length of the whole, the text above is its head. */
    valueLength: z.number(),
    valueTruncated: z.boolean(),
    file: ResultFile.nullable(),
    outputVerdict: SchemaVerdict,
  }),
  z.object({
    kind: z.literal('accepted'),
    ...common,
    bundle: Bundle,
    operationId: z.string().nullable(),
    pollAfterMs: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('provider-error'),
    ...common,
    bundle: Bundle,
    errorCode: z.string(),
    /** Whether the spec names the code; the meaning is i18n `errorCode.<code>`. */
    known: z.boolean(),
    errorMessage: z.string().nullable(),
    retryable: z.boolean().nullable(),
    retryAfterMs: z.string().nullable(),
    detailsText: z.string().nullable(),
    /** v1 hints (2.3), shown and never followed by themselves. */
    resolutionHint: z.string().nullable(),
    authorizeIntent: z.string().nullable(),
    hasResolution: z.boolean(),
  }),
  /** An answer that is neither success, accepted nor error: kept as it came. */
  z.object({ kind: z.literal('malformed'), ...common, bundle: Bundle.nullable(), problem: Problem }),
  z.object({ kind: z.literal('transport-failure'), ...common, problem: Problem }),
  z.object({ kind: z.literal('cancelled'), ...common, problem: Problem }),
  z.object({ kind: z.literal('refused'), ...common, problem: Problem }),
]);
export type CallOutcome = z.infer<typeof CallOutcome>;

export const CallRecord = z.object({
  id: z.string(),
  prepared: PreparedCall,
  deviceLabel: z.string(),
  providerLabel: z.string(),
  startedAtMs: z.number(),
  /** When the bytes were handed over; null while it waits for its turn, and where nothing was sent. */
  sentAtMs: z.number().nullable(),
  /** Null while it waits or runs, and while the file of its answer still comes: `outcome` is there then. */
  endedAtMs: z.number().nullable(),
  durationMs: z.number().nullable(),
  outcome: CallOutcome.nullable(),
  /** Which attempt of its request_id this is, from 1. */
  attempt: z.number(),
  /** The attempt before it. */
  previousCallId: z.string().nullable(),
  /** How it may be asked again with the same request_id; null where that is not offered, and until it has ended. */
  retry: CallRetry.nullable(),
});
export type CallRecord = z.infer<typeof CallRecord>;
