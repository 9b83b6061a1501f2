import type { Bundle } from '../../../shared/model/bundle.ts';
import { stringOf } from '../../../shared/model/bundle.ts';
import type { CallDraft } from '../../../shared/model/call.ts';
import type { DeviceClock } from '../../../shared/model/device-clock.ts';
import { type Problem, ProblemError, problem } from '../../../shared/model/problem.ts';
import type { Provider } from '../../../shared/model/provider.ts';
import type { Bridge, BridgeAnswer, EncodedCall, LaunchAnswer } from '../../bridge/bridge.ts';
import type { Journal } from '../../journal/journal.ts';
import { openJournal } from '../../journal/open-journal.ts';
import type { Clock, SchemaChecks, SessionsDeps, Target } from '../deps.ts';
import { createSessions, type Sessions } from '../sessions.ts';

export const TOKEN = 'tok-0123456789abcdef';
export const START_MS = Date.UTC(2026, 8, 1);
export const target: Target = { deviceKey: 'demo/pixel', userId: 0, providerKey: 'com.acme/com.acme.Tools' };

/** A clock that moves only by `advance`. */
export class FakeClock implements Clock {
  /** How much too early timers of 100 ms and more fire, in ms: real ones may. */
  earlyMs = 0;
  /** How far the wall clock was set, in ms; timers and `monotonic` do not notice. */
  jumpMs = 0;
  #now = START_MS;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now + this.jumpMs;
  }

  monotonic(): number {
    return this.#now - START_MS;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + (ms < 100 ? ms : ms - this.earlyMs), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }
}

/** A call that reached the bridge and waits for the test's word. */
export interface PendingCall {
  readonly call: EncodedCall;
  readonly signal: AbortSignal;
  answer(bundle: Bundle | null): void;
  fail(failure: Problem): void;
}

/** Answers by script; what the script leaves (undefined) waits in `pending`. */
export class ScriptedBridge implements Bridge {
  readonly kind: 'companion' | 'shell' = 'companion';
  readonly sent: EncodedCall[] = [];
  readonly released: string[] = [];
  pending: PendingCall[] = [];
  script: (call: EncodedCall) => Bundle | null | undefined = () => undefined;
  /** As the companion does: an abort is answered with `call-cancelled`. */
  obeysAbort = true;
  #arrivals: (() => void)[] = [];

  encode(authority: string, method: string, arg: string | null, extras: Bundle | null): EncodedCall {
    return { authority, method, arg, extras, wireText: JSON.stringify(extras) };
  }

  call(call: EncodedCall, _timeoutMs: number, signal: AbortSignal, onSent?: () => void): Promise<BridgeAnswer> {
    this.sent.push(call);
    onSent?.();
    const scripted = this.script(call);
    if (scripted !== undefined) return Promise.resolve(answer(scripted));
    const { promise, resolve } = Promise.withResolvers<BridgeAnswer>();
    const pending = {
      call,
      signal,
      answer: (bundle: Bundle | null) => resolve(answer(bundle)),
      fail: (failure: Problem) => resolve({ kind: 'failure' as const, problem: failure }),
    };
    this.pending.push(pending);
    signal.addEventListener('abort', () => {
      if (this.obeysAbort) pending.fail(problem('call-cancelled', { sent: 'yes' }));
    });
    for (const arrived of this.#arrivals.splice(0)) arrived();
    return promise;
  }

  async release(handles: readonly string[]): Promise<void> {
    this.released.push(...handles);
  }

  async readHandle(): Promise<never> {
    throw new ProblemError(problem('companion.handle-gone'));
  }

  readonly launched: string[] = [];
  /** What a launch ends with; by default a person approves. */
  onLaunch: (handle: string, signal: AbortSignal) => Promise<LaunchAnswer> = async () => launchResult(-1);
  lose: (reason: Problem) => void = () => {};
  readonly #lost = new Promise<Problem>((resolve) => {
    this.lose = resolve;
  });

  launch(handle: string, _timeoutMs: number, signal: AbortSignal): Promise<LaunchAnswer> {
    this.launched.push(handle);
    return this.onLaunch(handle, signal);
  }

  handlesGone(): Promise<Problem> {
    return this.#lost;
  }

  /** Resolves once `count` calls wait. */
  async waiting(count: number): Promise<PendingCall[]> {
    while (this.pending.length < count) await new Promise<void>((resolve) => this.#arrivals.push(resolve));
    return this.pending;
  }
}

/** An activity's result: -1 is RESULT_OK, 0 is RESULT_CANCELED. */
export function launchResult(resultCode: number): LaunchAnswer {
  return { kind: 'result', resultCode, data: null, elapsedMs: 1 };
}

function answer(bundle: Bundle | null): BridgeAnswer {
  return { kind: 'answer', bundle, nullKeys: 0, elapsedMs: 1 };
}

export interface World {
  readonly sessions: Sessions;
  readonly bridge: ScriptedBridge;
  readonly clock: FakeClock;
  readonly journal: Journal;
  readonly schemas: SchemaChecks;
  provider: Provider;
  /** Set: the Provider is out of reach. */
  gone: Problem | null;
  /** The device's clock as measured; null: not measured. */
  deviceClock: DeviceClock | null;
}

