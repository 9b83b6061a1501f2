import type { CallOutcome } from '../../shared/model/call.ts';
import type { ReceivedFile } from '../../shared/model/result-file.ts';
import type { ExecuteReading } from '../../shared/protocols/cetp/codec.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { NOTHING_CAME } from '../results/result-state.ts';
import type { SessionsDeps } from './deps.ts';
import { record } from './exchange.ts';
import { type Judged, notRecorded, withFindings, withoutSecrets } from './outcome.ts';

type Success = Extract<CallOutcome, { kind: 'success' }>;

/** A descriptor that an answer brought, and the way to it. Whoever holds it must read or release it. */
export interface HeldHandle {
  readonly handle: string;
  readonly bridge: Bridge;
}

/** The call that a file belongs to, also where an operation brought it. */
export interface FileCall {
  readonly callId: string;
  readonly tool: string;
  readonly method: string;
  readonly requestId: string | null;
}

/** The handles that a reading goes on using, for `ExchangeHooks.read`: the descriptor of a file result (v2 4.5). */
export function handlesToKeep(deps: SessionsDeps, reading: ExecuteReading | null): readonly string[] {
  return deps.results !== undefined && reading?.kind === 'file' && reading.handle !== null ? [reading.handle] : [];
}

/** A success whose file is about to be read, before its first byte. Anything else stays as it is. */
export function startOfFile(outcome: CallOutcome): CallOutcome {
  if (outcome.kind !== 'success' || outcome.file === null) return outcome;
  return { ...outcome, file: { ...outcome.file, received: NOTHING_CAME } };
}

/**
 * The stage after an answer that brought a file, for `execute_tool` and the end of an operation alike: reads the
 * descriptor, shows the outcome as it grows, judges it and records that as a notice of its own exchange. The Provider
 * has answered; a cancel here (by the call's id, at the store) stops the reading alone. The handle is owned here from now
 * on: it is read or released.
 */
export async function readResultFile(
  deps: SessionsDeps,
  judged: Judged,
  call: FileCall,
  answer: { readonly outcome: CallOutcome; readonly file: HeldHandle },
  show: (outcome: CallOutcome) => void,
): Promise<CallOutcome> {
  const { outcome, file } = answer;
  const { handle, bridge } = file;
  const { results } = deps;
  if (results === undefined || outcome.kind !== 'success' || outcome.file === null) {
    bridge.release([handle]).catch(() => {});
    return outcome;
  }
  const { state, tool, dialect } = judged;
  const { callId, method, requestId } = call;
  const { file: declared } = outcome;
  const { deviceKey, providerKey } = state.target;
  const growing = (received: ReceivedFile): Success => ({ ...outcome, file: { ...declared, received } });
  const taken = await results.take({
    callId,
    deviceKey,
    providerKey,
    tool: call.tool,
    declared: { mediaType: declared.mediaType, sizeBytes: declared.sizeBytes, sha256: declared.sha256 },
    bridge,
    handle,
    outputSchema: tool?.outputSchema ?? null,
    dialect,
    onProgress: (received) => show(growing(received)),
  });
  const unknown = tool === null && taken.outputVerdict.reason === 'no-schema';
  const outputVerdict = unknown ? { ...taken.outputVerdict, reason: 'no-catalog' } : taken.outputVerdict;
  const end = withoutSecrets(deps, judged, { ...growing(taken.received), outputVerdict });
  const unrecorded = record(deps, {
    kind: 'notice',
    exchangeId: callId,
    deviceKey,
    providerKey,
    method,
    tool: call.tool,
    requestId,
    payload: { resultFile: { ...declared, received: taken.received }, findings: taken.findings, outputVerdict },
  });
  return withFindings(end, [...taken.findings, ...(unrecorded === null ? [] : [notRecorded(unrecorded)])]);
}
