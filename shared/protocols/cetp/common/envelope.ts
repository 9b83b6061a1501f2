import { isJsonObject, type Json, type JsonFault, type JsonObject, parseJson } from '../../../base/json.ts';
import { type Bundle, entryOf, UNSPLIT_KEY, unsplitText } from '../../../model/bundle.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import { FieldReader } from './fields.ts';
import type { FindingSink } from './findings.ts';
import type { EnvelopeRule } from './rules.ts';

/** What the `status` of an answer says, before any look at the rest. */
export type Envelope =
  | {
      readonly kind: 'success' | 'accepted' | 'error';
      readonly bundle: Bundle;
      readonly fields: FieldReader;
    }
  | { readonly kind: 'malformed'; readonly bundle: Bundle | null; readonly problem: Problem };

export function readEnvelope(
  answer: Bundle | null,
  statuses: readonly ('success' | 'accepted' | 'error')[],
  findings: FindingSink<EnvelopeRule>,
  clause: string,
): Envelope {
  if (answer === null) return { kind: 'malformed', bundle: null, problem: problem('answer-null') };
  if (answer.length === 0) return { kind: 'malformed', bundle: answer, problem: problem('answer-empty') };
  const unsplit = unsplitText(answer);
  if (unsplit !== null) {
    const failure = problem('shell-answer-unsplit', { key: UNSPLIT_KEY }, unsplit.slice(0, 4000));
    return { kind: 'malformed', bundle: answer, problem: failure };
  }
  const fields = new FieldReader(answer, findings);
  const status = fields.string({ key: 'status', required: true, clause });
  const known = statuses.find((name) => name === status);
  if (known !== undefined) return { kind: known, bundle: answer, fields };
  if (status === null) return { kind: 'malformed', bundle: answer, problem: problem('answer-no-status') };
  const shown = status.slice(0, 100);
  findings.add('status-unknown', { clause, where: 'status', params: { status: shown } });
  return { kind: 'malformed', bundle: answer, problem: problem('answer-status-unknown', { status: shown }, shown) };
}

export type DataReading =
  | { readonly ok: true; readonly text: string; readonly value: Json; readonly duplicatePointers: readonly string[] }
  | { readonly ok: false; readonly problem: Problem };

/** The JSON document in `data`. */
export function readData(fields: FieldReader, findings: FindingSink<EnvelopeRule>, clause: string): DataReading {
  const text = fields.string({ key: 'data', required: true, clause });
  if (text === null) return { ok: false, problem: problem('answer-no-data') };
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const message = describeFault(parsed.error);
    // A limit of ours says nothing against the Provider's JSON.
    const syntax = parsed.error.code === 'syntax';
    if (syntax) findings.add('data-not-json', { clause, where: 'data', params: { message } });
    else findings.add('data-over-limit', { where: 'data', params: { message } });
    const code = syntax ? 'answer-data-not-json' : 'answer-data-over-limit';
    return { ok: false, problem: problem(code, { message }, text.slice(0, 2000)) };
  }
  for (const duplicate of parsed.value.duplicates) {
    findings.add('data-duplicate-member', {
      where: duplicate.pointer,
      params: { key: duplicate.key.slice(0, 100) },
    });
  }
  return {
    ok: true,
    text,
    value: parsed.value.value,
    duplicatePointers: parsed.value.duplicates.map((duplicate) => duplicate.pointer),
  };
}

export type ObjectReading =
  | {
      readonly ok: true;
      readonly text: string;
      readonly object: JsonObject;
      readonly duplicatePointers: readonly string[];
    }
  | { readonly ok: false; readonly problem: Problem };

/** The same where only an object will do. */
export function readDataObject(
  fields: FieldReader,
  findings: FindingSink<EnvelopeRule>,
  clause: string,
): ObjectReading {
  const data = readData(fields, findings, clause);
  if (!data.ok) return data;
  if (!isJsonObject(data.value)) {
    const type = jsonType(data.value);
    findings.add('data-not-object', { clause, where: 'data', params: { type } });
    return { ok: false, problem: problem('answer-data-not-object', { type }, data.text.slice(0, 2000)) };
  }
  return { ok: true, text: data.text, object: data.value, duplicatePointers: data.duplicatePointers };
}

export function describeFault(fault: JsonFault): string {
  switch (fault.code) {
    case 'syntax':
      return fault.message;
    case 'too-deep':
      return `nested deeper than ${fault.limit}`;
    case 'too-long':
      return `${fault.length} characters, more than ${fault.limit}`;
  }
}

export function jsonType(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'object' ? 'number' : typeof value;
}

/** The Provider's own error text, for the `raw` of a problem. */
export function rawError(bundle: Bundle): string | null {
  const entry = entryOf(bundle, 'error_message');
  return entry?.t === 'string' || entry?.t === 'text' ? entry.v.slice(0, 4000) : null;
}
