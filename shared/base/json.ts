import { isLosslessNumber, type LosslessNumber, stringify } from 'lossless-json';
import { type DuplicateMember, JsonSyntaxError, parseLossless } from './json-parser.ts';
import { err, ok, type Result } from './result.ts';

/**
 * JSON from and to devices. Every digit is kept: a number that a double would
 * round, or that prints differently from its source text, stays a
 * `LosslessNumber`. A member that occurs twice is reported; the last one wins.
 */
export type Json = null | boolean | number | string | LosslessNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface ParsedJson {
  readonly value: Json;
  /** Names of members that occur more than once in one object, at most 100. */
  readonly duplicateKeys: readonly string[];
  /** The same with their JSON pointers. */
  readonly duplicates: readonly DuplicateMember[];
}

export type JsonFault =
  | { readonly code: 'too-long'; readonly limit: number; readonly length: number }
  | { readonly code: 'too-deep'; readonly limit: number }
  | { readonly code: 'syntax'; readonly message: string };

export interface JsonLimits {
  /** In UTF-16 units of the text. */
  readonly maxLength: number;
  /** Nesting of objects and arrays. */
  readonly maxDepth: number;
}

export const DEFAULT_JSON_LIMITS: JsonLimits = { maxLength: 16 * 1024 * 1024, maxDepth: 200 };

/** Parses hostile text: bounded in length and depth before any recursion. */
export function parseJson(text: string, limits: JsonLimits = DEFAULT_JSON_LIMITS): Result<ParsedJson, JsonFault> {
  if (text.length > limits.maxLength) {
    return err({ code: 'too-long', limit: limits.maxLength, length: text.length });
  }
  if (nestsDeeperThan(text, limits.maxDepth)) {
    return err({ code: 'too-deep', limit: limits.maxDepth });
  }
  try {
    const { value, duplicates } = parseLossless(text);
    return ok({ value, duplicates, duplicateKeys: duplicates.map((duplicate) => duplicate.key) });
  } catch (error) {
    if (error instanceof JsonSyntaxError) return err({ code: 'syntax', message: error.message });
    throw error;
  }
}

/** Prints with every digit of the source. `indent` is a number of spaces. */
export function printJson(value: Json, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Own member of an object; never one that the prototype lends. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * A number as a double where that is exact enough to compare: null for anything
 * that is no number, and for one whose double would be infinite.
 */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (value === undefined || !isLosslessNumber(value)) return null;
  const number = Number(value.toString());
  return Number.isFinite(number) ? number : null;
}

/** One line that describes a bad value in a message: its JSON text, cut. */
export function excerpt(value: Json, maxLength = 80): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, maxLength + 1)) : printJson(value);
  return cutText(text, maxLength);
}

/** The first UTF-16 units of a text, never half of a surrogate pair. */
export function headOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** The same with the cut marked, for a place inside a message. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${headOf(text, maxLength)}…`;
}

/** The bytes of a text in UTF-8; a lone surrogate counts as the three of its replacement. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes++;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** A plain copy for validators that know only doubles. Digits may be lost: never show or send it. */
export function toPlainJson(value: Json): unknown {
  if (isLosslessNumber(value)) return Number(value.toString());
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: toPlainJson(item),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

/** Whether objects and arrays in a JSON text nest deeper, by counting brackets outside strings. */
export function nestsDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
