import type { Finding, FindingSeverity } from '../../../model/finding.ts';
import type { Candidate } from '../../../model/provider.ts';
import type { Declaration } from './declaration.ts';

/** Facts of the device around one candidate. */
export interface ManifestContext {
  /** Which package defines a permission; null: none does; absent: not known. */
  readonly permissionOwners: ReadonlyMap<string, string | null>;
  /** A connected companion does not list this Provider, although the shell does. */
  readonly onlyShellSees: boolean;
}

export interface Subject {
  readonly candidate: Candidate;
  readonly declaration: Declaration;
  readonly context: ManifestContext;
  /** Whether this way of looking could tell the fact. */
  readonly knows: (fact: string) => boolean;
}

export type Params = Finding['params'];

/** A rule as data; its text is `finding.<rule>`. */
export interface ManifestRule {
  readonly rule: string;
  readonly clause: string;
  readonly severity: FindingSeverity;
  readonly where: string;
  /** The finding's params where the rule is broken, else null. */
  readonly check: (subject: Subject) => Params | null;
}

/** Params where something is broken, else null. */
export const when = (broken: boolean, params: Params = {}): Params | null => (broken ? params : null);

/** The permissions of which a caller needs one; none where a side is open (the platform accepts either). */
export function requiredPermissions(provider: NonNullable<Candidate['provider']>): readonly string[] {
  const { readPermission, writePermission } = provider;
  if (readPermission === null || writePermission === null) return [];
  return [...new Set([readPermission, writePermission])];
}
