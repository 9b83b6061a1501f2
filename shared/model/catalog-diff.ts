import { z } from 'zod';

/** One member of a tool in two readings; JSON text, cut at 20,000 characters. Null: not there. */
export const MemberChange = z.object({
  /** `title`, `input_schema`, `annotations.risk`, … as the Provider named it. */
  member: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Scopes and annotations say what a call may do (v2 3.3, 3.4). */
  security: z.boolean(),
});
export type MemberChange = z.infer<typeof MemberChange>;

export const ToolChange = z.object({
  /** Its name; `#<place>` where it has none. */
  tool: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** Empty for a tool that came or went. */
  members: z.array(MemberChange),
});
export type ToolChange = z.infer<typeof ToolChange>;

const Side = z.object({ atMs: z.number(), revision: z.string().nullable(), tools: z.number() });

/** Two readings of a Provider's list of tools, the earlier one possibly of an earlier run of the app. */
export const CatalogDiff = z.object({
  before: Side.extend({ earlierRun: z.boolean() }),
  after: Side,
  changes: z.array(ToolChange),
  /** Changes beyond the first 500. */
  more: z.number(),
  /**
   * v2 3.3: what the revision says of it. `unchanged-revision` is a finding of the list; `revision-alone` is a new
   * revision of a list that means the same. `unknown`: a side has no revision.
   */
  verdict: z.enum(['same', 'new-revision', 'unchanged-revision', 'revision-alone', 'unknown']),
});
export type CatalogDiff = z.infer<typeof CatalogDiff>;
