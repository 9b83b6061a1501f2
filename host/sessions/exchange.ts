import { createHash } from 'node:crypto';
import type { Bundle } from '../../shared/model/bundle.ts';
import type { HistoryRow } from '../../shared/model/event.ts';
import { type Problem, problem, toProblem } from '../../shared/model/problem.ts';
import type { Bridge, BridgeAnswer, EncodedCall } from '../bridge/bridge.ts';
import type { NewEvent } from '../journal/journal.ts';
import type { OperationWrite } from '../journal/operations.ts';
import type { SessionsDeps } from './deps.ts';
import { handlesOf } from './handles.ts';

/** How long past its own time-out a bridge may stay silent before the wait is ended here, in ms. */
const BRIDGE_GRACE_MS = 5_000;

export interface ExchangeSpec {
  /** The journal's exchange id. */
  readonly id: string;
  readonly deviceKey: string;
  readonly providerKey: string;
  readonly tool: string | null;
  readonly requestId: string | null;
  readonly protocol: 'v1' | 'v2';
  readonly call: EncodedCall;
  readonly timeoutMs: number;
  /** The exchange of the attempt before, with the same request_id. */
  readonly previousId?: string | null;
  /** What else its `request` event says of it. */
  readonly marks?: Readonly<Record<string, unknown>>;
  /** Goes to disk with the request, before the bytes leave. */
  readonly operation?: OperationWrite;
}

/** How an answer reads, for its event. */
export interface AnswerEnd {
  readonly outcome: HistoryRow['state'];
  readonly errorCode: string | null;
  /** Our reading, beside the answer in the event. */
  readonly reading?: Readonly<Record<string, unknown>>;
  readonly operation?: OperationWrite;
}

export interface ExchangeHooks<T> {
  /**
   * Runs at once on the answer, before it is recorded. `keep` names handles of the answer that the reader goes on
   * using; the result's `kept` hands them to whoever asked for the exchange, who must release (or read) each of them.
   * All others are released here.
   */
  readonly read: (answer: Bundle | null) => {
    readonly value: T;
    readonly end: AnswerEnd;
    readonly keep?: readonly string[];
  };
  /** The request is in the journal; the bytes leave next. */
  readonly onRecorded?: () => void;
  readonly onSent?: () => void;
  /** An answer that came after the wait had ended; it is recorded already. */
  readonly onLate?: () => void;
}

export type ExchangeResult<T> = {
  readonly durationMs: number;
  /** Set where the end could not be written to the journal. */
  readonly unrecorded: Problem | null;
} & (
  | {
      readonly kind: 'answer';
      readonly bundle: Bundle | null;
      readonly value: T;
      readonly notes: readonly Problem[];
      /** Handles that are still held, as `read` asked; the owner is the caller now. */
      readonly kept: readonly string[];
    }
  | {
      readonly kind: 'failure';
      readonly problem: Problem;
      readonly cancelled: boolean;
      /** Whether the bytes left. */
      readonly sent: boolean;
    }
);

/** Ends a wait from outside: a cancel, or a device that went away. */
export class Interrupt {
  readonly #controller = new AbortController();
  readonly #ended = Promise.withResolvers<{ problem: Problem; cancelled: boolean }>();
  #first: { problem: Problem; cancelled: boolean } | null = null;

  /** Aborts at the first demand for an end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): { problem: Problem; cancelled: boolean } | null {
    return this.#first;
  }

  /** Asks the bridge to stop; its answer still counts if it comes. */
  ask(reason: Problem, cancelled: boolean): void {
    this.#first ??= { problem: reason, cancelled };
    this.#controller.abort();
  }

  /** Stops waiting, whatever the bridge does. */
  force(reason: Problem, cancelled: boolean): void {
    this.ask(reason, cancelled);
    this.#ended.resolve({ problem: reason, cancelled });
  }

  get ended(): Promise<{ problem: Problem; cancelled: boolean }> {
    return this.#ended.promise;
  }
}

/**
 * One request and its end, recorded: `request` before the bytes leave, then
 * `response` or `failure`. Throws `ProblemError` only where the request could
 * not be recorded; nothing was sent then.
 */
