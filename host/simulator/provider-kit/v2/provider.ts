import { isJsonObject, type JsonObject, parseJson } from '../../../../shared/base/json.ts';
import type { BinderCaller, BinderOutcome } from '../../virtual-device.ts';
import { Extras, jsonText } from '../bundles.ts';
import { type ReceivedCall, type RecordingApp, recording } from '../recorder.ts';
import { answerV1 } from '../v1-provider.ts';
import type { ToolOutcome, V2Definition, V2Options, V2Tool } from './definition.ts';
import { resultEnvelope, V2Error, v2Accepted, v2Error, v2Success } from './envelope.ts';
import { type ExecutionOutcome, Executions } from './executions.ts';
import { type Delivery, Operations, POLL_AFTER_MS } from './operations.ts';
import { Resolutions } from './resolutions.ts';
import { violations } from './schema-check.ts';
import { CAPABILITIES, MINIMUM_LIMITS, type Session, Sessions } from './sessions.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A tool's code that ran to its end: the business effect. */
export interface RanTool {
  readonly tool: string;
  readonly uid: number;
  readonly requestId: string;
  readonly argsText: string;
}

export interface V2Provider extends RecordingApp {
  /** Every run of a tool's code, in order; a deduplicated call adds none. */
  readonly ran: readonly RanTool[];
  /** Takes every session away, as a new app version does. */
  invalidateSessions(): void;
  /** The catalog with its changed revision is listed from now on. */
  setRevision(revision: string): void;
}

/** A CETP v2 Provider that obeys every MUST of the specification, but for what the options break on purpose. */
export function createV2Provider(definition: V2Definition, options: V2Options = {}): V2Provider {
  const provider = new Provider(definition, options);
  const app = recording(
    (call) => provider.answer(call),
    () => provider.restart(),
  );
  return Object.assign(app, {
    ran: provider.ran,
    invalidateSessions: () => provider.restart(),
    setRevision: (revision: string) => provider.setRevision(revision),
  });
}

interface Envelope {
  readonly session: Session;
  readonly requestId: string;
  readonly deadlineAtMs: number;
}

type Decision = { readonly kind: 'none' | 'confirmed' } | { readonly kind: 'declined'; readonly outcome: ToolOutcome };

class Provider {
  readonly ran: RanTool[] = [];
  private readonly definition: V2Definition;
  private readonly options: V2Options;
  private readonly now: () => number;
  private readonly limits: typeof MINIMUM_LIMITS;
  private readonly sessions: Sessions;
  private readonly resolutions: Resolutions;
  private readonly operations: Operations;
  private readonly executions: Executions;
  /** Grants are durable; by UID. */
  private readonly grants = new Map<number, Set<string>>();
  private revision: string;
  private inFlight = 0;

  constructor(definition: V2Definition, options: V2Options) {
    this.definition = definition;
    this.options = options;
    this.now = options.now ?? Date.now;
    this.limits = { ...MINIMUM_LIMITS, ...options.limits };
    this.revision = definition.revision;
    this.sessions = new Sessions(definition, {
      now: this.now,
      ttlMs: options.sessionTtlMs ?? 3_600_000,
      limits: this.limits,
      capabilities: options.capabilities ?? CAPABILITIES,
      supportsV1: options.v1Tools !== undefined,
    });
    this.resolutions = new Resolutions(definition.package, this.now, options.user ?? (() => 'approve'));
    this.operations = new Operations(options.operationSteps ?? 2);
    this.executions = new Executions(this.limits.idempotency_window_seconds * 1000, this.now);
  }

  restart(): void {
    this.sessions.clear();
    this.resolutions.clear();
  }

  setRevision(revision: string): void {
    this.revision = revision;
  }

  async answer(call: ReceivedCall): Promise<BinderOutcome> {
    const intercepted = this.options.intercept?.(call) ?? null;
    if (intercepted !== null) return intercepted;
    const extras = new Extras(call.extras);
    if (call.method !== 'negotiate' && !extras.has('protocol_version') && this.options.v1Tools) {
      return answerV1(this.v1(this.options.v1Tools), call);
    }
    const requestId = extras.string('request_id');
    try {
      return await this.dispatch(call, extras);
    } catch (error) {
      if (error instanceof V2Error) return v2Error(requestId, error);
      throw error;
    }
  }

