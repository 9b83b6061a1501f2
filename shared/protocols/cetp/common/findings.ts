import type { Finding, FindingSeverity } from '../../../model/finding.ts';

/** Clause and severity of a rule; the text is `finding.<rule>` in `shared/i18n`. */
export type RuleFacts = readonly [clause: string, severity: FindingSeverity];
export type RuleTable<Id extends string> = { readonly [Rule in Id]: RuleFacts };

export interface FindingDetail {
  readonly params?: Finding['params'];
  /** JSON pointer or key; null where the whole answer is meant. */
  readonly where?: string | null;
  readonly clause?: string;
  readonly severity?: FindingSeverity;
}

/** Where a reader puts what it finds. A list of more rules serves a reader of fewer. */
export interface FindingSink<Id extends string> {
  add(rule: Id, detail?: FindingDetail): void;
}

/** A hostile answer must not make a list of millions: the rest is counted in one last finding. */
const MAX_FINDINGS = 200;

/** Findings that may still be listed one by one. */
export interface FindingBudget {
  left: number;
}

export class FindingList<Id extends string> implements FindingSink<Id> {
  readonly #rules: RuleTable<Id>;
  readonly #budget: FindingBudget;
  readonly #found: Finding[] = [];
  #more = 0;
  #moreClause = '';

  /** `budget` is shared by the lists of one answer. */
  constructor(rules: RuleTable<Id>, budget: FindingBudget = { left: MAX_FINDINGS }) {
    this.#rules = rules;
    this.#budget = budget;
  }

  add(rule: Id, detail: FindingDetail = {}): void {
    const [clause, severity] = this.#rules[rule];
    if (this.#found.length >= MAX_FINDINGS || this.#budget.left <= 0) {
      this.#more++;
      this.#moreClause = detail.clause ?? clause;
      return;
    }
    this.#budget.left--;
    this.#found.push({
      rule,
      clause: detail.clause ?? clause,
      severity: detail.severity ?? severity,
      params: detail.params ?? {},
      where: detail.where ?? null,
    });
  }

  has(rule: Id): boolean {
    return this.#found.some((finding) => finding.rule === rule);
  }

  list(): Finding[] {
    if (this.#more === 0) return [...this.#found];
    const more = { clause: this.#moreClause, severity: 'advice' as const, params: { count: this.#more }, where: null };
    return [...this.#found, { rule: 'more-findings', ...more }];
  }
}
