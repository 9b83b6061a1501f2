import { z } from 'zod';
import { SchemaVerdict } from './call.ts';
import { Problem } from './problem.ts';

/** How a call can end; the kinds of `CallOutcome`. */
export const OutcomeKind = z.enum([
  'success',
  'accepted',
  'provider-error',
  'malformed',
  'transport-failure',
  'cancelled',
  'refused',
]);
export type OutcomeKind = z.infer<typeof OutcomeKind>;

/** The closed set of comparisons; no expression and no code. */
export const Comparison = z.enum([
  'equals',
  'notEquals',
  'exists',
  'type',
  'contains',
  'count',
  'atLeast',
  'atMost',
  'greaterThan',
  'lessThan',
]);
export type Comparison = z.infer<typeof Comparison>;

/** One comparison of one place of the value. */
export const ValueCheck = z.object({
  /** JSON Pointer (RFC 6901); empty for the whole value. */
  at: z.string().max(2_000),
  op: Comparison,
  /** The other side as JSON text, every digit kept. */
  expected: z.string().max(1_048_576),
});
export type ValueCheck = z.infer<typeof ValueCheck>;

export const Expectations = z.object({
  /** Null: `provider-error` where an error code is expected, else `success`. */
  outcome: OutcomeKind.nullable(),
  errorCode: z.string().min(1).max(200).nullable(),
  value: z.array(ValueCheck).max(500),
  /** The value must match the tool's `output_schema`. */
  outputSchema: z.boolean(),
  /** A JSON Schema of the collection's own, as JSON text. */
  schemaText: z.string().max(1_048_576).nullable(),
  /** Information beside the result; it never fails a call. In ms. */
  maxDurationMs: z.number().int().min(1).max(600_000).nullable(),
});
export type Expectations = z.infer<typeof Expectations>;

/** One call as a file of a collection holds it. `{{name}}` stands for a variable in the first three and in strings of the arguments. */
export const SavedCall = z.object({
  name: z.string().max(200).nullable(),
  /** A provider_id, a package, an authority or a key. */
  provider: z.string().min(1).max(500),
  tool: z.string().min(1).max(500),
  /** A serial or a key; null is the device of the run. */
  device: z.string().min(1).max(500).nullable(),
  /** Sent byte for byte, but for variables. */
  argsText: z.string().max(2_097_152),
  /** False: `{{…}}` is ordinary text, everywhere in this call. */
  variables: z.boolean(),
  /** How long the Consumer waits, in ms; null is the default of 30,000. */
  timeoutMs: z.number().int().min(100).max(600_000).nullable(),
  /** The call may change something. It runs only together with the deliberate act of the run. */
  allowEffects: z.boolean(),
  /** Sends what our own validation refuses. */
  force: z.boolean(),
  expect: Expectations,
});
export type SavedCall = z.infer<typeof SavedCall>;

/** One file of a collection: a call, or why it is none. */
export const SavedCallEntry = z.object({
  /** Relative to the folder, with `/`. */
  file: z.string(),
  /** Of the file's bytes; tells a change on disk. Null where it was not read. */
  sha256: z.string().nullable(),
  call: SavedCall.nullable(),
  /** Variables that the call names. */
  needs: z.array(z.string()),
  problem: Problem.nullable(),
});
export type SavedCallEntry = z.infer<typeof SavedCallEntry>;

export const CollectionEnvironment = z.object({
  name: z.string(),
  variables: z.record(z.string(), z.string()),
  /** Names whose values are kept apart; the values never leave the host. */
  secrets: z.array(z.object({ name: z.string(), isSet: z.boolean() })),
  problem: Problem.nullable(),
});
export type CollectionEnvironment = z.infer<typeof CollectionEnvironment>;

/** A folder as it is on disk now. */
export const Collection = z.object({
  /** The folder's real path; names it in every other command. */
  folder: z.string(),
  /** In order of file name. */
  entries: z.array(SavedCallEntry),
  environments: z.array(CollectionEnvironment),
  /** What was left out, and why. */
  problems: z.array(Problem),
  /** The environment that was chosen last. */
  environment: z.string().nullable(),
});
export type Collection = z.infer<typeof Collection>;

/** One expectation beside what came. What could not be checked is never shown as passed. */
export const CheckResult = z.object({
  kind: z.enum(['outcome', 'error-code', 'value', 'output-schema', 'schema', 'duration']),
  /** `info` never decides: it says whether a limit was kept. */
  state: z.enum(['passed', 'failed', 'not-checked', 'info']),
  at: z.string().nullable(),
  op: Comparison.nullable(),
  expected: z.string(),
  /** Null where there was nothing. */
  actual: z.string().nullable(),
  /** i18n `savedReason.<reason>`; why it was not checked. */
  reason: z.string().nullable(),
  verdict: SchemaVerdict.nullable(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** The end of one call, in short; the journal has the whole exchange. */
export const SavedCallAnswer = z.object({
  outcome: OutcomeKind,
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  /** The value's head, at most 16 Ki characters. */
  valueText: z.string().nullable(),
  valueLength: z.number(),
  problem: Problem.nullable(),
  findings: z.number(),
  durationMs: z.number().nullable(),
  requestId: z.string().nullable(),
  /** Of the journal. */
  exchangeId: z.string(),
  wireSha256: z.string(),
});
export type SavedCallAnswer = z.infer<typeof SavedCallAnswer>;

/**
 * `passed`: every expectation holds. `failed`: one does not, or could not be
 * checked. `error`: there was no answer to check (our refusal, no way to the
 * Provider). `skipped`: its turn did not come.
 */
export const SavedCallResult = z.object({
  file: z.string(),
  name: z.string().nullable(),
  /** As sent, variables put in, secrets masked. */
  provider: z.string(),
  tool: z.string(),
  device: z.string().nullable(),
  state: z.enum(['passed', 'failed', 'error', 'skipped']),
  problem: Problem.nullable(),
  checks: z.array(CheckResult),
  answer: SavedCallAnswer.nullable(),
});
export type SavedCallResult = z.infer<typeof SavedCallResult>;

export const RunTotals = z.object({
  passed: z.number(),
  failed: z.number(),
  errors: z.number(),
  skipped: z.number(),
});
export type RunTotals = z.infer<typeof RunTotals>;

export const RunEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), runId: z.string(), files: z.array(z.string()), atMs: z.number() }),
  z.object({ kind: z.literal('call-started'), index: z.number(), file: z.string() }),
  z.object({ kind: z.literal('call-ended'), index: z.number(), result: SavedCallResult }),
  z.object({
    kind: z.literal('ended'),
    totals: RunTotals,
    cancelled: z.boolean(),
    durationMs: z.number(),
  }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