  private async dispatch(call: ReceivedCall, extras: Extras): Promise<BinderOutcome> {
    const { caller, method } = call;
    if (method === 'negotiate') {
      return v2Success(extras.string('request_id'), { text: this.sessions.negotiate(caller, extras) });
    }
    if (!['get_provider_info', 'list_tools', 'execute_tool', 'get_operation', 'cancel_operation'].includes(method)) {
      throw new V2Error('METHOD_NOT_FOUND', `No method ${method}`);
    }
    const envelope = this.envelope(caller, extras);
    switch (method) {
      case 'get_provider_info':
        return v2Success(envelope.requestId, replaced(this.options.providerInfoText) ?? this.info());
      case 'list_tools':
        return v2Success(envelope.requestId, replaced(this.options.listToolsText) ?? this.list());
      case 'execute_tool':
        return this.limited(() => this.execute(call, envelope, extras));
      case 'get_operation': {
        requireCapability(envelope.session, 'async_operations');
        const id = extras.string('operation_id');
        const { text, objects } = await this.operations.query(caller.uid, envelope.requestId, id, (outcome) =>
          this.deliver(envelope.session, outcome),
        );
        return v2Success(envelope.requestId, { text }, objects);
      }
      default: {
        requireCapability(envelope.session, 'cancellation');
        const text = this.operations.cancel(caller.uid, envelope.requestId, extras.string('operation_id'));
        return v2Success(envelope.requestId, { text });
      }
    }
  }

  /** 4.1: what every method but `negotiate` carries. */
  private envelope(caller: BinderCaller, extras: Extras): Envelope {
    const version = extras.int('protocol_version');
    if (version === null) throw new V2Error('INVALID_REQUEST', 'protocol_version must be an int');
    if (version !== 2) throw new V2Error('UNSUPPORTED_VERSION', `protocol_version ${version} is not supported`);
    const session = this.sessions.require(caller, extras.string('session_token'));
    const requestId = extras.string('request_id');
    if (requestId === null || !UUID.test(requestId)) throw new V2Error('INVALID_REQUEST', 'request_id must be a UUID');
    const deadlineAtMs = extras.longAsNumber('deadline_at_ms');
    if (deadlineAtMs === null) throw new V2Error('INVALID_REQUEST', 'deadline_at_ms must be a long');
    return { session, requestId, deadlineAtMs };
  }

  private async limited(work: () => Promise<BinderOutcome>): Promise<BinderOutcome> {
    if (this.inFlight >= this.limits.max_concurrent_requests) {
      throw new V2Error('RATE_LIMITED', 'Too many requests at once', { retryable: true, retryAfterMs: 500 });
    }
    this.inFlight++;
    try {
      return await work();
    } finally {
      this.inFlight--;
    }
  }

  private info(): JsonObject {
    const { definition } = this;
    return {
      provider_id: definition.package,
      provider_name: definition.providerName,
      description: definition.description,
      schema_dialect: definition.schemaDialect ?? 'https://json-schema.org/draft/2020-12/schema',
      scopes: definition.scopes.map((scope) => ({ ...scope })),
    };
  }

