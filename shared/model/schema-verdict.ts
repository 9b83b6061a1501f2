import { z } from 'zod';

/** One violation of a schema, or one fault of the text. */
export const ValueIssue = z.object({
  /** JSON pointer into the value; empty for the whole. */
  pointer: z.string(),
  /** The schema keyword, `syntax`, or `limit`. */
  keyword: z.string(),
  message: z.string(),
});
export type ValueIssue = z.infer<typeof ValueIssue>;

/** A schema check that did not run says why; it is never shown as passed. */
export const SchemaVerdict = z.object({
  state: z.enum(['valid', 'invalid', 'not-checked']),
  issues: z.array(ValueIssue),
  /** i18n `notChecked.<reason>`. */
  reason: z.string().nullable(),
});
export type SchemaVerdict = z.infer<typeof SchemaVerdict>;
