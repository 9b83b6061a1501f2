import { excerpt, isJsonObject, type Json, type JsonObject, member } from '../../../base/json.ts';
import { type Bundle, entryOf } from '../../../model/bundle.ts';
import type { CallOutcome } from '../../../model/call.ts';
import type { ProviderInfo, Scope } from '../../../model/catalog.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import type { CetpCodec, ExecuteReading, ProviderInfoReading, ToolListReading } from '../codec.ts';
import { withoutDeepEntries } from '../common/deep-entries.ts';
import { jsonType, rawError, readData, readDataObject, readEnvelope } from '../common/envelope.ts';
import type { FieldReader } from '../common/fields.ts';
import { FindingList } from '../common/findings.ts';
import { withSourceTexts } from '../common/source-texts.ts';
import { V1_RULES, type V1Rule } from './rules.ts';
import { readV1Tools } from './tools.ts';

const CLAUSE = 'v1 2.3';

/** v1 2.4. */
export const V1_ERROR_CODES = [
  'AUTH_REQUIRED',
  'PERMISSION_DENIED',
  'TOOL_NOT_FOUND',
  'INVALID_ARGS',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const;

/** CETP v1: lists go without extras, an execution with three strings (v1 2.3). */
export const v1Codec: CetpCodec = {
  protocol: 'v1',
  listTools: () => ({ method: 'list_tools', extras: null }),
  providerInfo: () => ({ method: 'get_provider_info', extras: null }),
  executeTool: (context, tool, argsText) => ({
    method: 'execute_tool',
    extras: [
      { key: 'tool_name', t: 'string', v: tool },
      { key: 'args', t: 'string', v: argsText },
      { key: 'request_id', t: 'string', v: context.requestId },
    ],
  }),
  readTools,
  readProviderInfo,
  readExecute,
};

/** `data` may be any JSON: there is no schema to check, and the value is the whole text as it came. */
function readExecute(answer: Bundle | null): ExecuteReading {
  const findings = new FindingList<V1Rule>(V1_RULES);
  const envelope = readEnvelope(answer, ['success', 'error'], findings, CLAUSE);
  if (envelope.kind === 'malformed') return malformedOutcome(envelope.bundle, findings, envelope.problem);
  const { bundle, fields } = envelope;
  if (envelope.kind === 'error') {
    const error = readError(bundle, fields, findings);
    return { kind: 'outcome', outcome: { kind: 'provider-error', findings: findings.list(), bundle, ...error } };
  }
  fields.extras(['status', 'data'], CLAUSE);
  const data = readData(fields, findings, CLAUSE);
  if (!data.ok) return malformedOutcome(bundle, findings, data.problem);
  return { kind: 'value', findings: findings.list(), valueText: data.text };
}

type ProviderError = Omit<Extract<CallOutcome, { kind: 'provider-error' }>, 'findings' | 'kind' | 'bundle'>;

function readError(bundle: Bundle, fields: FieldReader, findings: FindingList<V1Rule>): ProviderError {
  const code = fields.string({ key: 'error_code', required: true, clause: CLAUSE });
  const message = fields.string({ key: 'error_message', required: true, clause: CLAUSE });
  const resolutionHint = fields.string({ key: 'resolution_hint', required: false, clause: CLAUSE });
  const authorizeIntent = fields.string({ key: 'authorize_intent', required: false, clause: CLAUSE });
  const known = V1_ERROR_CODES.some((name) => name === code);
  if (code === '') findings.add('error-code-empty', { where: 'error_code' });
  else if (code !== null && !known) {
    findings.add('error-code-unknown', { where: 'error_code', params: { code: code.slice(0, 100) } });
  }
  for (const key of ['resolution_hint', 'authorize_intent']) {
    if (code !== 'AUTH_REQUIRED' && entryOf(bundle, key) !== undefined) {
      findings.add('v1-hint-misplaced', { where: key, params: { key } });
    }
  }
  fields.extras(['status', 'error_code', 'error_message', 'resolution_hint', 'authorize_intent'], CLAUSE);
  return {
    errorCode: code ?? '',
    known,
    errorMessage: message,
    retryable: null,
    retryAfterMs: null,
    detailsText: null,
    resolutionHint,
    authorizeIntent,
    hasResolution: false,
  };
}

function readTools(answer: Bundle | null): ToolListReading {
  const findings = new FindingList<V1Rule>(V1_RULES);
  const list = withoutDeepEntries(answer);
  const document = readDocument(list.answer, findings);
  if (!document.ok) return { tools: [], revision: null, findings: findings.list(), problem: document.problem };
  const tools = readV1Tools(document.object, findings, list.unread);
  return {
    tools: withSourceTexts(tools ?? [], answer, list.unread),
    revision: null,
    findings: findings.list(),
    problem: tools === null ? problem('tools-unreadable') : null,
  };
}

/** Optional in v1: a Provider without it answers `TOOL_NOT_FOUND` (v1 2.5), which is a problem of its own. */
function readProviderInfo(answer: Bundle | null): ProviderInfoReading {
  const findings = new FindingList<V1Rule>(V1_RULES);
  const document = readDocument(answer, findings);
  if (!document.ok) {
    const absent = document.problem.params['code'] === 'TOOL_NOT_FOUND';
    const failure = absent ? problem('provider-info-optional', {}, document.problem.raw) : document.problem;
    return { info: null, findings: findings.list(), problem: failure };
  }
  const info = readInfo(document.object, findings);
  return { info: { ...info, findings: findings.list() }, findings: findings.list(), problem: null };
}

type DocumentReading =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly problem: Problem };

