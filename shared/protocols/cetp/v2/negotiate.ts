import { excerpt, isJsonObject, type Json, type JsonObject, member, numberOf, utf8Length } from '../../../base/json.ts';
import type { Bundle } from '../../../model/bundle.ts';
import type { Finding } from '../../../model/finding.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import type { Limits, Session } from '../../../model/session.ts';
import type { CetpRequest, OpenSession } from '../codec.ts';
import { jsonType, readDataObject, readEnvelope } from '../common/envelope.ts';
import { FindingList } from '../common/findings.ts';
import { errorProblem, readV2Error } from './errors.ts';
import { CAPABILITIES, CONSUMER_VERSIONS, isWithinNamespace } from './names.ts';
import { V2_RULES, type V2Rule } from './rules.ts';

/** The fields of a `Session` that the Provider's answer decides. */
type SessionFields = Pick<
  Session,
  | 'offeredVersions'
  | 'offeredCapabilities'
  | 'selectedVersion'
  | 'providerId'
  | 'providerName'
  | 'capabilities'
  | 'otherCapabilities'
  | 'limits'
  | 'expiresAtMs'
  | 'tokenBytes'
  | 'findings'
  | 'problem'
>;

export interface NegotiationReading extends SessionFields {
  /** Null: unusable, `problem` says why. There is no way from here to v1 (v2 8). */
  readonly session: OpenSession | null;
}

/** What the request offers, in the order that it is sent in. */
export interface Offer {
  readonly versions: readonly number[];
  readonly capabilities: readonly string[];
}
export const FULL_OFFER: Offer = { versions: CONSUMER_VERSIONS, capabilities: CAPABILITIES };

/** v2 2.2: the request that opens a session; the only v2 call without the common extras of 4.1. */
export function negotiateRequest(offer: Offer = FULL_OFFER): CetpRequest {
  return {
    method: 'negotiate',
    extras: [
      { key: 'consumer_versions', t: 'int[]', v: [...offer.versions] },
      { key: 'consumer_capabilities', t: 'string', v: JSON.stringify(offer.capabilities) },
    ],
  };
}

/** A MUST that leaves the session usable: the point is ignored for use, or only shown. */
const USABLE: readonly V2Rule[] = ['capability-not-offered', 'provider-name-missing', 'bundle-key-extra'];

/**
 * Reads the answer to `negotiate`. Every violation is listed, not only the
 * first. `packageName` is the Provider's, for the namespace of v2 3.1; null
 * where it is unknown. `nowMs` is in epoch ms.
 */
export function readNegotiation(
  answer: Bundle | null,
  nowMs: number,
  packageName: string | null = null,
  offer: Offer = FULL_OFFER,
): NegotiationReading {
  const reading = readAnswer(answer, nowMs, packageName, offer);
  return { ...reading, offeredVersions: [...offer.versions], offeredCapabilities: [...offer.capabilities] };
}

function readAnswer(
  answer: Bundle | null,
  nowMs: number,
  packageName: string | null,
  offer: Offer,
): NegotiationReading {
  const findings = new FindingList<V2Rule>(V2_RULES);
  const clause = 'v2 2.2';
  const envelope = readEnvelope(answer, ['success', 'error'], findings, clause);
  if (envelope.kind === 'malformed') return failed(findings, envelope.problem);
  const { bundle, fields } = envelope;
  if (envelope.kind === 'error') {
    const error = readV2Error(bundle, fields, findings, { resumable: false, packageName, providerId: null });
    const code = error.errorCode === 'UNSUPPORTED_VERSION' ? 'negotiation-no-common-version' : 'negotiation-refused';
    return failed(findings, errorProblem(code, error, bundle));
  }
  fields.extras(['status', 'data', 'protocol_version', 'request_id'], clause);
  const data = readDataObject(fields, findings, clause);
  // The text of a broken document may still hold the token.
  if (!data.ok) return failed(findings, { ...data.problem, raw: null });
  return readDocument(data.object, nowMs, packageName, offer, findings);
}

