import { isJsonObject, type JsonObject, parseJson } from '../../../../shared/base/json.ts';
import type { BinderCaller, BinderOutcome } from '../../virtual-device.ts';
import { Extras } from '../bundles.ts';
import { type ReceivedCall, type RecordingApp, recording } from '../recorder.ts';
import { answerV1 } from '../v1-provider.ts';
import type { V2Definition, V2Options, V2Tool } from './definition.ts';
import type { DurableState } from './durable.ts';
import { V2Error, v2Error, v2Success } from './envelope.ts';
import {
  deliver,
  type Engine,
  type Envelope,
  execute,
  isBroken,
  ProcessDied,
  type RanTool,
  workOf,
} from './execute.ts';
import { Executions } from './executions.ts';
import { Operations } from './operations.ts';
import { Resolutions } from './resolutions.ts';
import { CAPABILITIES, MINIMUM_LIMITS, Sessions } from './sessions.ts';
import { v1Side } from './v1-side.ts';

export type { RanTool };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const METHODS: readonly string[] = [
  'get_provider_info',
  'list_tools',
  'execute_tool',
  'get_operation',
  'cancel_operation',
];

export interface V2Provider extends RecordingApp {
  /** Every run of a tool's code, in order; a deduplicated call adds none. */
  readonly ran: readonly RanTool[];
  /** Takes every session away, as a new app version does. */
  invalidateSessions(): void;
  /** The catalog with its changed revision is listed from now on. */
  setRevision(revision: string): void;
  /** The tools listed now. */
  tools(): readonly V2Tool[];
  /** Another set of tools, under the same revision until `setRevision`. */
  setTools(tools: readonly V2Tool[]): void;
  /** What is offered from now on; ends the sessions of before, unless `keepSessions` breaks 2.3. */
  setCapabilities(capabilities: readonly string[], keepSessions?: boolean): void;
  /** Breaks 2.2: any token is good from now on. */
  setAcceptsAnyToken(accepts: boolean): void;
  /** Everything that outlives the process, as JSON values: the `durable` option of its next life. */
  snapshot(): DurableState;
  restart(): void;
}

/** A CETP v2 Provider that obeys every MUST of the specification, but for what the options break on purpose. */
export function createV2Provider(definition: V2Definition, options: V2Options = {}): V2Provider {
  const provider = new Provider(definition, options);
  const restart = (): void => provider.restart();
  const app = recording((call) => provider.answer(call), restart);
  return Object.assign(app, {
    ran: provider.ran,
    restart,
    invalidateSessions: () => provider.sessions.clear(),
    setRevision: (revision: string) => provider.change({ revision }),
    tools: () => provider.definition.tools,
    setTools: (tools: readonly V2Tool[]) => provider.change({ tools }),
    setCapabilities: (names: readonly string[], keep?: boolean) => provider.sessions.setCapabilities(names, keep),
    setAcceptsAnyToken: (accepts: boolean) => {
      provider.sessions.acceptsAnyToken = accepts;
    },
    snapshot: () => provider.snapshot(),
  });
}

class Provider implements Engine {
  readonly ran: RanTool[] = [];
  definition: V2Definition;
  readonly now: () => number;
  readonly limits: typeof MINIMUM_LIMITS;
  readonly sessions: Sessions;
  readonly resolutions: Resolutions;
  readonly operations: Operations;
  readonly executions: Executions;
  private readonly options: V2Options;
  /** Grants are durable; by UID. */
  private readonly granted = new Map<number, Set<string>>();
  /** Executions under way in this process. */
  private inFlight = new Set<symbol>();
  private generation = 0;
  /** Answers given, by method and request id; only of tools that rewrite theirs. */
  private readonly left = new Map<string, number>();

  constructor(definition: V2Definition, options: V2Options) {
    this.definition = definition;
    this.options = options;
    this.now = options.now ?? Date.now;
    this.limits = { ...MINIMUM_LIMITS, ...options.limits };
    this.sessions = new Sessions(definition, {
      now: this.now,
      ttlMs: options.sessionTtlMs ?? 3_600_000,
      limits: this.limits,
      capabilities: options.capabilities ?? CAPABILITIES,
      supportsV1: options.v1Tools !== undefined,
    });
    this.resolutions = new Resolutions(definition.package, this.now, options.user ?? (() => 'approve'));
    const windowMs = this.limits.idempotency_window_seconds * 1000;
    const { durable } = options;
    this.operations = new Operations(
      {
        steps: options.operationSteps ?? 2,
        ttlMs: Math.max(windowMs, options.operationTtlMs ?? windowMs),
        now: this.now,
        work: (record, commit) => workOf(this, record, commit),
        cancelLoses: (record) => this.tool(record.tool)?.cancelLoses?.(argsOf(record.argsText)) ?? false,
        actsAfterCancel: (record) => isBroken(this.tool(record.tool), 'no-effect-after-cancel'),
      },
      { records: durable?.operations ?? [], count: durable?.operationCount ?? 0 },
    );
    this.executions = new Executions(definition.package, windowMs, this.now, durable?.executions);
    for (const [uid, scopes] of Object.entries(durable?.grants ?? {})) this.granted.set(Number(uid), new Set(scopes));
  }

