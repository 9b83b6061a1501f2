import type { RuleFacts } from './findings.ts';

/** Rules of the answer Bundle itself, with v2's clauses; v1 puts its own in their place. */
export const ENVELOPE_RULES = {
  'bundle-key-missing': ['v2 4.2', 'must'],
  'bundle-key-type': ['v2 4.2', 'must'],
  'bundle-key-extra': ['v2 4.2', 'lenient'],
  'bundle-key-unreadable': ['v2 4.2', 'must'],
  'status-unknown': ['v2 4.2', 'must'],
  'data-not-json': ['v2 4.2', 'must'],
  'data-over-limit': ['v2 7.3', 'advice'],
  'data-not-object': ['v2 4.2', 'must'],
  'data-duplicate-member': ['v2 7.3', 'advice'],
  'error-code-empty': ['v2 5', 'must'],
  'error-code-unknown': ['v2 5', 'advice'],
} as const satisfies Record<string, RuleFacts>;
export type EnvelopeRule = keyof typeof ENVELOPE_RULES;
