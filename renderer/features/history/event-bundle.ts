import type { Bundle } from '../../../shared/model/bundle.ts';

/** The Bundle that an event carries, and what else it says. */
export interface EventBundle {
  readonly bundle: Bundle;
  /** JSON text of the other members. */
  readonly rest: string;
}

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  text: isText,
  long: isText,
  bytes: isText,
  int: isNumber,
  masked: isNumber,
  boolean: (value) => typeof value === 'boolean',
  float: isDouble,
  double: isDouble,
  null: (value) => value === undefined,
  'int[]': (value) => Array.isArray(value) && value.every(isNumber),
  'long[]': (value) => Array.isArray(value) && value.every(isText),
  'double[]': (value) => Array.isArray(value) && value.every(isDouble),
  'boolean[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'boolean'),
  'string[]': isTexts,
  strings: isTexts,
  bundle: isBundle,
  'bundle[]': (value) => Array.isArray(value) && value.every(isBundle),
  pendingIntent: isObject,
  fd: isObject,
  opaque: isObject,
  unreadable: isObject,
};

/** Null where the event has no Bundle of the known form: it is shown as JSON then, whatever it is. */
export function readEventBundle(data: string): EventBundle | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return null;
  }
  if (!isObject(parsed)) return null;
  const { extras, bundle, ...rest } = parsed as Record<string, unknown>;
  const found = extras ?? bundle;
  if ((extras !== undefined && bundle !== undefined) || !isBundle(found)) return null;
  return { bundle: found as Bundle, rest: JSON.stringify(rest) };
}

function isBundle(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((entry) => {
      if (!isObject(entry)) return false;
      const { key, t, v } = entry as Record<string, unknown>;
      return isText(key) && isText(t) && Object.hasOwn(CHECKS, t as string) && CHECKS[t as string]?.(v) === true;
    })
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
function isDouble(value: unknown): boolean {
  return isNumber(value) || value === 'NaN' || value === 'Infinity' || value === '-Infinity';
}
function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item === null || isText(item));
}
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
