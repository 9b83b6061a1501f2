import { type Bundle, entryOf } from '../../shared/model/bundle.ts';
import type { Catalog } from '../../shared/model/catalog.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type {
  CetpCodec,
  CetpRequest,
  OpenSession,
  ProviderInfoReading,
  RequestContext,
  ToolListReading,
} from '../../shared/protocols/cetp/codec.ts';
import { v1Codec } from '../../shared/protocols/cetp/v1/codec.ts';
import { v2Codec } from '../../shared/protocols/cetp/v2/codec.ts';
import { checkRevision, checkScopes } from '../../shared/protocols/cetp/v2/tools.ts';
import { compareLists, rememberEarlierList } from './catalog-compare.ts';
import type { ProviderAccess, SessionsDeps } from './deps.ts';
import { exchange, Interrupt } from './exchange.ts';
import { answerEnd, negotiate } from './negotiation.ts';
import { keepPlace } from './places.ts';
import type { LoadedCatalog, ProviderState } from './provider-state.ts';

const READ_TIMEOUT_MS = 30_000;

interface LoadOptions {
  /** False: only in the session that is open. */
  readonly mayNegotiate?: boolean;
}

/**
 * The Provider's tools. Reads them again when asked to, when none were had,
 * and in each new session (v2 3.3). A list that was not had is a catalog with
 * a problem. Throws `ProblemError` where the Provider is out of reach or
 * declares no protocol that can be used.
 */
export async function loadCatalog(
  deps: SessionsDeps,
  state: ProviderState,
  refresh: boolean,
  { mayNegotiate = true }: LoadOptions = {},
): Promise<Catalog> {
  const session = state.current().session;
  const cached = state.loaded?.catalog;
  if (!refresh && cached !== undefined && isOfNow(cached, session)) return cached;
  state.loadingCatalog ??= load(deps, state, refresh, mayNegotiate).finally(() => {
    state.loadingCatalog = null;
  });
  return state.loadingCatalog;
}

/**
 * v2 3.3: a list that is held from an earlier session is read again in the new one, whatever that was negotiated for.
 * Never a reason for another negotiation.
 */
export function readInNewSession(deps: SessionsDeps, state: ProviderState): void {
  if (state.loaded?.catalog.protocol !== 'v2') return;
  // A failure is in the journal, and the list that is held stays of the earlier session: the next use reads again.
  loadCatalog(deps, state, false, { mayNegotiate: false }).catch(() => {});
}

export function codecOf(protocol: 'v1' | 'v2'): CetpCodec {
  return protocol === 'v1' ? v1Codec : v2Codec;
}

function isOfNow(catalog: Catalog, session: { id: string; state: string } | null): boolean {
  return catalog.protocol === 'v1' || (session?.state === 'open' && session.id === catalog.sessionId);
}

async function load(
  deps: SessionsDeps,
  state: ProviderState,
  refresh: boolean,
  mayNegotiate: boolean,
): Promise<Catalog> {
  const access = await deps.access(state.target);
  state.deviceClock = access.clock ?? null;
  const { protocol } = access.provider;
  if (protocol === 'none') {
    throw new ProblemError(problem('provider-unusable', { reason: access.provider.protocolReason }));
  }
  rememberEarlierList(deps, state, codecOf(protocol));
  if (protocol === 'v1') {
    const read = await readAll(deps, state, access, null);
    return keep(deps, state, access, read, null);
  }
  const before = state.current().session;
  if (before?.state === 'failed' && !refresh) return without(deps, state, 'v2', before.problem);
  const fresh = before?.state !== 'open';
  if (fresh && !mayNegotiate) return without(deps, state, 'v2', before?.problem ?? null);
  const opened = fresh ? await openSession(deps, state, 'list') : state.current();
  if (opened.open === null || opened.session === null)
    return without(deps, state, 'v2', opened.session?.problem ?? null);
  const read = await readAll(deps, state, access, opened.open, opened.session.id);
  if (fresh || !mayNegotiate || read.retry === null) return keep(deps, state, access, read, opened.session.id);
  // The Provider has forgotten the session, as it may (v2 2.2), and lets the read be repeated.
  const again = await openSession(deps, state, 'list-again');
  if (again.open === null || again.session === null) return without(deps, state, 'v2', again.session?.problem ?? null);
  const { id } = again.session;
  return keep(deps, state, access, await readAll(deps, state, access, again.open, id, read.retry), id);
}

