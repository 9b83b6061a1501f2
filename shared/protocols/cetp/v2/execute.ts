import { excerpt, isJsonObject, type JsonObject, member, numberOf, utf8Length } from '../../../base/json.ts';
import { memberText } from '../../../base/json-text.ts';
import { type Bundle, entryOf } from '../../../model/bundle.ts';
import { problem } from '../../../model/problem.ts';
import type { ExecuteReading, OpenSession, RequestContext } from '../codec.ts';
import { jsonType, type ObjectReading } from '../common/envelope.ts';
import type { FieldReader } from '../common/fields.ts';
import type { FindingList } from '../common/findings.ts';
import type { V2Rule } from './rules.ts';

/** The result envelope of v2 4.2 and 4.5 in a success answer. */
export function readResult(
  bundle: Bundle,
  fields: FieldReader,
  data: Extract<ObjectReading, { ok: true }>,
  session: OpenSession | null,
  findings: FindingList<V2Rule>,
): ExecuteReading {
  const kind = member(data.object, 'kind');
  if (kind === 'file') return readFile(fields, data.object, session, findings);
  if (kind !== 'inline') {
    const actual = kind === undefined ? 'missing' : excerpt(kind);
    findings.add('result-kind-invalid', { where: '/kind', params: { actual } });
    return malformed(bundle, findings, 'answer-result-kind', { kind: actual });
  }
  const valueText = memberText(data.text, 'value');
  if (valueText === null) {
    findings.add('result-value-missing', { where: '/value' });
    return malformed(bundle, findings, 'answer-result-value', {});
  }
  const limit = session?.limits.maxInlineResultBytes ?? null;
  const bytes = utf8Length(valueText);
  if (limit !== null && bytes > limit) {
    findings.add('inline-too-large', { where: '/value', params: { bytes, limit } });
  }
  if (entryOf(bundle, 'result_fd') !== undefined) findings.add('fd-with-inline', { where: 'result_fd' });
  return { kind: 'value', findings: findings.list(), valueText };
}

function readFile(
  fields: FieldReader,
  object: JsonObject,
  session: OpenSession | null,
  findings: FindingList<V2Rule>,
): ExecuteReading {
  if (!(session?.capabilities.includes('large_results') ?? false))
    findings.add('file-not-negotiated', { where: '/kind' });
  const fd = fields.object({ key: 'result_fd', required: true, clause: 'v2 4.5' }, 'fd');
  const mediaType = member(object, 'media_type');
  const size = member(object, 'size_bytes');
  const sha256 = member(object, 'sha256');
  const invalid = (name: string, actual: string) =>
    findings.add('file-member-invalid', { where: `/${name}`, params: { member: name, actual } });
  if (typeof mediaType !== 'string') invalid('media_type', jsonType(mediaType));
  else if (!/^application\/json\s*(;|$)/i.test(mediaType)) {
    findings.add('file-media-type', { where: '/media_type', params: { mediaType: excerpt(mediaType) } });
  }
  const bytes = numberOf(size);
  if (size === undefined || bytes === null || !Number.isInteger(bytes) || bytes < 0) {
    invalid('size_bytes', size === undefined ? 'missing' : excerpt(size));
  } else if (fd !== null && fd !== 'untyped' && fd.v.size >= 0 && fd.v.size !== bytes) {
    findings.add('file-size-differs', { where: '/size_bytes', params: { declared: excerpt(size), actual: fd.v.size } });
  }
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
    invalid('sha256', sha256 === undefined ? 'missing' : excerpt(sha256));
  }
  return {
    kind: 'file',
    findings: findings.list(),
    file: {
      mediaType: typeof mediaType === 'string' ? mediaType : null,
      sizeBytes: numberOf(size) === null ? null : String(size),
      sha256: typeof sha256 === 'string' ? sha256 : null,
    },
    handle: fd === null || fd === 'untyped' ? null : fd.v.handle,
  };
}

/** v2 4.4: the first answer of a background operation. Kept as it came even where it was not negotiated. */
export function readAccepted(
  bundle: Bundle,
  data: ObjectReading,
  { session, execution }: RequestContext,
  findings: FindingList<V2Rule>,
): ExecuteReading {
  if (!(session?.capabilities.includes('async_operations') ?? false)) {
    findings.add('accepted-not-negotiated', { where: 'status' });
  }
  if (execution === 'sync') findings.add('accepted-by-sync-tool', { where: 'status' });
  const object: JsonObject = data.ok && isJsonObject(data.object) ? data.object : {};
  const id = member(object, 'operation_id');
  const operationId = typeof id === 'string' && id !== '' ? id : null;
  if (operationId === null) {
    findings.add('operation-id-missing', {
      where: '/operation_id',
      params: { actual: id === '' ? 'empty' : jsonType(id) },
    });
  }
  const poll = member(object, 'poll_after_ms');
  const pollAfterMs = numberOf(poll);
  if (pollAfterMs === null || !Number.isInteger(pollAfterMs) || pollAfterMs <= 0) {
    const actual = poll === undefined ? 'missing' : excerpt(poll);
    findings.add('poll-after-unusable', { where: '/poll_after_ms', params: { actual } });
  }
  return {
    kind: 'outcome',
    outcome: { kind: 'accepted', findings: findings.list(), bundle, operationId, pollAfterMs },
  };
}

export function malformed(
  bundle: Bundle | null,
  findings: FindingList<V2Rule>,
  code: string,
  params: Record<string, string | number>,
): ExecuteReading {
  return {
    kind: 'outcome',
    outcome: { kind: 'malformed', findings: findings.list(), bundle, problem: problem(code, params) },
  };
}
