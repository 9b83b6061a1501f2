import { cutText, excerpt, headOf, isJsonObject, type Json, type JsonObject, member } from '../../../base/json.ts';
import type { Finding } from '../../../model/finding.ts';
import { dialectOf } from '../../../validation/dialect.ts';
import { type Budget, inspectSchema, SCHEMA_BUDGET } from '../../../validation/schema-walk.ts';
import type { ToolReading } from '../codec.ts';
import { MAX_ENTRY_DEPTH } from './deep-entries.ts';
import type { FindingBudget, FindingSink } from './findings.ts';

/** Schemas looked at in one list; beyond it each tool says that its schemas were not inspected. */
export const LIST_BUDGET = 1_000_000;
/** Entries of one list that are read; each costs a row on every screen, and 4 MiB hold two million. */
export const MAX_TOOLS = 20_000;
/** Findings of all entries of one list together; beyond it each tool says how many it leaves out. */
export const LIST_FINDINGS = 50_000;
/** Of a row's description, in UTF-16 units. */
const ROW_DESCRIPTION = 400;

export function rowDescription(text: string): string {
  return headOf(text, ROW_DESCRIPTION);
}

/** Names that more than one entry carries, with their count. */
export function repeatedNames(entries: readonly Json[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const name = isJsonObject(entry) ? member(entry, 'name') : undefined;
    if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1));
}

/** The reading of an entry that is no object at all. */
export function malformedEntry(entry: Json, index: number, findings: Finding[]): ToolReading {
  return {
    row: {
      index,
      name: null,
      title: null,
      description: '',
      descriptionLength: 0,
      state: 'malformed',
      scopes: [],
      annotations: null,
      findings,
    },
    description: '',
    inputSchema: null,
    outputSchema: null,
    raw: entry,
    text: null,
  };
}

/** An entry that nests too deep to be read: its text is kept, nothing is said of its members. */
export function deepEntry(
  text: string,
  index: number,
  findings: { list(): Finding[] } & FindingSink<'tool-over-limit'>,
): ToolReading {
  findings.add('tool-over-limit', { where: `/tools/${index}`, params: { limit: MAX_ENTRY_DEPTH } });
  return malformedEntry(text, index, findings.list());
}

export type SchemaRule =
  | 'schema-remote-ref'
  | 'schema-ref-unresolved'
  | 'schema-part-invalid'
  | 'schema-dialect-unsupported'
  | 'schema-not-inspected';

/** What the entries of one list share. */
export interface Budgets {
  readonly schemas: Budget;
  readonly findings: FindingBudget;
}

/** The entries that are read, with a finding where there are more. */
export function boundedEntries(list: readonly Json[], findings: FindingSink<'tools-over-limit'>): readonly Json[] {
  if (list.length <= MAX_TOOLS) return list;
  findings.add('tools-over-limit', { where: '/tools', params: { count: list.length, limit: MAX_TOOLS } });
  return list.slice(0, MAX_TOOLS);
}

/** Whether a value has the form of a schema: an object, or `true` or `false` (2020-12 core 4.3). */
export function isSchema(value: Json | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** What can be said of a schema without compiling it. `budget` is that of the whole list. */
export function reportSchema(
  schema: JsonObject | boolean,
  where: string,
  findings: FindingSink<SchemaRule>,
  budget: Budget,
): void {
  if (typeof schema === 'boolean') return;
  const own: Budget = { left: Math.min(SCHEMA_BUDGET, budget.left) };
  const before = own.left;
  const inspection = inspectSchema(schema, own);
  budget.left -= before - own.left;
  for (const ref of inspection.remoteRefs) {
    findings.add('schema-remote-ref', { where, params: { ref: cutText(ref, 200) } });
  }
  for (const ref of inspection.unresolvedRefs) {
    findings.add('schema-ref-unresolved', { where, params: { ref: cutText(ref, 200) } });
  }
  for (const pointer of inspection.invalidParts) findings.add('schema-part-invalid', { where: where + pointer });
  if (!inspection.complete) findings.add('schema-not-inspected', { where });
  const declared = member(schema, '$schema');
  if (typeof declared === 'string' && dialectOf(declared) === null) {
    findings.add('schema-dialect-unsupported', { where, params: { dialect: excerpt(declared) } });
  }
}