async function openSession(deps: SessionsDeps, state: ProviderState, cause: 'list' | 'list-again') {
  const session = await negotiate(deps, state, cause);
  const current = state.current();
  return current.session?.id === session.id ? current : { session, open: null };
}

interface ReadCatalog {
  readonly info: ProviderInfoReading;
  readonly list: ToolListReading;
  /** The read that may be repeated in a new session, with the id that it keeps; null: none. */
  readonly retry: Retry | null;
}

interface Retry {
  readonly method: 'get_provider_info' | 'list_tools';
  readonly requestId: string;
}

async function readAll(
  deps: SessionsDeps,
  state: ProviderState,
  access: ProviderAccess,
  open: OpenSession | null,
  sessionId?: string,
  retry: Retry | null = null,
): Promise<ReadCatalog> {
  const codec = codecOf(open === null ? 'v1' : 'v2');
  const reader = { deps, state, access, open, codec, sessionId, retry };
  const info = await readOne<ProviderInfoReading>(reader, 'get_provider_info', (c) => codec.providerInfo(c), {
    read: (answer, c) => codec.readProviderInfo(answer, c),
    failed: (failure) => ({ info: null, findings: [], problem: failure }),
  });
  if (info.needsNegotiation) {
    const list = { tools: [], revision: null, findings: [], problem: info.value.problem };
    return { info: info.value, list, retry: info.retry };
  }
  const list = await readOne<ToolListReading>(reader, 'list_tools', (c) => codec.listTools(c), {
    read: (answer, c) => codec.readTools(answer, c),
    failed: (failure) => ({ tools: [], revision: null, findings: [], problem: failure }),
  });
  return {
    info: info.value,
    list: open === null ? list.value : checkScopes(list.value, info.value.info),
    retry: list.retry,
  };
}

interface Reader {
  readonly deps: SessionsDeps;
  readonly state: ProviderState;
  readonly access: ProviderAccess;
  readonly open: OpenSession | null;
  readonly codec: CetpCodec;
  readonly sessionId: string | undefined;
  readonly retry: Retry | null;
}

