import { assertNever } from '../../../shared/base/assert-never.ts';
import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import { isRecord, own } from './frames.ts';
import { ProtocolError } from './protocol-error.ts';

/** How deep Bundles nest at most (section 6). */
export const MAX_BUNDLE_DEPTH = 32;
const MAX_OPAQUE_TEXT = 256;
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;
const LONG_TEXT = /^(0|-?[1-9][0-9]{0,18})$/;
const BASE64_TEXT = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type SpecialDouble = number | 'NaN' | 'Infinity' | '-Infinity';

/** Reads a Bundle of section 4 as the desktop sends it. Throws `ProtocolError` BAD_PARAMS with the path of the fault. */
export function decodeBundle(value: unknown, path = 'extras', depth = 1): Bundle {
  if (depth > MAX_BUNDLE_DEPTH) throw bad(path, `nests deeper than ${MAX_BUNDLE_DEPTH}`);
  if (!isRecord(value)) throw bad(path, 'is not a Bundle object');
  return Object.keys(value).map((key) => decodeEntry(key, own(value, key), `${path}.${key}`, depth));
}

function decodeEntry(key: string, value: unknown, path: string, depth: number): BundleEntry {
  if (!isRecord(value)) throw bad(path, 'is not a typed value');
  const v = own(value, 'v');
  const t = own(value, 't');
  switch (t) {
    case 'string':
      return { key, t, v: asString(v, path) };
    case 'int':
      return { key, t, v: asInt(v, path) };
    case 'long':
      return { key, t, v: asLong(v, path) };
    case 'boolean':
      return { key, t, v: asBoolean(v, path) };
    case 'float':
    case 'double':
      return { key, t, v: asDouble(v, path) };
    case 'null':
      return { key, t };
    case 'int[]':
      return { key, t, v: asArray(v, path, asInt) };
    case 'long[]':
      return { key, t, v: asArray(v, path, asLong) };
    case 'boolean[]':
      return { key, t, v: asArray(v, path, asBoolean) };
    case 'double[]':
      return { key, t, v: asArray(v, path, asDouble) };
    case 'string[]':
    case 'strings':
      return { key, t, v: asArray(v, path, (item, at) => (item === null ? null : asString(item, at))) };
    case 'bytes': {
      const text = asString(v, path);
      if (!BASE64_TEXT.test(text)) throw bad(path, 'is not base64');
      return { key, t, v: text };
    }
    case 'bundle':
      return { key, t, v: decodeBundle(v, path, depth + 1) };
    case 'bundle[]':
      return { key, t, v: asArray(v, path, (item, at) => decodeBundle(item, at, depth + 1)) };
    case 'pendingIntent':
    case 'fd':
    case 'opaque':
    case 'unreadable':
      throw bad(path, `has the type ${t}, which only the device sends`);
    default:
      throw bad(path, 'has no known type');
  }
}

function bad(path: string, what: string): ProtocolError {
  return new ProtocolError('BAD_PARAMS', `${path} ${what}`);
}

function asString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw bad(path, 'is not a string');
  return value;
}

function asInt(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < INT_MIN || value > INT_MAX) {
    throw bad(path, 'is not a 32-bit integer');
  }
  // JSON's -0 is the int 0.
  return value + 0;
}

function asLong(value: unknown, path: string): string {
  if (typeof value !== 'string' || !LONG_TEXT.test(value)) throw bad(path, 'is not a decimal string');
  if (BigInt(value) !== BigInt.asIntN(64, BigInt(value))) throw bad(path, 'does not fit 64 bits');
  return value;
}

function asBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw bad(path, 'is not a boolean');
  return value;
}

function asDouble(value: unknown, path: string): SpecialDouble {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
  throw bad(path, 'is not a number');
}

function asArray<T>(value: unknown, path: string, item: (value: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw bad(path, 'is not an array');
  return value.map((entry, index) => item(entry, `${path}[${index}]`));
}

/** Prints a Bundle as JSON text of section 4. A key that repeats stands once, with its last value. */
export function encodeBundle(bundle: Bundle): string {
  const last = new Map(bundle.map((entry) => [entry.key, entry]));
  return `{${[...last.values()].map((entry) => `${JSON.stringify(entry.key)}:${encodeEntry(entry)}`).join(',')}}`;
}

function encodeEntry(entry: BundleEntry): string {
  switch (entry.t) {
    case 'null':
      return '{"t":"null"}';
    case 'float':
    case 'double':
      return typed(entry.t, encodeDouble(entry.v));
    case 'double[]':
      return typed(entry.t, `[${entry.v.map(encodeDouble).join(',')}]`);
    case 'bundle':
      return typed(entry.t, encodeBundle(entry.v));
    case 'bundle[]':
      return typed(entry.t, `[${entry.v.map(encodeBundle).join(',')}]`);
    case 'opaque':
      return typed(entry.t, JSON.stringify({ class: entry.v.class, text: entry.v.text.slice(0, MAX_OPAQUE_TEXT) }));
    case 'text':
    case 'masked':
      throw new Error(`A device has no value of type ${entry.t}`);
    case 'string':
    case 'int':
    case 'long':
    case 'boolean':
    case 'int[]':
    case 'long[]':
    case 'string[]':
    case 'boolean[]':
    case 'strings':
    case 'bytes':
    case 'pendingIntent':
    case 'fd':
    case 'unreadable':
      return typed(entry.t, JSON.stringify(entry.v));
    default:
      return assertNever(entry);
  }
}

function typed(t: string, v: string): string {
  return `{"t":"${t}","v":${v}}`;
}

/** `JSON.stringify` drops the sign of zero, and NaN is no JSON number. */
function encodeDouble(value: SpecialDouble): string {
  if (typeof value === 'string') return `"${value}"`;
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value);
}
