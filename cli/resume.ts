import type { CallRecord } from '../shared/model/call.ts';
import type { Deviation } from '../shared/model/deviation.ts';
import type { CommandContext } from './context.ts';

/** A grant and then a confirmation are two; more is a Provider that asks for ever. */
const MOST = 5;
const ASKS = new Set(['AUTH_REQUIRED', 'USER_ACTION_REQUIRED']);
const RESULT_OK = -1;
const ON_RESUME: readonly Deviation[] = ['changed-args-on-resume', 'resume-token-twice'];

/** Deviations of the first request; the others are of a resumed one. */
export function ofRequest(deviations: readonly Deviation[]): Deviation[] {
  return deviations.filter((name) => !ON_RESUME.includes(name));
}

/**
 * `--resume`: opens the Provider's screen on the device, waits for the person, and resumes the call (v2 4.3), again
 * where the Provider then asks for something else. Ends with the last record. An interrupt ends the wait.
 */
export async function resume(context: CommandContext, first: CallRecord): Promise<CallRecord> {
  const { client, terminal, options, signal } = context;
  let record = first;
  for (let round = 0; options.resume && round < MOST && asks(record) && !signal.aborted; round++) {
    const callId = record.id;
    terminal.notice(terminal.t('cli.waitsForPerson'));
    const stop = () => void client.confirmations.stop({ callId }).catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { approved, call } = await act(context, callId);
      if (call === null) return record;
      record = call;
      if (!approved) return record;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
  return record;
}

/** As Android names it, so that a denial is no mere number. */
function nameOf(code: number | null): string {
  if (code === null) return '–';
  return code === RESULT_OK ? 'RESULT_OK (-1)' : code === 0 ? 'RESULT_CANCELED (0)' : String(code);
}

/** Whether the Provider answered that a person is needed first (v2 4.3). */
export function asks({ outcome }: CallRecord): boolean {
  return outcome?.kind === 'provider-error' && ASKS.has(outcome.errorCode);
}

async function act(
  { client, terminal, options }: CommandContext,
  callId: string,
): Promise<{ approved: boolean; call: CallRecord | null }> {
  const broken = options.breaks.filter((name) => ON_RESUME.includes(name));
  const { steps } = await client.confirmations.launch({ callId, confirmed: true });
  const last = steps.at(-1);
  if (last?.kind !== 'returned') {
    if (last?.problem != null) terminal.problem(last.problem);
    return { approved: false, call: null };
  }
  terminal.notice(terminal.t('cli.personAnswered', { code: nameOf(last.resultCode) }));
  const send = async (deliberate: Deviation[]) => {
    const { id } = await client.calls.resume({ callId, deliberate });
    return client.calls.run({ preparedId: id, confirmed: options.yes, force: options.force });
  };
  const once = await send(broken.filter((name) => name !== 'resume-token-twice'));
  const call = broken.includes('resume-token-twice') ? await send(broken) : once;
  return { approved: last.resultCode === RESULT_OK, call };
}
