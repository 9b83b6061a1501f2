import { cutText, isJsonObject, type Json, type JsonObject, member, printJson } from '../../base/json.ts';
import type { CatalogDiff, MemberChange, ToolChange } from '../../model/catalog-diff.ts';
import type { ToolReading } from './codec.ts';

const MAX_CHANGES = 500;
const MAX_TEXT = 20_000;
const MAX_NAME = 200;

/** One reading of a list, as it is compared. */
export interface ReadList {
  readonly atMs: number;
  readonly revision: string | null;
  readonly readings: readonly ToolReading[];
}

/** What differs, by the tools' names; the order of tools, of members, and white space do not count. */
export function diffCatalogs(before: ReadList & { readonly earlierRun: boolean }, after: ReadList): CatalogDiff {
  const was = byName(before.readings);
  const is = byName(after.readings);
  const changes: ToolChange[] = [];
  for (const [tool, now] of is) {
    const earlier = was.get(tool);
    if (earlier === undefined) changes.push({ tool, kind: 'added', members: [] });
    else {
      const members = changedMembers(earlier, now);
      if (members.length > 0) changes.push({ tool, kind: 'changed', members });
    }
  }
  for (const tool of was.keys()) if (!is.has(tool)) changes.push({ tool, kind: 'removed', members: [] });
  return {
    before: { ...side(before), earlierRun: before.earlierRun },
    after: side(after),
    changes: changes.slice(0, MAX_CHANGES),
    more: Math.max(0, changes.length - MAX_CHANGES),
    verdict: verdictOf(before.revision, after.revision, changes),
  };
}

function side({ atMs, revision, readings }: ReadList) {
  return { atMs, revision: revision === null ? null : cutText(revision, MAX_NAME), tools: readings.length };
}

/** v2 3.3 speaks of the tool set, the schemas and the security semantics; words for people may change alone. */
function verdictOf(
  before: string | null,
  after: string | null,
  changes: readonly ToolChange[],
): CatalogDiff['verdict'] {
  if (before === null || after === null) return changes.length === 0 ? 'same' : 'unknown';
  const meant = changes.some(({ kind, members }) => kind !== 'changed' || members.some(isMeant));
  if (before === after) return meant ? 'unchanged-revision' : 'same';
  return changes.length === 0 ? 'revision-alone' : 'new-revision';
}

function isMeant({ member: name, security }: MemberChange): boolean {
  return security || name === 'input_schema' || name === 'output_schema' || name === 'parameters';
}

/** A name that stands twice is told apart by its turn. */
function byName(readings: readonly ToolReading[]): Map<string, Json> {
  const tools = new Map<string, Json>();
  for (const { row, raw } of readings) {
    const name = row.name === null ? `#${row.index}` : cutText(row.name, MAX_NAME);
    let key = name;
    for (let turn = 2; tools.has(key); turn++) key = `${name} (${turn})`;
    tools.set(key, raw);
  }
  return tools;
}

function changedMembers(before: Json, after: Json): MemberChange[] {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return canonical(before) === canonical(after) ? [] : [change('', before, after)];
  }
  return keysOf(before, after).flatMap((key) => {
    const [was, is] = [member(before, key), member(after, key)];
    if (key === 'annotations' && isJsonObject(was) && isJsonObject(is)) {
      return keysOf(was, is).flatMap((name) => compared(`annotations.${name}`, member(was, name), member(is, name)));
    }
    return compared(key, was, is);
  });
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function compared(name: string, before: Json | undefined, after: Json | undefined): MemberChange[] {
  // The complete set of scopes has no order (3.4).
  const text = name === 'scopes' ? unordered : canonical;
  return text(before) === text(after) ? [] : [change(name, before, after)];
}

function change(name: string, before: Json | undefined, after: Json | undefined): MemberChange {
  const print = (value: Json | undefined) => (value === undefined ? null : cutText(printJson(value, 2), MAX_TEXT));
  const security = name === 'scopes' || name === 'annotations' || name.startsWith('annotations.');
  return { member: cutText(name, MAX_NAME), before: print(before), after: print(after), security };
}

function unordered(value: Json | undefined): string {
  if (!Array.isArray(value)) return canonical(value);
  return [...value]
    .map((item: Json) => canonical(item))
    .sort()
    .join(',');
}

/** The same text for the same meaning: members in one order. */
function canonical(value: Json | undefined): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(',')}]`;
  if (!isJsonObject(value)) return printJson(value);
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(member(value, key))}`).join(',')}}`;
}