function readDocument(
  object: JsonObject,
  nowMs: number,
  packageName: string | null,
  offer: Offer,
  findings: FindingList<V2Rule>,
): NegotiationReading {
  const selectedVersion = readVersion(member(object, 'selected_version'), offer, findings);
  if (selectedVersion === 1 && offer.versions.includes(1)) {
    if (offer.versions.includes(2)) findings.add('selected-version-one', { where: '/selected_version' });
    return { ...failed(findings, problem('negotiation-selected-v1')), selectedVersion };
  }
  const providerId = readProviderId(member(object, 'provider_id'), packageName, findings);
  const providerName = text(member(object, 'provider_name'));
  if (providerName === null) {
    findings.add('provider-name-missing', {
      where: '/provider_name',
      params: { actual: jsonType(member(object, 'provider_name')) },
    });
  }
  const token = readToken(member(object, 'session_token'), findings);
  const expiry = readExpiry(member(object, 'expires_at'), nowMs, findings);
  const { capabilities, otherCapabilities } = readCapabilities(member(object, 'capabilities'), offer, findings);
  const limits = readLimits(member(object, 'limits'), findings);
  const broken = findings.list().filter(isFatal);
  const failure = broken.length === 0 ? null : failureOf(broken, expiry);
  return {
    ...nothing(),
    selectedVersion,
    providerId,
    providerName,
    capabilities,
    otherCapabilities,
    limits,
    expiresAtMs: expiry.atMs,
    tokenBytes: token === null ? null : utf8Length(token),
    findings: findings.list(),
    problem: failure,
    session: failure === null && token !== null ? { token, providerId, capabilities, limits } : null,
  };
}

function isFatal(finding: Finding): boolean {
  return finding.severity === 'must' && !USABLE.some((rule) => rule === finding.rule);
}

function failureOf(broken: readonly Finding[], expiry: Expiry): Problem {
  if (broken.length === 1 && expiry.past) return problem('negotiation-expired', {}, expiry.text);
  const rules = [...new Set(broken.map((finding) => finding.rule))];
  return problem('negotiation-invalid', { count: broken.length, rules: rules.join(', ') });
}

function readVersion(value: Json | undefined, offer: Offer, findings: FindingList<V2Rule>): number | null {
  const where = '/selected_version';
  if (value === undefined) {
    findings.add('selected-version-missing', { where });
    return null;
  }
  const number = numberOf(value);
  if (number === null || !Number.isInteger(number)) {
    findings.add('selected-version-invalid', { where, params: { value: excerpt(value) } });
    return null;
  }
  if (!offer.versions.includes(number)) {
    findings.add('selected-version-not-offered', { where, params: { value: excerpt(value) } });
  }
  return number;
}

function readProviderId(value: Json | undefined, packageName: string | null, findings: FindingList<V2Rule>) {
  const where = '/provider_id';
  const id = text(value);
  if (id === null || id === '') {
    findings.add('provider-id-missing', {
      where,
      clause: 'v2 2.2',
      params: { actual: id === '' ? 'empty' : jsonType(value) },
    });
  } else if (packageName !== null && !isWithinNamespace(id, packageName)) {
    findings.add('provider-id-namespace', { where, params: { id: id.slice(0, 300), package: packageName } });
  }
  return id;
}

const MAX_TOKEN_BYTES = 256;
/** Fewer bytes than this cannot hold 128 bits. */
const SHORT_TOKEN_BYTES = 16;

function readToken(value: Json | undefined, findings: FindingList<V2Rule>): string | null {
  const where = '/session_token';
  const token = text(value);
  if (token === null || token === '') {
    findings.add('token-missing', { where, params: { actual: token === '' ? 'empty' : jsonType(value) } });
    return null;
  }
  const bytes = utf8Length(token);
  if (bytes > MAX_TOKEN_BYTES) {
    findings.add('token-too-long', { where, params: { bytes, limit: MAX_TOKEN_BYTES } });
  } else if (bytes < SHORT_TOKEN_BYTES) findings.add('token-short', { where, params: { bytes } });
  return token;
}

interface Expiry {
  readonly atMs: number | null;
  readonly past: boolean;
  readonly text: string | null;
}

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

