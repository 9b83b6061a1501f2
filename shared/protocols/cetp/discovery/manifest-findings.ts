import type { Finding } from '../../../model/finding.ts';
import type { Candidate } from '../../../model/provider.ts';
import { authorityRules, componentRules, providerRules } from './component-rules.ts';
import { type Declaration, readDeclaration } from './declaration.ts';
import type { ManifestContext, ManifestRule, Subject } from './manifest-rule.ts';
import { versionRules } from './version-rules.ts';

/** Every rule of one Provider's manifest, in the order of the lists. */
export const manifestRules: readonly ManifestRule[] = [
  ...componentRules,
  ...authorityRules,
  ...providerRules,
  ...versionRules,
];

/** Our verdicts on one candidate. A fact in `candidate.unknown` is never judged. */
export function manifestFindings(
  candidate: Candidate,
  context: ManifestContext,
  declaration: Declaration = readDeclaration(candidate),
): Finding[] {
  const unknown = new Set(candidate.unknown);
  const knows = (fact: string): boolean => !unknown.has(fact) && !unknown.has(fact.split('.')[0] ?? fact);
  const subject: Subject = { candidate, declaration, context, knows };
  return manifestRules.flatMap(({ rule, clause, severity, where, check }) => {
    const params = check(subject);
    return params === null ? [] : [{ rule, clause, severity, params, where }];
  });
}
