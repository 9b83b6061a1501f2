import { headOf } from '../../shared/base/json.ts';
import { allPass, expectedOutcome, judge } from '../../shared/collections/expectations.ts';
import type { CallRecord, PreparedCall, SchemaVerdict } from '../../shared/model/call.ts';
import type { SavedCall, SavedCallAnswer, SavedCallEntry, SavedCallResult } from '../../shared/model/collection.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import { hideKnown } from '../../shared/redaction/redact.ts';
import { type SecretRegistry, secretScope } from '../../shared/redaction/secret-registry.ts';
import type { SchemaChecks, Target } from '../sessions/deps.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Filled, fillIn, type Values } from './fill-in.ts';
import { type FindDeps, findDevice, findProvider, type OnDevice } from './find-target.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const HEAD = 16 * 1024;
/** A scope that no Provider has: only the secrets of every scope are masked. */
const NO_PROVIDER = '\n';

export interface RunCallDeps extends FindDeps {
  readonly sessions: Pick<Sessions, 'catalog' | 'prepare' | 'run' | 'cancel'>;
  readonly schemas: Pick<SchemaChecks, 'validate'>;
  readonly secrets: SecretRegistry;
}

export interface CallRun {
  readonly values: Values;
  readonly device: OnDevice | null;
  /** The deliberate act for the whole run. */
  readonly confirmed: boolean;
  /** Ends the call under way, and keeps one that has not left from leaving. */
  readonly signal: AbortSignal;
}

/** Runs one saved call by the same engine as the composer, and judges its end. Never throws for an expected failure. */
export async function runSavedCall(deps: RunCallDeps, entry: SavedCallEntry, run: CallRun): Promise<SavedCallResult> {
  const { call } = entry;
  if (call === null) return blank(entry, null, entry.problem ?? problem('saved-call-gone', { file: entry.file }));
  const filled = fillIn(call, run.values);
  let scope: string = NO_PROVIDER;
  let result: SavedCallResult;
  try {
    if (filled.problem !== null) throw new ProblemError(filled.problem);
    const target = await targetOf(deps, filled, run);
    scope = secretScope(target.deviceKey, target.providerKey) ?? NO_PROVIDER;
    const record = await send(deps, call, filled, target, run);
    result = await judged(deps, { ...blank(entry, filled, null), device: target.deviceKey }, call, record);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    result = blank(entry, filled, error.problem);
  }
  return hideKnown(result, deps.secrets, scope);
}

/** A call whose turn did not come. */
export function skipped(entry: SavedCallEntry): SavedCallResult {
  return { ...blank(entry, null, null), state: 'skipped' };
}

function blank({ file, call }: SavedCallEntry, filled: Filled | null, reason: Problem | null): SavedCallResult {
  return {
    file,
    name: call?.name ?? null,
    provider: (filled ?? call)?.provider ?? '',
    tool: (filled ?? call)?.tool ?? '',
    device: (filled ?? call)?.device ?? null,
    state: 'error',
    problem: reason,
    checks: [],
    answer: null,
  };
}

async function targetOf(deps: RunCallDeps, filled: Filled, { device, signal }: CallRun): Promise<Target> {
  const on = await findDevice(deps, filled.device, device);
  const provider = await findProvider(deps, on, filled.provider);
  stopIfAsked(signal);
  return { ...on, providerKey: provider.key };
}

async function send(
  deps: RunCallDeps,
  call: SavedCall,
  { tool, argsText }: Filled,
  target: Target,
  { confirmed, signal }: CallRun,
): Promise<CallRecord> {
  const { sessions } = deps;
  const catalog = await sessions.catalog(target, false);
  if (catalog.problem !== null && !call.force) throw new ProblemError(catalog.problem);
  const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const prepared = await sessions.prepare({ ...target, tool, argsText, timeoutMs, requestId: null }, true);
  const refusal = refusalOf(call, prepared, confirmed);
  if (refusal !== null) throw new ProblemError(refusal);
  stopIfAsked(signal);
  const cancel = () => void sessions.cancel(prepared.id);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await sessions.run({ preparedId: prepared.id, confirmed: prepared.hasEffect, force: call.force });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** What keeps a saved call from being sent, besides what the engine itself refuses. */
function refusalOf(call: SavedCall, prepared: PreparedCall, confirmed: boolean): Problem | null {
  const { hasEffect, argsVerdict, draft } = prepared;
  if (hasEffect && !call.allowEffects) return problem('saved-call-effects', { tool: draft.tool.slice(0, 200) });
  if (hasEffect && !confirmed) return problem('saved-call-unconfirmed', { tool: draft.tool.slice(0, 200) });
  if (argsVerdict.state !== 'invalid' || call.force) return null;
  const [issue] = argsVerdict.issues;
  const raw = issue === undefined ? null : `${issue.pointer || '/'}: ${issue.message}`.slice(0, 500);
  return problem('saved-call-args-invalid', { count: argsVerdict.issues.length }, raw);
}

function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted) throw new ProblemError(problem('call-cancelled', { sent: 'no' }));
}

async function judged(
  deps: RunCallDeps,
  result: SavedCallResult,
  call: SavedCall,
  record: CallRecord,
): Promise<SavedCallResult> {
  const { outcome, durationMs } = record;
  if (outcome === null) throw new Error('A finished call has no outcome.');
  const ownSchema = await ownVerdict(deps, call, record);
  const checks = [...judge(call.expect, { outcome, durationMs, ownSchema })];
  const answer = answerOf(record);
  // Nothing came that could be held against the Provider.
  const noAnswer = outcome.kind === 'refused' || outcome.kind === 'transport-failure' || outcome.kind === 'cancelled';
  if (noAnswer && expectedOutcome(call.expect) !== outcome.kind) {
    return { ...result, state: 'error', problem: outcome.problem, checks, answer };
  }
  return { ...result, state: allPass(checks) ? 'passed' : 'failed', problem: null, checks, answer };
}

async function ownVerdict(deps: RunCallDeps, call: SavedCall, { outcome }: CallRecord): Promise<SchemaVerdict | null> {
  const { schemaText } = call.expect;
  if (schemaText === null || outcome?.kind !== 'success' || outcome.valueText === null || outcome.valueTruncated) {
    return null;
  }
  try {
    return await deps.schemas.validate({ schemaText, dialect: null, valueText: outcome.valueText });
  } catch (error) {
    const issue = { pointer: '', keyword: 'limit', message: toProblem(error).code };
    return { state: 'not-checked', issues: [issue], reason: 'worker-failed' };
  }
}

function answerOf({ outcome, durationMs, prepared, id }: CallRecord): SavedCallAnswer {
  const value = outcome?.kind === 'success' ? outcome : null;
  const error = outcome?.kind === 'provider-error' ? outcome : null;
  return {
    outcome: outcome?.kind ?? 'malformed',
    errorCode: error?.errorCode ?? null,
    errorMessage: error?.errorMessage == null ? null : headOf(error.errorMessage, 2_000),
    valueText: value?.valueText == null ? null : headOf(value.valueText, HEAD),
    valueLength: value?.valueLength ?? 0,
    problem: outcome !== null && 'problem' in outcome ? outcome.problem : null,
    findings: outcome?.findings.length ?? 0,
    durationMs,
    requestId: prepared.requestId,
    exchangeId: id,
    wireSha256: prepared.wireSha256,
  };
}
