import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type Json, type JsonObject, member, numberOf, printJson } from '../../shared/base/json.ts';
import { visitSchemas } from '../../shared/validation/schema-walk.ts';
import { samplePattern } from './pattern-sample.ts';
import { list, mergeSchemas, types } from './schema-merge.ts';

/** This way through the schema leads to no value. */
export class NoExample extends Error {}

const MAX_DEPTH = 40;
const MAX_NODES = 10_000;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  'idn-email': 'user@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '',
  regex: '.',
};

/**
 * Builds one candidate value. Wherever the schema leaves a choice, `seed`
 * decides, digit by digit in the base of each choice: counting the seed up
 * walks through the combinations.
 */
export class ExampleBuilder {
  readonly #root: Json;
  #seed: number;
  #nodes = 0;

  constructor(root: Json, seed: number) {
    this.#root = root;
    this.#seed = seed;
  }

  /** After `build`: the seed asked for more combinations than there are. */
  get exhausted(): boolean {
    return this.#seed > 0;
  }

  build(): Json {
    return this.#value(this.#root, 0);
  }

  #choose(count: number): number {
    if (count < 2) return 0;
    const index = this.#seed % count;
    this.#seed = Math.floor(this.#seed / count);
    return index;
  }

  #value(schema: Json, depth: number): Json {
    if (depth > MAX_DEPTH || ++this.#nodes > MAX_NODES || schema === false) throw new NoExample();
    if (!isJsonObject(schema)) return null;
    const flat = this.#flatten(schema, 0);
    const fixed = member(flat, 'const');
    if (fixed !== undefined) return fixed;
    const ready = this.#readyMade(flat);
    const choices = ready.length + (Array.isArray(member(flat, 'enum')) ? 0 : 1);
    if (choices === 0) throw new NoExample();
    const found = ready[this.#choose(choices)];
    return found === undefined ? this.#generate(flat, depth) : found;
  }

  /** What the author offers. */
  #readyMade(schema: JsonObject): readonly Json[] {
    const allowed = member(schema, 'enum');
    if (Array.isArray(allowed)) return (allowed as readonly Json[]).slice(0, 8);
    const byDefault = member(schema, 'default');
    const ready = byDefault === undefined ? [] : [byDefault];
    return [...ready, ...list(member(schema, 'examples')).slice(0, 2)];
  }

  /** Puts references and combinations together into one schema; alternatives by choice. */
  #flatten(schema: JsonObject, steps: number): JsonObject {
    if (steps > MAX_DEPTH) throw new NoExample();
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...rest } = schema;
    let flat: JsonObject = rest;
    const add = (part: Json | undefined) => {
      if (part === false) throw new NoExample();
      if (isJsonObject(part)) flat = mergeSchemas(flat, this.#flatten(part, steps + 1));
    };
    for (const ref of [$ref, $dynamicRef]) if (typeof ref === 'string') add(this.#resolve(ref));
    for (const part of list(allOf)) add(part);
    for (const alternatives of [list(anyOf), list(oneOf)]) {
      if (alternatives.length > 0) add(alternatives[this.#choose(alternatives.length)]);
    }
    if (condition !== undefined) {
      const taken = this.#choose(2) === 1;
      if (taken) add(condition);
      add(taken ? then : otherwise);
    }
    return flat;
  }

  #resolve(ref: string): Json {
    const [, fragment = ''] = /#(.*)$/s.exec(ref) ?? [];
    const target =
      fragment === '' || fragment.startsWith('/') ? follow(this.#root, fragment) : this.#anchored(fragment);
    if (target === undefined || (fragment === '' && ref !== '#')) throw new NoExample();
    return target;
  }

  #anchored(name: string): Json | undefined {
    let found: Json | undefined;
    visitSchemas(this.#root, { left: MAX_NODES }, (node) => {
      if (found !== undefined || !isJsonObject(node)) return;
      if (member(node, '$anchor') === name || member(node, '$dynamicAnchor') === name) found = node;
    });
    return found;
  }

  #generate(schema: JsonObject, depth: number): Json {
    const declared = types(member(schema, 'type'));
    if (member(schema, 'type') !== undefined && declared.length === 0) throw new NoExample();
    const type = declared.length > 0 ? declared[this.#choose(declared.length)] : guessType(schema);
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'string':
        return this.#string(schema);
      case 'integer':
      case 'number':
        return aNumber(schema, type === 'integer');
      case 'boolean':
        return false;
      default:
        return null;
    }
  }

  #object(schema: JsonObject, depth: number): Json {
    const object: Record<string, Json> = {};
    const properties = member(schema, 'properties');
    const put = (name: string) => {
      if (Object.hasOwn(object, name)) return;
      const value = this.#value(propertySchema(schema, name), depth + 1);
      Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
      const dependent = member(schema, 'dependentRequired');
      for (const other of list(isJsonObject(dependent) ? member(dependent, name) : undefined)) {
        if (typeof other === 'string') put(other);
      }
    };
    for (const name of list(member(schema, 'required'))) if (typeof name === 'string') put(name);
    const least = Math.min(numberOf(member(schema, 'minProperties')) ?? 0, 1000);
    for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
      if (Object.keys(object).length < least) put(name);
    }
    for (let i = 1; Object.keys(object).length < least; i++) put(`key${i}`);
    return object;
  }

  #array(schema: JsonObject, depth: number): Json {
    const contains = member(schema, 'contains');
    const wanted = contains === undefined ? 0 : (numberOf(member(schema, 'minContains')) ?? 1);
    const least = Math.min(Math.max(numberOf(member(schema, 'minItems')) ?? 0, wanted), 1000);
    const items = member(schema, 'items');
    const first = [...list(member(schema, 'prefixItems')), ...(Array.isArray(items) ? (items as readonly Json[]) : [])];
    const rest = Array.isArray(items) ? (member(schema, 'additionalItems') ?? true) : (items ?? true);
    const array: Json[] = [];
    while (array.length < least) {
      const place = first[array.length] ?? rest;
      const asked = contains !== undefined && array.length >= least - wanted ? { allOf: [place, contains] } : place;
      array.push(this.#value(asked, depth + 1));
    }
    return member(schema, 'uniqueItems') === true ? distinct(array) : array;
  }

  #string(schema: JsonObject): string {
    const least = Math.min(numberOf(member(schema, 'minLength')) ?? 0, 100_000);
    const pattern = member(schema, 'pattern');
    if (typeof pattern === 'string') {
      for (const extra of [0, 1, least]) {
        const sample = samplePattern(pattern, extra);
        if (sample !== null && sample.length >= least) return sample;
      }
      throw new NoExample();
    }
    const format = member(schema, 'format');
    const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? (FORMATS[format] ?? '') : '';
    return known.length >= least ? known : known + 'x'.repeat(least - known.length);
  }
}

