import { segmentText } from '../ui/safe-segments.ts';

/** Why the editor helps less than the schema says. Each has a text `uiComposer.guard.<note>`. */
export type GuardNote = 'not-json' | 'too-large' | 'too-deep' | 'too-complex' | 'remote-ref' | 'pattern';

export interface GuardedSchema {
  /** What Monaco may have; null where it gets nothing. */
  readonly schema: unknown;
  readonly notes: readonly GuardNote[];
}

const MAX_LENGTH = 512 * 1024;
const MAX_DEPTH = 40;
const MAX_COST = 50_000;
const MAX_TEXT = 2000;

const NAME_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required', 'type', 'dependentRequired']);
const SCHEMAS = new Set([
  ...[
    'items',
    'additionalItems',
    'prefixItems',
    'contains',
    'additionalProperties',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
  ],
  ...['allOf', 'anyOf', 'oneOf', 'unevaluatedItems', 'unevaluatedProperties'],
]);
/** Plain limits that are passed as they are. Whatever is in no list, such as Markdown for hovers, is left out. */
const PLAIN = new Set([
  ...[
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
  ],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains', 'format', '$anchor', 'deprecated'],
]);

/**
 * Makes a hostile schema fit for Monaco's JSON worker: bounded, nothing
 * remote, no expression that can run for ever, no Markdown. The host checks
 * the real schema on every preview; this only guides the typing.
 */
export function guardSchema(text: string): GuardedSchema {
  if (text.length > MAX_LENGTH) return { schema: null, notes: ['too-large'] };
  let source: unknown;
  try {
    source = JSON.parse(text);
  } catch {
    return { schema: null, notes: ['not-json'] };
  }
  if (depthOf(source, MAX_DEPTH + 1) > MAX_DEPTH) return { schema: null, notes: ['too-deep'] };
  const notes = new Set<GuardNote>();
  const schema = copySchema(source, notes);
  if (costOf(schema, schema, new Map()) > MAX_COST) return { schema: null, notes: ['too-complex'] };
  return { schema, notes: [...notes] };
}

function copySchema(source: unknown, notes: Set<GuardNote>): unknown {
  if (typeof source === 'boolean') return source;
  if (Array.isArray(source)) return source.map((item) => copySchema(item, notes));
  if (typeof source !== 'object' || source === null) return true;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (NAME_MAPS.has(key)) {
      if (isObject(value)) copy[key] = copyNamed(value, key, notes);
    } else if (SCHEMAS.has(key)) copy[key] = copySchema(value, notes);
    else if (VALUES.has(key) || PLAIN.has(key)) copy[key] = value;
    else if ((key === 'title' || key === 'description') && typeof value === 'string') copy[key] = visible(value);
    else if (key === '$ref' && typeof value === 'string') {
      if (value.startsWith('#')) copy[key] = value;
      else notes.add('remote-ref');
    } else if (key === 'pattern' && typeof value === 'string') {
      if (isTamePattern(value)) copy[key] = value;
      else notes.add('pattern');
    }
  }
  return copy;
}

function copyNamed(source: Record<string, unknown>, map: string, notes: Set<GuardNote>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    if (map === 'patternProperties' && !isTamePattern(name)) {
      notes.add('pattern');
      continue;
    }
    Object.defineProperty(copy, name, {
      value: copySchema(value, notes),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

/** An expression with at most two open-ended repeats, none of them of a group, and no look-around or back reference. */
export function isTamePattern(pattern: string): boolean {
  if (pattern.length > 200) return false;
  const plain = pattern.replace(/\\[^1-9k]/g, 'x').replace(/\[[^\]]*\]/g, 'c');
  if (/\\[1-9k]|\(\?[=!<]|\)[*+{?]/.test(plain)) return false;
  return (plain.match(/[*+]|\{\d*,\}|\{\d+,\d{3,}\}/g) ?? []).length <= 2;
}

/** How many sub-schemas a check may visit, following references; a cycle counts once. */
function costOf(node: unknown, root: unknown, seen: Map<unknown, number>): number {
  if (typeof node !== 'object' || node === null) return 1;
  const known = seen.get(node);
  if (known !== undefined) return known;
  seen.set(node, 1);
  let cost = 1;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') cost += costOf(resolve(value, root), root, seen);
    else if (!VALUES.has(key)) cost += costOf(value, root, seen);
    if (cost > MAX_COST) break;
  }
  seen.set(node, cost);
  return cost;
}

function resolve(reference: string, root: unknown): unknown {
  let node: unknown = root;
  for (const part of reference
    .slice(1)
    .split('/')
    .filter((each) => each !== '')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(node) || !Object.hasOwn(node, name)) return undefined;
    node = node[name];
  }
  return node;
}

function depthOf(node: unknown, limit: number): number {
  if (typeof node !== 'object' || node === null || limit === 0) return 0;
  let deepest = 0;
  for (const value of Object.values(node)) deepest = Math.max(deepest, depthOf(value, limit - 1));
  return deepest + 1;
}

/** Text for a hover: hiding characters by code point, as everywhere else. */
function visible(text: string): string {
  return segmentText(text, MAX_TEXT, true)
    .segments.map((part) =>
      part.kind === 'text' ? part.text : `⟦${part.label}${part.count > 1 ? ` ×${part.count}` : ''}⟧`,
    )
    .join('');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
