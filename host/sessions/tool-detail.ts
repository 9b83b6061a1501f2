import { type Json, printJson } from '../../shared/base/json.ts';
import type { Catalog, ToolDetail } from '../../shared/model/catalog.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import { hideKnown } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import { cut } from '../journal/bounded-text.ts';
import type { SessionsDeps } from './deps.ts';
import type { ProviderState } from './provider-state.ts';

/** Of each text of a detail, in UTF-16 units. */
const MAX_TEXT = 1024 * 1024;

/** One tool of the list that is on show, whole but for the bound on each text. Throws `tool-not-in-catalog`. */
export async function toolDetail(
  deps: SessionsDeps,
  state: ProviderState,
  catalog: Catalog,
  index: number,
): Promise<ToolDetail> {
  const reading = state.loaded?.readings.find((tool) => tool.row.index === index);
  const row = catalog.tools.find((tool) => tool.index === index);
  if (catalog.problem !== null || reading === undefined || row === undefined) {
    throw new ProblemError(catalog.problem ?? problem('tool-not-in-catalog', { tool: `#${index}` }));
  }
  let truncated = false;
  const bounded = (text: string): string => {
    if (text.length > MAX_TEXT) truncated = true;
    return cut(text, MAX_TEXT);
  };
  const print = (value: Json | null): string | null => (value === null ? null : bounded(printJson(value, 2)));
  const detail = {
    row,
    description: bounded(reading.description),
    inputSchema: print(reading.inputSchema),
    outputSchema: print(reading.outputSchema),
    raw: print(reading.raw) ?? 'null',
    ...(await example(deps, reading.inputSchema, state.loaded?.info?.schemaDialect ?? null)),
  };
  const scope = secretScope(state.target.deviceKey, state.target.providerKey);
  return hideKnown({ ...detail, truncated }, deps.journal.secrets, scope);
}

async function example(
  deps: SessionsDeps,
  schema: Json | null,
  dialect: string | null,
): Promise<{ example: string | null; exampleProblem: Problem | null }> {
  if (schema === null) return { example: null, exampleProblem: problem('no-input-schema') };
  const made = await deps.schemas.example(printJson(schema), 'minimal', dialect);
  return made.ok ? { example: made.value, exampleProblem: null } : { example: null, exampleProblem: made.error };
}
