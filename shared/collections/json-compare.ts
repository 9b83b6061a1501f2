import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type Json, member } from '../base/json.ts';
import { compareNumbers, isWhole } from './decimal.ts';

/** The value at a JSON Pointer (RFC 6901); undefined where there is none. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let at: Json | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    if (at === undefined) return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d{0,8})$/.test(name) ? (at as readonly Json[])[Number(name)] : undefined;
    else at = isJsonObject(at) ? member(at, name) : undefined;
  }
  return at;
}

/** A number's text; null for anything else. */
export function numberText(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return value !== undefined && isLosslessNumber(value) ? value.toString() : null;
}

/** Same JSON value: numbers by value to the last digit, members in any order. */
export function sameJson(left: Json, right: Json): boolean {
  const number = numberText(left);
  if (number !== null) {
    const other = numberText(right);
    return other !== null && (number === other || compareNumbers(number, other) === 0);
  }
  if (Array.isArray(left)) {
    const items = left as readonly Json[];
    return (
      Array.isArray(right) &&
      right.length === items.length &&
      items.every((item, place) => sameJson(item, right[place] as Json))
    );
  }
  if (!isJsonObject(left)) return left === right;
  if (!isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => {
      const other = member(right, name);
      return other !== undefined && sameJson(left[name] as Json, other);
    })
  );
}

/** The JSON type, and `integer` for a whole number. */
export function typeNames(value: Json): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  const number = numberText(value);
  if (number !== null) return isWhole(number) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}