/** Everything real but the bridge, the clock and (unless given) the schema checks. */
export function createWorld(
  options: {
    protocol?: Provider['protocol'];
    schemas?: SchemaChecks;
    journal?: Journal;
    clock?: FakeClock;
    owner?: { name: string; isAlive: (owner: string) => boolean };
  } = {},
): World {
  const clock = options.clock ?? new FakeClock();
  const journal = options.journal ?? openJournal(':memory:', { now: () => clock.now() });
  const bridge = new ScriptedBridge();
  const schemas = options.schemas ?? noSchemas;
  let ids = 0;
  const world = {
    bridge,
    clock,
    journal,
    schemas,
    provider: newProvider(target, options.protocol ?? 'v2'),
    gone: null as Problem | null,
    deviceClock: null as DeviceClock | null,
  };
  const deps: SessionsDeps = {
    journal,
    schemas,
    clock,
    uuid: () => `0000000${options.owner?.name[0] ?? '0'}-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    access: async (asked) => {
      if (world.gone !== null) throw new ProblemError(world.gone);
      const provider = asked.providerKey === target.providerKey ? world.provider : newProvider(asked, 'v1');
      return { provider, deviceLabel: 'Pixel', bridge, clock: world.deviceClock };
    },
    owner: options.owner?.name ?? `1:${ids}`,
    isAlive: options.owner?.isAlive ?? (() => false),
    currentUser: () => 0,
  };
  bridge.script = (call) => (call.method === 'execute_tool' ? undefined : standard(call));
  return Object.assign(world, { sessions: createSessions(deps) });
}

const noSchemas: SchemaChecks = {
  validate: async () => ({ state: 'not-checked', issues: [], reason: 'test' }),
  example: async () => ({ ok: true, value: '{}' }),
  generate: async () => ({
    ok: true,
    value: { text: '{}', verdict: { state: 'valid', issues: [], reason: null }, leftOut: [] },
  }),
};

/** What a good Provider answers to everything but an execution. */
export function standard(call: EncodedCall): Bundle {
  switch (call.method) {
    case 'negotiate':
      return negotiated();
    case 'get_provider_info':
      return document(call, {
        provider_id: 'com.acme',
        provider_name: 'Acme',
        description: 'd',
        schema_dialect: 'https://json-schema.org/draft/2020-12/schema',
        scopes: [],
      });
    default:
      return document(call, { revision: 'r1', tools: [tool('read_it', 'read'), tool('create_it', 'create')] });
  }
}

export function negotiated(over: Record<string, unknown> = {}): Bundle {
  const data = {
    selected_version: 2,
    provider_id: 'com.acme',
    provider_name: 'Acme',
    session_token: TOKEN,
    expires_at: '2026-09-01T01:00:00Z',
    capabilities: [],
    limits: {
      max_request_bytes: 65_536,
      max_inline_result_bytes: 262_144,
      max_concurrent_requests: 4,
      idempotency_window_seconds: 86_400,
    },
    ...over,
  };
  return [
    { key: 'status', t: 'string', v: 'success' },
    { key: 'data', t: 'string', v: JSON.stringify(data) },
  ];
}

export function tool(name: string, effect: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name,
    title: name,
    description: name,
    input_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    output_schema: { type: 'object', required: ['ok'] },
    scopes: [],
    annotations: {
      effect,
      risk: 'low',
      destructive: false,
      idempotent: true,
      open_world: false,
      confirmation: 'never',
      execution: 'sync',
    },
    ...over,
  };
}

/** A success that carries a JSON document, with the echo of the request. */
export function document(call: EncodedCall, data: unknown): Bundle {
  const echo: Bundle = [
    { key: 'protocol_version', t: 'int', v: 2 },
    { key: 'request_id', t: 'string', v: requestIdOf(call) },
  ];
  return [
    { key: 'status', t: 'string', v: 'success' },
    ...(call.extras === null ? [] : echo),
    { key: 'data', t: 'string', v: typeof data === 'string' ? data : JSON.stringify(data) },
  ];
}

export function value(call: EncodedCall, result: unknown): Bundle {
  return document(call, { kind: 'inline', value: result });
}

export function errorAnswer(call: EncodedCall, code: string, message = 'no', retryable = false): Bundle {
  return [
    { key: 'status', t: 'string', v: 'error' },
    { key: 'protocol_version', t: 'int', v: 2 },
    { key: 'request_id', t: 'string', v: requestIdOf(call) },
    { key: 'error_code', t: 'string', v: code },
    { key: 'error_message', t: 'string', v: message },
    { key: 'retryable', t: 'boolean', v: retryable },
  ];
}

function requestIdOf(call: EncodedCall): string {
  return stringOf(call.extras ?? [], 'request_id') ?? '';
}

export function draft(over: Partial<CallDraft> = {}): CallDraft {
  return { ...target, tool: 'read_it', argsText: '{"n":1}', timeoutMs: 10_000, requestId: null, ...over };
}

export function newProvider({ deviceKey, providerKey }: Target, protocol: Provider['protocol']): Provider {
  const [name = '', className = ''] = providerKey.split('/');
  return {
    key: providerKey,
    deviceKey,
    userId: 0,
    origin: 'companion',
    candidate: {
      package: name,
      label: 'Acme',
      versionName: '1',
      versionCode: '1',
      uid: 10_100,
      sharedUserId: null,
      signingCertSha256: [],
      pastSigningCertSha256: [],
      component: { name: className, exported: true, enabled: true, permission: null, processName: null },
      metaData: [],
      provider: null,
      definesPermissions: [],
      visibleByQueries: true,
      unknown: [],
    },
    authority: `${name}.tools`,
    versions: protocol === 'v1' ? [1] : [1, 2],
    protocol,
    protocolReason: 'test',
    bridge: 'companion',
    bridgeProblem: null,
    findings: [],
  };
}
