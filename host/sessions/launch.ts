import { problem } from '../../shared/model/problem.ts';
import type { LaunchAnswer } from '../bridge/bridge.ts';
import type { SessionsDeps } from './deps.ts';
import { type Interrupt, record } from './exchange.ts';
import { handlesOf } from './handles.ts';
import type { HeldCall } from './prepare.ts';
import type { Resolution } from './resolution.ts';

/** How long a person may take, in ms: the longest wait that the companion knows. */
export const LAUNCH_TIMEOUT_MS = 600_000;
/** The journal's word for it, beside the methods of CETP. */
const METHOD = 'launch resolution';

/**
 * Launches the PendingIntent of an answer and waits for its result; an exchange of its own in the journal, with the
 * request_id of the execution. Throws `ProblemError` only where the launch could not be recorded; nothing opened then.
 */
export async function launch(
  deps: SessionsDeps,
  held: HeldCall,
  { bridge, handle, facts }: Resolution & { readonly handle: string },
  interrupt: Interrupt,
): Promise<LaunchAnswer> {
  const { prepared, state } = held;
  const event = {
    exchangeId: deps.uuid(),
    deviceKey: state.target.deviceKey,
    providerKey: state.target.providerKey,
    method: METHOD,
    tool: prepared.draft.tool,
    requestId: prepared.requestId,
  };
  const payload = { ofCall: prepared.id, resolution: facts, timeoutMs: LAUNCH_TIMEOUT_MS };
  deps.journal.append({ ...event, kind: 'request', payload });
  state.interrupts.add(interrupt);
  try {
    const answer = await Promise.race([
      bridge.launch(handle, LAUNCH_TIMEOUT_MS, interrupt.signal),
      interrupt.ended.then((reason) => ({ kind: 'failure' as const, problem: reason.problem })),
    ]);
    if (answer.kind === 'result') {
      const handles = handlesOf(answer.data?.extras ?? null);
      if (handles.length > 0) bridge.release(handles).catch(() => {});
      const { resultCode, data, elapsedMs } = answer;
      // Neither a success nor a failure: what the person decided is told by the answer to the resumed call (v2 4.3).
      record(deps, { ...event, kind: 'response', outcome: 'notice', payload: { resultCode, data, elapsedMs } });
      return answer;
    }
    const { reason } = interrupt;
    const stopped = reason?.cancelled === true;
    const told = stopped ? problem('launch-stopped') : (reason?.problem ?? answer.problem);
    record(deps, {
      ...event,
      kind: stopped ? 'cancel' : 'failure',
      outcome: stopped ? 'cancelled' : 'transport-failure',
      errorCode: told.code,
      payload: { problem: told },
    });
    return { kind: 'failure', problem: told };
  } finally {
    state.interrupts.delete(interrupt);
  }
}

/** Codes after which the handle is good for nothing any more. */
const GONE = new Set(['launch-handle-gone', 'companion.lost-after-send', 'companion.lost-before-send', 'device-gone']);

export function isGone(code: string): boolean {
  return GONE.has(code);
}
