import { isJsonObject, type JsonObject, member } from '../../../shared/base/json.ts';

/** Remembers from Candidates in which process the code behind an authority runs. */
export class ProcessNames {
  readonly #byAuthority = new Map<string, string>();

  learn(candidates: readonly JsonObject[]): void {
    for (const candidate of candidates) {
      const provider = member(candidate, 'provider');
      if (!isJsonObject(provider)) continue;
      const name = member(provider, 'processName') ?? member(provider, 'package');
      const authorities = member(provider, 'authorities');
      if (typeof name !== 'string' || !Array.isArray(authorities)) continue;
      for (const authority of authorities) if (typeof authority === 'string') this.#byAuthority.set(authority, name);
    }
  }

  of(authority: string): string | null {
    return this.#byAuthority.get(authority) ?? null;
  }
}
