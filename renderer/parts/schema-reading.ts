import { isJsonObject, type Json, type JsonObject, member, printJson } from '../../shared/base/json.ts';

/** A sub-schema under the name that a reader knows it by. */
export interface SchemaPart {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SINGLES = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const LAID_OUT = new Set(['type', 'properties', 'required', 'description', 'enum', 'const', ...LISTS, ...MAPS]);

/** The type line: `string`, `integer | null`, `enum`, `$ref …`, or `any`. */
export function typeOf(schema: JsonObject): string {
  const reference = member(schema, '$ref');
  if (typeof reference === 'string') return `$ref ${reference}`;
  const type = member(schema, 'type');
  const words = Array.isArray(type)
    ? type.map((item) => (typeof item === 'string' ? item : printJson(item))).join(' | ')
    : type;
  const values = member(schema, 'enum');
  const choice = Array.isArray(values)
    ? values
        .slice(0, 12)
        .map((value) => printJson(value))
        .join(' | ')
    : undefined;
  const more = Array.isArray(values) && values.length > 12 ? ` … +${values.length - 12}` : '';
  const constant = member(schema, 'const');
  const base =
    words === undefined
      ? choice === undefined && constant === undefined
        ? 'any'
        : ''
      : typeof words === 'string'
        ? words
        : printJson(words);
  return [base, choice === undefined ? '' : choice + more, constant === undefined ? '' : `= ${printJson(constant)}`]
    .filter((text) => text !== '')
    .join(' ');
}

/** Every other keyword with its value, as written; a sub-schema is not repeated here. */
export function constraintsOf(schema: JsonObject): readonly string[] {
  return Object.entries(schema)
    .filter(([key, value]) => !LAID_OUT.has(key) && !(SINGLES.includes(key) && isJsonObject(value)) && key !== '$ref')
    .map(([key, value]) => `${key}: ${printJson(value)}`);
}

/** The sub-schemas: properties first, in the order of the source. */
export function childrenOf(schema: JsonObject): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  const required = member(schema, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  const properties = member(schema, 'properties');
  if (isJsonObject(properties)) {
    for (const [name, value] of Object.entries(properties))
      parts.push({ name, required: names.has(name), schema: value });
    for (const name of names) {
      if (typeof name === 'string' && !Object.hasOwn(properties, name))
        parts.push({ name, required: true, schema: true });
    }
  }
  for (const key of SINGLES) {
    const value = member(schema, key);
    if (isJsonObject(value)) parts.push({ name: `(${key})`, required: false, schema: value });
  }
  for (const key of LISTS) {
    const value = member(schema, key);
    if (Array.isArray(value)) {
      value.forEach((item: Json, index: number) => {
        parts.push({ name: `(${key} ${index})`, required: false, schema: item });
      });
    }
  }
  for (const key of MAPS) {
    const value = member(schema, key);
    if (isJsonObject(value)) {
      for (const [name, item] of Object.entries(value))
        parts.push({ name: `(${key}) ${name}`, required: false, schema: item });
    }
  }
  return parts;
}
