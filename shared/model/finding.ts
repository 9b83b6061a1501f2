import { z } from 'zod';

/**
 * Our verdict on a point of the spec. It stands beside the raw facts and never
 * replaces them. The text is `finding.<rule>` in `shared/i18n`.
 *
 * severity: `must` = a MUST is broken; `should` = a SHOULD is broken;
 * `advice` = allowed, but likely to hurt; `lenient` = the spec leaves room and
 * our reading accepts it.
 */
export const FindingSeverity = z.enum(['must', 'should', 'advice', 'lenient']);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

export const Finding = z.object({
  rule: z.string(),
  /** Protocol and section, such as `v2 3.4`. */
  clause: z.string(),
  severity: FindingSeverity,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** JSON pointer, key or tool name that the finding is about. */
  where: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;
