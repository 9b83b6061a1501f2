import { isLosslessNumber } from 'lossless-json';
import { utf8Length } from '../base/json.ts';
import type { Bundle } from '../model/bundle.ts';
import { decodesToMatch } from './base64.ts';
import { type MaskTextOptions, mark, maskText } from './mask-text.ts';
import { isSecretKey } from './secret-keys.ts';
import { SecretRegistry } from './secret-registry.ts';

const MAX_DEPTH = 400;
const MAX_LEARNED_AT_ONCE = 64;

export interface RedactOptions {
  /** Known secrets; those found under their key are added. */
  readonly registry?: SecretRegistry;
  /** The Provider on its device that the payload belongs to; null is none, and masks every known secret. */
  readonly scope?: string | null;
}

export interface Redacted {
  readonly value: unknown;
  readonly redactions: number;
}

/**
 * A copy of a JSON-able payload without secrets: values under secret keys (in
 * objects, in Bundles, in JSON texts to any depth) and, anywhere, values that
 * the registry knows. Object keys and numbers are looked at too.
 */
export function redact(payload: unknown, options: RedactOptions = {}): Redacted {
  const registry = options.registry ?? new SecretRegistry();
  const scope = options.scope ?? null;
  let learned = 0;
  const walker = new Walker({
    pattern: registry.pattern(scope),
    learn: (secret) => {
      if (learned < MAX_LEARNED_AT_ONCE && registry.add(secret, scope)) learned++;
    },
  });
  const value = walker.walk(payload, 0);
  // A secret learned late may have been echoed earlier in the same payload.
  if (learned === 0) return { value, redactions: walker.redactions };
  const second = new Walker({ pattern: registry.pattern(scope), learn: () => {} });
  return { value: second.walk(payload, 0), redactions: second.redactions };
}

/**
 * A copy without the values that the registry knows; keys are not looked at,
 * so that a schema or a text about tokens stays as the Provider wrote it.
 */
export function hideKnown<T>(value: T, registry: SecretRegistry, scope: string | null): T {
  const pattern = registry.pattern(scope);
  return pattern === null ? value : (new Walker({ pattern, learn: null }).walk(value, 0) as T);
}

/** A Bundle for display: secret entries become `masked`, secrets inside texts a mark. */
export function maskBundle(bundle: Bundle, options: RedactOptions = {}): Bundle {
  return redact(bundle, options).value as Bundle;
}

/**
 * A Bundle for the preview of a request: secret entries become `masked`, and
 * every other value stays exactly as it is sent.
 */
export function maskSecretEntries(bundle: Bundle): Bundle {
  return bundle.map((entry) => {
    if (isSecretKey(entry.key) && entry.t !== 'null' && entry.t !== 'masked') {
      return { key: entry.key, t: 'masked' as const, of: entry.t, v: sizeOf(entry.v) };
    }
    if (entry.t === 'bundle') return { ...entry, v: maskSecretEntries(entry.v) };
    if (entry.t === 'bundle[]') return { ...entry, v: entry.v.map(maskSecretEntries) };
    return entry;
  });
}

class Walker {
  redactions = 0;
  readonly #options: MaskTextOptions;

  constructor(options: MaskTextOptions) {
    this.#options = options;
  }

  walk(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number' || isLosslessNumber(value)) return this.#number(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) {
      this.redactions++;
      return '⟦nested too deep⟧';
    }
    if (Array.isArray(value)) return value.map((item) => this.walk(item, depth + 1));
    return isEntry(value) ? this.#entry(value, depth) : this.#object(value, depth);
  }

  get #byKey(): boolean {
    return this.#options.learn !== null;
  }

  #text(text: string): string {
    const masked = maskText(text, this.#options);
    this.redactions += masked.redactions;
    return masked.text;
  }

  #number(value: unknown): unknown {
    const text = String(value);
    if (this.#options.pattern === null || text.search(this.#options.pattern) === -1) return value;
    this.redactions++;
    return mark(text.length);
  }

  #object(object: object, depth: number): Record<string, unknown> {
    const isHello = Object.hasOwn(object, 'op') && (object as { op: unknown }).op === 'hello';
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(object)) {
      let item: unknown;
      if (this.#byKey && isSecretKey(key) && isSecretValue(value)) item = this.#secret(value);
      else if (this.#byKey && isHello && key === 'params' && isRecord(value) && typeof value['token'] === 'string') {
        item = { ...(this.walk({ ...value, token: '' }, depth + 1) as object), token: this.#secret(value['token']) };
      } else item = this.walk(value, depth + 1);
      Object.defineProperty(copy, this.#freeKey(copy, key), {
        value: item,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return copy;
  }

  #freeKey(copy: object, key: string): string {
    const masked = this.#text(key);
    let free = masked;
    for (let n = 2; Object.hasOwn(copy, free); n++) free = `${masked}#${n}`;
    return free;
  }

  #entry(entry: { key: string; t: string; v?: unknown }, depth: number): unknown {
    if (this.#byKey && isSecretKey(entry.key) && entry.t !== 'null' && entry.t !== 'masked') {
      this.#secret(entry.v);
      return { key: entry.key, t: 'masked', of: entry.t, v: sizeOf(entry.v) };
    }
    if (entry.t === 'bytes' && typeof entry.v === 'string' && this.#options.pattern !== null) {
      if (decodesToMatch(entry.v, this.#options.pattern)) {
        this.redactions++;
        return { key: this.#text(entry.key), t: 'masked', of: 'bytes', v: Math.floor((entry.v.length * 3) / 4) };
      }
    }
    const copy = this.#object(entry, depth);
    if ((entry.t === 'pendingIntent' || entry.t === 'fd') && isRecord(entry.v)) {
      const handle = entry.v['handle'];
      if (typeof handle === 'string') {
        this.redactions++;
        copy['v'] = { ...(copy['v'] as object), handle: mark(utf8Length(handle)) };
      }
    }
    return copy;
  }

  #secret(value: unknown): string {
    this.redactions++;
    const plain = isRecord(value) ? value['v'] : value;
    if (typeof plain === 'string') this.#options.learn?.(plain);
    return mark(sizeOf(plain));
  }
}

function isEntry(value: object): value is { key: string; t: string; v?: unknown } {
  const entry = value as { key?: unknown; t?: unknown };
  return (
    Object.hasOwn(value, 'key') &&
    Object.hasOwn(value, 't') &&
    typeof entry.key === 'string' &&
    typeof entry.t === 'string'
  );
}

/** A string under a secret key; also `{"t":…,"v":…}`, the companion's typed form of one. */
function isSecretValue(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !value.startsWith('⟦masked:');
  return isRecord(value) && typeof value['t'] === 'string' && typeof value['v'] === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In UTF-8 bytes of the string, or of the JSON text of anything else. */
function sizeOf(value: unknown): number {
  return utf8Length(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