function readDocument(answer: Bundle | null, findings: FindingList<V1Rule>): DocumentReading {
  const envelope = readEnvelope(answer, ['success', 'error'], findings, CLAUSE);
  if (envelope.kind === 'malformed') return { ok: false, problem: envelope.problem };
  const { bundle, fields } = envelope;
  if (envelope.kind === 'error') {
    const code = readError(bundle, fields, findings).errorCode.slice(0, 100);
    return { ok: false, problem: problem('provider-answered-error', { code }, rawError(bundle)) };
  }
  fields.extras(['status', 'data'], CLAUSE);
  return readDataObject(fields, findings, CLAUSE);
}

function readInfo(document: JsonObject, findings: FindingList<V1Rule>): ProviderInfo {
  return {
    providerId: null,
    providerName: readMember(document, 'provider_name', '', 'info', findings),
    description: readMember(document, 'description', '', 'info', findings),
    schemaDialect: null,
    scopes: readScopes(member(document, 'scopes'), findings),
    findings: [],
  };
}

function readScopes(value: Json | undefined, findings: FindingList<V1Rule>): Scope[] {
  if (!Array.isArray(value)) {
    findings.add('scopes-not-array', { where: '/scopes', params: { actual: jsonType(value) } });
    return [];
  }
  const scopes: Scope[] = [];
  for (const [index, entry] of (value as readonly Json[]).entries()) {
    const where = `/scopes/${index}`;
    if (!isJsonObject(entry)) {
      findings.add('scope-not-object', { where, params: { actual: excerpt(entry) } });
      continue;
    }
    scopes.push({
      name: readMember(entry, 'name', where, 'scope', findings) ?? '',
      title: null,
      description: readMember(entry, 'description', where, 'scope', findings),
      access: null,
      sensitivity: null,
    });
  }
  return scopes;
}

function readMember(
  object: JsonObject,
  key: string,
  parent: string,
  kind: 'info' | 'scope',
  findings: FindingList<V1Rule>,
): string | null {
  const value = member(object, key);
  if (typeof value === 'string') return value;
  const where = `${parent}/${key}`;
  if (value === undefined) findings.add(`${kind}-member-missing`, { where, params: { member: key } });
  else {
    const params = { member: key, expected: 'string', actual: jsonType(value) };
    findings.add(`${kind}-member-type`, { where, params });
  }
  return null;
}

function malformedOutcome(bundle: Bundle | null, findings: FindingList<V1Rule>, failure: Problem): ExecuteReading {
  return { kind: 'outcome', outcome: { kind: 'malformed', findings: findings.list(), bundle, problem: failure } };
}
