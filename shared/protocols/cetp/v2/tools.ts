import { cutText, excerpt, isJsonObject, type Json, type JsonObject, member, printJson } from '../../../base/json.ts';
import type { ProviderInfo } from '../../../model/catalog.ts';
import { DEFAULT_DIALECT_URI, dialectOf } from '../../../validation/dialect.ts';
import type { Budget } from '../../../validation/schema-walk.ts';
import type { ToolListReading, ToolReading } from '../codec.ts';
import { jsonType } from '../common/envelope.ts';
import { FindingList } from '../common/findings.ts';
import {
  type Budgets,
  boundedEntries,
  deepEntry,
  isSchema,
  LIST_BUDGET,
  LIST_FINDINGS,
  malformedEntry,
  repeatedNames,
  reportSchema,
  rowDescription,
} from '../common/tools.ts';
import { readAnnotations } from './annotations.ts';
import { SCOPE_NAME, TOOL_NAME } from './names.ts';
import { V2_RULES, type V2Rule } from './rules.ts';

/**
 * Reads `{"revision", "tools"}` (v2 3.3). A malformed entry is listed with all
 * its reasons and costs no other.
 */
export function readToolList(
  document: JsonObject,
  capabilities: readonly string[],
  findings: FindingList<V2Rule>,
  unread: ReadonlyMap<number, string> = new Map(),
): Omit<ToolListReading, 'findings' | 'problem'> & { readonly readable: boolean } {
  const revision = member(document, 'revision');
  if (typeof revision !== 'string' || revision === '') {
    const actual = revision === '' ? 'empty' : jsonType(revision);
    findings.add('revision-missing', { where: '/revision', params: { actual } });
  }
  const entries = member(document, 'tools');
  const shownRevision = typeof revision === 'string' ? revision : null;
  if (!Array.isArray(entries)) {
    findings.add('tools-not-array', { where: '/tools', params: { actual: jsonType(entries) } });
    return { tools: [], revision: shownRevision, readable: false };
  }
  const list = entries as readonly Json[];
  const repeated = repeatedNames(list);
  const budgets = { schemas: { left: LIST_BUDGET }, findings: { left: LIST_FINDINGS } };
  const tools = boundedEntries(list, findings).map((entry, index) => {
    const deep = unread.get(index);
    if (deep !== undefined) return deepEntry(deep, index, new FindingList<V2Rule>(V2_RULES, budgets.findings));
    return readTool(entry, index, capabilities, repeated, budgets);
  });
  return { tools, revision: shownRevision, readable: true };
}

function readTool(
  entry: Json,
  index: number,
  capabilities: readonly string[],
  repeated: ReadonlyMap<string, number>,
  budgets: Budgets,
): ToolReading {
  const where = `/tools/${index}`;
  const findings = new FindingList<V2Rule>(V2_RULES, budgets.findings);
  if (!isJsonObject(entry)) {
    findings.add('tool-not-object', { where, params: { actual: jsonType(entry) } });
    return malformedEntry(entry, index, findings.list());
  }
  const reader = new ToolReader(entry, where, findings, budgets.schemas);
  const name = reader.name(repeated);
  const title = reader.title();
  const description = reader.description();
  const inputSchema = reader.schema('input_schema');
  const outputSchema = reader.schema('output_schema');
  const scopes = reader.scopes();
  const { annotations, usable } = readAnnotations(member(entry, 'annotations'), where, capabilities, findings);
  return {
    row: {
      index,
      name,
      title,
      description: rowDescription(description),
      descriptionLength: description.length,
      state: usable && reader.usable ? 'ok' : 'malformed',
      scopes,
      annotations,
      findings: findings.list(),
    },
    description,
    inputSchema,
    outputSchema,
    raw: entry,
    text: null,
  };
}

class ToolReader {
  usable = true;
  readonly #entry: JsonObject;
  readonly #where: string;
  readonly #findings: FindingList<V2Rule>;
  readonly #budget: Budget;

  constructor(entry: JsonObject, where: string, findings: FindingList<V2Rule>, budget: Budget) {
    this.#entry = entry;
    this.#where = where;
    this.#findings = findings;
    this.#budget = budget;
  }

