/** Shorter values are masked under their key only: elsewhere they would hide ordinary words. In UTF-16 units. */
export const MIN_SECRET_LENGTH = 8;
const MAX_SECRETS_PER_SCOPE = 256;
const LOOKS_LIKE_A_MASK = /^[⟦masked:\d⟧]*$/;

/**
 * Exact secret values seen in this run, in memory only. A scope is one
 * Provider on one device, so that a Provider whose "token" is an ordinary word
 * cannot blot out what others said.
 */
export class SecretRegistry {
  readonly #scopes = new Map<string, Set<string>>();
  readonly #patterns = new Map<string | null, RegExp | null>();

  /** Remembers a value; returns whether it was new. `scope` null is every scope. */
  add(secret: string, scope: string | null): boolean {
    if (secret.length < MIN_SECRET_LENGTH || LOOKS_LIKE_A_MASK.test(secret)) return false;
    const name = scope ?? '';
    let secrets = this.#scopes.get(name);
    if (secrets === undefined) {
      secrets = new Set();
      this.#scopes.set(name, secrets);
    }
    if (secrets.has(secret)) return false;
    if (secrets.size >= MAX_SECRETS_PER_SCOPE) {
      const [oldest] = secrets;
      if (oldest !== undefined) secrets.delete(oldest);
    }
    secrets.add(secret);
    this.#patterns.clear();
    return true;
  }

  /** Matches each secret of the scope and of no scope; null asks for all of them. */
  pattern(scope: string | null): RegExp | null {
    let pattern = this.#patterns.get(scope);
    if (pattern === undefined) {
      pattern = build(scope === null ? [...this.#scopes.values()] : this.#of(scope));
      this.#patterns.set(scope, pattern);
    }
    return pattern;
  }

  #of(scope: string): ReadonlySet<string>[] {
    return ['', scope].flatMap((name) => this.#scopes.get(name) ?? []);
  }
}

function build(sets: readonly ReadonlySet<string>[]): RegExp | null {
  const secrets = [...new Set(sets.flatMap((set) => [...set]))].sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return null;
  return new RegExp(secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

/** The scope of a Provider on a device. */
export function secretScope(deviceKey: string, providerKey: string | null): string | null {
  return providerKey === null ? null : `${deviceKey}\n${providerKey}`;
}
