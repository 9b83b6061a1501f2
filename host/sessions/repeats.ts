import { isJsonObject, type Json, parseJson, printJson } from '../../shared/base/json.ts';
import type { CallOutcome, CallRecord } from '../../shared/model/call.ts';
import type { Finding } from '../../shared/model/finding.ts';
import { earlierAttempts } from './attempts.ts';
import type { HeldCall } from './prepare.ts';

/** Errors that end an execution, as against those about the session, the caller or the moment (v2 5). */
const TERMINAL_ERRORS: ReadonlySet<string> = new Set(['USER_CANCELLED', 'CANCELLED', 'CONFLICT', 'INVALID_ARGS']);

/** What an execution came to; null where an answer does not tell. */
interface Terminal {
  readonly kind: 'value' | 'file' | 'error' | 'accepted';
  /** Two are the same outcome where kind and text are. */
  readonly text: string;
}

/**
 * v2 6: within the window a repeated request_id has the same terminal outcome. Values are compared as JSON, files by
 * digest. Only for tools that declare an effect other than `read`, which need not remember their calls.
 */
export function repeatFindings(held: HeldCall, outcome: CallOutcome, nowMs: number): Finding[] {
  const effect = held.tool?.row.annotations?.effect ?? null;
  if (effect === null || effect === 'read') return [];
  const now = terminalOf(outcome);
  if (now === null) return [];
  const windowMs = (held.context.session?.limits.idempotencyWindowSeconds ?? 0) * 1000;
  const earlier = earlierAttempts(held.state.calls.records, held.prepared).filter((record) => {
    const { draft } = record.prepared;
    const same = draft.tool === held.prepared.draft.tool && draft.argsText === held.prepared.draft.argsText;
    return same && record.id !== held.prepared.id && record.startedAtMs + windowMs >= nowMs;
  });
  for (const record of earlier) {
    const before = record.outcome === null ? null : terminalOf(record.outcome);
    if (before === null || agree(before, now)) continue;
    return [differs(record, before, now)];
  }
  return [];
}

function agree(before: Terminal, now: Terminal): boolean {
  // An operation goes on to its end; an end does not become an operation again.
  if (before.kind === 'accepted' && now.kind !== 'accepted') return true;
  return before.kind === now.kind && before.text === now.text;
}

function differs(record: CallRecord, before: Terminal, now: Terminal): Finding {
  const params = {
    attempt: record.attempt,
    requestId: record.prepared.requestId ?? '',
    before: `${before.kind} ${before.text.slice(0, 120)}`,
    now: `${now.kind} ${now.text.slice(0, 120)}`,
  };
  return { rule: 'repeat-outcome-differs', clause: 'v2 6', severity: 'must', params, where: null };
}

function terminalOf(outcome: CallOutcome): Terminal | null {
  switch (outcome.kind) {
    case 'success': {
      const digest = outcome.file?.sha256 ?? null;
      if (outcome.file !== null) return digest === null ? null : { kind: 'file', text: digest };
      if (outcome.valueText === null || outcome.valueTruncated) return null;
      const parsed = parseJson(outcome.valueText);
      return parsed.ok ? { kind: 'value', text: printJson(canonical(parsed.value.value)) } : null;
    }
    case 'accepted':
      return outcome.operationId === null ? null : { kind: 'accepted', text: outcome.operationId };
    case 'provider-error':
      return outcome.retryable === false && TERMINAL_ERRORS.has(outcome.errorCode)
        ? { kind: 'error', text: outcome.errorCode }
        : null;
    default:
      return null;
  }
}

/** Members in one order and numbers in one spelling, as far as a double tells them apart; else as written. */
function canonical(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(canonical);
  if (isJsonObject(value)) {
    const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(sorted.map(([key, item]) => [key, canonical(item)]));
  }
  if (typeof value === 'object' && value !== null) return sameNumber(value.toString()) ?? value;
  return value;
}

/** A double where it stands for the text exactly (`1.0`, `1e2`); null where digits would be lost. */
function sameNumber(text: string): number | null {
  const number = Number(text);
  if (!Number.isFinite(number)) return null;
  return digitsOf(text) === digitsOf(String(number)) ? number : null;
}

function digitsOf(text: string): string {
  const [mantissa = ''] = text.toLowerCase().replace('-', '').split('e');
  return mantissa.replace('.', '').replace(/^0+|0+$/g, '');
}
