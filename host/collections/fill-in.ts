import { type Lookup, substitute, substituteArgs } from '../../shared/collections/variables.ts';
import type { SavedCall } from '../../shared/model/collection.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import { MIN_SECRET_LENGTH } from '../../shared/redaction/secret-registry.ts';
import type { ReadEnvironment } from './read-collection.ts';

/** Values for a run: of the environment, then of the command line, which go first. */
export interface Values {
  readonly values: ReadonlyMap<string, string>;
  /** Names whose values must not be shown. */
  readonly secretNames: ReadonlySet<string>;
}

export function valuesOf(environment: ReadEnvironment | null, given: Readonly<Record<string, string>>): Values {
  const secrets = environment?.secrets ?? new Map<string, string>();
  return {
    values: new Map([...(environment?.variables ?? []), ...secrets, ...Object.entries(given)]),
    secretNames: new Set([...(environment?.secretNames ?? []), ...secrets.keys()]),
  };
}

/** The values to mask wherever they turn up. */
export function secretValues({ values, secretNames }: Values): string[] {
  return [...secretNames].flatMap((name) => values.get(name) ?? []);
}

export interface Filled {
  readonly provider: string;
  readonly tool: string;
  readonly device: string | null;
  readonly argsText: string;
  /** Why the call cannot be sent; null where every variable has its value. */
  readonly problem: Problem | null;
}

/** Puts values into a call. `plain` leaves the names of secrets as they are, for a text that is kept. */
export function fillIn(call: SavedCall, { values, secretNames }: Values, plain = false): Filled {
  const { provider, tool, device, argsText } = call;
  if (!call.variables) return { provider, tool, device, argsText, problem: null };
  const short = new Set<string>();
  // A secret in an environment of another name must not come from its plain variables.
  const lookup: Lookup = (name) => {
    if (secretNames.has(name)) {
      if (plain) return undefined;
      const value = values.get(name);
      if (value !== undefined && value.length < MIN_SECRET_LENGTH) short.add(name);
      return value;
    }
    return values.get(name);
  };
  const parts = {
    provider: substitute(provider, lookup),
    tool: substitute(tool, lookup),
    device: device === null ? null : substitute(device, lookup),
    args: substituteArgs(argsText, lookup),
  };
  const all = Object.values(parts).filter((part) => part !== null);
  const missing = [...new Set(all.flatMap((part) => part.missing))];
  return {
    provider: parts.provider.text,
    tool: parts.tool.text,
    device: parts.device?.text ?? null,
    argsText: parts.args.text,
    problem: refusal(missing, parts.args.notJson, [...short]),
  };
}

function refusal(missing: readonly string[], notJson: readonly string[], short: readonly string[]): Problem | null {
  if (missing.length > 0) return problem('saved-call-unresolved', { names: missing.slice(0, 20).join(', ') });
  if (notJson.length > 0) return problem('saved-call-not-json', { names: notJson.slice(0, 20).join(', ') });
  // A shorter value cannot be masked where it turns up: it would hide ordinary words.
  if (short.length > 0) {
    return problem('saved-call-secret-short', { names: short.join(', '), least: MIN_SECRET_LENGTH });
  }
  return null;
}