function propertySchema(schema: JsonObject, name: string): Json {
  const properties = member(schema, 'properties');
  const own = isJsonObject(properties) ? member(properties, name) : undefined;
  if (own !== undefined) return own;
  const patterns = member(schema, 'patternProperties');
  for (const [pattern, value] of isJsonObject(patterns) ? Object.entries(patterns) : []) {
    if (matches(pattern, name)) return value;
  }
  return member(schema, 'additionalProperties') ?? true;
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch {
    return false;
  }
}

function guessType(schema: JsonObject): string {
  const has = (...keys: string[]) => keys.some((key) => member(schema, key) !== undefined);
  if (has('properties', 'required', 'additionalProperties', 'minProperties', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  return 'null';
}

/** Zero where it is allowed, else the allowed number nearest to it. */
function aNumber(schema: JsonObject, integer: boolean): Json {
  const minimum = member(schema, 'minimum');
  if (minimum !== undefined && isLosslessNumber(minimum) && !Number.isSafeInteger(numberOf(minimum))) return minimum;
  const over = numberOf(member(schema, 'exclusiveMinimum'));
  const under = numberOf(member(schema, 'exclusiveMaximum'));
  const low = Math.max(numberOf(minimum) ?? Number.NEGATIVE_INFINITY, over ?? Number.NEGATIVE_INFINITY);
  const high = Math.min(
    numberOf(member(schema, 'maximum')) ?? Number.POSITIVE_INFINITY,
    under ?? Number.POSITIVE_INFINITY,
  );
  const step = numberOf(member(schema, 'multipleOf')) ?? (integer ? 1 : 0);
  let value = Math.min(Math.max(0, low), high);
  if (step > 0) value = (value >= 0 && low > 0 ? Math.ceil(value / step) : Math.floor(value / step)) * step;
  if (value <= low && low < 0 && step > 0) value = Math.ceil(low / step) * step;
  if (value === over) value += step > 0 ? step : Math.min(1, Number.isFinite(high) ? (high - low) / 2 : 1);
  if (value === under) value -= step > 0 ? step : Math.min(1, Number.isFinite(low) ? (high - low) / 2 : 1);
  return value === 0 ? 0 : Number(value.toPrecision(15));
}

/** Varies repeated items a little; whether the items' schema allows that is checked afterwards. */
function distinct(array: readonly Json[]): Json[] {
  const seen = new Set<string>();
  return array.map((item, index) => {
    let varied = item;
    if (seen.has(printJson(item))) {
      if (typeof item === 'number') varied = item + index;
      else if (typeof item === 'string') varied = `${item}${index}`;
      else if (item === null) varied = index;
    }
    seen.add(printJson(varied));
    return varied;
  });
}

function follow(root: Json, fragment: string): Json | undefined {
  let at: Json | undefined = root;
  for (const part of fragment === '' ? [] : fragment.slice(1).split('/')) {
    const key = decodePointerPart(part);
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(key)];
    else at = isJsonObject(at) ? member(at, key) : undefined;
  }
  return at;
}

function decodePointerPart(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // A stray percent sign stands for itself.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