export async function exchange<T>(
  deps: SessionsDeps,
  bridge: Bridge,
  spec: ExchangeSpec,
  hooks: ExchangeHooks<T>,
  interrupt: Interrupt = new Interrupt(),
): Promise<ExchangeResult<T>> {
  const { journal, clock } = deps;
  const written = spec.operation === undefined ? {} : { operation: spec.operation };
  journal.append({ ...base(spec), kind: 'request', payload: requestPayload(bridge, spec), ...written });
  hooks.onRecorded?.();
  const startedAt = clock.monotonic();
  let sent = false;
  const pending = callBridge(bridge, spec, interrupt.signal, () => {
    sent = true;
    hooks.onSent?.();
  });
  const stopTimer = clock.after(spec.timeoutMs + BRIDGE_GRACE_MS, () => {
    interrupt.force(problem('call-timeout', { ms: spec.timeoutMs }), false);
  });
  const first = await Promise.race([
    pending,
    interrupt.ended.then((reason) => ({ kind: 'interrupted' as const, reason })),
  ]);
  stopTimer();
  const durationMs = clock.monotonic() - startedAt;
  if (first.kind === 'answer') return { durationMs, ...answered(deps, bridge, spec, hooks, first, durationMs) };
  if (first.kind === 'interrupted') listenForLate(deps, bridge, spec, hooks, pending);
  const asked = first.kind === 'failure' && first.problem.code === 'call-cancelled' ? interrupt.reason : null;
  const end =
    first.kind === 'interrupted'
      ? first.reason
      : { problem: asked?.cancelled === false ? asked.problem : first.problem, cancelled: asked?.cancelled ?? false };
  sent ||= end.problem.params['sent'] === 'yes';
  const unrecorded = record(deps, {
    ...base(spec),
    kind: 'failure',
    outcome: end.cancelled ? 'cancelled' : 'transport-failure',
    errorCode: end.problem.code,
    payload: { problem: end.problem, sent, durationMs },
  });
  return { kind: 'failure', durationMs, unrecorded, sent, ...end };
}

/** Appends without throwing: an end that cannot be recorded is still shown, and says so. */
export function record(deps: SessionsDeps, event: NewEvent): Problem | null {
  try {
    deps.journal.append(event);
    return null;
  } catch (error) {
    return toProblem(error);
  }
}

export function wireDigest(wireText: string): { wireSha256: string; wireBytes: number } {
  return {
    wireSha256: createHash('sha256').update(wireText).digest('hex'),
    wireBytes: Buffer.byteLength(wireText),
  };
}

function base(spec: ExchangeSpec): Omit<NewEvent, 'kind' | 'payload'> {
  return {
    exchangeId: spec.id,
    deviceKey: spec.deviceKey,
    providerKey: spec.providerKey,
    method: spec.call.method,
    tool: spec.tool,
    requestId: spec.requestId,
  };
}

function requestPayload(bridge: Bridge, spec: ExchangeSpec): unknown {
  const { call, protocol, timeoutMs } = spec;
  return {
    protocol,
    bridge: bridge.kind,
    authority: call.authority,
    method: call.method,
    arg: call.arg,
    extras: call.extras,
    timeoutMs,
    ...(spec.previousId == null ? {} : { previousExchangeId: spec.previousId }),
    ...spec.marks,
    ...wireDigest(call.wireText),
  };
}

/** A bridge answers with a failure and does not throw; one that throws has a bug, and the call still ends. */
async function callBridge(
  bridge: Bridge,
  spec: ExchangeSpec,
  signal: AbortSignal,
  onSent: () => void,
): Promise<BridgeAnswer> {
  try {
    return await bridge.call(spec.call, spec.timeoutMs, signal, onSent);
  } catch (error) {
    return { kind: 'failure', problem: toProblem(error) };
  }
}

function answered<T>(
  deps: SessionsDeps,
  bridge: Bridge,
  spec: ExchangeSpec,
  hooks: ExchangeHooks<T>,
  answer: BridgeAnswer & { kind: 'answer' },
  durationMs: number,
) {
  const { bundle, nullKeys, elapsedMs } = answer;
  const notes = answer.notes ?? [];
  const event = {
    ...base(spec),
    kind: 'response' as const,
    payload: { bundle, nullKeys, elapsedMs, durationMs, ...(notes.length === 0 ? {} : { notes }) },
  };
  let kept: readonly string[] = [];
  try {
    const { value, end, keep = [] } = hooks.read(bundle);
    // Only what this answer brought can be kept.
    kept = handlesOf(bundle).filter((handle) => keep.includes(handle));
    const unrecorded = record(deps, { ...event, ...recorded(event.payload, end) });
    return { kind: 'answer' as const, bundle, value, unrecorded, notes, kept };
  } catch (error) {
    // A reader's bug must not cost the answer itself.
    record(deps, { ...event, outcome: 'malformed', errorCode: 'unexpected' });
    throw error;
  } finally {
    release(bridge, bundle, kept);
  }
}

function recorded(payload: object, { reading, ...end }: AnswerEnd) {
  return reading === undefined ? end : { ...end, payload: { ...payload, reading } };
}

function listenForLate<T>(
  deps: SessionsDeps,
  bridge: Bridge,
  spec: ExchangeSpec,
  hooks: ExchangeHooks<T>,
  pending: Promise<BridgeAnswer>,
): void {
  void pending.then((answer) => {
    if (answer.kind !== 'answer') return;
    release(bridge, answer.bundle);
    record(deps, { ...base(spec), kind: 'response', payload: { late: true, bundle: answer.bundle } });
    hooks.onLate?.();
  });
}

/** What an answer brought is not used further, but for `kept`; a bridge that is gone has dropped it itself. */
function release(bridge: Bridge, bundle: Bundle | null, kept: readonly string[] = []): void {
  const handles = handlesOf(bundle).filter((handle) => !kept.includes(handle));
  if (handles.length > 0) bridge.release(handles).catch(() => {});
}
