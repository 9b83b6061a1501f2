import type { FindingSeverity } from '../../../model/finding.ts';
import type { RuleFacts } from '../common/findings.ts';
import { ENVELOPE_RULES, type EnvelopeRule } from '../common/rules.ts';

/** The rules of the answer Bundle under v1's own clause. */
function envelopeRules(): { readonly [Rule in EnvelopeRule]: readonly [string, FindingSeverity] } {
  const entries = Object.entries(ENVELOPE_RULES).map(([rule, [, severity]]) => [
    rule,
    [rule.startsWith('error-code') ? 'v1 2.4' : 'v1 2.3', severity],
  ]);
  return Object.fromEntries(entries);
}

/** Every v1 rule that these readers can find broken. Texts: `finding.<rule>`. */
export const V1_RULES = {
  ...envelopeRules(),
  'tools-not-array': ['v1 2.3', 'must'],
  'tools-over-limit': ['v1 2.3', 'advice'],
  'tool-over-limit': ['v1 2.3', 'advice'],
  'tool-not-object': ['v1 2.3', 'must'],
  'tool-name-missing': ['v1 2.3', 'must'],
  'tool-name-repeated': ['v1 2.3', 'must'],
  'tool-member-missing': ['v1 2.3', 'must'],
  'tool-member-type': ['v1 2.3', 'must'],
  'tool-description-empty': ['v1 2.3', 'advice'],
  'v1-tool-annotated': ['v1 2.3', 'advice'],
  'v1-tool-with-effect': ['v1 2.3', 'must'],
  'schema-remote-ref': ['v1 2.3', 'advice'],
  'schema-ref-unresolved': ['v1 2.3', 'must'],
  'schema-part-invalid': ['v1 2.3', 'must'],
  'schema-dialect-unsupported': ['v1 2.3', 'advice'],
  'schema-not-inspected': ['v1 2.3', 'advice'],
  'info-member-missing': ['v1 2.3', 'must'],
  'info-member-type': ['v1 2.3', 'must'],
  'scopes-not-array': ['v1 2.3', 'must'],
  'scope-not-object': ['v1 2.3', 'must'],
  'scope-member-missing': ['v1 2.3', 'must'],
  'scope-member-type': ['v1 2.3', 'must'],
  'v1-hint-misplaced': ['v1 2.3', 'advice'],
} as const satisfies Record<string, RuleFacts>;
export type V1Rule = keyof typeof V1_RULES;
