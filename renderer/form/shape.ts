import { isJsonObject, type Json, type JsonObject, member, numberOf, printJson } from '../../shared/base/json.ts';
import type { JsonKind } from '../../shared/base/json-tree.ts';
import { listOf, partsOf, type TextReason } from './schema-parts.ts';

/** One value of a closed list, as JSON text. */
export interface Choice {
  readonly text: string;
  readonly title: string | null;
}

/** What the form knows of one place. It guides the typing only: the host checks the real schema. */
export interface Shape {
  /** Set where the form cannot show this place: it stays JSON text. */
  readonly unshown: TextReason | null;
  readonly title: string | null;
  readonly description: string | null;
  /** JSON text. */
  readonly defaultText: string | null;
  /** The kinds that the schema allows here, the likeliest first. */
  readonly kinds: readonly JsonKind[];
  /** Whether the schema names its kinds itself. */
  readonly typed: boolean;
  readonly integer: boolean;
  readonly choices: readonly Choice[] | null;
  readonly format: string | null;
  readonly long: boolean;
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  /** The schema of members that have no property; false where there may be none. */
  readonly additional: Json;
  /** Names may have a schema by pattern, which the form does not work out. */
  readonly patterns: boolean;
  readonly items: Json;
  readonly tuple: readonly Json[];
  /** Limits as the schema writes them: `minimum: 3`. */
  readonly limits: readonly string[];
  /** Keywords with rules that the form does not show. */
  readonly further: readonly string[];
}

const KINDS: readonly JsonKind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const TYPE_KINDS: ReadonlyMap<string, JsonKind> = new Map([
  ...KINDS.map((kind) => [kind, kind] as const),
  ['integer', 'number'],
]);
const LIMITS = [
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];
const FURTHER = [
  ...['if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired', 'dependencies', 'propertyNames'],
  ...['contains', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems', 'additionalItems'],
];
const MAX_LIMITS = 12;
const MAX_CHOICES = 500;
/** Schemas read for one place: alternatives of alternatives that refer to each other multiply. */
const MAX_READS = 600;

const ANY: Shape = {
  unshown: null,
  title: null,
  description: null,
  defaultText: null,
  kinds: KINDS,
  typed: false,
  integer: false,
  choices: null,
  format: null,
  long: false,
  properties: new Map(),
  required: new Set(),
  additional: true,
  patterns: false,
  items: true,
  tuple: [],
  limits: [],
  further: [],
};

/** Reads the schemas of one document; what was read once is kept, and so are the schemas that it hands out. */
export class ShapeReader {
  readonly #root: Json;
  readonly #known = new WeakMap<JsonObject, Shape>();
  #reads = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  get root(): Json {
    return this.#root;
  }

  shape(schema: Json): Shape {
    this.#reads = 0;
    if (!isJsonObject(schema)) return this.#read(schema, 0);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const shape = this.#read(schema, 0);
    this.#known.set(schema, shape);
    return shape;
  }

  #read(schema: Json, depth: number): Shape {
    const words = isJsonObject(schema) ? annotations([schema]) : {};
    if (++this.#reads > MAX_READS) return { ...ANY, ...words, unshown: 'alternatives' };
    const found = partsOf(schema, this.#root);
    if (!found.ok) return { ...ANY, ...words, unshown: found.reason };
    const plain = plainShape(found.parts);
    const groups = found.parts.flatMap((part) =>
      ['anyOf', 'oneOf'].map((key) => ({ key, branches: listOf(member(part, key)) })),
    );
    return groups
      .filter(({ branches }) => branches.length > 0)
      .reduce((shape, { key, branches }) => this.#choose(shape, key, branches, depth), plain);
  }

  /** Alternatives are shown where the kind of the value tells them apart, or where they are one closed list. */
  #choose(shape: Shape, key: string, branches: readonly Json[], depth: number): Shape {
    if (shape.unshown !== null) return shape;
    if (branches.every(isRuleOnly)) return { ...shape, further: [...shape.further, key] };
    if (depth > 4 || branches.length > MAX_CHOICES || structured(shape)) return { ...shape, unshown: 'alternatives' };
    const read = branches.map((branch) => this.#read(branch, depth + 1));
    const closed = closedList(read);
    if (closed !== null) {
      const kinds = new Set(closed.map(({ text }) => kindOfText(text)));
      return { ...shape, choices: closed, kinds: shape.kinds.filter((kind) => kinds.has(kind)), typed: true };
    }
    const kinds = read.flatMap((each) => each.kinds);
    const apart = new Set(kinds).size === kinds.length;
    if (!apart || read.some((each) => each.unshown !== null || each.choices !== null || !each.typed))
      return { ...shape, unshown: 'alternatives' };
    return read.reduce(joined, { ...shape, kinds: shape.kinds.filter((kind) => kinds.includes(kind)), typed: true });
  }
}

/** Takes over what a branch says of its own kinds. */
function joined(shape: Shape, branch: Shape): Shape {
  const isFor = (kind: JsonKind) => branch.kinds.includes(kind);
  return {
    ...shape,
    description: shape.description ?? branch.description,
    defaultText: shape.defaultText ?? branch.defaultText,
    integer: isFor('number') ? branch.integer : shape.integer,
    format: isFor('string') ? (branch.format ?? shape.format) : shape.format,
    long: isFor('string') ? branch.long : shape.long,
    ...(isFor('object')
      ? {
          properties: branch.properties,
          required: branch.required,
          additional: branch.additional,
          patterns: branch.patterns,
        }
      : {}),
    ...(isFor('array') ? { items: branch.items, tuple: branch.tuple } : {}),
    limits: [...shape.limits, ...branch.limits].slice(0, MAX_LIMITS),
    further: [...shape.further, ...branch.further],
  };
}

function closedList(read: readonly Shape[]): readonly Choice[] | null {
  const choices: Choice[] = [];
  for (const each of read) {
    if (each.unshown !== null) return null;
    if (each.choices !== null) choices.push(...each.choices.map((c) => ({ ...c, title: c.title ?? each.title })));
    else if (each.typed && each.kinds.length === 1 && each.kinds[0] === 'null')
      choices.push({ text: 'null', title: each.title });
    else return null;
  }
  const isOpen = read.every((each) => each.choices === null);
  return isOpen || choices.length > MAX_CHOICES ? null : unique(choices);
}

/** A list that repeats itself is the same list. */
function unique(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.map((choice) => [choice.text, choice])).values()];
}

