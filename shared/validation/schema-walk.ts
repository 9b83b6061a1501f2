import { isJsonObject, type Json, type JsonObject, member } from '../base/json.ts';
import { jsonPointer } from '../base/json-parser.ts';

/**
 * Walks the places of a JSON Schema where a schema stands, so that a property
 * called `$ref` or a `$ref` inside `const` is not taken for a reference.
 * Bounded: hostile schemas come in any size.
 */

const ONE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

export interface Budget {
  /** Schemas that may still be visited. */
  left: number;
}

export type SchemaVisitor = (schema: Json, path: readonly (string | number)[]) => void;

/** Visits the schema and each below it, parents first. False when the budget ran out before the end. */
export function visitSchemas(root: Json, budget: Budget, visit: SchemaVisitor): boolean {
  const path: (string | number)[] = [];
  const step = (schema: Json | undefined, ...keys: (string | number)[]): boolean => {
    if (schema === undefined) return true;
    path.push(...keys);
    const done = walk(schema);
    path.length -= keys.length;
    return done;
  };
  const walk = (schema: Json): boolean => {
    if (budget.left <= 0) return false;
    budget.left--;
    visit(schema, path);
    if (!isJsonObject(schema)) return true;
    for (const key of ONE) if (!step(member(schema, key), key)) return false;
    for (const key of LIST) if (!items(schema, key)) return false;
    for (const key of MAP) if (!members(schema, key, () => true)) return false;
    if (!members(schema, 'dependencies', (value) => !Array.isArray(value))) return false;
    return Array.isArray(member(schema, 'items')) ? items(schema, 'items') : step(member(schema, 'items'), 'items');
  };
  const items = (schema: JsonObject, key: string): boolean => {
    const list = member(schema, key);
    return !Array.isArray(list) || (list as readonly Json[]).every((item, index) => step(item, key, index));
  };
  const members = (schema: JsonObject, key: string, isSchema: (value: Json) => boolean): boolean => {
    const map = member(schema, key);
    if (!isJsonObject(map)) return true;
    return Object.entries(map).every(([name, value]) => !isSchema(value) || step(value, key, name));
  };
  return walk(root);
}

export interface SchemaInspection {
  /** References that leave the document; never fetched (v2 3.2). */
  readonly remoteRefs: readonly string[];
  /** References into the document that point to nothing. */
  readonly unresolvedRefs: readonly string[];
  /** Pointers of places where a schema must stand and something else does. */
  readonly invalidParts: readonly string[];
  /** Whether the whole schema was looked at. */
  readonly complete: boolean;
}

/** Each list is bounded; one example is enough to know. */
const MAX_LISTED = 20;
export const SCHEMA_BUDGET = 20_000;

export function inspectSchema(root: Json, budget: Budget = { left: SCHEMA_BUDGET }): SchemaInspection {
  const remoteRefs = new Set<string>();
  const unresolvedRefs = new Set<string>();
  const invalidParts: string[] = [];
  const refs: { readonly ref: string; readonly base: string }[] = [];
  const index = new ReferenceIndex(root);
  const complete = visitSchemas(root, budget, (schema, path) => {
    if (!isJsonObject(schema)) {
      if (typeof schema !== 'boolean' && invalidParts.length < MAX_LISTED) invalidParts.push(jsonPointer(path));
      return;
    }
    const base = index.enter(schema, path);
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const ref = member(schema, key);
      if (typeof ref === 'string') refs.push({ ref, base });
    }
  });
  for (const { ref, base } of refs) {
    const found = index.resolve(ref, base);
    if (found === 'remote' && remoteRefs.size < MAX_LISTED) remoteRefs.add(ref);
    if (found === 'nothing' && unresolvedRefs.size < MAX_LISTED) unresolvedRefs.add(ref);
  }
  return {
    remoteRefs: [...remoteRefs],
    // A schema that was not read to its end may hold what a reference names.
    unresolvedRefs: complete ? [...unresolvedRefs] : [],
    invalidParts,
    complete,
  };
}

/** What `$id` and the anchors of a document name. */
class ReferenceIndex {
  readonly #resources = new Map<string, Json>();
  readonly #anchors = new Set<string>();
  readonly #bases: { readonly path: string; readonly base: string }[] = [];

  constructor(root: Json) {
    this.#resources.set('', root);
  }

  /** Notes the schema's names and answers with the base URI that holds inside it. Parents come first. */
  enter(schema: JsonObject, path: readonly (string | number)[]): string {
    const pointer = jsonPointer(path);
    while (this.#bases.length > 0 && !isWithin(pointer, this.#bases.at(-1)?.path ?? '')) this.#bases.pop();
    let base = this.#bases.at(-1)?.base ?? '';
    const id = member(schema, '$id');
    if (typeof id === 'string' && !id.startsWith('#')) {
      base = resolveUri(base, id);
      this.#resources.set(base, schema);
      if (path.length === 0) this.#resources.set('', schema);
      this.#bases.push({ path: pointer, base });
    } else if (typeof id === 'string') this.#anchors.add(`${base}${id}`);
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = member(schema, key);
      if (typeof anchor === 'string') this.#anchors.add(`${base}#${anchor}`);
    }
    return base;
  }

  resolve(ref: string, base: string): 'found' | 'nothing' | 'remote' {
    const hash = ref.indexOf('#');
    const uri = hash < 0 ? ref : ref.slice(0, hash);
    const fragment = hash < 0 ? '' : ref.slice(hash + 1);
    const target = uri === '' ? base : resolveUri(base, uri);
    const resource = this.#resources.get(target);
    if (resource === undefined) return 'remote';
    if (fragment === '') return 'found';
    if (!fragment.startsWith('/')) return this.#anchors.has(`${target}#${fragment}`) ? 'found' : 'nothing';
    return pointsInto(resource, fragment) ? 'found' : 'nothing';
  }
}

function isWithin(pointer: string, parent: string): boolean {
  return pointer === parent || pointer.startsWith(`${parent}/`);
}

/** Enough of RFC 3986 to tell one document's own names apart: absolute, rooted and relative references. */
function resolveUri(base: string, reference: string): string {
  const bare = reference.replace(/#.*$/s, '');
  if (/^[a-z][a-z0-9+.-]*:/i.test(bare) || base === '') return bare;
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(base)?.[0] ?? '';
  if (bare.startsWith('/')) return origin + bare;
  return base.slice(0, base.lastIndexOf('/') + 1) + bare;
}

function pointsInto(root: Json, fragment: string): boolean {
  let at: Json | undefined = root;
  for (const part of fragment.slice(1).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d{1,9}$/.test(key) ? (at as readonly Json[])[Number(key)] : undefined;
    else at = isJsonObject(at) ? member(at, key) : undefined;
    if (at === undefined) return false;
  }
  return true;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
