import { z } from 'zod';
import { Comparison, OutcomeKind } from '../model/collection.ts';

/** The file of a saved call ends so; everything else in a folder is none. */
export const CALL_SUFFIX = '.cetp.json';
/** Of one file, in bytes of UTF-8. */
export const MAX_CALL_BYTES = 4 * 1024 * 1024;
export const MAX_ENVIRONMENT_BYTES = 256 * 1024;
export const VARIABLE_NAME = '[A-Za-z_][A-Za-z0-9_.-]{0,63}';

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const operands = {
  equals: z.unknown(),
  notEquals: z.unknown(),
  exists: z.boolean(),
  type: z.enum(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']),
  contains: z.unknown(),
  count: z.number().int().min(0),
  atLeast: z.number(),
  atMost: z.number(),
  greaterThan: z.number(),
  lessThan: z.number(),
} satisfies Record<Comparison, z.ZodType>;

const at = z.string().max(2_000).regex(POINTER);
/** One member beside `at`: the comparison. */
const CheckShape = z.union(
  Comparison.options.map((op) => z.strictObject({ at, [op]: operands[op] })) as unknown as [
    z.ZodType<{ at: string }>,
    z.ZodType<{ at: string }>,
  ],
);

/** `NAME.cetp.json`, version 1. Unknown members are faults, so that a misspelt one is not taken for an absent one. */
export const CallFile = z.strictObject({
  $schema: z.string().optional(),
  v: z.literal(1),
  name: z.string().max(200).optional(),
  provider: z.string().min(1).max(500),
  tool: z.string().min(1).max(500),
  device: z.string().min(1).max(500).optional(),
  timeoutMs: z.number().int().min(100).max(600_000).optional(),
  variables: z.boolean().optional(),
  allowEffects: z.boolean().optional(),
  force: z.boolean().optional(),
  args: z.unknown().optional(),
  argsText: z.string().max(2_097_152).optional(),
  expect: z
    .strictObject({
      outcome: OutcomeKind.optional(),
      errorCode: z.string().min(1).max(200).optional(),
      value: z.array(CheckShape).max(500).optional(),
      outputSchema: z.boolean().optional(),
      schema: z.union([z.record(z.string(), z.unknown()), z.boolean()]).optional(),
      maxDurationMs: z.number().int().min(1).max(600_000).optional(),
    })
    .optional(),
});

const variableName = z.string().regex(new RegExp(`^${VARIABLE_NAME}$`));
const values = z.record(variableName, z.string().max(65_536));

/** `environments/NAME.json`, version 1. */
export const EnvironmentFile = z.strictObject({
  $schema: z.string().optional(),
  v: z.literal(1),
  variables: values.optional(),
  /** Names whose values are in `NAME.secrets.json` or come from outside. */
  secrets: z.array(variableName).max(64).optional(),
});

/** `environments/NAME.secrets.json`, version 1; never under version control. */
export const SecretsFile = z.strictObject({ v: z.literal(1), secrets: values });