/** Whether alternatives beside this would have to be put together with its own parts. */
function structured(shape: Shape): boolean {
  return shape.properties.size > 0 || shape.tuple.length > 0 || shape.items !== true || shape.choices !== null;
}

/** `anyOf: [{required: […]}, …]` adds a rule and no form. */
function isRuleOnly(branch: Json): boolean {
  const rules = new Set([
    'required',
    'not',
    'minProperties',
    'maxProperties',
    'description',
    'title',
    'dependentRequired',
  ]);
  return isJsonObject(branch) && Object.keys(branch).every((key) => rules.has(key));
}

function plainShape(parts: readonly JsonObject[]): Shape {
  const all = (key: string) => parts.flatMap((part) => member(part, key) ?? []);
  const objects = parts.filter(
    (part) => member(part, 'properties') !== undefined || member(part, 'additionalProperties') !== undefined,
  );
  const { kinds, integer, typed, odd } = kindsOf(parts);
  const choices = choicesOf(parts);
  const formats = parts.map((part) => member(part, 'format')).filter((format) => typeof format === 'string');
  const most = numberOf(parts.map((part) => member(part, 'maxLength')).find((value) => value !== undefined));
  const additional = objects.length === 1 ? (member(objects[0] as JsonObject, 'additionalProperties') ?? true) : true;
  const sealed = objects.length > 1 && objects.some((part) => (member(part, 'additionalProperties') ?? true) !== true);
  return {
    ...ANY,
    ...annotations(parts),
    kinds,
    typed,
    integer,
    choices,
    format: formats[0] ?? null,
    long: most !== null && most > 200,
    properties: propertiesOf(parts),
    required: new Set(all('required').filter((name) => typeof name === 'string')),
    additional,
    patterns: parts.some((part) => member(part, 'patternProperties') !== undefined),
    ...itemsOf(parts),
    limits: [
      ...new Set(
        parts.flatMap((part) =>
          LIMITS.flatMap((key) =>
            Object.hasOwn(part, key) ? [`${key}: ${printJson(member(part, key) ?? null)}`] : [],
          ),
        ),
      ),
    ].slice(0, MAX_LIMITS),
    further: [
      ...new Set([
        ...FURTHER.filter((key) => parts.some((part) => Object.hasOwn(part, key))),
        ...(sealed ? ['additionalProperties'] : []),
        ...(odd ? ['type'] : []),
        ...(choices === null && parts.some((part) => Array.isArray(member(part, 'enum'))) ? ['enum'] : []),
      ]),
    ],
  };
}

