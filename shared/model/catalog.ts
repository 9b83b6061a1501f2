import { z } from 'zod';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';

/** Each member as the Provider declared it; null is "not declared" (v2 3.4). An unknown value is kept as it is. */
export const Annotations = z.object({
  effect: z.string().nullable(),
  risk: z.string().nullable(),
  destructive: z.boolean().nullable(),
  idempotent: z.boolean().nullable(),
  openWorld: z.boolean().nullable(),
  confirmation: z.string().nullable(),
  execution: z.string().nullable(),
});
export type Annotations = z.infer<typeof Annotations>;

/** A row of the catalog: text cut to what a list needs. The whole is `ToolDetail`. */
export const ToolRow = z.object({
  /** Place in the Provider's list; the tool's key within this catalog. */
  index: z.number(),
  /** Null where the entry has no usable name. */
  name: z.string().nullable(),
  title: z.string().nullable(),
  /** At most 400 UTF-16 units. */
  description: z.string(),
  descriptionLength: z.number(),
  state: z.enum(['ok', 'malformed']),
  scopes: z.array(z.string()),
  /** Null for v1, which has no annotations. */
  annotations: Annotations.nullable(),
  findings: z.array(Finding),
  /** The name under which a ClawSeed Consumer would register it (v1 3.1; v2 3.1). */
  consumerName: z.string().nullable(),
  /** Other tools with the same consumer name, as `<provider key>#<tool>`. */
  collidesWith: z.array(z.string()),
});
export type ToolRow = z.infer<typeof ToolRow>;

export const ToolDetail = z.object({
  row: ToolRow,
  description: z.string(),
  /** The schemas' and the entry's own JSON text, pretty-printed with every digit. */
  inputSchema: z.string().nullable(),
  outputSchema: z.string().nullable(),
  raw: z.string(),
  /** Set when `raw` or a schema was cut for display. */
  truncated: z.boolean(),
  /** A minimal valid example of the arguments, as JSON text; null with the reason in `exampleProblem`. */
  example: z.string().nullable(),
  exampleProblem: Problem.nullable(),
});
export type ToolDetail = z.infer<typeof ToolDetail>;

export const Scope = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  access: z.string().nullable(),
  sensitivity: z.string().nullable(),
});
export type Scope = z.infer<typeof Scope>;

export const ProviderInfo = z.object({
  providerId: z.string().nullable(),
  providerName: z.string().nullable(),
  description: z.string().nullable(),
  schemaDialect: z.string().nullable(),
  scopes: z.array(Scope),
  findings: z.array(Finding),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;

export const Catalog = z.object({
  deviceKey: z.string(),
  providerKey: z.string(),
  protocol: z.enum(['v1', 'v2']),
  sessionId: z.string().nullable(),
  revision: z.string().nullable(),
  info: ProviderInfo.nullable(),
  /** Why `get_provider_info` gave nothing; a v1 Provider may not have it. */
  infoProblem: Problem.nullable(),
  tools: z.array(ToolRow),
  findings: z.array(Finding),
  /** Set when no list was had: the tools are unknown, not none. */
  problem: Problem.nullable(),
  atMs: z.number(),
});
export type Catalog = z.infer<typeof Catalog>;
