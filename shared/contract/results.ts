import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { MAX_RESULT_HITS, MAX_RESULT_PART } from '../model/file-state.ts';
import { Problem } from '../model/problem.ts';
import { KeptResult, ResultPart, SearchStep } from '../model/result-file.ts';

const base = oc.errors({ PROBLEM: { data: Problem } });
const ofCall = z.object({ callId: z.string().max(64) });
const offset = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Files of results (v2 4.5) as they lie on this machine, named by the call alone. `calls.cancel` stops a reading. */
export const results = {
  /** Null: nothing of this call is kept (it was deleted, or no file came). */
  info: base.input(ofCall).output(KeptResult.nullable()),
  /** A part, also of one that still comes. `result-file-gone` where nothing is kept. */
  read: base
    .input(
      ofCall.extend({
        offset,
        /** In bytes. */
        length: z.number().int().min(16).max(MAX_RESULT_PART),
        /** `base64` gives the very bytes. */
        as: z.enum(['text', 'base64']),
      }),
    )
    .output(ResultPart),
  /** Places of exactly these characters, from an offset on; ends with `end`. A reader that leaves stops it. */
  search: base
    .input(
      ofCall.extend({
        text: z.string().min(1).max(1_000),
        offset,
        limit: z.number().int().min(1).max(MAX_RESULT_HITS),
      }),
    )
    .output(eventIterator(SearchStep)),
  /** Deletes it from this machine, ending its reading first. */
  discard: base.input(ofCall).output(z.object({ discarded: z.boolean() })),
};