function readExpiry(value: Json | undefined, nowMs: number, findings: FindingList<V2Rule>): Expiry {
  const where = '/expires_at';
  if (value === undefined) {
    findings.add('expiry-absent', { where });
    return { atMs: null, past: false, text: null };
  }
  const shown = text(value)?.slice(0, 100) ?? null;
  const atMs = shown === null ? null : instantOf(shown);
  if (atMs === null) {
    findings.add('expiry-invalid', { where, params: { value: excerpt(value) } });
    return { atMs: null, past: false, text: shown };
  }
  const past = atMs <= nowMs;
  if (past) findings.add('expiry-past', { where, params: { value: shown ?? '' } });
  return { atMs, past, text: shown };
}

/** Epoch ms of an RFC 3339 time with its zone; null for anything else, such as 30 February. */
function instantOf(value: string): number | null {
  const local = RFC3339.exec(value)?.[1];
  if (local === undefined) return null;
  const asUtc = Date.parse(`${local.toUpperCase()}Z`);
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local.toUpperCase())) return null;
  const atMs = Date.parse(value.toUpperCase());
  return Number.isNaN(atMs) ? null : atMs;
}

function readCapabilities(value: Json | undefined, offer: Offer, findings: FindingList<V2Rule>) {
  const where = '/capabilities';
  const capabilities = new Set<string>();
  const otherCapabilities = new Set<string>();
  const reading = () => ({ capabilities: [...capabilities], otherCapabilities: [...otherCapabilities] });
  if (!Array.isArray(value)) {
    findings.add('capabilities-invalid', { where, params: { actual: jsonType(value) } });
    return reading();
  }
  for (const [index, item] of (value as readonly Json[]).entries()) {
    const at = `${where}/${index}`;
    if (typeof item !== 'string') {
      findings.add('capabilities-invalid', { where: at, params: { actual: jsonType(item) } });
      continue;
    }
    const list = offer.capabilities.includes(item) ? capabilities : otherCapabilities;
    const params = { capability: item.slice(0, 100) };
    if (list.has(item)) findings.add('capability-repeated', { where: at, params });
    else {
      list.add(item);
      if (list === otherCapabilities) findings.add('capability-not-offered', { where: at, params });
    }
  }
  return reading();
}

const LIMITS = [
  ['maxRequestBytes', 'max_request_bytes', 65_536],
  ['maxInlineResultBytes', 'max_inline_result_bytes', 262_144],
  ['maxConcurrentRequests', 'max_concurrent_requests', 1],
  ['idempotencyWindowSeconds', 'idempotency_window_seconds', 86_400],
] as const;

function readLimits(value: Json | undefined, findings: FindingList<V2Rule>): Limits {
  const limits: Limits = noLimits();
  if (!isJsonObject(value)) {
    findings.add('limits-missing', { where: '/limits', params: { actual: jsonType(value) } });
    return limits;
  }
  for (const [field, key, minimum] of LIMITS) {
    const where = `/limits/${key}`;
    const item = member(value, key);
    const number = numberOf(item);
    if (number === null || !Number.isInteger(number)) {
      const actual = item === undefined ? 'missing' : excerpt(item);
      findings.add('limit-invalid', { where, params: { limit: key, actual } });
      continue;
    }
    limits[field] = number;
    if (number < minimum) findings.add('limit-too-small', { where, params: { limit: key, value: number, minimum } });
  }
  return limits;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function noLimits(): Limits {
  return {
    maxRequestBytes: null,
    maxInlineResultBytes: null,
    maxConcurrentRequests: null,
    idempotencyWindowSeconds: null,
  };
}

function nothing(): Omit<NegotiationReading, 'findings' | 'problem' | 'session'> {
  return {
    offeredVersions: [...CONSUMER_VERSIONS],
    offeredCapabilities: [...CAPABILITIES],
    selectedVersion: null,
    providerId: null,
    providerName: null,
    capabilities: [],
    otherCapabilities: [],
    limits: noLimits(),
    expiresAtMs: null,
    tokenBytes: null,
  };
}

function failed(findings: FindingList<V2Rule>, failure: Problem): NegotiationReading {
  return { ...nothing(), findings: findings.list(), problem: failure, session: null };
}
