import { cutText, isJsonObject, type Json, type JsonObject, member } from '../../../base/json.ts';
import type { ToolReading } from '../codec.ts';
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
import { V1_RULES, type V1Rule } from './rules.ts';

/**
 * Reads `{"tools"}` of v1 2.3; null where there is no list. v1 tools are reads
 * by definition and carry no annotations: `row.annotations` is null.
 */
export function readV1Tools(
  document: JsonObject,
  findings: FindingList<V1Rule>,
  unread: ReadonlyMap<number, string> = new Map(),
): readonly ToolReading[] | null {
  const entries = member(document, 'tools');
  if (!Array.isArray(entries)) {
    findings.add('tools-not-array', { where: '/tools', params: { actual: jsonType(entries) } });
    return null;
  }
  const list = entries as readonly Json[];
  const repeated = repeatedNames(list);
  const budgets = { schemas: { left: LIST_BUDGET }, findings: { left: LIST_FINDINGS } };
  return boundedEntries(list, findings).map((entry, index) => {
    const deep = unread.get(index);
    if (deep !== undefined) return deepEntry(deep, index, new FindingList<V1Rule>(V1_RULES, budgets.findings));
    return readTool(entry, index, repeated, budgets);
  });
}

function readTool(entry: Json, index: number, repeated: ReadonlyMap<string, number>, budgets: Budgets): ToolReading {
  const where = `/tools/${index}`;
  const findings = new FindingList<V1Rule>(V1_RULES, budgets.findings);
  if (!isJsonObject(entry)) {
    findings.add('tool-not-object', { where, params: { actual: jsonType(entry) } });
    return malformedEntry(entry, index, findings.list());
  }
  const name = member(entry, 'name');
  const description = member(entry, 'description');
  const parameters = member(entry, 'parameters');
  let usable = true;
  const wrong = (key: string, expected: string, value: Json | undefined) => {
    usable = false;
    findings.add(value === undefined ? 'tool-member-missing' : 'tool-member-type', {
      where: `${where}/${key}`,
      params: { member: key, expected, actual: jsonType(value) },
    });
  };
  const named = typeof name === 'string' && name !== '';
  if (!named) {
    usable = false;
    findings.add('tool-name-missing', {
      where: `${where}/name`,
      params: { actual: name === '' ? 'empty' : jsonType(name) },
    });
  }
  const count = named ? repeated.get(name) : undefined;
  if (named && count !== undefined) {
    findings.add('tool-name-repeated', { where: `${where}/name`, params: { name: cutText(name, 100), count } });
  }
  if (typeof description !== 'string') wrong('description', 'string', description);
  else if (description.trim() === '') findings.add('tool-description-empty', { where: `${where}/description` });
  if (isSchema(parameters)) reportSchema(parameters, `${where}/parameters`, findings, budgets.schemas);
  else wrong('parameters', 'object or boolean', parameters);
  const effect = declaredEffect(entry);
  if (effect !== null) findings.add('v1-tool-with-effect', { where: `${where}/annotations`, params: { effect } });
  else if (member(entry, 'annotations') !== undefined) {
    findings.add('v1-tool-annotated', { where: `${where}/annotations` });
  }
  const text = typeof description === 'string' ? description : '';
  const title = member(entry, 'title');
  return {
    row: {
      index,
      name: named ? name : null,
      title: typeof title === 'string' ? title : null,
      description: rowDescription(text),
      descriptionLength: text.length,
      state: usable ? 'ok' : 'malformed',
      scopes: [],
      annotations: null,
      findings: findings.list(),
    },
    description: text,
    inputSchema: parameters ?? null,
    outputSchema: null,
    raw: entry,
    text: null,
  };
}

/** What a v1 entry's own annotations say beyond a read. v1 allows reads only (v1 2.3); v2 8 asks for approval of others. */
function declaredEffect(entry: JsonObject): string | null {
  const annotations = member(entry, 'annotations');
  if (annotations === undefined || !isJsonObject(annotations)) return null;
  const effect = member(annotations, 'effect');
  if (typeof effect === 'string' && effect !== 'read') return cutText(effect, 80);
  return member(annotations, 'destructive') === true ? 'destructive' : null;
}
