import { isJsonObject, type JsonObject, parseJson } from '../../../../shared/base/json.ts';
import type { BinderOutcome } from '../../virtual-device.ts';
import { type Extras, jsonText } from '../bundles.ts';
import type { ReceivedCall } from '../recorder.ts';
import type { BrokenRule, ToolOutcome, UserPrompt, V2Definition, V2Limits, V2Tool } from './definition.ts';
import type { ExecutionOutcome, OperationRecord } from './durable.ts';
import { resultEnvelope, V2Error, v2Accepted, v2Error, v2Success } from './envelope.ts';
import type { Executions, Marks } from './executions.ts';
import { type Delivery, type Operations, POLL_AFTER_MS } from './operations.ts';
import type { Resolutions } from './resolutions.ts';
import { violations } from './schema-check.ts';
import type { Session } from './sessions.ts';

/** A tool's code that ran to its end: the business effect. */
export interface RanTool {
  readonly tool: string;
  readonly uid: number;
  readonly requestId: string;
  readonly argsText: string;
}

/** The common fields of 4.1, checked. */
export interface Envelope {
  readonly session: Session;
  readonly requestId: string;
  readonly deadlineAtMs: number;
}

/** The process died while this code ran; nobody receives its answer. */
export class ProcessDied extends Error {}

/** What an execution needs of its Provider. */
export interface Engine {
  readonly definition: V2Definition;
  readonly limits: V2Limits;
  readonly now: () => number;
  readonly executions: Executions;
  readonly operations: Operations;
  readonly resolutions: Resolutions;
  readonly ran: RanTool[];
  readonly grants: Grants;
  tool(name: string | null): V2Tool | undefined;
  /** Throws `ProcessDied` when the process that this was asked in is gone. */
  lives(): () => void;
}

/** Scopes that users granted, by caller. */
export interface Grants {
  of(uid: number): Set<string>;
}

type Decision = { readonly kind: 'none' | 'confirmed' } | { readonly kind: 'declined'; readonly outcome: ToolOutcome };

/** One `execute_tool` (4): deduplication, deadline, scopes, confirmation, effect, answer, in this order. */
export async function execute(
  engine: Engine,
  call: ReceivedCall,
  envelope: Envelope,
  extras: Extras,
): Promise<BinderOutcome> {
  const name = extras.string('tool_name');
  const tool = engine.tool(name);
  if (!tool) throw new V2Error('TOOL_NOT_FOUND', `No tool named ${name}`);
  if (tool.brokenAnswer) return tool.brokenAnswer(call);
  const argsText = extras.string('args');
  if (argsText === null) throw new V2Error('INVALID_REQUEST', 'args must be a string');
  if (Buffer.byteLength(argsText) > engine.limits.max_request_bytes) {
    throw new V2Error('INVALID_REQUEST', `args are longer than ${engine.limits.max_request_bytes} bytes`);
  }
  return new Execution(engine, call, envelope, tool, argsText).answer(extras.string('resume_token'));
}

/** The effect of an operation, when its time has come. */
export async function workOf(
  engine: Engine,
  record: OperationRecord,
  commit: (outcome: ToolOutcome) => void,
): Promise<ToolOutcome> {
  const tool = engine.tool(record.tool);
  if (!tool) return { kind: 'error', code: 'TOOL_NOT_FOUND', message: 'The tool is gone', retryable: false };
  const { uid, requestId, argsText } = record;
  const key = { tool: tool.name, uid, requestId, argsText };
  return runTool(engine, tool, readArgs(tool, argsText), key, { begin: () => {}, commit, beforeEffect: () => {} });
}

/** Inline while it fits, else as a file where that was negotiated (4.5). */
export function deliver(
  limits: V2Limits,
  session: Session,
  outcome: Exclude<ToolOutcome, { kind: 'error' }>,
  tool: V2Tool | undefined,
): Delivery {
  let result = outcome;
  if (result.kind === 'value' && !isBroken(tool, 'inline-limit')) {
    const bytes = Buffer.from(jsonText(result.value));
    if (bytes.length > limits.max_inline_result_bytes) {
      result = { kind: 'file', bytes, mediaType: 'application/json' };
    }
  }
  const mayFile = session.capabilities.includes('large_results') || isBroken(tool, 'capability');
  if (result.kind === 'file' && !mayFile) {
    throw new V2Error('RESULT_TOO_LARGE', 'The result needs large_results, which was not negotiated');
  }
  return resultEnvelope(result);
}

