import { isJsonObject, type Json, type JsonObject, member, numberOf } from '../../shared/base/json.ts';
import { jsonPointer } from '../../shared/base/json-parser.ts';
import type { GenerateMode } from '../../shared/model/call.ts';
import { visitSchemas } from '../../shared/validation/schema-walk.ts';
import { aNumber, distinct, FORMATS, follow, guessType, isStructured, propertySchema } from './example-values.ts';
import { samplePattern } from './pattern-sample.ts';
import { list, mergeSchemas, types } from './schema-merge.ts';

/** This way through the schema leads to no value. */
export class NoExample extends Error {}

const MAX_DEPTH = 40;
const MAX_NODES = 10_000;
/** What nobody asked for is filled in down to this depth, and while fewer nodes than this were made. */
const FILL_DEPTH = 6;
const FILL_NODES = 2_000;
const MAX_LEFT_OUT = 20;

/**
 * Builds one candidate value. Wherever the schema leaves a choice, `seed`
 * decides, digit by digit in the base of each choice: counting the seed up
 * walks through the combinations.
 */
export class ExampleBuilder {
  readonly #root: Json;
  readonly #mode: GenerateMode;
  readonly #path: (string | number)[] = [];
  /** Targets of references whose value is being made: what refers to itself is filled in once. */
  readonly #open: Json[] = [];
  readonly #leftOut = new Set<string>();
  #seed: number;
  #nodes = 0;
  #looks = 0;

  constructor(root: Json, seed: number, mode: GenerateMode = 'minimal') {
    this.#root = root;
    this.#seed = seed;
    this.#mode = mode;
  }

  /** After `build`: JSON pointers of optional parts that `all` did not fill in, bounded. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut];
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
    const opened = this.#open.length;
    try {
      return this.#flatValue(this.#flatten(schema, 0), depth);
    } finally {
      this.#open.length = opened;
    }
  }

  #flatValue(flat: JsonObject, depth: number): Json {
    const fixed = member(flat, 'const');
    if (fixed !== undefined) return fixed;
    const allowed = member(flat, 'enum');
    const closed = Array.isArray(allowed);
    const ready = closed ? (allowed as readonly Json[]).slice(0, 8) : this.#offered(flat);
    const choices = ready.length + (closed ? 0 : 1);
    if (choices === 0) throw new NoExample();
    const choice = this.#choose(choices);
    // An offered object may leave out what `all` is to fill in: it comes after one that is made.
    if (!closed && this.#mode === 'all' && isStructured(flat)) {
      return choice === 0 ? this.#generate(flat, depth) : (ready[choice - 1] as Json);
    }
    const found = ready[choice];
    return found === undefined ? this.#generate(flat, depth) : found;
  }

  /** What the author offers. */
  #offered(schema: JsonObject): readonly Json[] {
    const byDefault = member(schema, 'default');
    const defaults = byDefault === undefined ? [] : [byDefault];
    // `example` is OpenAPI's word for one of them.
    const single = member(schema, 'example');
    const examples = [...list(member(schema, 'examples')).slice(0, 2), ...(single === undefined ? [] : [single])];
    return this.#mode === 'minimal'
      ? [...defaults, ...list(member(schema, 'examples')).slice(0, 2)]
      : [...examples, ...defaults];
  }

  /** Whether an optional member is made as well, and its schema worth a try. */
  #fills(schema: Json, depth: number): boolean {
    if (this.#mode === 'minimal' || schema === false) return false;
    if (this.#mode === 'example') return depth < FILL_DEPTH && this.#nodes < FILL_NODES && this.#offers(schema, 0);
    return true;
  }

  /** Whether the author offers a value for this schema, or for some part of it. */
  #offers(schema: Json, steps: number): boolean {
    if (!isJsonObject(schema) || steps > FILL_DEPTH || ++this.#looks > MAX_NODES) return false;
    if (['examples', 'example', 'default', 'const', 'enum'].some((key) => member(schema, key) !== undefined))
      return true;
    const ref = member(schema, '$ref');
    if (typeof ref === 'string' && this.#offers(this.#target(ref) ?? false, steps + 1)) return true;
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => list(member(schema, key)));
    const properties = member(schema, 'properties');
    if (isJsonObject(properties)) parts.push(...Object.values(properties));
    return parts.some((part) => this.#offers(part, steps + 1));
  }

  /** An optional part: made where that is possible and sane, else noted as left out. */
  #optional(key: string | number, depth: number, make: () => void): void {
    try {
      if (depth >= FILL_DEPTH || this.#nodes >= FILL_NODES) throw new NoExample();
      make();
    } catch (error) {
      if (!(error instanceof NoExample)) throw error;
      if (this.#mode === 'all' && this.#leftOut.size < MAX_LEFT_OUT)
        this.#leftOut.add(jsonPointer([...this.#path, key]));
    }
  }

  /** A part in its place, so that the pointers of what is left out below it name that place. */
  #at(key: string | number, schema: Json, depth: number): Json {
    this.#path.push(key);
    try {
      return this.#value(schema, depth);
    } finally {
      this.#path.pop();
    }
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
    for (const ref of [$ref, $dynamicRef]) {
      if (typeof ref !== 'string') continue;
      const target = this.#resolve(ref);
      this.#open.push(target);
      add(target);
    }
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
    const target = this.#target(ref);
    if (target === undefined) throw new NoExample();
    return target;
  }

  #target(ref: string): Json | undefined {
    const [, fragment = ''] = /#(.*)$/s.exec(ref) ?? [];
    if (fragment === '' && ref !== '#') return undefined;
    return fragment === '' || fragment.startsWith('/') ? follow(this.#root, fragment) : this.#anchored(fragment);
  }

  /** Whether making this schema would enter a reference that is being made already. */
  #repeats(schema: Json): boolean {
    if (!isJsonObject(schema)) return false;
    const refs = [schema, ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => list(member(schema, key)))];
    return refs.some((part) => {
      const ref = isJsonObject(part) ? member(part, '$ref') : undefined;
      const target = typeof ref === 'string' ? this.#target(ref) : undefined;
      return target !== undefined && (target === this.#root || this.#open.includes(target));
    });
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
      const value = this.#at(name, propertySchema(schema, name), depth + 1);
      if (Object.hasOwn(object, name)) return;
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
    const most = numberOf(member(schema, 'maxProperties')) ?? Number.POSITIVE_INFINITY;
    for (const [name, own] of isJsonObject(properties) ? Object.entries(properties) : []) {
      if (Object.hasOwn(object, name) || !this.#fills(own, depth + 1)) continue;
      this.#optional(name, depth, () => {
        if (Object.keys(object).length >= most || this.#repeats(own)) throw new NoExample();
        put(name);
      });
    }
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
      array.push(this.#at(array.length, asked, depth + 1));
    }
    const most = numberOf(member(schema, 'maxItems')) ?? Number.POSITIVE_INFINITY;
    const wish = first.length > 0 ? first : [rest];
    for (const place of wish.slice(array.length)) {
      if (array.length >= most || !this.#fills(place, depth + 1)) break;
      const before = array.length;
      this.#optional(before, depth, () => {
        if (this.#repeats(place)) throw new NoExample();
        array.push(this.#at(before, place, depth + 1));
      });
      if (array.length === before) break;
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
