import type { CallRecord } from '../shared/model/call.ts';
import { isUnderWay } from '../shared/model/file-state.ts';
import type { Operation } from '../shared/model/operation.ts';
import type { CommandContext } from './context.ts';
import { EXIT, type ExitCode, exitOfProblem } from './exit-codes.ts';

/**
 * `--wait`: follows an accepted operation to the end that the Provider reports,
 * each new state and progress on stderr. Gives it as it stands where nobody
 * asks on any more or an interrupt came; null where none is followed.
 */
export async function followToEnd(context: CommandContext, record: CallRecord): Promise<Operation | null> {
  const { client, terminal, signal } = context;
  let told = '';
  let last: Operation | null = null;
  for await (const list of await client.operations.watch(undefined, { signal })) {
    const found = list.find(({ callId, repeats }) => callId === record.id || repeats.includes(record.id));
    if (found === undefined) return null;
    last = found;
    const now = `${found.state ?? '–'} ${found.endedAtMs === null ? (found.progressText ?? '') : ''}`.trim();
    if (now !== told && found.state !== null) terminal.notice(terminal.t('cli.operationState', { state: now }));
    told = now;
    if ((found.endedAtMs !== null && !fileComes(found)) || found.paused !== null) break;
  }
  return last;
}

/** The Provider has ended it, and the file of its result is still being received or checked (v2 4.5). */
function fileComes({ outcome }: Operation): boolean {
  const received = outcome?.kind === 'success' ? outcome.file?.received : null;
  return received != null && isUnderWay(received.state);
}

/** What is said of an operation that has no result to print: it was cancelled, or its end is not known. */
export function withoutResult(context: CommandContext, operation: Operation): ExitCode {
  const { terminal, options, signal } = context;
  const { callId, operationId, requestId, state, paused, endedAtMs } = operation;
  if (options.json) {
    const status = endedAtMs === null ? 'unfinished' : 'cancelled';
    terminal.json(JSON.stringify({ status, callId, operationId, requestId, state, paused }, null, 2));
  } else {
    terminal.json(JSON.stringify({ operation_id: operationId, request_id: requestId, state }));
  }
  if (endedAtMs !== null) {
    terminal.notice(terminal.t('cli.operationCancelled'));
    return EXIT.cancelled;
  }
  if (paused !== null) terminal.problem(paused);
  terminal.notice(terminal.t('cli.operationGoesOn', { id: callId }));
  if (signal.aborted) return EXIT.cancelled;
  return paused === null ? EXIT.done : exitOfProblem(paused);
}
