import { isJsonObject, type JsonObject, member } from '../../../base/json.ts';
import type { Bundle, BundleEntry } from '../../../model/bundle.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import type {
  CetpCodec,
  CetpRequest,
  ExecuteReading,
  ProviderInfoReading,
  RequestContext,
  ToolListReading,
} from '../codec.ts';
import { withoutDeepEntries } from '../common/deep-entries.ts';
import { type Envelope, readDataObject, readEnvelope } from '../common/envelope.ts';
import type { FieldReader } from '../common/fields.ts';
import { FindingList } from '../common/findings.ts';
import { withSourceTexts } from '../common/source-texts.ts';
import { errorProblem, readV2Error } from './errors.ts';
import { readAccepted, readResult } from './execute.ts';
import { readProviderDocument } from './provider-info.ts';
import { V2_RULES, type V2Rule } from './rules.ts';
import { readToolList } from './tools.ts';

/** CETP v2. Requests carry the common extras of 4.1, in the order of its table. */
export const v2Codec: CetpCodec = {
  protocol: 'v2',
  listTools: (context) => request('list_tools', context, []),
  providerInfo: (context) => request('get_provider_info', context, []),
  executeTool: (context, tool, argsText) =>
    request('execute_tool', context, [
      { key: 'tool_name', t: 'string', v: tool },
      { key: 'args', t: 'string', v: argsText },
      ...(context.resumeToken == null ? [] : [{ key: 'resume_token', t: 'string' as const, v: context.resumeToken }]),
    ]),
  readTools,
  readProviderInfo,
  readExecute,
};

export function request(method: string, context: RequestContext, more: readonly BundleEntry[]): CetpRequest {
  if (context.session === null) throw new Error(`v2 ${method} needs a session`);
  return {
    method,
    extras: [
      { key: 'protocol_version', t: 'int', v: 2 },
      { key: 'session_token', t: 'string', v: context.session.token },
      { key: 'request_id', t: 'string', v: context.requestId },
      { key: 'deadline_at_ms', t: 'long', v: String(context.deadlineAtMs) },
      ...more,
    ],
  };
}

function readExecute(answer: Bundle | null, context: RequestContext): ExecuteReading {
  const findings = new FindingList<V2Rule>(V2_RULES);
  const envelope = readEnvelope(answer, ['success', 'accepted', 'error'], findings, 'v2 4.2');
  if (envelope.kind === 'malformed') return malformedOutcome(envelope.bundle, findings, envelope.problem);
  const { bundle, fields } = envelope;
  if (envelope.kind === 'error') {
    readEcho(fields, context, findings, 'v2 5', 'must');
    const error = readV2Error(bundle, fields, findings, errorContext(context, true));
    return { kind: 'outcome', outcome: { kind: 'provider-error', findings: findings.list(), bundle, ...error } };
  }
  readEcho(fields, context, findings, envelope.kind === 'success' ? 'v2 4.2' : 'v2 4.4', 'must');
  fields.extras([...ANSWER_KEYS, 'result_fd'], 'v2 4.2');
  const data = readDataObject(fields, findings, 'v2 4.2');
  if (envelope.kind === 'accepted') return readAccepted(bundle, data, context, findings);
  if (!data.ok) return malformedOutcome(bundle, findings, data.problem);
  return readResult(bundle, fields, data, context.session, findings);
}

function readTools(answer: Bundle | null, context: RequestContext): ToolListReading {
  const findings = new FindingList<V2Rule>(V2_RULES);
  const list = withoutDeepEntries(answer);
  const document = readDocument(list.answer, context, findings, 'v2 3.3', 'tools');
  if (!document.ok) return { tools: [], revision: null, findings: findings.list(), problem: document.problem };
  const capabilities = context.session?.capabilities ?? [];
  const { tools, revision, readable } = readToolList(document.object, capabilities, findings, list.unread);
  return {
    tools: withSourceTexts(tools, answer, list.unread),
    revision,
    findings: findings.list(),
    problem: readable ? null : problem('tools-unreadable'),
  };
}

function readProviderInfo(answer: Bundle | null, context: RequestContext): ProviderInfoReading {
  const findings = new FindingList<V2Rule>(V2_RULES);
  const document = readDocument(answer, context, findings, 'v2 3.2', 'provider_id');
  if (!document.ok) return { info: null, findings: findings.list(), problem: document.problem };
  const identity = { packageName: packageOf(context), providerId: context.session?.providerId ?? null };
  const info = readProviderDocument(document.object, identity, findings);
  return { info: { ...info, findings: findings.list() }, findings: findings.list(), problem: null };
}

export const ANSWER_KEYS = ['status', 'protocol_version', 'request_id', 'data'];

type DocumentReading =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly problem: Problem };

/**
 * The document of a list or a description. 3.2 and 3.3 show it bare and say
 * nothing of the echo, so a missing echo is lenient here, and a document inside
 * the inline envelope of 4.2 (seen by its missing `mark`) is taken out of it.
 */
function readDocument(
  answer: Bundle | null,
  context: RequestContext,
  findings: FindingList<V2Rule>,
  clause: string,
  mark: string,
): DocumentReading {
  const envelope: Envelope = readEnvelope(answer, ['success', 'error'], findings, clause);
  if (envelope.kind === 'malformed') return { ok: false, problem: envelope.problem };
  const { bundle, fields } = envelope;
  if (envelope.kind === 'error') {
    readEcho(fields, context, findings, 'v2 5', 'must');
    const error = readV2Error(bundle, fields, findings, errorContext(context, false));
    return {
      ok: false,
      problem: errorProblem('provider-answered-error', error, bundle),
    };
  }
  readEcho(fields, context, findings, 'v2 4.2', 'lenient');
  fields.extras(ANSWER_KEYS, clause);
  const data = readDataObject(fields, findings, clause);
  if (!data.ok) return data;
  const inner = member(data.object, 'value');
  if (member(data.object, mark) === undefined && member(data.object, 'kind') === 'inline' && isJsonObject(inner)) {
    findings.add('document-wrapped', { where: '/value', clause });
    return { ok: true, object: inner };
  }
  return { ok: true, object: data.object };
}

/** v2 4.2 and 5: each answer names the version and the request that it belongs to. */
export function readEcho(
  fields: FieldReader,
  context: RequestContext,
  findings: FindingList<V2Rule>,
  clause: string,
  absence: 'must' | 'lenient',
): void {
  const version = fields.int({ key: 'protocol_version', required: true, clause, absence });
  if (version !== null && version !== 2) {
    findings.add('echo-version-differs', { clause, where: 'protocol_version', params: { actual: version } });
  }
  const id = fields.string({ key: 'request_id', required: true, clause, absence });
  if (id !== null && id !== context.requestId) {
    const params = { expected: context.requestId, actual: id.slice(0, 100) };
    findings.add('echo-request-id-differs', { clause, where: 'request_id', params });
  }
}

export function errorContext(context: RequestContext, resumable: boolean) {
  return { resumable, packageName: packageOf(context), providerId: context.session?.providerId ?? null };
}

function packageOf(context: RequestContext): string | null {
  return context.packageName ?? null;
}

function malformedOutcome(bundle: Bundle | null, findings: FindingList<V2Rule>, failure: Problem): ExecuteReading {
  return { kind: 'outcome', outcome: { kind: 'malformed', findings: findings.list(), bundle, problem: failure } };
}
