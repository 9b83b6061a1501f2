import { type Json, printJson, toPlainJson } from '../../shared/base/json.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { GeneratedArgs, GenerateMode } from '../../shared/model/call.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import { checkValue } from './check-value.ts';
import type { Compiled } from './compile.ts';
import { ExampleBuilder, NoExample } from './example-builder.ts';

/** Ways tried through the alternatives of a schema before giving up. */
const MAX_TRIES = 200;
const MAX_LENGTH = 256 * 1024;
/** Ms after which the best so far is taken; well under the time limit of the worker. */
const ENOUGH_MS = 700;

/**
 * A value with only what the schema asks for, checked by the schema before it
 * is given out. A schema that this small generator cannot serve is a Problem.
 */
export function makeExample(compiled: Compiled): Result<string, Problem> {
  const made = make(compiled, 'minimal');
  if (!made.ok) return made;
  return made.value.valid ? ok(made.value.text) : err(problem('example-not-found'));
}

/**
 * The candidate that breaks the fewest rules, with the verdict on its text.
 * `valid` is only said where the whole check says so.
 */
export function generate(compiled: Compiled, mode: GenerateMode): Result<GeneratedArgs, Problem> {
  const made = make(compiled, mode);
  if (!made.ok) return made;
  const { text, leftOut } = made.value;
  return ok({ text, leftOut: [...leftOut], verdict: checkValue(compiled, text) });
}

interface Candidate {
  readonly text: string;
  readonly leftOut: readonly string[];
  readonly valid: boolean;
}

function make(compiled: Compiled, mode: GenerateMode): Result<Candidate, Problem> {
  if (!compiled.ok)
    return err(problem('example-not-made', { reason: compiled.reason }, compiled.issues[0]?.message ?? null));
  const startedAt = performance.now();
  let best: { readonly value: Json; readonly leftOut: readonly string[]; readonly faults: number } | null = null;
  for (let seed = 0; seed < MAX_TRIES; seed++) {
    const builder = new ExampleBuilder(compiled.schema, seed, mode);
    try {
      const value = builder.build();
      const faults = compiled.validate(toPlainJson(value)) === true ? 0 : (compiled.validate.errors?.length ?? 1);
      if (best === null || faults < best.faults) best = { value, leftOut: builder.leftOut, faults };
    } catch (error) {
      if (!(error instanceof NoExample || error instanceof RangeError)) throw error;
    }
    if (best?.faults === 0 || builder.exhausted || performance.now() - startedAt > ENOUGH_MS) break;
  }
  if (best === null) return err(problem('example-not-found'));
  const text = printJson(best.value, 2);
  if (text.length > MAX_LENGTH) return err(problem('example-too-large'));
  return ok({ text, leftOut: best.leftOut, valid: best.faults === 0 });
}
