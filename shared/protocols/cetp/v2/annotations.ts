import { excerpt, isJsonObject, type Json, type JsonObject, member } from '../../../base/json.ts';
import type { Annotations } from '../../../model/catalog.ts';
import { jsonType } from '../common/envelope.ts';
import type { FindingSink } from '../common/findings.ts';
import type { V2Rule } from './rules.ts';

/** The allowed values of v2 3.4. */
export const ANNOTATION_VALUES = {
  effect: ['read', 'create', 'update', 'delete', 'transaction'],
  risk: ['low', 'moderate', 'high'],
  confirmation: ['never', 'provider_policy', 'always'],
  execution: ['sync', 'sync_or_async'],
} as const;

/** What makes the tool invalid (v2 3.2 and 3.4), as against a constraint that is only flagged. */
export interface AnnotationsReading {
  readonly annotations: Annotations;
  readonly usable: boolean;
}

/** Reads the `annotations` of one tool; `where` is the tool's pointer. */
export function readAnnotations(
  value: Json | undefined,
  where: string,
  capabilities: readonly string[],
  findings: FindingSink<V2Rule>,
): AnnotationsReading {
  if (!isJsonObject(value)) {
    const rule = value === undefined ? 'tool-member-missing' : 'tool-member-type';
    const params = { member: 'annotations', expected: 'object', actual: jsonType(value) };
    findings.add(rule, { where: `${where}/annotations`, params });
    return { annotations: NOT_DECLARED, usable: false };
  }
  const reader = new Reader(value, `${where}/annotations`, findings);
  const annotations: Annotations = {
    effect: reader.choice('effect'),
    risk: reader.choice('risk'),
    destructive: reader.flag('destructive'),
    idempotent: reader.flag('idempotent'),
    openWorld: reader.flag('open_world'),
    confirmation: reader.choice('confirmation'),
    execution: reader.choice('execution'),
  };
  checkConstraints(annotations, `${where}/annotations`, capabilities, findings);
  return { annotations, usable: reader.usable };
}

const NOT_DECLARED: Annotations = {
  effect: null,
  risk: null,
  destructive: null,
  idempotent: null,
  openWorld: null,
  confirmation: null,
  execution: null,
};

class Reader {
  usable = true;
  readonly #object: JsonObject;
  readonly #where: string;
  readonly #findings: FindingSink<V2Rule>;

  constructor(object: JsonObject, where: string, findings: FindingSink<V2Rule>) {
    this.#object = object;
    this.#where = where;
    this.#findings = findings;
  }

  choice(name: keyof typeof ANNOTATION_VALUES): string | null {
    const value = this.#typed(name, 'string');
    if (typeof value !== 'string') return null;
    const allowed: readonly string[] = ANNOTATION_VALUES[name];
    if (!allowed.includes(value)) {
      this.usable = false;
      this.#findings.add('annotation-unknown-value', {
        where: `${this.#where}/${name}`,
        params: { member: name, value: excerpt(value), allowed: allowed.join(', ') },
      });
    }
    return value;
  }

  flag(name: string): boolean | null {
    const value = this.#typed(name, 'boolean');
    return typeof value === 'boolean' ? value : null;
  }

  #typed(name: string, expected: 'string' | 'boolean'): Json | undefined {
    const value = member(this.#object, name);
    const where = `${this.#where}/${name}`;
    if (value === undefined) {
      this.usable = false;
      this.#findings.add('annotation-missing', { where, params: { member: name } });
    } else if (typeof value !== expected) {
      this.usable = false;
      this.#findings.add('annotation-type', { where, params: { member: name, expected, actual: jsonType(value) } });
    }
    return value;
  }
}

/** The normative constraints of v2 3.4, each a rule of its own. */
function checkConstraints(
  annotations: Annotations,
  where: string,
  capabilities: readonly string[],
  findings: FindingSink<V2Rule>,
): void {
  const confirmation = annotations.confirmation ?? 'missing';
  if (confirmation !== 'always') {
    const detail = { where: `${where}/confirmation`, params: { confirmation: confirmation.slice(0, 80) } };
    if (annotations.effect === 'delete') findings.add('delete-without-confirmation', detail);
    if (annotations.effect === 'transaction') findings.add('transaction-without-confirmation', detail);
    if (annotations.destructive === true) findings.add('destructive-without-confirmation', detail);
    if (annotations.risk === 'high') findings.add('high-risk-without-confirmation', detail);
  }
  if (annotations.effect === 'read' && annotations.destructive === true) {
    findings.add('read-but-destructive', { where: `${where}/destructive` });
  }
  if (annotations.execution === 'sync_or_async' && !capabilities.includes('async_operations')) {
    findings.add('async-not-negotiated', { where: `${where}/execution` });
  }
}