export function isBroken(tool: V2Tool | undefined, rule: BrokenRule): boolean {
  return tool?.breaks?.includes(rule) ?? false;
}

class Execution {
  private readonly engine: Engine;
  private readonly call: ReceivedCall;
  private readonly envelope: Envelope;
  private readonly tool: V2Tool;
  private readonly key: RanTool;

  constructor(engine: Engine, call: ReceivedCall, envelope: Envelope, tool: V2Tool, argsText: string) {
    this.engine = engine;
    this.call = call;
    this.envelope = envelope;
    this.tool = tool;
    this.key = { uid: call.caller.uid, requestId: envelope.requestId, tool: tool.name, argsText };
  }

  async answer(resumeToken: string | null): Promise<BinderOutcome> {
    const { engine, tool, key } = this;
    const isAsync = this.isAsync();
    // A read has no effect to repeat; but one id names one operation, whatever its tool does (4.4).
    const isRecorded = tool.annotations.effect !== 'read' || isAsync;
    if (isRecorded) {
      const known = this.claim(resumeToken);
      if (known) return this.respond(await known);
    }
    const args = readArgs(tool, key.argsText);
    this.requireTime();
    const decision = this.redeem(resumeToken);
    const start = async (marks: Marks): Promise<ExecutionOutcome> => {
      if (decision.kind === 'declined') return committed(marks, decision.outcome);
      if (isAsync) return committed(marks, { kind: 'accepted', operationId: engine.operations.start(key) });
      return runTool(engine, tool, args, key, { ...marks, beforeEffect: () => this.requireTime() });
    };
    if (decision.kind !== 'declined') {
      this.requireScopes(args);
      if (decision.kind === 'none' && this.needsConfirmation(args)) {
        if (this.breaks('confirm-first')) await engine.executions.run(key, start);
        throw engine.resolutions.ask(key, this.prompt('confirm', args, tool.scopes), () => {});
      }
    }
    return this.respond(await (isRecorded ? engine.executions.run(key, start) : start(NO_MARKS)));
  }

  private claim(resumeToken: string | null): Promise<ExecutionOutcome> | null {
    const isResumed = resumeToken !== null;
    const rebind = this.breaks('content-binding') || (isResumed && this.breaks('resume-args'));
    const { known, isRunning } = this.engine.executions.claim(this.key, rebind);
    const runsAgain =
      this.breaks('dedup') || (isRunning && this.breaks('one-executor')) || (isResumed && this.breaks('resume-once'));
    return runsAgain ? null : known;
  }

  /** 4.1: checked before the effect starts. */
  private requireTime(): void {
    if (this.envelope.deadlineAtMs > this.engine.now() || this.breaks('deadline')) return;
    throw new V2Error('DEADLINE_EXCEEDED', 'The deadline has passed', { retryable: true });
  }

  private isAsync(): boolean {
    if (this.tool.annotations.execution !== 'sync_or_async' && !this.breaks('sync-execution')) return false;
    return this.envelope.session.capabilities.includes('async_operations') || this.breaks('capability');
  }

  /** Every scope on every execution (3.4, 7.2). */
  private requireScopes(args: JsonObject): void {
    const { engine, key } = this;
    const granted = engine.grants.of(key.uid);
    const missing = this.tool.scopes.filter((scope) => !granted.has(scope));
    if (missing.length === 0) return;
    throw engine.resolutions.ask(key, this.prompt('authorize', args, missing), () => {
      for (const scope of missing) granted.add(scope);
    });
  }

