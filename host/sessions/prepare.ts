import { parseJson, printJson, utf8Length } from '../../shared/base/json.ts';
import type { CallDraft, PreparedCall, SchemaVerdict } from '../../shared/model/call.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { Provider } from '../../shared/model/provider.ts';
import type { OpenSession, RequestContext, ToolReading } from '../../shared/protocols/cetp/codec.ts';
import { maskSecretEntries, redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import type { StoredOperation } from '../journal/operations.ts';
import { codecOf } from './catalog.ts';
import type { Resume } from './confirmation-entry.ts';
import { deadlineRefusals, deadlineWarnings } from './deadlines.ts';
import { deviationsOf, marksOf, notPassed } from './deliberate.ts';
import type { SessionsDeps } from './deps.ts';
import { wireDigest } from './exchange.ts';
import { draftWarnings, sessionRefusal } from './judge-draft.ts';
import { openOutcomes } from './open-outcomes.ts';
import type { ProviderState } from './provider-state.ts';
import type { Resolution } from './resolution.ts';

/** A prepared call with what must not leave the host. */
export interface HeldCall {
  readonly prepared: PreparedCall;
  /** The draft that was encoded; the one in `prepared` may show secrets masked. */
  readonly draft: CallDraft;
  /** The arguments as encoded: the draft's, but for what a deviation changed. */
  readonly argsText: string;
  /** The protocol that the answer is in. */
  readonly answerProtocol: 'v1' | 'v2';
  readonly state: ProviderState;
  readonly call: EncodedCall;
  readonly context: RequestContext;
  /** The v2 session that it was made in; null where there was none. */
  readonly sessionId: string | null;
  /** The app's version that it was made for. */
  readonly versionCode: string | null;
  readonly tool: ToolReading | null;
  readonly dialect: string | null;
  /** The effect as declared, for texts. */
  readonly effect: string;
  readonly deviceLabel: string;
  /** The Provider's label, or its package. */
  readonly label: string;
  used: boolean;
  /** The operation that the answer opened; records show it redacted. */
  opened: StoredOperation | null;
  /** Set on a call that resumes an execution (v2 4.3). */
  readonly resume: Resume | null;
  /** What the answer asked a person for; whoever takes it releases its handle. */
  resolution: Resolution | null;
}

/** Stands in where there is no session, so that a forced call can show how the Provider answers (v2 2.2). */
const NO_SESSION: OpenSession = {
  token: '',
  providerId: null,
  capabilities: [],
  limits: {
    maxRequestBytes: null,
    maxInlineResultBytes: null,
    maxConcurrentRequests: null,
    idempotencyWindowSeconds: null,
  },
};

/**
 * Fixes request_id, deadline and the exact Bundle, and encodes it once. Sends
 * nothing. Throws `ProblemError` where no such call can be made at all.
 */
export async function prepare(
  deps: SessionsDeps,
  state: ProviderState,
  draft: CallDraft,
  { resume = null }: { readonly resume?: Resume | null } = {},
): Promise<HeldCall> {
  const { provider, bridge, deviceLabel, clock } = await deps.access(state.target);
  state.deviceClock = clock ?? null;
  const { protocol } = provider;
  if (protocol === 'none') throw new ProblemError(problem('provider-unusable', { reason: provider.protocolReason }));
  const loaded = state.loaded?.catalog.protocol === protocol ? state.loaded : null;
  const tools = loaded?.readings.filter((reading) => reading.row.name === draft.tool) ?? [];
  const tool = tools[0] ?? null;
  const dialect = loaded?.info?.schemaDialect ?? null;
  const plan = deviationsOf(draft, {
    protocol,
    nowMs: state.deviceNow(),
    argsText: draft.argsText,
    maxRequestBytes: state.current().open?.limits.maxRequestBytes ?? null,
    capabilities: state.current().open?.capabilities ?? [],
    staleToken: state.staleToken(),
    isResume: resume !== null,
    madeUpToken: `made-up-${deps.uuid()}`,
  });
  const { argsText } = plan;
  const argsVerdict = await judgeArgs(deps, argsText, loaded !== null, tool, dialect);

  const { session, open } = state.current();
  const context: RequestContext = {
    requestId: draft.requestId ?? deps.uuid(),
    deadlineAtMs: plan.deadlineAtMs ?? draft.deadlineAtMs ?? state.deviceNow() + draft.timeoutMs,
    session: protocol === 'v1' ? null : (open ?? NO_SESSION),
    packageName: provider.candidate.package,
    execution: tool?.row.annotations?.execution ?? null,
    resumeToken: resume?.token ?? null,
  };
  const request = plan.apply(codecOf(protocol).executeTool(context, draft.tool, argsText), context);
  const call = bridge.encode(provider.authority ?? '', request.method, null, request.extras);
  const argsBytes = utf8Length(argsText);
  const maxRequestBytes = protocol === 'v1' ? null : (context.session?.limits.maxRequestBytes ?? null);
  const known = loaded !== null;
  const isResume = resume !== null;
  const facts = { draft, protocol, session, context, tools, known, argsBytes, maxRequestBytes, isResume };
  const warnings = draftWarnings(facts, state.calls.records);
  const hasEffect = tools.length === 0 ? protocol === 'v2' : tools.some((one) => effectText(one) !== 'read');
  const newExecution = { requestId: context.requestId, counts: protocol === 'v2' && hasEffect };
  const prepared: PreparedCall = {
    id: deps.uuid(),
    draft,
    protocol,
    bridge: bridge.kind,
    authority: call.authority,
    method: call.method,
    requestId: context.requestId,
    deadlineAtMs: protocol === 'v1' ? null : context.deadlineAtMs,
    deviceClock: protocol === 'v1' ? null : state.deviceClock,
    extras: maskSecretEntries(call.extras ?? []),
    ...wireDigest(call.wireText),
    argsBytes,
    maxRequestBytes,
    shellCommand: bridge.kind === 'shell' ? maskedCommand(deps, state, call.wireText) : null,
    argsVerdict,
    warnings: [...warnings, ...(protocol === 'v1' ? [] : deadlineWarnings(draft, state.deviceClock))],
    refusals: notPassed(draft, [
      ...resumeRefusal(resume),
      ...sessionRefusal(protocol, session),
      ...draftRefusals(facts),
      ...(protocol === 'v1' ? [] : deadlineRefusals(draft, state.deviceNow())),
      ...openOutcomes(deps, state, { tool: draft.tool, argsText, ...newExecution }),
    ]),
    hasEffect,
    resumes: resume?.callId ?? null,
    deliberate: marksOf(draft, warnings, state.calls.records),
    burst: null,
  };
  return {
    prepared,
    draft,
    argsText,
    answerProtocol: plan.answerProtocol,
    state,
    call,
    context,
    sessionId: protocol === 'v1' ? null : (session?.id ?? null),
    versionCode: provider.candidate.versionCode,
    tool,
    dialect,
    effect: tool === null ? 'unknown' : effectText(tools.find((one) => effectText(one) !== 'read') ?? tool),
    deviceLabel,
    label: provider.candidate.label ?? provider.candidate.package,
    used: false,
    opened: null,
    resume,
    resolution: null,
  };
}

/** Whether a held call still goes to the Provider as it is now, by the way it was encoded for. */
export function fitsProvider(held: HeldCall, provider: Provider, bridgeKind: 'companion' | 'shell'): boolean {
  const { prepared } = held;
  return (
    provider.protocol === prepared.protocol &&
    bridgeKind === prepared.bridge &&
    (provider.authority ?? '') === prepared.authority &&
    provider.candidate.versionCode === held.versionCode
  );
}

function resumeRefusal(resume: Resume | null): Problem[] {
  return [resume?.refusal(false), resume?.early()].filter((one) => one != null);
}

interface RefusalFacts {
  readonly draft: CallDraft;
  readonly tools: readonly ToolReading[];
  readonly known: boolean;
  readonly argsBytes: number;
  readonly maxRequestBytes: number | null;
}

function draftRefusals({ draft, tools, known, argsBytes, maxRequestBytes }: RefusalFacts): Problem[] {
  const refusals: Problem[] = [];
  if (known && tools.length === 0) refusals.push(problem('tool-not-in-catalog', { tool: draft.tool }));
  if (tools.length > 0 && tools.every((tool) => tool.row.state === 'malformed')) {
    refusals.push(problem('tool-malformed', { tool: draft.tool }));
  }
  if (maxRequestBytes !== null && argsBytes > maxRequestBytes) {
    refusals.push(problem('args-too-large', { bytes: argsBytes, limit: maxRequestBytes }));
  }
  return refusals;
}

/**
 * The effect as declared; `read` only where nothing that the tool says of itself speaks against it. v1 tools are reads
 * unless they declare an effect (v2 8: such need local approval); a v2 tool that may lose data is none (3.4).
 */
function effectText({ row }: ToolReading): string {
  const { annotations } = row;
  if (annotations === null) {
    const own = row.findings.find((finding) => finding.rule === 'v1-tool-with-effect');
    return own === undefined ? 'read' : String(own.params['effect']);
  }
  const effect = annotations.effect ?? 'not declared';
  return effect === 'read' && annotations.destructive === true ? 'read, destructive' : effect;
}

/** Never blocks: invalid arguments are a test like any other. */
async function judgeArgs(
  deps: SessionsDeps,
  argsText: string,
  known: boolean,
  tool: ToolReading | null,
  dialect: string | null,
): Promise<SchemaVerdict> {
  if (tool !== null && tool.inputSchema !== null) {
    return deps.schemas.validate({ schemaText: printJson(tool.inputSchema), dialect, valueText: argsText });
  }
  const parsed = parseJson(argsText);
  if (!parsed.ok) {
    const { code } = parsed.error;
    const message = parsed.error.code === 'syntax' ? parsed.error.message : code;
    const issue = { pointer: '', keyword: code === 'syntax' ? 'syntax' : 'limit', message };
    return { state: 'invalid', issues: [issue], reason: null };
  }
  return { state: 'not-checked', issues: [], reason: known ? 'no-schema' : 'no-catalog' };
}

function maskedCommand(deps: SessionsDeps, state: ProviderState, command: string): string {
  const scope = secretScope(state.target.deviceKey, state.target.providerKey);
  return redact(command, { registry: deps.journal.secrets, scope }).value as string;
}
