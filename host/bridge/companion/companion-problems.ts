import { type Json, member, printJson } from '../../../shared/base/json.ts';
import { type Problem, problem } from '../../../shared/model/problem.ts';
import type { WireError } from '../../../shared/protocols/companion/frames.ts';

/** Codes of the protocol (section 5) that have a text of their own, `problem.companion.<code>`. */
const known = new Set([
  'UNKNOWN_AUTHORITY',
  'SECURITY',
  'DEAD_PROVIDER',
  'REQUEST_TOO_LARGE',
  'REPLY_TOO_LARGE',
  'PROVIDER_EXCEPTION',
  'TIMEOUT',
  'CANCELLED',
  'STALE_HANDLE',
  'TOO_MANY_HANDLES',
  'NOT_ACTIVITY',
  'INTENT_CANCELED',
  'ACTIVITY_NOT_FOUND',
  'LAUNCH_BLOCKED',
  'BUSY',
  'BAD_PARAMS',
  'UNKNOWN_OP',
  'UNAUTHENTICATED',
  'UNSUPPORTED_PROTOCOL',
  'BAD_FRAME',
  'INTERNAL',
]);

/** An error of the companion as a Problem: its message verbatim as `raw`, the plain members of `detail` as params. */
export function wireErrorProblem(error: WireError): Problem {
  const params: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(error.detail ?? {})) {
    if (/^\w{1,40}$/.test(name) && name !== '__proto__') params[name] = paramOf(value);
  }
  const raw = error.message;
  if (error.code === 'UNKNOWN_AUTHORITY' && error.detail !== null && member(error.detail, 'resolved') === true) {
    return problem('companion.provider-did-not-start', params, raw);
  }
  if (error.code === 'PROVIDER_EXCEPTION' && params['class'] === 'android.os.BadParcelableException') {
    return problem('companion.unreadable-reply', params, raw);
  }
  if (error.code === 'PROVIDER_EXCEPTION')
    return problem('companion.provider-exception', { class: '?', ...params }, raw);
  if (error.code === 'UNSUPPORTED_PROTOCOL') {
    return problem('companion.unsupported-protocol', { supported: '?', ...params }, raw);
  }
  if (!known.has(error.code))
    return problem('companion.unknown-error', { ...params, code: error.code.slice(0, 100) }, raw);
  return problem(`companion.${error.code.toLowerCase().replaceAll('_', '-')}`, params, raw);
}

function paramOf(value: Json): string | number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? value : printJson(value).slice(0, 2_000);
}
