import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import { readShape } from './call-file.ts';
import { EnvironmentFile, MAX_ENVIRONMENT_BYTES, SecretsFile } from './file-shape.ts';

export interface EnvironmentText {
  readonly variables: ReadonlyMap<string, string>;
  /** Names whose values are kept apart. */
  readonly secrets: readonly string[];
}

/** Reads `environments/NAME.json`. */
export function readEnvironmentFile(text: string): Result<EnvironmentText, Problem> {
  const read = readShape(text.replace(/^\ufeff/, ''), EnvironmentFile, MAX_ENVIRONMENT_BYTES);
  if (!read.ok) return read;
  return ok({
    variables: new Map(Object.entries(read.value.variables ?? {})),
    secrets: [...new Set(read.value.secrets ?? [])],
  });
}

/** Reads `environments/NAME.secrets.json`. */
export function readSecretsFile(text: string): Result<ReadonlyMap<string, string>, Problem> {
  const read = readShape(text.replace(/^\ufeff/, ''), SecretsFile, MAX_ENVIRONMENT_BYTES);
  return read.ok ? ok(new Map(Object.entries(read.value.secrets))) : withoutQuote(read);
}

/** A complaint about a file of secrets quotes nothing of it. */
function withoutQuote(read: { readonly ok: false; readonly error: Problem }): {
  readonly ok: false;
  readonly error: Problem;
} {
  return { ok: false, error: { ...read.error, params: { at: '/' }, raw: null } };
}

/** The text of a file of secrets, names in order. */
export function printSecretsFile(secrets: ReadonlyMap<string, string>): string {
  const sorted = Object.fromEntries([...secrets].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ v: 1, secrets: sorted }, null, 2)}\n`;
}
