import { z } from 'zod';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';
import { SchemaVerdict } from './schema-verdict.ts';

/**
 * How the bytes of a file result (v2 4.5) came. Ours, beside what the Provider declared; never said of a call itself:
 * the Provider has answered when reading starts.
 *
 * `receiving`, then `checking`: it came whole, and its content is being looked at. `verified`: the whole stream came, and its size and SHA-256 are those declared. `unverified`: it came whole, and size
 * or digest was not declared, so there is nothing to compare with. `mismatch`: it came whole and is not as declared, or
 * it went on beyond the declared size and was read no further.
 * `cut`: it stopped on the way (unplugged, local limit, the app's end). `failed`: it could not be read or written.
 */
export const FileState = z.enum([
  'receiving',
  'checking',
  'verified',
  'unverified',
  'mismatch',
  'cut',
  'failed',
  'cancelled',
]);
export type FileState = z.infer<typeof FileState>;

/** One declared member against what came. `not-checked`: nothing can be said; the file did not come whole, or is of no type that is looked into. */
export const FileCheck = z.enum(['same', 'differs', 'not-declared', 'not-checked']);
export type FileCheck = z.infer<typeof FileCheck>;

export const ReceivedFile = z.object({
  state: FileState,
  /** So far, or in all. */
  bytes: z.number(),
  /** Of the bytes that came, lower-case hex; null while they come, and where none did. */
  sha256: z.string().nullable(),
  /** Average since the start. */
  bytesPerSecond: z.number(),
  durationMs: z.number(),
  /** Why it is not whole; null where it is, and while it comes. */
  problem: Problem.nullable(),
  checks: z.object({ size: FileCheck, digest: FileCheck, mediaType: FileCheck }),
});
export type ReceivedFile = z.infer<typeof ReceivedFile>;

/** A file result: what the Provider declared (null where it said nothing usable), and what came. */
export const ResultFile = z.object({
  mediaType: z.string().nullable(),
  /** As written, a decimal number where it is one. */
  sizeBytes: z.string().nullable(),
  sha256: z.string().nullable(),
  /** Null: nobody reads it, as in a run that keeps no files. */
  received: ReceivedFile.nullable(),
});
export type ResultFile = z.infer<typeof ResultFile>;

/** A result that is kept on this machine, named by its call alone. */
export const KeptResult = z.object({
  callId: z.string(),
  tool: z.string().nullable(),
  /** Epoch ms. */
  startedAtMs: z.number(),
  /** Null while it comes. */
  endedAtMs: z.number().nullable(),
  file: ResultFile,
  findings: z.array(Finding),
  outputVerdict: SchemaVerdict,
  /** Of the file as it is now. */
  keptBytes: z.number(),
});
export type KeptResult = z.infer<typeof KeptResult>;

/** A part of a result. It starts and ends between characters: at most 3 bytes from where it was asked to. */
export const ResultPart = z.object({
  /** Where `text` or `base64` starts, and the byte after its end. */
  offset: z.number(),
  nextOffset: z.number(),
  totalBytes: z.number(),
  /** Decoded as UTF-8; secrets that are known are masked. Null where base64 was asked for. */
  text: z.string().nullable(),
  /** How many sequences were no UTF-8 and stand as U+FFFD in `text`. */
  invalid: z.number(),
  masked: z.number(),
  /** The very bytes. Null where text was asked for. */
  base64: z.string().nullable(),
});
export type ResultPart = z.infer<typeof ResultPart>;

/** What a search tells as it goes: places in ascending order, how far it is, and its end. */
export const SearchStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hits'), offsets: z.array(z.number()) }),
  z.object({ kind: z.literal('progress'), bytes: z.number() }),
  /** `whole`: the file was searched to its end. Else the limit of hits was met, and `nextOffset` goes on. */
  z.object({ kind: z.literal('end'), whole: z.boolean(), nextOffset: z.number() }),
]);
export type SearchStep = z.infer<typeof SearchStep>;
