import type { Bundle, BundleEntry } from '../../../../../shared/model/bundle.ts';

/** A parsed `content call`. */
export interface ContentCall {
  /** Authority of the URI; null where it has none. */
  readonly authority: string | null;
  readonly userId: number;
  readonly method: string;
  readonly arg: string | null;
  readonly extras: Bundle;
}

/** The text that `content` prints after `[ERROR] `. */
export class ContentUsageError extends Error {
  override readonly name = 'ContentUsageError';
}

/** Reads the arguments after `content call` by the rules of one API level (android-facts 1.1). */
export function parseContentCall(args: readonly string[], sdk: number): ContentCall {
  let at = 0;
  let uri: string | null = null;
  let userId = 0;
  let method: string | null = null;
  let arg: string | null = null;
  const extras = new Map<string, BundleEntry>();
  const value = (option: string): string => {
    const text = args[at++];
    // An empty value and one that looks like an option are both "no value".
    if (text === undefined || text === '' || text.startsWith('--')) {
      throw new ContentUsageError(`No value for argument: ${option}`);
    }
    return text;
  };
  while (at < args.length) {
    const option = args[at++] as string;
    if (option === '--uri') uri = value(option);
    else if (option === '--user') userId = Number(parseInteger(value(option), 32));
    else if (option === '--method') method = value(option);
    else if (option === '--arg') arg = value(option);
    else if (option === '--extra') {
      const entry = parseExtra(args[at++], sdk);
      // ContentValues of API 29 hold the null, but nothing of it reaches the Bundle.
      if (entry.t === 'null' && sdk < 30) extras.delete(entry.key);
      else extras.set(entry.key, entry);
    } else throw new ContentUsageError(`Unsupported argument: ${option}`);
  }
  if (uri === null) throw new ContentUsageError('Content provider URI not specified. Did you specify --uri argument?');
  if (method === null) throw new ContentUsageError('Content provider method not specified.');
  return { authority: authorityOf(uri), userId, method, arg, extras: [...extras.values()] };
}

/** Android's `Uri.getAuthority`. */
function authorityOf(uri: string): string | null {
  const authority = /^[^:/?#]*:\/\/(?<authority>[^/?#\\]*)/.exec(uri)?.groups?.['authority'];
  if (authority === undefined) return null;
  try {
    return decodeURIComponent(authority);
  } catch {
    return authority;
  }
}

function parseExtra(text: string | undefined, sdk: number): BundleEntry {
  if (text === undefined || text === '') {
    throw new ContentUsageError(`Binding not well formed: ${text ?? 'null'}`);
  }
  const parts = sdk >= 30 ? splitWithEscapes(text) : splitAtFirstTwo(text);
  if (parts.length !== 3) throw new ContentUsageError(`Binding not well formed: ${text}`);
  const [key, type, value] = parts as [string, string, string];
  // The letter `s` is case sensitive, the others are not.
  switch (type === 's' || type === 'S' ? type : type.toLowerCase()) {
    case 's':
      return { key, t: 'string', v: value };
    case 'b':
      return { key, t: 'boolean', v: value.toLowerCase() === 'true' };
    case 'i':
      return sdk >= 30
        ? { key, t: 'int', v: Number(parseInteger(value, 32)) }
        : { key, t: 'long', v: String(parseInteger(value, 64)) };
    case 'l':
      return { key, t: 'long', v: String(parseInteger(value, 64)) };
    case 'f':
      return sdk >= 30
        ? { key, t: 'float', v: special(Math.fround(parseDouble(value))) }
        : { key, t: 'double', v: special(parseDouble(value)) };
    case 'd':
      return { key, t: 'double', v: special(parseDouble(value)) };
    case 'n':
      if (sdk >= 29) return { key, t: 'null' };
      break;
  }
  throw new ContentUsageError(`Unsupported type: ${type}`);
}

/** API 26 to 29: everything after the second colon is the value, a backslash is a backslash. */
function splitAtFirstTwo(text: string): readonly string[] {
  const first = text.indexOf(':');
  const second = first < 0 ? -1 : text.indexOf(':', first + 1);
  return second < 0 ? [] : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

/** API 30 on: every colon splits that no backslash precedes. */
function splitWithEscapes(text: string): readonly string[] {
  const parts = [''];
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === ':') {
      parts.push('');
      continue;
    }
    if (char === '\\' && ++index === text.length) throw new ContentUsageError('Invalid escaping');
    parts[parts.length - 1] += text.charAt(index);
  }
  return parts;
}

/** Java's `Integer.parseInt` and `Long.parseLong`. */
function parseInteger(text: string, bits: 32 | 64): bigint {
  if (/^[+-]?[0-9]+$/.test(text)) {
    const value = BigInt(text.replace(/^\+/, ''));
    if (BigInt.asIntN(bits, value) === value) return value;
  }
  throw new ContentUsageError(`For input string: "${text}"`);
}

/** Java's `Double.parseDouble`, without hexadecimal floats. */
function parseDouble(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') throw new ContentUsageError('empty String');
  const named = /^(?<sign>[+-]?)(?<name>NaN|Infinity)$/.exec(trimmed)?.groups;
  if (named !== undefined) return Number(named['name']) * (named['sign'] === '-' ? -1 : 1);
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/.test(trimmed)) return Number(trimmed.replace(/[fFdD]$/, ''));
  throw new ContentUsageError(`For input string: "${text}"`);
}

function special(value: number): number | 'NaN' | 'Infinity' | '-Infinity' {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return 'Infinity';
  return value === Number.NEGATIVE_INFINITY ? '-Infinity' : value;
}
