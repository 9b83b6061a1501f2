import { utf8Length } from '../../../base/json.ts';
import type { BundleEntry } from '../../../model/bundle.ts';
import { type Deviation, RESUME_ONLY } from '../../../model/deviation.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import type { CetpRequest, RequestContext } from '../codec.ts';
import { operationRequest } from './operations.ts';

/** v2 2.2: the least that `max_request_bytes` may be; stands in where none was negotiated. */
const LEAST_MAX_REQUEST_BYTES = 65_536;
/** How long ago an expired deadline passed, in ms. */
const EXPIRED_SINCE_MS = 60_000;
/** v2 4: METHOD_NOT_FOUND. */
export const UNKNOWN_METHOD = 'cetp_inspector_unknown';
/** Of an operation that never was. */
const NO_OPERATION = 'cetp-inspector-no-operation';

export interface DeviationFacts {
  readonly protocol: 'v1' | 'v2';
  /** The device's now, epoch ms. */
  readonly nowMs: number;
  readonly argsText: string;
  readonly maxRequestBytes: number | null;
  readonly capabilities: readonly string[];
  /** The token of the session before; null where this run knows none. Secret. */
  readonly staleToken: string | null;
  readonly isResume: boolean;
  /** A token that no Provider gave out. */
  readonly madeUpToken: string;
}

/** What deviations change about a call before it is encoded. */
export interface DeviationPlan {
  readonly argsText: string;
  /** Null: as without them. */
  readonly deadlineAtMs: number | null;
  /** The protocol that the answer is in: a v1 call is answered as v1. */
  readonly answerProtocol: 'v1' | 'v2';
  apply(request: CetpRequest, context: RequestContext): CetpRequest;
}

const TOKENS: readonly Deviation[] = ['no-token', 'wrong-token', 'stale-session'];
const METHODS: readonly Deviation[] = ['unknown-method', 'unnegotiated-capability', 'no-protocol-version'];
/** What has a meaning for a v1 call, too. */
const V1_TOO: readonly Deviation[] = ['unknown-method'];

/** Why these deviations cannot be made together, or not of this call; null where they can. */
export function deviationFault(deviations: readonly Deviation[], facts: DeviationFacts): Problem | null {
  const has = (name: Deviation) => deviations.includes(name);
  for (const group of [TOKENS, METHODS]) {
    const [one, other] = group.filter(has);
    if (one !== undefined && other !== undefined) return problem('deliberate-conflict', { one, other });
  }
  const notOfV1 = deviations.find((name) => !V1_TOO.includes(name));
  if (facts.protocol === 'v1' && notOfV1 !== undefined) return problem('deliberate-needs-v2', { name: notOfV1 });
  const withoutResume = deviations.find((name) => RESUME_ONLY.includes(name));
  if (!facts.isResume && withoutResume !== undefined)
    return problem('deliberate-needs-resume', { name: withoutResume });
  const other = has('no-protocol-version') ? deviations.find((name) => name !== 'no-protocol-version') : undefined;
  // A v1 call has none of the keys that the others change.
  if (other !== undefined && other !== 'oversized') {
    return problem('deliberate-conflict', { one: 'no-protocol-version', other });
  }
  if (has('stale-session') && facts.staleToken === null) return problem('deliberate-no-stale-session');
  if (has('unnegotiated-capability') && foreignMethod(facts.capabilities) === null) {
    return problem('deliberate-all-negotiated');
  }
  return null;
}

/** How a call with these deviations is made. Only after `deviationFault` found nothing. */
export function planDeviations(deviations: readonly Deviation[], facts: DeviationFacts): DeviationPlan {
  const has = (name: Deviation) => deviations.includes(name);
  return {
    argsText: argsOf(has, facts),
    deadlineAtMs: has('expired-deadline') ? Math.round(facts.nowMs) - EXPIRED_SINCE_MS : null,
    answerProtocol: has('no-protocol-version') ? 'v1' : facts.protocol,
    apply: (request, context) => {
      let { method, extras } = request;
      const foreign = has('unnegotiated-capability') ? foreignMethod(facts.capabilities) : null;
      if (foreign !== null) ({ method, extras } = operationRequest(foreign, context, NO_OPERATION));
      if (has('unknown-method')) method = UNKNOWN_METHOD;
      const entries = (extras ?? []).flatMap((entry) => deviantEntry(entry, has, facts));
      return { method, extras: extras === null ? null : entries };
    },
  };
}

/** Which of our own refusals these deviations are about; they pass these and no other. */
export function passedRefusals(deviations: readonly Deviation[]): ReadonlySet<string> {
  const token = ['no-session', 'session-ended', 'session-expired'];
  const passes: Partial<Record<Deviation, readonly string[]>> = {
    'expired-deadline': ['deadline-passed', 'deadline-in-past'],
    'no-token': token,
    'wrong-token': token,
    'stale-session': token,
    'no-protocol-version': token,
    oversized: ['args-too-large'],
    'resume-token-twice': ['resume-used'],
  };
  return new Set(deviations.flatMap((name) => passes[name] ?? []));
}

function argsOf(has: (name: Deviation) => boolean, { argsText, maxRequestBytes }: DeviationFacts): string {
  // White space after a JSON text changes its bytes and not its meaning (4.3 binds to the bytes).
  const changed = has('changed-args-on-resume') ? `${argsText} ` : argsText;
  if (!has('oversized')) return changed;
  const over = (maxRequestBytes ?? LEAST_MAX_REQUEST_BYTES) + 1 - utf8Length(changed);
  return over > 0 ? changed + ' '.repeat(over) : changed;
}

function foreignMethod(capabilities: readonly string[]): 'get_operation' | 'cancel_operation' | null {
  if (!capabilities.includes('async_operations')) return 'get_operation';
  return capabilities.includes('cancellation') ? null : 'cancel_operation';
}

const V1_KEYS = new Set(['tool_name', 'args']);

function deviantEntry(
  entry: BundleEntry,
  has: (name: Deviation) => boolean,
  facts: DeviationFacts,
): readonly BundleEntry[] {
  if (has('no-protocol-version') && !V1_KEYS.has(entry.key)) return [];
  switch (entry.key) {
    case 'session_token':
      if (has('no-token')) return [];
      if (has('wrong-token')) return [{ key: entry.key, t: 'string', v: facts.madeUpToken }];
      return has('stale-session') ? [{ key: entry.key, t: 'string', v: facts.staleToken ?? '' }] : [entry];
    case 'protocol_version':
      return has('wrong-types') ? [{ key: entry.key, t: 'string', v: '2' }] : [entry];
    case 'deadline_at_ms':
      // An int holds no epoch milliseconds: the seconds, as a Provider's mix-up of units and types would.
      return has('wrong-types') && entry.t === 'long'
        ? [{ key: entry.key, t: 'int', v: Math.floor(Number(entry.v) / 1000) % 2 ** 31 }]
        : [entry];
    default:
      return [entry];
  }
}
