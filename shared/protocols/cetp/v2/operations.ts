import { excerpt, isJsonObject, type JsonObject, member, numberOf, parseJson, printJson } from '../../../base/json.ts';
import { memberText } from '../../../base/json-text.ts';
import type { Bundle, BundleEntry } from '../../../model/bundle.ts';
import type { Finding } from '../../../model/finding.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import type { CetpRequest, ExecuteReading, RequestContext } from '../codec.ts';
import { jsonType, readDataObject, readEnvelope } from '../common/envelope.ts';
import { FieldReader } from '../common/fields.ts';
import { FindingList } from '../common/findings.ts';
import { ANSWER_KEYS, errorContext, readEcho, request } from './codec.ts';
import { type ProviderError, readV2Error } from './errors.ts';
import { malformed, readResult } from './execute.ts';
import { V2_RULES, type V2Rule } from './rules.ts';

const STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
const TERMINAL: readonly string[] = ['succeeded', 'failed', 'cancelled'];
const MAX_SHOWN = 200;

/** An answer to `get_operation` or `cancel_operation` (v2 4.4). */
export type OperationReading =
  | {
      readonly kind: 'state';
      readonly findings: readonly Finding[];
      /** As the Provider wrote it, at most 200 characters. */
      readonly state: string;
      /** JSON text of `progress`; display data only. */
      readonly progressText: string | null;
      /** Null where it is missing or no positive integer. */
      readonly pollAfterMs: number | null;
      /** What `succeeded` and `failed` carry; null in every other state. */
      readonly end: ExecuteReading | null;
    }
  /** The query itself failed; it says nothing about the operation. */
  | ({ readonly kind: 'error'; readonly findings: readonly Finding[] } & ProviderError)
  | { readonly kind: 'malformed'; readonly findings: readonly Finding[]; readonly problem: Problem };

export type OperationMethod = 'get_operation' | 'cancel_operation';

/** v2 4.1: `request_id` of the context must be the one of the execution. */
export function operationRequest(method: OperationMethod, context: RequestContext, operationId: string): CetpRequest {
  return request(method, context, [{ key: 'operation_id', t: 'string', v: operationId }]);
}

export function isTerminal(state: string): boolean {
  return TERMINAL.includes(state);
}

/**
 * Reads an answer to `method`. `previous` is the last state that was seen, so that one that
 * goes back, or that comes after an end, is found.
 */
export function readOperation(
  answer: Bundle | null,
  context: RequestContext,
  operationId: string,
  previous: string | null,
  method: OperationMethod = 'get_operation',
): OperationReading {
  const findings = new FindingList<V2Rule>(V2_RULES);
  const envelope = readEnvelope(answer, ['success', 'error'], findings, 'v2 4.4');
  if (envelope.kind === 'malformed') {
    return { kind: 'malformed', findings: findings.list(), problem: envelope.problem };
  }
  const { bundle, fields } = envelope;
  readEcho(fields, context, findings, envelope.kind === 'error' ? 'v2 5' : 'v2 4.4', 'must');
  if (envelope.kind === 'error') {
    const error = readV2Error(bundle, fields, findings, errorContext(context, false));
    return { kind: 'error', findings: findings.list(), ...error };
  }
  fields.extras([...ANSWER_KEYS, 'result_fd'], 'v2 4.4');
  const data = readDataObject(fields, findings, 'v2 4.4');
  if (!data.ok) return { kind: 'malformed', findings: findings.list(), problem: data.problem };
  const { object } = data;
  const id = member(object, 'operation_id');
  if (id !== operationId) {
    const actual = id === undefined ? 'missing' : excerpt(id);
    findings.add('operation-id-differs', { where: '/operation_id', params: { expected: operationId, actual } });
  }
  const written = member(object, 'state');
  if (typeof written !== 'string') {
    const actual = jsonType(written);
    findings.add('operation-state-unknown', { where: '/state', params: { actual } });
    const failure = problem('operation-state-unreadable', { actual });
    return { kind: 'malformed', findings: findings.list(), problem: failure };
  }
  const state = written.slice(0, MAX_SHOWN);
  judgeState(state, previous, method, findings);
  const poll = numberOf(member(object, 'poll_after_ms'));
  const end =
    method === 'cancel_operation' ? null : readEnd(bundle, fields, data.text, object, state, context, findings);
  return {
    kind: 'state',
    findings: findings.list(),
    state,
    progressText: memberText(data.text, 'progress')?.slice(0, 4000) ?? null,
    pollAfterMs: poll !== null && Number.isInteger(poll) && poll > 0 ? poll : null,
    end,
  };
}

/** `cancellation_requested` is the answer to a request to cancel, and no state of an operation. */
function judgeState(
  state: string,
  previous: string | null,
  method: OperationMethod,
  findings: FindingList<V2Rule>,
): void {
  if (method === 'cancel_operation') {
    if (state !== 'cancellation_requested') {
      findings.add('cancel-state-unexpected', { where: '/state', params: { actual: state } });
    }
    return;
  }
  if (!STATES.some((one) => one === state)) {
    findings.add('operation-state-unknown', { where: '/state', params: { actual: state } });
  }
  if (previous === null || previous === state || state === 'cancellation_requested') return;
  if (isTerminal(previous) || (previous === 'running' && state === 'queued')) {
    findings.add('operation-state-regressed', { where: '/state', params: { previous, state } });
  }
}

function readEnd(
  bundle: Bundle,
  fields: FieldReader,
  text: string,
  object: JsonObject,
  state: string,
  context: RequestContext,
  findings: FindingList<V2Rule>,
): ExecuteReading | null {
  if (state === 'succeeded') {
    const resultText = memberText(text, 'result');
    const parsed = resultText === null ? null : parseJson(resultText);
    if (resultText === null || parsed?.ok !== true || !isJsonObject(parsed.value.value)) {
      const actual = jsonType(member(object, 'result'));
      findings.add('operation-result-missing', { where: '/result', params: { actual } });
      return malformed(bundle, findings, 'operation-result-unreadable', { actual });
    }
    const data = { ok: true as const, text: resultText, object: parsed.value.value, duplicatePointers: [] };
    return readResult(bundle, fields, data, context.session, findings);
  }
  if (state !== 'failed') return null;
  const error = member(object, 'error');
  if (!isJsonObject(error)) {
    const actual = jsonType(error);
    findings.add('operation-error-missing', { where: '/error', params: { actual } });
    return malformed(bundle, findings, 'operation-error-unreadable', { actual });
  }
  const entries = errorEntries(error);
  const own = new FieldReader(entries, findings);
  const fieldsOf5 = readV2Error(entries, own, findings, errorContext(context, false));
  return {
    kind: 'outcome',
    outcome: { kind: 'provider-error', findings: findings.list(), bundle, ...fieldsOf5 },
  };
}

/** The members of Section 5 as the entries that a Bundle would hold, so that one reader judges both. */
function errorEntries(error: JsonObject): Bundle {
  return Object.keys(error).map((key): BundleEntry => {
    const value = member(error, key) ?? null;
    if (typeof value === 'string') return { key, t: 'string', v: value };
    if (typeof value === 'boolean') return { key, t: 'boolean', v: value };
    const number = numberOf(value);
    if (number !== null && Number.isSafeInteger(number)) return { key, t: 'long', v: String(number) };
    return { key, t: 'string', v: printJson(value) };
  });
}
