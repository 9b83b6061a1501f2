import { isJsonObject, type Json, type JsonObject, member, numberOf, printJson } from '../../shared/base/json.ts';

/**
 * One schema that asks for what both ask for, as far as keywords can be put
 * together by simple means. Good enough to guess an example from, which is
 * checked afterwards; never used for a verdict.
 */
export function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, Json> = Object.fromEntries(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const have = member(a, key);
    merged[key] = have === undefined ? value : mergeKeyword(key, have, value);
  }
  return merged;
}

function mergeKeyword(key: string, a: Json, b: Json): Json {
  switch (key) {
    case 'properties':
    case 'patternProperties':
    case 'dependentRequired':
      return mergeMaps(key, a, b);
    case 'required':
      return [...new Set([...list(a), ...list(b)])];
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return (numberOf(a) ?? 0) >= (numberOf(b) ?? 0) ? a : b;
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return (numberOf(a) ?? 0) <= (numberOf(b) ?? 0) ? a : b;
    case 'enum': {
      const allowed = new Set(list(b).map((item) => printJson(item)));
      return list(a).filter((item) => allowed.has(printJson(item)));
    }
    case 'type':
      return mergeTypes(types(a), types(b));
    case 'items':
    case 'additionalProperties':
      return { allOf: [a, b] };
    default:
      return b;
  }
}

function mergeMaps(key: string, a: Json, b: Json): Json {
  if (!isJsonObject(a) || !isJsonObject(b)) return b;
  const merged: Record<string, Json> = Object.fromEntries(Object.entries(a));
  for (const [name, value] of Object.entries(b)) {
    const have = member(a, name);
    if (have === undefined) merged[name] = value;
    else merged[name] = key === 'dependentRequired' ? [...list(have), ...list(value)] : { allOf: [have, value] };
  }
  return merged;
}

/** `integer` is a kind of `number`. */
function mergeTypes(a: readonly string[], b: readonly string[]): Json {
  const both = new Set<string>();
  for (const one of a) {
    if (b.includes(one)) both.add(one);
    else if (one === 'integer' && b.includes('number')) both.add(one);
    else if (one === 'number' && b.includes('integer')) both.add('integer');
  }
  return [...both];
}

export function types(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return list(value).filter((item) => typeof item === 'string');
}

export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
