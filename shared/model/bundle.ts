import { z } from 'zod';

/**
 * An Android Bundle as typed entries. A list and not an object, so that no key
 * (`__proto__`, a repeated one) is lost. The wire form between desktop and
 * companion is `docs/companion-protocol.md` section 4.
 *
 * `long` travels as a decimal string. `text` exists only in answers through the
 * shell bridge: `content call` prints values without their types.
 * `masked` stands where a secret was redacted; `of` is the type that it had,
 * `v` its length in UTF-8 bytes.
 */
const key = z.string();

export const PendingIntentFacts = z.object({
  handle: z.string(),
  creatorPackage: z.string().nullable(),
  creatorUid: z.number().nullable(),
  immutable: z.boolean().nullable(),
  kind: z.enum(['activity', 'broadcast', 'service', 'foregroundService']).nullable(),
});
export type PendingIntentFacts = z.infer<typeof PendingIntentFacts>;

const specialDouble = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);

export const BundleEntry = z.discriminatedUnion('t', [
  z.object({ key, t: z.literal('string'), v: z.string() }),
  z.object({ key, t: z.literal('int'), v: z.number() }),
  z.object({ key, t: z.literal('long'), v: z.string() }),
  z.object({ key, t: z.literal('boolean'), v: z.boolean() }),
  z.object({ key, t: z.literal('float'), v: specialDouble }),
  z.object({ key, t: z.literal('double'), v: specialDouble }),
  z.object({ key, t: z.literal('null') }),
  z.object({ key, t: z.literal('int[]'), v: z.array(z.number()) }),
  z.object({ key, t: z.literal('long[]'), v: z.array(z.string()) }),
  z.object({ key, t: z.literal('string[]'), v: z.array(z.string().nullable()) }),
  z.object({ key, t: z.literal('boolean[]'), v: z.array(z.boolean()) }),
  z.object({ key, t: z.literal('double[]'), v: z.array(specialDouble) }),
  z.object({ key, t: z.literal('strings'), v: z.array(z.string().nullable()) }),
  z.object({ key, t: z.literal('bytes'), v: z.string() }),
  z.object({
    key,
    t: z.literal('bundle'),
    get v(): z.ZodArray<typeof BundleEntry> {
      return z.array(BundleEntry);
    },
  }),
  z.object({
    key,
    t: z.literal('bundle[]'),
    get v(): z.ZodArray<z.ZodArray<typeof BundleEntry>> {
      return z.array(z.array(BundleEntry));
    },
  }),
  z.object({ key, t: z.literal('pendingIntent'), v: PendingIntentFacts }),
  z.object({ key, t: z.literal('fd'), v: z.object({ handle: z.string(), size: z.number() }) }),
  z.object({ key, t: z.literal('opaque'), v: z.object({ class: z.string(), text: z.string() }) }),
  z.object({ key, t: z.literal('unreadable'), v: z.object({ class: z.string(), error: z.string() }) }),
  z.object({ key, t: z.literal('text'), v: z.string() }),
  z.object({ key, t: z.literal('masked'), of: z.string(), v: z.number() }),
]);
export type BundleEntry = z.infer<typeof BundleEntry>;

export const Bundle = z.array(BundleEntry);
export type Bundle = z.infer<typeof Bundle>;

/** The entry of a key; the last one where a key repeats. */
export function entryOf(bundle: Bundle, key: string): BundleEntry | undefined {
  return bundle.findLast((entry) => entry.key === key);
}

/** A string-like value: a `string`, or the untyped `text` of the shell bridge. */
export function stringOf(bundle: Bundle, key: string): string | undefined {
  const entry = entryOf(bundle, key);
  return entry?.t === 'string' || entry?.t === 'text' ? entry.v : undefined;
}

/** The one key of an answer of the shell bridge that could not be taken apart: the word `content` prints before it. */
export const UNSPLIT_KEY = 'Result';

/** The printed text of such an answer; null for any other. Nothing can be said of its keys. */
export function unsplitText(bundle: Bundle): string | null {
  const [entry, more] = bundle;
  if (entry?.t !== 'text' || more !== undefined || entry.key !== UNSPLIT_KEY) return null;
  return entry.v.startsWith('Bundle[') ? entry.v : null;
}
