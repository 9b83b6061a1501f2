import { type Bundle, type BundleEntry, entryOf } from '../../../model/bundle.ts';
import type { Candidate } from '../../../model/provider.ts';
import { META_AUTHORITY, META_VERSION, META_VERSIONS } from './names.ts';

/** The authority entry (v1 2.2). Only a usable one has a value. */
export type AuthorityReading =
  | { readonly state: 'valid'; readonly authority: string }
  | { readonly state: 'missing' }
  | { readonly state: 'not-string'; readonly type: string; readonly text: string }
  | { readonly state: 'invalid'; readonly text: string };

export type InvalidSet = 'not-integers' | 'not-positive' | 'resource-id' | 'unreadable';

/** A set of major versions, of whatever compiled type (v2 2.1: `"2"` compiles to an int, `"1,2"` to a string). */
export type VersionSetReading =
  | { readonly state: 'absent' }
  | {
      readonly state: 'valid';
      /** The compiled type. */
      readonly type: string;
      readonly text: string;
      /** Ascending, without duplicates. */
      readonly majors: readonly number[];
      readonly duplicates: readonly number[];
      readonly hasSpaces: boolean;
    }
  | { readonly state: 'invalid'; readonly type: string; readonly text: string; readonly reason: InvalidSet };

export interface Declaration {
  readonly authority: AuthorityReading;
  /** `com.clawseed.tools.versions`: authoritative where it exists. */
  readonly versions: VersionSetReading;
  /** `com.clawseed.tools.version`: valid with exactly one major. */
  readonly version: VersionSetReading;
  /** The majors in force, ascending; null where nothing valid is declared. */
  readonly majors: readonly number[] | null;
  /** Keys that stand in the manifest more than once; the last one counts. */
  readonly repeatedKeys: readonly string[];
}

const MAX_AUTHORITY = 255;

/** Reads the three meta-data entries. An invalid `versions` never falls back to `version`. */
export function readDeclaration(candidate: Pick<Candidate, 'metaData'>): Declaration {
  const versions = readVersionSet(entryOf(candidate.metaData, META_VERSIONS));
  const version = readSingleVersion(entryOf(candidate.metaData, META_VERSION));
  const ruling = versions.state === 'absent' ? version : versions;
  return {
    authority: readAuthority(entryOf(candidate.metaData, META_AUTHORITY)),
    versions,
    version,
    majors: ruling.state === 'valid' ? ruling.majors : null,
    repeatedKeys: repeated(candidate.metaData),
  };
}

function readAuthority(entry: BundleEntry | undefined): AuthorityReading {
  if (entry === undefined || entry.t === 'null') return { state: 'missing' };
  if (entry.t !== 'string') return { state: 'not-string', type: entry.t, text: entryText(entry) };
  if (entry.v === '') return { state: 'missing' };
  const usable = entry.v.length <= MAX_AUTHORITY && !/[\s;/\p{Cc}\p{Cf}]/u.test(entry.v);
  return usable ? { state: 'valid', authority: entry.v } : { state: 'invalid', text: entry.v };
}

function readSingleVersion(entry: BundleEntry | undefined): VersionSetReading {
  const set = readVersionSet(entry);
  if (set.state !== 'valid' || (set.majors.length === 1 && set.duplicates.length === 0)) return set;
  return { state: 'invalid', type: set.type, text: set.text, reason: 'not-integers' };
}

function readVersionSet(entry: BundleEntry | undefined): VersionSetReading {
  if (entry === undefined || entry.t === 'null') return { state: 'absent' };
  const text = entryText(entry);
  const invalid = (reason: InvalidSet): VersionSetReading => ({ state: 'invalid', type: entry.t, text, reason });
  if (entry.t === 'unreadable' || entry.t === 'opaque') return invalid('unreadable');
  if (entry.t === 'int' && isResourceId(entry.v)) return invalid('resource-id');
  const parts = text.split(',');
  const trimmed = parts.map((part) => part.trim());
  if (!trimmed.every((part) => /^-?\d{1,10}$/.test(part))) return invalid('not-integers');
  const numbers = trimmed.map(Number);
  if (numbers.some((major) => major <= 0)) return invalid('not-positive');
  const majors = [...new Set(numbers)].sort((a, b) => a - b);
  return {
    state: 'valid',
    type: entry.t,
    text,
    majors,
    duplicates: majors.filter((major) => numbers.indexOf(major) !== numbers.lastIndexOf(major)),
    hasSpaces: parts.some((part, index) => part !== trimmed[index]),
  };
}

/** `android:resource` instead of `android:value` leaves the id of a resource, such as 0x7f0a0001. */
function isResourceId(value: number): boolean {
  return value >>> 24 === 0x7f || value >>> 24 === 0x01;
}

/** An entry's value as text, for people. A float shows that it is one. */
export function entryText(entry: BundleEntry): string {
  switch (entry.t) {
    case 'string':
    case 'text':
    case 'long':
      return entry.v;
    case 'int':
    case 'boolean':
      return String(entry.v);
    case 'float':
    case 'double':
      return Number.isInteger(entry.v) ? `${entry.v}.0` : String(entry.v);
    case 'unreadable':
      return entry.v.error;
    case 'opaque':
      return entry.v.text;
    default:
      return `(${entry.t})`;
  }
}

function repeated(metaData: Bundle): string[] {
  const keys = metaData.map((entry) => entry.key);
  return [META_AUTHORITY, META_VERSION, META_VERSIONS].filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key));
}