  private list(): JsonObject {
    const tools = this.definition.tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      input_schema: tool.inputSchema,
      output_schema: tool.outputSchema,
      scopes: tool.scopes,
      annotations: { ...tool.annotations },
    }));
    return { revision: this.revision, tools };
  }

  private async execute(call: ReceivedCall, envelope: Envelope, extras: Extras): Promise<BinderOutcome> {
    const name = extras.string('tool_name');
    const tool = this.definition.tools.find((item) => item.name === name);
    if (!tool) throw new V2Error('TOOL_NOT_FOUND', `No tool named ${name}`);
    if (tool.brokenAnswer) return tool.brokenAnswer(call);
    const argsText = extras.string('args');
    if (argsText === null) throw new V2Error('INVALID_REQUEST', 'args must be a string');
    if (Buffer.byteLength(argsText) > this.limits.max_request_bytes) {
      throw new V2Error('INVALID_REQUEST', `args are longer than ${this.limits.max_request_bytes} bytes`);
    }
    const { requestId } = envelope;
    const mutates = tool.annotations.effect !== 'read';
    const key = { uid: call.caller.uid, requestId, tool: tool.name, argsText };
    if (mutates) {
      const known = this.executions.claim(key);
      if (known) return this.respond(envelope, await known);
    }
    const args = readArgs(tool, argsText);
    if (envelope.deadlineAtMs <= this.now()) {
      throw new V2Error('DEADLINE_EXCEEDED', 'The deadline has passed', { retryable: true });
    }
    const decision = this.redeem(extras.string('resume_token'), key);
    if (decision.kind !== 'declined') {
      this.requireScopes(tool, key);
      if (decision.kind === 'none') this.requireConfirmation(tool, args, key);
    }
    const work = async (): Promise<ExecutionOutcome> =>
      decision.kind === 'declined' ? decision.outcome : this.start(tool, args, key, envelope);
    return this.respond(envelope, await (mutates ? this.executions.run(key, work) : work()));
  }

  /** Every scope on every execution (3.4, 7.2). */
  private requireScopes(tool: V2Tool, key: RanTool): void {
    const granted = this.grants.get(key.uid) ?? new Set(this.options.grantedScopes);
    this.grants.set(key.uid, granted);
    const missing = tool.scopes.filter((scope) => !granted.has(scope));
    if (missing.length === 0) return;
    const prompt = { kind: 'authorize' as const, tool: tool.name, argsText: key.argsText, scopes: missing };
    throw this.resolutions.ask(key, prompt, () => {
      for (const scope of missing) granted.add(scope);
    });
  }

  /** What the user said to this very call; a refusal is its final outcome. */
  private redeem(resumeToken: string | null, key: RanTool): Decision {
    if (resumeToken === null) return { kind: 'none' };
    try {
      return { kind: this.resolutions.redeem(resumeToken, key) ? 'confirmed' : 'none' };
    } catch (error) {
      if (!(error instanceof V2Error) || error.code !== 'USER_CANCELLED') throw error;
      const { code, message } = error;
      return { kind: 'declined', outcome: { kind: 'error', code, message, retryable: false } };
    }
  }

  private requireConfirmation(tool: V2Tool, args: JsonObject, key: RanTool): void {
    const { confirmation } = tool.annotations;
    const needsUser = confirmation === 'always' || (confirmation === 'provider_policy' && tool.needsUser?.(args));
    if (!needsUser) return;
    const prompt = { kind: 'confirm' as const, tool: tool.name, argsText: key.argsText, scopes: tool.scopes };
    throw this.resolutions.ask(key, prompt, () => {});
  }

  private async start(tool: V2Tool, args: JsonObject, key: RanTool, envelope: Envelope): Promise<ExecutionOutcome> {
    const asynchronous =
      tool.annotations.execution === 'sync_or_async' && envelope.session.capabilities.includes('async_operations');
    const work = (): Promise<ToolOutcome> => this.run(tool, args, key);
    if (!asynchronous) return work();
    return { kind: 'accepted', operationId: this.operations.start(key.uid, key.requestId, work) };
  }

  private async run(tool: V2Tool, args: JsonObject, key: RanTool): Promise<ToolOutcome> {
    this.ran.push(key);
    const outcome = await tool.run(args);
    if (outcome.kind !== 'value') return outcome;
    const parsed = parseJson(jsonText(outcome.value));
    const faults = parsed.ok ? violations(tool.outputSchema, parsed.value.value) : ['is not JSON'];
    if (faults.length === 0) return outcome;
    return { kind: 'error', code: 'INTERNAL_ERROR', message: 'The result broke its own schema', retryable: false };
  }

  private respond(envelope: Envelope, outcome: ExecutionOutcome): BinderOutcome {
    const { requestId, session } = envelope;
    if (outcome.kind === 'accepted') return v2Accepted(requestId, outcome.operationId, POLL_AFTER_MS);
    if (outcome.kind === 'error') return v2Error(requestId, V2Error.of(outcome));
    const { text, objects } = this.deliver(session, outcome);
    return v2Success(requestId, { text }, objects);
  }

  /** Inline while it fits, else as a file where that was negotiated (4.5). */
  private deliver(session: Session, outcome: Exclude<ToolOutcome, { kind: 'error' }>): Delivery {
    let result = outcome;
    if (result.kind === 'value') {
      const bytes = Buffer.from(jsonText(result.value));
      if (bytes.length > this.limits.max_inline_result_bytes) {
        result = { kind: 'file', bytes, mediaType: 'application/json' };
      }
    }
    if (result.kind === 'file' && !session.capabilities.includes('large_results')) {
      throw new V2Error('RESULT_TOO_LARGE', 'The result needs large_results, which was not negotiated');
    }
    return resultEnvelope(result);
  }

  private v1(names: readonly string[]): Parameters<typeof answerV1>[0] {
    const { providerName, description, scopes, tools } = this.definition;
    const visible = tools.filter((tool) => tool.annotations.effect === 'read' && names.includes(tool.name));
    return {
      providerName,
      description,
      scopes,
      tools: visible.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.inputSchema,
        run: (args) => {
          const outcome = tool.run(args);
          if (outcome instanceof Promise || outcome.kind !== 'value') throw new Error('v1 tools are plain reads');
          return outcome.value;
        },
      })),
    };
  }
}

function replaced(text: string | undefined): { readonly text: string } | null {
  return text === undefined ? null : { text };
}

function requireCapability(session: Session, capability: string): void {
  if (!session.capabilities.includes(capability)) {
    throw new V2Error('UNSUPPORTED_CAPABILITY', `${capability} was not negotiated`);
  }
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