function annotations(parts: readonly JsonObject[]) {
  const text = (key: string) =>
    parts.map((part) => member(part, key)).find((value) => typeof value === 'string' && value !== '');
  const byDefault = parts.map((part) => member(part, 'default')).find((value) => value !== undefined);
  return {
    title: (text('title') as string | undefined) ?? null,
    description: (text('description') as string | undefined) ?? null,
    defaultText: byDefault === undefined ? null : printJson(byDefault),
  };
}

function kindsOf(parts: readonly JsonObject[]) {
  let types: readonly string[] | null = null;
  let odd = false;
  for (const part of parts) {
    const value = member(part, 'type');
    if (value === undefined) continue;
    const named = (typeof value === 'string' ? [value] : listOf(value)).filter((type) => typeof type === 'string');
    if (named.length === 0 || named.some((type) => !TYPE_KINDS.has(type))) odd = true;
    else types = types === null ? named : bothOf(types, named);
  }
  const kinds = [...new Set((types ?? []).flatMap((type) => TYPE_KINDS.get(type) ?? []))];
  if (kinds.length > 0)
    return { kinds, typed: true, odd, integer: types?.includes('integer') === true && !types.includes('number') };
  const guess = guessKind(parts);
  return {
    kinds: guess === null ? KINDS : [guess, ...KINDS.filter((kind) => kind !== guess)],
    typed: false,
    odd,
    integer: false,
  };
}

function bothOf(a: readonly string[], b: readonly string[]): readonly string[] {
  const wide = (list: readonly string[], type: string) =>
    list.includes(type) || (type === 'integer' && list.includes('number'));
  return [...new Set([...a.filter((type) => wide(b, type)), ...b.filter((type) => wide(a, type))])];
}

/** What an untyped schema speaks of. */
function guessKind(parts: readonly JsonObject[]): JsonKind | null {
  const has = (...keys: string[]) => parts.some((part) => keys.some((key) => Object.hasOwn(part, key)));
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string';
  return has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf') ? 'number' : null;
}

function choicesOf(parts: readonly JsonObject[]): readonly Choice[] | null {
  let texts: readonly string[] | null = null;
  for (const part of parts) {
    const fixed = member(part, 'const');
    const list = member(part, 'enum');
    for (const values of [fixed === undefined ? null : [fixed], Array.isArray(list) ? listOf(list) : null]) {
      if (values === null) continue;
      const own = values.slice(0, MAX_CHOICES + 1).map((value) => printJson(value));
      texts = texts === null ? own : texts.filter((text) => own.includes(text));
    }
  }
  // A list of nothing is a rule that no choice can keep.
  if (texts === null || texts.length === 0 || texts.length > MAX_CHOICES) return null;
  return unique(texts.map((text) => ({ text, title: null })));
}

function propertiesOf(parts: readonly JsonObject[]): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const part of parts) {
    const properties = member(part, 'properties');
    for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const other = found.get(name);
      found.set(name, other === undefined ? schema : { allOf: [other, schema] });
    }
  }
  for (const part of parts)
    for (const name of listOf(member(part, 'required')))
      if (typeof name === 'string' && !found.has(name)) found.set(name, true);
  return found;
}

function itemsOf(parts: readonly JsonObject[]): { readonly items: Json; readonly tuple: readonly Json[] } {
  const lists = parts.map((part) => member(part, 'items')).filter((value) => value !== undefined);
  const tuples = parts.map((part) => member(part, 'prefixItems')).filter((value) => Array.isArray(value));
  const old = lists.find((value) => Array.isArray(value));
  const plain = lists.filter((value) => !Array.isArray(value));
  return {
    items: plain.length > 1 ? { allOf: plain } : (plain[0] ?? true),
    tuple: listOf(tuples[0] ?? old),
  };
}

/** The kind of a JSON text by its first character. */
export function kindOfText(text: string): JsonKind {
  switch (text[0]) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}
