import { type Bundle, type BundleEntry, entryOf } from '../../../model/bundle.ts';
import type { FindingSink } from './findings.ts';
import type { EnvelopeRule } from './rules.ts';

export interface Field {
  readonly key: string;
  readonly required: boolean;
  readonly clause: string;
  /** Severity of its absence; `must` unless the spec leaves room. */
  readonly absence?: 'must' | 'lenient';
}

/**
 * Reads one key of a Bundle by its Android type. A wrong type is a finding and
 * the value is kept where it still reads as the same thing, since Android's
 * typed getters would give a Consumer the default instead. The untyped `text`
 * of the shell bridge makes no type finding.
 */
export class FieldReader {
  readonly #bundle: Bundle;
  readonly #findings: FindingSink<EnvelopeRule>;

  constructor(bundle: Bundle, findings: FindingSink<EnvelopeRule>) {
    this.#bundle = bundle;
    this.#findings = findings;
  }

  string(field: Field): string | null {
    const entry = this.#entry(field, 'string');
    return entry?.t === 'string' || entry?.t === 'text' ? entry.v : null;
  }

  /** An `Int`; the value also of a `long`, a `double` or digits in a string. */
  int(field: Field): number | null {
    const entry = this.#entry(field, 'int');
    const text = entry === undefined ? null : digits(entry);
    return text === null ? null : Number(text);
  }

  /** A `Long`, as a decimal string. */
  long(field: Field): string | null {
    const entry = this.#entry(field, 'long');
    return entry === undefined ? null : digits(entry);
  }

  boolean(field: Field): boolean | null {
    const entry = this.#entry(field, 'boolean');
    if (entry?.t === 'boolean') return entry.v;
    if (entry?.t !== 'text' && entry?.t !== 'string') return null;
    return entry.v === 'true' ? true : entry.v === 'false' ? false : null;
  }

  /** Presence with the type, for keys whose value only the device can hold. */
  object<T extends 'pendingIntent' | 'fd'>(field: Field, type: T): Extract<BundleEntry, { t: T }> | 'untyped' | null {
    const entry = this.#entry(field, type);
    if (entry?.t === 'text') return 'untyped';
    return entry?.t === type ? (entry as Extract<BundleEntry, { t: T }>) : null;
  }

  /** Reports every key that is not among the given ones. */
  extras(allowed: readonly string[], clause: string): void {
    for (const entry of this.#bundle) {
      if (allowed.includes(entry.key)) continue;
      this.#findings.add('bundle-key-extra', {
        clause,
        params: { key: entry.key.slice(0, 100), type: entry.t },
        where: entry.key,
      });
    }
  }

  #entry(field: Field, expected: BundleEntry['t']): BundleEntry | undefined {
    const entry = entryOf(this.#bundle, field.key);
    const detail = { clause: field.clause, where: field.key };
    if (entry === undefined) {
      if (field.required) {
        this.#findings.add('bundle-key-missing', {
          ...detail,
          severity: field.absence ?? 'must',
          params: { key: field.key, expected },
        });
      }
    } else if (entry.t === 'unreadable') {
      this.#findings.add('bundle-key-unreadable', {
        ...detail,
        params: { key: field.key, class: entry.v.class.slice(0, 200) },
      });
    } else if (entry.t !== expected && entry.t !== 'text') {
      this.#findings.add('bundle-key-type', { ...detail, params: { key: field.key, expected, actual: entry.t } });
    }
    return entry;
  }
}

function digits(entry: BundleEntry): string | null {
  switch (entry.t) {
    case 'int':
    case 'double':
    case 'float':
      return Number.isInteger(entry.v) ? String(entry.v) : null;
    case 'long':
    case 'string':
    case 'text':
      return /^-?\d{1,19}$/.test(entry.v) ? entry.v : null;
    default:
      return null;
  }
}