/** One read, with an id of its own unless it repeats one (v2 4.1), through the Provider's gate. */
async function readOne<T extends { readonly problem: Problem | null }>(
  { deps, state, access, open, codec, sessionId, retry }: Reader,
  method: Retry['method'],
  build: (context: RequestContext) => CetpRequest,
  hooks: { read: (answer: Bundle | null, context: RequestContext) => T; failed: (failure: Problem) => T },
): Promise<{ value: T; needsNegotiation: boolean; retry: Retry | null }> {
  const interrupt = new Interrupt();
  state.interrupts.add(interrupt);
  const leave = await state.gate.enter(interrupt.signal);
  try {
    if (leave === null) throw new ProblemError(interrupt.reason?.problem ?? problem('call-cancelled', { sent: 'no' }));
    const startedAtMs = deps.clock.now();
    const context: RequestContext = {
      requestId: retry?.method === method ? retry.requestId : deps.uuid(),
      deadlineAtMs: state.deviceNow() + READ_TIMEOUT_MS,
      session: open,
      packageName: access.provider.candidate.package,
    };
    const request = build(context);
    const spec = {
      id: deps.uuid(),
      deviceKey: state.target.deviceKey,
      providerKey: state.target.providerKey,
      tool: null,
      requestId: codec.protocol === 'v2' ? context.requestId : null,
      protocol: codec.protocol,
      call: access.bridge.encode(access.provider.authority ?? '', request.method, null, request.extras),
      timeoutMs: READ_TIMEOUT_MS,
      marks: { userId: state.target.userId },
    };
    let needsNegotiation = false;
    let again: Retry | null = null;
    const read = (answer: Bundle | null) => {
      const value = hooks.read(answer, context);
      const end = answerEnd(answer, value.problem);
      needsNegotiation = end.outcome === 'provider-error' && end.errorCode === 'NEGOTIATION_REQUIRED';
      if (needsNegotiation && mayRetryNow(answer)) again = { method, requestId: context.requestId };
      return { value, end };
    };
    const onLate = () => state.gate.settle(spec.id);
    const result = await exchange(deps, access.bridge, spec, { read, onLate }, interrupt);
    if (result.kind === 'failure' && leave !== null) {
      keepPlace(
        deps,
        state,
        leave,
        { id: spec.id, requestId: spec.requestId, deadlineAtMs: startedAtMs + READ_TIMEOUT_MS },
        result,
      );
    }
    if (needsNegotiation) state.end(problem('session-ended-by-provider'), sessionId);
    return {
      value: result.kind === 'answer' ? result.value : hooks.failed(result.problem),
      needsNegotiation,
      retry: again,
    };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { value: hooks.failed(toProblem(error)), needsNegotiation: false, retry: null };
  } finally {
    leave?.();
    state.interrupts.delete(interrupt);
  }
}

/** v2 5: an automatic retry only where the Provider says `retryable=true`, and none that would have to wait. */
function mayRetryNow(answer: Bundle | null): boolean {
  const retryable = entryOf(answer ?? [], 'retryable');
  const wait = entryOf(answer ?? [], 'retry_after_ms');
  return retryable?.t === 'boolean' && retryable.v && (wait === undefined || (wait.t === 'long' && wait.v === '0'));
}

function keep(
  deps: SessionsDeps,
  state: ProviderState,
  { provider }: ProviderAccess,
  { info, list: read }: ReadCatalog,
  sessionId: string | null,
): Catalog {
  const protocol = sessionId === null ? 'v1' : 'v2';
  const list = checkRevision(earlierList(state), read);
  const catalog: Catalog = {
    ...without(deps, state, protocol, null),
    problem: list.problem,
    sessionId,
    revision: list.revision,
    info: info.info,
    infoProblem: info.problem,
    tools: list.tools.map((tool) => ({ ...tool.row, consumerName: null, collidesWith: [] })),
    findings: [...(info.info === null ? info.findings : []), ...list.findings],
  };
  if (list.problem !== null) return catalog;
  const loaded: LoadedCatalog = {
    catalog,
    readings: list.tools,
    info: info.info,
    label: provider.candidate.label,
    providerId: state.current().open?.providerId ?? info.info?.providerId ?? null,
  };
  state.loaded = loaded;
  compareLists(state, { atMs: catalog.atMs, revision: catalog.revision, readings: list.tools });
  return catalog;
}

/** The last v2 list of the same app: a replaced app's list is forgotten. */
function earlierList({ loaded }: ProviderState) {
  if (loaded === null || loaded.catalog.protocol !== 'v2') return null;
  return { revision: loaded.catalog.revision, tools: loaded.readings };
}

/** No list: the tools are unknown, not none. */
function without(deps: SessionsDeps, state: ProviderState, protocol: 'v1' | 'v2', failure: Problem | null): Catalog {
  return {
    deviceKey: state.target.deviceKey,
    providerKey: state.target.providerKey,
    protocol,
    sessionId: null,
    revision: null,
    info: null,
    infoProblem: null,
    tools: [],
    findings: [],
    problem: failure ?? problem('no-session'),
    atMs: deps.clock.now(),
  };
}
