import { type Json, printJson } from '../../shared/base/json.ts';
import type { Bundle } from '../../shared/model/bundle.ts';
import type { CallOutcome, SchemaVerdict } from '../../shared/model/call.ts';
import type { Finding } from '../../shared/model/finding.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { ExecuteReading } from '../../shared/protocols/cetp/codec.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import { cut } from '../journal/bounded-text.ts';
import type { SessionsDeps } from './deps.ts';
import type { AnswerEnd } from './exchange.ts';
import type { HeldCall } from './prepare.ts';
import type { ProviderState } from './provider-state.ts';

/** Of a value on show, in UTF-16 units. */
const MAX_VALUE = 2 * 1024 * 1024;

/** What an answer is judged by. */
export interface Judged {
  readonly state: Pick<ProviderState, 'target'>;
  /** Null: not known. */
  readonly tool: { readonly outputSchema: Json | null } | null;
  readonly dialect: string | null;
}

/** How a reading ends its exchange in the journal. */
export function readingEnd(reading: ExecuteReading): AnswerEnd {
  if (reading.kind !== 'outcome') return { outcome: 'success', errorCode: null };
  const { outcome } = reading;
  switch (outcome.kind) {
    case 'provider-error':
      return { outcome: 'provider-error', errorCode: outcome.errorCode.slice(0, 200) };
    case 'malformed':
    case 'transport-failure':
    case 'cancelled':
    case 'refused':
      return { outcome: outcome.kind, errorCode: outcome.problem.code };
    default:
      return { outcome: outcome.kind, errorCode: null };
  }
}

/** The outcome of an answer: our verdict on the value beside what the Provider said, secrets masked. */
export async function outcomeOf(
  deps: SessionsDeps,
  held: Judged,
  reading: ExecuteReading,
  bundle: Bundle | null,
): Promise<CallOutcome> {
  return withoutSecrets(deps, held, await whole(deps, held, reading, bundle ?? []));
}

export function withoutSecrets(deps: SessionsDeps, held: Judged, outcome: CallOutcome): CallOutcome {
  const scope = secretScope(held.state.target.deviceKey, held.state.target.providerKey);
  return redact(outcome, { registry: deps.journal.secrets, scope }).value as CallOutcome;
}

async function whole(deps: SessionsDeps, held: Judged, reading: ExecuteReading, bundle: Bundle): Promise<CallOutcome> {
  const findings = [...findingsOf(reading)];
  switch (reading.kind) {
    case 'outcome':
      return reading.outcome;
    case 'file':
      return {
        kind: 'success',
        findings,
        bundle,
        valueText: null,
        valueLength: 0,
        valueTruncated: false,
        file: { ...reading.file, received: null },
        outputVerdict: notChecked('file-not-read'),
      };
    case 'value':
      return {
        kind: 'success',
        findings,
        bundle,
        valueText: cut(reading.valueText, MAX_VALUE),
        valueLength: reading.valueText.length,
        valueTruncated: reading.valueText.length > MAX_VALUE,
        file: null,
        outputVerdict: await judgeValue(deps, held, reading.valueText),
      };
  }
}

function findingsOf(reading: ExecuteReading): readonly Finding[] {
  return reading.kind === 'outcome' ? reading.outcome.findings : reading.findings;
}

async function judgeValue(deps: SessionsDeps, held: Judged, valueText: string): Promise<SchemaVerdict> {
  if (held.tool === null) return notChecked('no-catalog');
  const { outputSchema } = held.tool;
  if (outputSchema === null) return notChecked('no-schema');
  return deps.schemas.validate({ schemaText: printJson(outputSchema), dialect: held.dialect, valueText });
}

function notChecked(reason: string): SchemaVerdict {
  return { state: 'not-checked', issues: [], reason };
}

/** Adds what was noticed about the exchange itself. */
export function withFindings(outcome: CallOutcome, more: readonly Finding[]): CallOutcome {
  return more.length === 0 ? outcome : { ...outcome, findings: [...outcome.findings, ...more] };
}

/** v2 4.1: a Consumer that stops waiting does not stop the Provider. */
export function mayStillAct(held: HeldCall): Finding {
  const requestId = held.prepared.requestId ?? '';
  return hostFinding(
    held.prepared.hasEffect ? 'effect-unknown' : 'outcome-unknown',
    { requestId, tool: held.prepared.draft.tool },
    held.prepared.protocol === 'v2' ? 'v2 4.1' : 'v1 2.3',
  );
}

export function notRecorded(failure: Problem): Finding {
  return hostFinding('not-recorded', { reason: failure.raw ?? failure.code }, 'journal');
}

export function lateAnswer(): Finding {
  return hostFinding('late-answer', {}, 'v2 4.1');
}

export function bridgeNote(note: Problem): Finding {
  return hostFinding('bridge-note', { code: note.code, ...note.params, raw: note.raw?.slice(0, 500) ?? '' }, 'bridge');
}

function hostFinding(rule: string, params: Finding['params'], clause: string): Finding {
  return { rule, clause, severity: 'advice', params, where: null };
}
