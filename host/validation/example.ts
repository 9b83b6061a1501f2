import { printJson, toPlainJson } from '../../shared/base/json.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import type { Compiled } from './compile.ts';
import { ExampleBuilder, NoExample } from './example-builder.ts';

/** Ways tried through the alternatives of a schema before giving up. */
const MAX_TRIES = 200;
const MAX_LENGTH = 256 * 1024;

/**
 * A value with only what the schema asks for, checked by the schema before it
 * is given out. A schema that this small generator cannot serve is a Problem.
 */
export function makeExample(compiled: Compiled): Result<string, Problem> {
  if (!compiled.ok)
    return err(problem('example-not-made', { reason: compiled.reason }, compiled.issues[0]?.message ?? null));
  for (let seed = 0; seed < MAX_TRIES; seed++) {
    const builder = new ExampleBuilder(compiled.schema, seed);
    try {
      const value = builder.build();
      if (compiled.validate(toPlainJson(value)) === true) {
        const text = printJson(value, 2);
        return text.length > MAX_LENGTH ? err(problem('example-too-large')) : ok(text);
      }
    } catch (error) {
      if (!(error instanceof NoExample || error instanceof RangeError)) throw error;
    }
    if (builder.exhausted) break;
  }
  return err(problem('example-not-found'));
}
