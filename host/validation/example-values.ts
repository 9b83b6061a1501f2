import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type Json, type JsonObject, member, numberOf, printJson } from '../../shared/base/json.ts';
import { types } from './schema-merge.ts';

/** One text for each format that has a shape of its own. */
export const FORMATS: Readonly<Record<string, string>> = {
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

/** Made of parts, so that one that is offered may lack some. */
export function isStructured(schema: JsonObject): boolean {
  const type = types(member(schema, 'type'))[0] ?? guessType(schema);
  return type === 'object' || type === 'array';
}

/** The schema that counts for a member of this name. */
export function propertySchema(schema: JsonObject, name: string): Json {
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

/** The type that the other keywords speak of. */
export function guessType(schema: JsonObject): string {
  const has = (...keys: string[]) => keys.some((key) => member(schema, key) !== undefined);
  if (has('properties', 'required', 'additionalProperties', 'minProperties', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  return 'null';
}

/** Zero where it is allowed, else the allowed number nearest to it. */
export function aNumber(schema: JsonObject, integer: boolean): Json {
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
export function distinct(array: readonly Json[]): Json[] {
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

/** What a JSON pointer, as a URI fragment, leads to. */
export function follow(root: Json, fragment: string): Json | undefined {
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
