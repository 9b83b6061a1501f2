import { cutText, parseJson } from '../../../base/json.ts';
import { type Bundle, entryOf } from '../../../model/bundle.ts';
import type { CallOutcome } from '../../../model/call.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import { describeFault, rawError } from '../common/envelope.ts';
import type { FieldReader } from '../common/fields.ts';
import type { FindingList } from '../common/findings.ts';
import type { V2Rule } from './rules.ts';
import { stackFrame } from './stack-frames.ts';

/** The table of v2 5: whether a code may be retried. */
export const V2_ERROR_CODES = {
  UNSUPPORTED_VERSION: 'no',
  UNSUPPORTED_CAPABILITY: 'no',
  NEGOTIATION_REQUIRED: 'yes',
  AUTH_REQUIRED: 'conditional',
  USER_ACTION_REQUIRED: 'conditional',
  USER_CANCELLED: 'no',
  PERMISSION_DENIED: 'no',
  TOOL_NOT_FOUND: 'no',
  METHOD_NOT_FOUND: 'no',
  INVALID_ARGS: 'no',
  INVALID_REQUEST: 'no',
  CONFLICT: 'conditional',
  RATE_LIMITED: 'yes',
  DEADLINE_EXCEEDED: 'conditional',
  CANCELLED: 'no',
  RESULT_TOO_LARGE: 'no',
  RESULT_EXPIRED: 'no',
  UNAVAILABLE: 'yes',
  INTERNAL_ERROR: 'conditional',
} as const satisfies Record<string, 'yes' | 'no' | 'conditional'>;
export type V2ErrorCode = keyof typeof V2_ERROR_CODES;

export function isV2ErrorCode(code: string): code is V2ErrorCode {
  return Object.hasOwn(V2_ERROR_CODES, code);
}

export interface ErrorContext {
  /** Whether 4.3 asks for `resolution` and `resume_token`: only an execution can be resumed. */
  readonly resumable: boolean;
  /** The Provider's package; null where only its id is known. */
  readonly packageName: string | null;
  readonly providerId: string | null;
}

export type ProviderError = Omit<Extract<CallOutcome, { kind: 'provider-error' }>, 'findings' | 'kind' | 'bundle'>;

const KEYS = ['status', 'protocol_version', 'request_id', 'error_code', 'error_message', 'retryable'];
const OPTIONAL = ['error_details', 'retry_after_ms', 'resolution', 'resume_token'];

/** The error model of v2 5 and the resolution of 4.3. The echo is read by the caller. */
export function readV2Error(
  bundle: Bundle,
  fields: FieldReader,
  findings: FindingList<V2Rule>,
  context: ErrorContext,
): ProviderError {
  const clause = 'v2 5';
  const code = fields.string({ key: 'error_code', required: true, clause });
  const message = fields.string({ key: 'error_message', required: true, clause });
  const retryable = fields.boolean({ key: 'retryable', required: true, clause });
  const retryAfterMs = fields.long({ key: 'retry_after_ms', required: false, clause });
  const detailsText = fields.string({ key: 'error_details', required: false, clause });
  checkCode(code, retryable, findings);
  if (retryAfterMs !== null && BigInt(retryAfterMs) < 0n) {
    findings.add('retry-after-negative', { where: 'retry_after_ms', params: { value: retryAfterMs } });
  }
  if (detailsText !== null) checkDetails(detailsText, findings);
  checkWords({ error_message: message, error_details: detailsText }, findings);
  fields.extras([...KEYS, ...OPTIONAL, 'authorize_intent'], clause);
  const hasResolution = checkResolution(bundle, fields, findings, code, context);
  return {
    errorCode: code ?? '',
    known: code !== null && isV2ErrorCode(code),
    errorMessage: message,
    retryable,
    retryAfterMs,
    detailsText,
    resolutionHint: textOf(bundle, 'resolution_hint'),
    authorizeIntent: textOf(bundle, 'authorize_intent'),
    hasResolution,
  };
}

/** The error as what kept a list or a session from being had: nothing that v2 5 lets it say is lost. */
export function errorProblem(code: string, error: ProviderError, bundle: Bundle): Problem {
  const { errorCode, retryable, retryAfterMs, detailsText } = error;
  const params = {
    code: errorCode.slice(0, 100),
    ...(retryable === null ? {} : { retryable: String(retryable) }),
    ...(retryAfterMs === null ? {} : { retry_after_ms: retryAfterMs }),
    ...(detailsText === null ? {} : { error_details: cutText(detailsText, 2000) }),
  };
  return problem(code, params, rawError(bundle));
}

function checkCode(code: string | null, retryable: boolean | null, findings: FindingList<V2Rule>): void {
  if (code === null) return;
  if (code === '') findings.add('error-code-empty', { where: 'error_code' });
  else if (!isV2ErrorCode(code)) {
    findings.add('error-code-unknown', { where: 'error_code', params: { code: code.slice(0, 100) } });
  } else {
    const table = V2_ERROR_CODES[code];
    if (retryable !== null && table !== 'conditional' && retryable !== (table === 'yes')) {
      findings.add('retryable-contradicts-table', {
        where: 'retryable',
        params: { code, declared: String(retryable), table },
      });
    }
  }
}

/** An error is safe to display and shows no stack. */
function checkWords(texts: Readonly<Record<string, string | null>>, findings: FindingList<V2Rule>): void {
  for (const [where, text] of Object.entries(texts)) {
    const frame = stackFrame(text ?? '');
    if (frame !== null) findings.add('error-stack-trace', { where, params: { frame } });
  }
}

function checkDetails(text: string, findings: FindingList<V2Rule>): void {
  const parsed = parseJson(text);
  if (parsed.ok) return;
  const detail = { where: 'error_details', params: { message: describeFault(parsed.error) } };
  findings.add(parsed.error.code === 'syntax' ? 'error-details-not-json' : 'data-over-limit', detail);
}

function checkResolution(
  bundle: Bundle,
  fields: FieldReader,
  findings: FindingList<V2Rule>,
  code: string | null,
  context: ErrorContext,
): boolean {
  const clause = 'v2 4.3';
  const required = context.resumable && (code === 'AUTH_REQUIRED' || code === 'USER_ACTION_REQUIRED');
  if (entryOf(bundle, 'authorize_intent') !== undefined)
    findings.add('v1-authorize-intent', { where: 'authorize_intent' });
  const token = fields.string({ key: 'resume_token', required, clause });
  if (token === '') findings.add('resume-token-empty', { where: 'resume_token' });
  const resolution = fields.object({ key: 'resolution', required, clause }, 'pendingIntent');
  if (resolution === null) return false;
  if (resolution === 'untyped') return true;
  const { creatorPackage, immutable, kind } = resolution.v;
  if (immutable === false) findings.add('resolution-mutable', { where: 'resolution' });
  if (kind !== null && kind !== 'activity') {
    findings.add('resolution-not-activity', { where: 'resolution', params: { kind } });
  }
  if (creatorPackage !== null && isForeign(creatorPackage, context)) {
    findings.add('resolution-foreign', { where: 'resolution', params: { creator: creatorPackage } });
  }
  return true;
}

function isForeign(creator: string, context: ErrorContext): boolean {
  if (context.packageName !== null) return creator !== context.packageName;
  if (context.providerId === null) return false;
  return context.providerId !== creator && !context.providerId.startsWith(`${creator}.`);
}

function textOf(bundle: Bundle, key: string): string | null {
  const entry = entryOf(bundle, key);
  return entry?.t === 'string' || entry?.t === 'text' ? entry.v : null;
}
