import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type Json, type JsonObject, member } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Bundle, BundleEntry } from '../../model/bundle.ts';
import { isBase64, isInt32, isInt64Text } from './encode-bundle.ts';

/** Where a Bundle from the device breaks section 4. */
export interface BundleFault {
  /** Keys from the outermost Bundle on, joined with `/`. */
  readonly path: string;
  readonly message: string;
}

class Fault extends Error {
  readonly path: readonly string[];
  constructor(path: readonly string[], message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * Reads a Bundle of section 4. Nothing is guessed: one entry that breaks the rules fails the whole Bundle, and the caller
 * keeps the raw line. Nesting is bounded by the JSON reader before this runs.
 */
export function decodeBundle(json: Json): Result<Bundle, BundleFault> {
  try {
    return ok(decodeAt(json, []));
  } catch (error) {
    if (error instanceof Fault) return err({ path: error.path.join('/'), message: error.message });
    throw error;
  }
}

function decodeAt(json: Json, path: readonly string[]): Bundle {
  if (!isJsonObject(json)) throw new Fault(path, 'a Bundle must be an object');
  return Object.keys(json).map((key) => {
    const here = [...path, key];
    const typed = member(json, key);
    if (typed === undefined || !isJsonObject(typed)) throw new Fault(here, 'an entry must be an object');
    return decodeEntry(key, typed, here);
  });
}

function decodeEntry(key: string, typed: JsonObject, path: readonly string[]): BundleEntry {
  const t = member(typed, 't');
  const v = member(typed, 'v');
  switch (t) {
    case 'null':
      return { key, t };
    case 'string':
      return { key, t, v: string(v, path) };
    case 'int':
      return { key, t, v: int(v, path) };
    case 'long':
      return { key, t, v: long(v, path) };
    case 'boolean':
      return { key, t, v: boolean(v, path) };
    case 'float':
    case 'double':
      return { key, t, v: double(v, path) };
    case 'int[]':
      return { key, t, v: list(v, path, int) };
    case 'long[]':
      return { key, t, v: list(v, path, long) };
    case 'double[]':
      return { key, t, v: list(v, path, double) };
    case 'boolean[]':
      return { key, t, v: list(v, path, boolean) };
    case 'string[]':
    case 'strings':
      return { key, t, v: list(v, path, nullableString) };
    case 'bytes': {
      const text = string(v, path);
      if (!isBase64(text)) throw new Fault(path, 'bytes must be base64');
      return { key, t, v: text };
    }
    case 'bundle':
      return { key, t, v: decodeAt(v ?? null, path) };
    case 'bundle[]':
      return { key, t, v: list(v, path, (item) => decodeAt(item ?? null, path)) };
    case 'pendingIntent':
      return { key, t, v: pendingIntent(object(v, path), path) };
    case 'fd': {
      const fd = object(v, path);
      return { key, t, v: { handle: string(member(fd, 'handle'), path), size: size(member(fd, 'size'), path) } };
    }
    case 'opaque': {
      const facts = object(v, path);
      return { key, t, v: { class: string(member(facts, 'class'), path), text: string(member(facts, 'text'), path) } };
    }
    case 'unreadable': {
      const facts = object(v, path);
      return {
        key,
        t,
        v: { class: string(member(facts, 'class'), path), error: string(member(facts, 'error'), path) },
      };
    }
    default:
      throw new Fault(
        path,
        typeof t === 'string' ? `unknown type ${JSON.stringify(t.slice(0, 40))}` : 'the type is missing',
      );
  }
}

function pendingIntent(facts: JsonObject, path: readonly string[]) {
  const kind = member(facts, 'kind') ?? null;
  if (
    kind !== null &&
    kind !== 'activity' &&
    kind !== 'broadcast' &&
    kind !== 'service' &&
    kind !== 'foregroundService'
  ) {
    throw new Fault(path, 'the kind of a pendingIntent is not one of the four');
  }
  const creatorUid = member(facts, 'creatorUid') ?? null;
  const immutable = member(facts, 'immutable') ?? null;
  return {
    handle: string(member(facts, 'handle'), path),
    creatorPackage: nullableString(member(facts, 'creatorPackage') ?? null, path),
    creatorUid: creatorUid === null ? null : int(creatorUid, path),
    immutable: immutable === null ? null : boolean(immutable, path),
    kind,
  } as const;
}

type Value = Json | undefined;

function list<T>(v: Value, path: readonly string[], decode: (item: Value, path: readonly string[]) => T): T[] {
  if (!Array.isArray(v)) throw new Fault(path, 'must be an array');
  return v.map((item: Json) => decode(item, path));
}

function object(v: Value, path: readonly string[]): JsonObject {
  if (!isJsonObject(v)) throw new Fault(path, 'must be an object');
  return v;
}

function string(v: Value, path: readonly string[]): string {
  if (typeof v !== 'string') throw new Fault(path, 'must be a string');
  return v;
}

function nullableString(v: Value, path: readonly string[]): string | null {
  return v === null ? null : string(v, path);
}

function boolean(v: Value, path: readonly string[]): boolean {
  if (typeof v !== 'boolean') throw new Fault(path, 'must be true or false');
  return v;
}

function int(v: Value, path: readonly string[]): number {
  if (typeof v !== 'number' || !isInt32(v)) throw new Fault(path, 'must be a 32-bit integer');
  return v;
}

function long(v: Value, path: readonly string[]): string {
  if (typeof v !== 'string' || !isInt64Text(v)) throw new Fault(path, 'must be a 64-bit integer as decimal text');
  return v;
}

/** Java prints `1.0` and `1.0E10`; both name one double, so reading them as a number loses nothing. */
function double(v: Value, path: readonly string[]): number | 'NaN' | 'Infinity' | '-Infinity' {
  if (v === 'NaN' || v === 'Infinity' || v === '-Infinity') return v;
  const value = isLosslessNumber(v) ? Number(v.toString()) : v;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Fault(path, 'must be a number');
  return value;
}

function size(v: Value, path: readonly string[]): number {
  if (typeof v !== 'number' || !Number.isSafeInteger(v) || v < -1)
    throw new Fault(path, 'must be a size in bytes, or -1');
  return v;
}
