import { type Json, printJson } from '../../shared/base/json.ts';
import { indentJsonText, memberText } from '../../shared/base/json-text.ts';
import type { GeneratedArgs, GenerateMode } from '../../shared/model/call.ts';
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
  // The Provider's own characters wherever they can be had: only space between tokens is ours.
  const print = (value: Json | null, text: string | null): string | null =>
    value === null ? null : bounded(text === null ? printJson(value, 2) : indentJsonText(text));
  const own = (name: string): string | null => (reading.text === null ? null : memberText(reading.text, name));
  const detail = {
    row,
    description: bounded(reading.description),
    inputSchema: print(reading.inputSchema, own(catalog.protocol === 'v1' ? 'parameters' : 'input_schema')),
    outputSchema: print(reading.outputSchema, own('output_schema')),
    raw: print(reading.raw, reading.text) ?? 'null',
    ...(await example(deps, reading.inputSchema, state.loaded?.info?.schemaDialect ?? null)),
  };
  const scope = secretScope(state.target.deviceKey, state.target.providerKey);
  return hideKnown({ ...detail, truncated }, deps.journal.secrets, scope);
}

/** Throws `tool-not-in-catalog`, `no-input-schema`, or the schema service's own Problem. */
export async function generateArgs(
  deps: SessionsDeps,
  state: ProviderState,
  index: number,
  mode: GenerateMode,
): Promise<GeneratedArgs> {
  const reading = state.loaded?.readings.find((tool) => tool.row.index === index);
  if (reading === undefined) throw new ProblemError(problem('tool-not-in-catalog', { tool: `#${index}` }));
  if (reading.inputSchema === null) throw new ProblemError(problem('no-input-schema'));
  const dialect = state.loaded?.info?.schemaDialect ?? null;
  const made = await deps.schemas.generate(printJson(reading.inputSchema), mode, dialect);
  if (!made.ok) throw new ProblemError(made.error);
  return hideKnown(made.value, deps.journal.secrets, secretScope(state.target.deviceKey, state.target.providerKey));
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