  readonly grants = {
    of: (uid: number): Set<string> => {
      const known = this.granted.get(uid) ?? new Set(this.options.grantedScopes);
      this.granted.set(uid, known);
      return known;
    },
  };

  restart(): void {
    this.generation++;
    this.inFlight = new Set();
    this.sessions.clear();
    this.resolutions.clear();
    this.executions.restart((tool) => isBroken(this.tool(tool), 'dedup-restart'));
    this.operations.restart((tool) => isBroken(this.tool(tool), 'operation-restart'));
  }

  change(change: Partial<Pick<V2Definition, 'revision' | 'tools'>>): void {
    this.definition = { ...this.definition, ...change };
  }

  snapshot(): DurableState {
    const { records, count } = this.operations.snapshot();
    return {
      grants: Object.fromEntries([...this.granted].map(([uid, scopes]) => [String(uid), [...scopes]])),
      executions: this.executions.snapshot(),
      operations: records,
      operationCount: count,
    };
  }

  tool(name: string | null): V2Tool | undefined {
    return this.definition.tools.find((tool) => tool.name === name);
  }

  lives(): () => void {
    const { generation } = this;
    return () => {
      if (generation !== this.generation) throw new ProcessDied();
    };
  }

  async answer(call: ReceivedCall): Promise<BinderOutcome> {
    const intercepted = this.options.intercept?.(call) ?? null;
    if (intercepted !== null) return intercepted;
    const extras = new Extras(call.extras);
    if (call.method !== 'negotiate' && !extras.has('protocol_version') && this.options.v1Tools) {
      return answerV1(v1Side(this.definition, this.options.v1Tools), call);
    }
    const requestId = extras.string('request_id');
    try {
      return await this.leave(call, extras, await this.dispatch(call, extras));
    } catch (error) {
      if (error instanceof V2Error) return this.leave(call, extras, v2Error(requestId, error));
      if (error instanceof ProcessDied) return { kind: 'died' };
      throw error;
    }
  }

  /** The answer as it goes out: of a tool that rewrites its answers, rewritten. */
  private async leave(call: ReceivedCall, extras: Extras, outcome: BinderOutcome): Promise<BinderOutcome> {
    const name = extras.string('tool_name') ?? this.operations.toolOf(extras.string('operation_id'));
    const rewrite = this.tool(name)?.rewrite;
    if (!rewrite) return outcome;
    const key = `${call.method}|${extras.string('request_id')}`;
    const before = this.left.get(key) ?? 0;
    this.left.set(key, before + 1);
    return rewrite({ call, outcome, before });
  }

  private async dispatch(call: ReceivedCall, extras: Extras): Promise<BinderOutcome> {
    const { caller, method } = call;
    if (method === 'negotiate') {
      return v2Success(extras.string('request_id'), { text: this.sessions.negotiate(caller, extras) });
    }
    if (!METHODS.includes(method)) throw new V2Error('METHOD_NOT_FOUND', `No method ${method}`);
    const envelope = this.envelope(caller, extras);
    switch (method) {
      case 'get_provider_info':
        return v2Success(envelope.requestId, replaced(this.options.providerInfoText) ?? this.info());
      case 'list_tools':
        return v2Success(envelope.requestId, replaced(this.options.listToolsText) ?? this.list());
      case 'execute_tool':
        return this.limited(() => execute(this, call, envelope, extras));
      case 'get_operation': {
        this.sessions.requireCapability(envelope.session, 'async_operations');
        const id = extras.string('operation_id');
        const { text, objects } = await this.operations.query(caller.uid, envelope.requestId, id, (outcome, tool) =>
          deliver(this.limits, envelope.session, outcome, this.tool(tool)),
        );
        return v2Success(envelope.requestId, { text }, objects);
      }
      default: {
        this.sessions.requireCapability(envelope.session, 'cancellation');
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
    const { inFlight } = this;
    if (inFlight.size >= this.limits.max_concurrent_requests) {
      throw new V2Error('RATE_LIMITED', 'Too many requests at once', { retryable: true, retryAfterMs: 500 });
    }
    const place = Symbol('place');
    inFlight.add(place);
    try {
      return await work();
    } finally {
      inFlight.delete(place);
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
    return { revision: this.definition.revision, tools };
  }
}

function replaced(text: string | undefined): { readonly text: string } | null {
  return text === undefined ? null : { text };
}

/** Arguments that were checked when the operation was accepted. */
function argsOf(argsText: string): JsonObject {
  const parsed = parseJson(argsText);
  return parsed.ok && isJsonObject(parsed.value.value) ? parsed.value.value : {};
}
