import { assertNever } from '../../base/assert-never.ts';
import type { Bundle, BundleEntry } from '../../model/bundle.ts';
import { ProblemError, problem } from '../../model/problem.ts';
import { MAX_BUNDLE_DEPTH } from './limits.ts';

/**
 * The JSON text of a Bundle as it travels to the companion (section 4), members in the order of the entries. The text is
 * built by hand, so that a key such as `__proto__` is a key like any other.
 *
 * Throws `ProblemError` for what the device could not take: `bundle-too-deep`, `bundle-repeated-key`,
 * `bundle-device-only` (types that only a device can make, and `text` and `masked`), `bundle-bad-value`.
 */
export function encodeBundle(bundle: Bundle): string {
  return encodeAt(bundle, 1);
}

function encodeAt(bundle: Bundle, depth: number): string {
  if (depth > MAX_BUNDLE_DEPTH) throw new ProblemError(problem('bundle-too-deep', { limit: MAX_BUNDLE_DEPTH }));
  const seen = new Set<string>();
  const members = bundle.map((entry) => {
    if (seen.has(entry.key)) throw new ProblemError(problem('bundle-repeated-key', { key: entry.key }));
    seen.add(entry.key);
    return `${JSON.stringify(entry.key)}:${encodeEntry(entry, depth)}`;
  });
  return `{${members.join(',')}}`;
}

function encodeEntry(entry: BundleEntry, depth: number): string {
  const value = encodeValue(entry, depth);
  return value === null ? `{"t":"${entry.t}"}` : `{"t":"${entry.t}","v":${value}}`;
}

function encodeValue(entry: BundleEntry, depth: number): string | null {
  switch (entry.t) {
    case 'null':
      return null;
    case 'string':
      return JSON.stringify(entry.v);
    case 'boolean':
      return entry.v ? 'true' : 'false';
    case 'int':
      return encodeInt(entry, entry.v);
    case 'long':
      return encodeLong(entry, entry.v);
    case 'float':
    case 'double':
      return encodeDouble(entry, entry.v);
    case 'int[]':
      return list(entry.v, (item) => encodeInt(entry, item));
    case 'long[]':
      return list(entry.v, (item) => encodeLong(entry, item));
    case 'double[]':
      return list(entry.v, (item) => encodeDouble(entry, item));
    case 'boolean[]':
      return list(entry.v, (item) => (item ? 'true' : 'false'));
    case 'string[]':
    case 'strings':
      return list(entry.v, (item) => JSON.stringify(item));
    case 'bytes':
      if (!isBase64(entry.v)) throw badValue(entry);
      return JSON.stringify(entry.v);
    case 'bundle':
      return encodeAt(entry.v, depth + 1);
    case 'bundle[]':
      return list(entry.v, (item) => encodeAt(item, depth + 1));
    case 'pendingIntent':
    case 'fd':
    case 'opaque':
    case 'unreadable':
    case 'text':
    case 'masked':
      throw new ProblemError(problem('bundle-device-only', { key: entry.key, type: entry.t }));
    default:
      return assertNever(entry);
  }
}

function list<T>(items: readonly T[], encode: (item: T) => string): string {
  return `[${items.map(encode).join(',')}]`;
}

function encodeInt(entry: BundleEntry, value: number): string {
  if (!isInt32(value)) throw badValue(entry);
  return String(value === 0 ? 0 : value);
}

function encodeLong(entry: BundleEntry, value: string): string {
  if (!isInt64Text(value)) throw badValue(entry);
  return `"${value}"`;
}

function encodeDouble(entry: BundleEntry, value: number | string): string {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return `"${value}"`;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badValue(entry);
  return Object.is(value, -0) ? '-0.0' : String(value);
}

function badValue(entry: BundleEntry): ProblemError {
  return new ProblemError(problem('bundle-bad-value', { key: entry.key, type: entry.t }));
}

/** Whether a number is a Java `int`. */
export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -2_147_483_648 && value <= 2_147_483_647;
}

/** Whether a text is a Java `long` in its one decimal form. */
export function isInt64Text(text: string): boolean {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return false;
  const value = BigInt(text);
  return value >= -(2n ** 63n) && value < 2n ** 63n;
}

/** Whether a text is padded standard base64. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