  /** What the user said to this very call; a refusal is its final outcome. */
  private redeem(resumeToken: string | null): Decision {
    if (resumeToken === null) return { kind: 'none' };
    try {
      const isConfirmed = this.engine.resolutions.redeem(resumeToken, this.key, {
        again: this.breaks('resume-once'),
        anyContent: this.breaks('resume-args'),
        anyDecision: this.breaks('denial'),
      });
      return { kind: isConfirmed ? 'confirmed' : 'none' };
    } catch (error) {
      if (!(error instanceof V2Error) || error.code !== 'USER_CANCELLED') throw error;
      const { code, message } = error;
      return { kind: 'declined', outcome: { kind: 'error', code, message, retryable: false } };
    }
  }

  private needsConfirmation(args: JsonObject): boolean {
    const { confirmation } = this.tool.annotations;
    if (confirmation === 'always') return true;
    return confirmation === 'provider_policy' && this.tool.needsUser?.(args) === true;
  }

  private prompt(kind: UserPrompt['kind'], args: JsonObject, scopes: readonly string[]): UserPrompt {
    const { tool, key, call, engine } = this;
    const { effect, risk, destructive } = tool.annotations;
    return {
      kind,
      package: engine.definition.package,
      providerName: engine.definition.providerName,
      callerUid: call.caller.uid,
      callerPackages: call.caller.packages,
      requestId: key.requestId,
      tool: tool.name,
      title: tool.title,
      argsText: key.argsText,
      scopes: engine.definition.scopes.filter((scope) => scopes.includes(scope.name)),
      effect,
      risk,
      destructive,
      consequences: tool.consequences?.(args) ?? null,
    };
  }

  private respond(outcome: ExecutionOutcome): BinderOutcome {
    const { requestId, session } = this.envelope;
    if (outcome.kind === 'accepted') return v2Accepted(requestId, outcome.operationId, POLL_AFTER_MS);
    if (outcome.kind === 'error') return v2Error(requestId, V2Error.of(outcome));
    const { text, objects } = deliver(this.engine.limits, session, outcome, this.tool);
    return v2Success(requestId, { text }, objects);
  }

  private breaks(rule: BrokenRule): boolean {
    return isBroken(this.tool, rule);
  }
}

const NO_MARKS: Marks = { begin: () => {}, commit: () => {} };

function committed<T extends ExecutionOutcome>(marks: Marks, outcome: T): T {
  marks.commit(outcome);
  return outcome;
}

interface Run {
  begin(): void;
  commit(outcome: ToolOutcome): void;
  /** Throws where the effect must not start any more. */
  beforeEffect(): void;
}

async function runTool(engine: Engine, tool: V2Tool, args: JsonObject, key: RanTool, marks: Run): Promise<ToolOutcome> {
  const requireLife = engine.lives();
  if (tool.work) {
    await tool.work(args);
    requireLife();
    marks.beforeEffect();
  }
  engine.ran.push(key);
  const running = tool.run(args, key.requestId);
  if (!(running instanceof Promise)) return committed(marks, checked(tool, running));
  marks.begin();
  const outcome = checked(tool, await running);
  // A record that the restart has closed stays as it is.
  requireLife();
  return committed(marks, outcome);
}

/** 4.2: the Provider checks its own output. */
function checked(tool: V2Tool, outcome: ToolOutcome): ToolOutcome {
  if (outcome.kind !== 'value' || isBroken(tool, 'output-schema')) return outcome;
  const parsed = parseJson(jsonText(outcome.value));
  const faults = parsed.ok ? violations(tool.outputSchema, parsed.value.value) : ['is not JSON'];
  if (faults.length === 0) return outcome;
  return { kind: 'error', code: 'INTERNAL_ERROR', message: 'The result broke its own schema', retryable: false };
}

function readArgs(tool: V2Tool, argsText: string): JsonObject {
  const parsed = parseJson(argsText);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) {
    throw new V2Error('INVALID_ARGS', 'args must be a JSON object');
  }
  const faults = violations(tool.inputSchema, parsed.value.value);
  if (faults.length > 0) {
    throw new V2Error('INVALID_ARGS', 'Arguments do not match the input schema', { details: { violations: faults } });
  }
  return parsed.value.value;
}