  name(repeated: ReadonlyMap<string, number>): string | null {
    const value = member(this.#entry, 'name');
    const where = `${this.#where}/name`;
    if (typeof value !== 'string' || value === '') {
      this.usable = false;
      this.#findings.add('tool-name-missing', { where, params: { actual: value === '' ? 'empty' : jsonType(value) } });
      return null;
    }
    if (!TOOL_NAME.test(value)) {
      this.usable = false;
      this.#findings.add('tool-name-invalid', { where, params: { name: excerpt(value) } });
    }
    const count = repeated.get(value);
    if (count !== undefined) {
      this.#findings.add('tool-name-repeated', { where, params: { name: cutText(value, 100), count } });
    }
    return value;
  }

  title(): string | null {
    const value = member(this.#entry, 'title');
    if (value === undefined) this.#findings.add('tool-title-missing', { where: `${this.#where}/title` });
    else if (typeof value !== 'string') this.#wrongType('title', 'string', value);
    return typeof value === 'string' ? value : null;
  }

  description(): string {
    const value = member(this.#entry, 'description');
    if (typeof value !== 'string') this.#wrongType('description', 'string', value);
    else if (value.trim() === '') {
      this.#findings.add('tool-description-empty', { where: `${this.#where}/description` });
    }
    return typeof value === 'string' ? value : '';
  }

  schema(key: 'input_schema' | 'output_schema'): Json | null {
    const value = member(this.#entry, key);
    if (!isSchema(value)) {
      this.#wrongType(key, 'object or boolean', value);
      return value ?? null;
    }
    const where = `${this.#where}/${key}`;
    reportSchema(value, where, this.#findings, this.#budget);
    if (key === 'input_schema' && !mayBeObject(value)) this.#findings.add('schema-args-not-object', { where });
    return value;
  }

  scopes(): string[] {
    const value = member(this.#entry, 'scopes');
    if (!Array.isArray(value)) {
      this.#wrongType('scopes', 'array', value);
      return [];
    }
    const scopes = new Set<string>();
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const where = `${this.#where}/scopes/${index}`;
      if (typeof item !== 'string' || !SCOPE_NAME.test(item)) {
        this.usable = false;
        this.#findings.add('scope-name-invalid', { where, params: { name: excerpt(item) } });
      }
      if (typeof item !== 'string') continue;
      if (scopes.has(item)) this.#findings.add('scope-repeated', { where, params: { name: cutText(item, 100) } });
      else scopes.add(item);
    }
    return [...scopes];
  }

  /** A required member is missing or of another type: the tool is invalid. */
  #wrongType(key: string, expected: string, value: Json | undefined): void {
    if (key !== 'title') this.usable = false;
    const rule = value === undefined ? 'tool-member-missing' : 'tool-member-type';
    this.#findings.add(rule, {
      where: `${this.#where}/${key}`,
      params: { member: key, expected, actual: jsonType(value) },
    });
  }
}

function mayBeObject(schema: JsonObject | boolean): boolean {
  if (typeof schema === 'boolean') return schema;
  const type = member(schema, 'type');
  if (typeof type === 'string') return type === 'object';
  return !Array.isArray(type) || type.includes('object');
}

/**
 * v2 3.3: the revision changes with the tool set, a schema or the security
 * semantics. `before` is an earlier list of the same caller and app; null: none.
 */
export function checkRevision(
  before: Pick<ToolListReading, 'revision' | 'tools'> | null,
  now: ToolListReading,
): ToolListReading {
  if (before === null || now.revision === null || now.revision !== before.revision) return now;
  const earlier = new Set(before.tools.map(meaningOf));
  const current = new Set(now.tools.map(meaningOf));
  const changed = [...current].filter((tool) => !earlier.has(tool)).length;
  const gone = [...earlier].filter((tool) => !current.has(tool)).length;
  if (changed === 0 && gone === 0) return now;
  const findings = new FindingList<V2Rule>(V2_RULES);
  const params = { revision: cutText(now.revision, 100), changed: Math.max(changed, gone) };
  findings.add('revision-unchanged', { where: '/revision', params });
  return { ...now, findings: [...now.findings, ...findings.list()] };
}

/** What a revision stands for; words for people are not in it. Members in one order, since a Provider may print them in any. */
function meaningOf({ row, raw }: ToolReading): string {
  if (!isJsonObject(raw)) return printJson(raw);
  const meaning = ['name', 'input_schema', 'output_schema', 'annotations'].map((key) => member(raw, key) ?? null);
  return printJson([...meaning.map(sorted), [...row.scopes].sort()]);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}

/**
 * The list against `get_provider_info` (v2 3.2): a scope that is not in the
 * catalog has no title, access or sensitivity to show, and `schema_dialect`
 * applies to every schema. Without a description nothing can be said and
 * nothing is.
 */
export function checkScopes(reading: ToolListReading, info: ProviderInfo | null): ToolListReading {
  if (info === null) return reading;
  const known = new Set(info.scopes.map((scope) => scope.name));
  const tools = reading.tools.map((tool) => {
    const findings = new FindingList<V2Rule>(V2_RULES);
    for (const [index, scope] of tool.row.scopes.entries()) {
      if (known.has(scope)) continue;
      const where = `/tools/${tool.row.index}/scopes/${index}`;
      findings.add('scope-not-in-catalog', { where, params: { name: cutText(scope, 100) } });
    }
    checkDialects(tool, info, findings);
    const added = findings.list();
    return added.length === 0 ? tool : { ...tool, row: { ...tool.row, findings: [...tool.row.findings, ...added] } };
  });
  return { ...reading, tools };
}

function checkDialects(tool: ToolReading, info: ProviderInfo, findings: FindingList<V2Rule>): void {
  const session = dialectOf(info.schemaDialect ?? DEFAULT_DIALECT_URI);
  const schemas = [
    ['input_schema', tool.inputSchema],
    ['output_schema', tool.outputSchema],
  ] as const;
  for (const [key, schema] of schemas) {
    const declared = schema !== null && isJsonObject(schema) ? member(schema, '$schema') : undefined;
    if (typeof declared !== 'string') continue;
    const own = dialectOf(declared);
    if (own === null || own === session) continue;
    findings.add('schema-dialect-differs', {
      where: `/tools/${tool.row.index}/${key}/$schema`,
      params: { dialect: own, session: session ?? excerpt(info.schemaDialect ?? '') },
    });
  }
}
