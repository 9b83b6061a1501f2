import { assertNever } from '../../../shared/base/assert-never.ts';
import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import { isInt32, isInt64Text } from '../../../shared/protocols/companion/encode-bundle.ts';

/** Bytes of a command that adb carries: a service string of 65 535 less the service's own name. */
export const MAX_COMMAND_BYTES = 65_000;

export interface ContentCallParts {
  readonly authority: string;
  readonly method: string;
  readonly arg: string | null;
  readonly extras: Bundle | null;
}

/**
 * The arguments of `content call` (AOSP `cmds/content`, `Content.java`, API 26 to 34). What an argument cannot carry
 * exactly is refused, never approximated. Throws `ProblemError`: `shell-cannot-carry` (a type on this Android),
 * `shell-cannot-carry-key`, `shell-cannot-carry-value`, `shell-cannot-carry-arg`, `bundle-repeated-key`.
 *
 * `sdk` null (unknown): only what every Android carries the same way is let through.
 */
export function contentCallArgs(parts: ContentCallParts, sdk: number | null, userId: number | null): string[] {
  const args = ['content', 'call'];
  if (userId !== null) args.push('--user', String(userId));
  args.push('--uri', plainArgument('uri', `content://${parts.authority}`));
  args.push('--method', plainArgument('method', parts.method));
  if (parts.arg !== null) args.push('--arg', plainArgument('arg', parts.arg));
  const seen = new Set<string>();
  for (const entry of parts.extras ?? []) {
    if (seen.has(entry.key)) throw new ProblemError(problem('bundle-repeated-key', { key: entry.key }));
    seen.add(entry.key);
    args.push('--extra', extraArgument(entry, sdk));
  }
  return args;
}

/** `content` takes an argument that is empty or begins with `--` for a missing one. */
function plainArgument(name: 'uri' | 'method' | 'arg', value: string): string {
  if (value === '' || value.startsWith('--') || !isCommandText(value)) {
    throw new ProblemError(problem('shell-cannot-carry-arg', { name }));
  }
  return value;
}

function extraArgument(entry: BundleEntry, sdk: number | null): string {
  const [letter, value] = letterAndValue(entry, sdk);
  const key = escapeKey(entry.key, sdk);
  return `${key}:${letter}:${escapeValue(entry.key, value, sdk)}`;
}

function letterAndValue(entry: BundleEntry, sdk: number | null): readonly [string, string] {
  const keepsTypes = sdk !== null && sdk >= 30;
  switch (entry.t) {
    case 'string':
      return ['s', entry.v];
    case 'boolean':
      return ['b', String(entry.v)];
    case 'long':
      if (!isInt64Text(entry.v)) throw badValue(entry);
      return ['l', entry.v];
    case 'double':
      return ['d', decimal(entry.v)];
    case 'int':
      if (!keepsTypes) break;
      if (!isInt32(entry.v)) throw badValue(entry);
      return ['i', String(entry.v === 0 ? 0 : entry.v)];
    case 'float':
      if (!keepsTypes) break;
      return ['f', decimal(entry.v)];
    case 'null':
      if (!keepsTypes) break;
      return ['n', ''];
    case 'int[]':
    case 'long[]':
    case 'double[]':
    case 'boolean[]':
    case 'string[]':
    case 'strings':
    case 'bytes':
    case 'bundle':
    case 'bundle[]':
    case 'pendingIntent':
    case 'fd':
    case 'opaque':
    case 'unreadable':
    case 'text':
    case 'masked':
      break;
    default:
      return assertNever(entry);
  }
  throw new ProblemError(problem('shell-cannot-carry', { key: entry.key, type: entry.t, api: sdk ?? '?' }));
}

/** Up to API 29 the first two colons split and nothing escapes; from 30 on each colon splits and `\` escapes. */
function escapeKey(key: string, sdk: number | null): string {
  const special = sdk === null ? /[:\\]/ : sdk < 30 ? /:/ : /(?!)/;
  if (key.startsWith('--') || special.test(key) || !isCommandText(key)) {
    throw new ProblemError(problem('shell-cannot-carry-key', { key }));
  }
  return escapeText(key, sdk);
}

function escapeValue(key: string, value: string, sdk: number | null): string {
  if (!isCommandText(value) || (sdk === null && /[:\\]/.test(value))) {
    throw new ProblemError(problem('shell-cannot-carry-value', { key }));
  }
  return escapeText(value, sdk);
}

function escapeText(text: string, sdk: number | null): string {
  return sdk !== null && sdk >= 30 ? text.replace(/[\\:]/g, '\\$&') : text;
}

/** What a command line can hold: no NUL, and nothing that UTF-8 cannot write. */
function isCommandText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A text that `Double.parseDouble` and `Float.parseFloat` read as the same number. */
function decimal(value: number | 'NaN' | 'Infinity' | '-Infinity'): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}

function badValue(entry: BundleEntry): ProblemError {
  return new ProblemError(problem('bundle-bad-value', { key: entry.key, type: entry.t }));
}
