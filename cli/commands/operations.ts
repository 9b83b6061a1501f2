import { setTimeout as delay } from 'node:timers/promises';
import { ORPCError } from '@orpc/client';
import { cancelFate, type Operation } from '../../shared/model/operation.ts';
import { Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode, exitOfErrorCode, exitOfOutcome, exitOfProblem } from '../exit-codes.ts';
import { UsageError } from '../options.ts';
import { settledDevices, settledProviders } from '../select.ts';

/** `operations [PROVIDER]`: those that run, and those that an earlier run left without an end. Sends nothing. */
export async function operations(context: CommandContext): Promise<ExitCode> {
  const { terminal, options } = context;
  const [name] = options.positionals;
  const all = await known(context);
  const list = name === undefined ? all : all.filter(({ providerKey }) => isNamed(providerKey, name));
  if (options.json) {
    terminal.json(JSON.stringify({ operations: list }, null, 2));
    return EXIT.done;
  }
  if (list.length === 0) {
    terminal.notice(terminal.t('cli.noOperations'));
    return EXIT.done;
  }
  terminal.table(
    [
      'id',
      'operation_id',
      terminal.t('cli.state'),
      terminal.t('cli.tool'),
      terminal.t('cli.provider'),
      terminal.t('cli.time'),
    ],
    list.map((one) => [
      one.callId,
      one.operationId,
      one.state ?? '–',
      one.tool,
      one.providerKey,
      new Date(one.startedAtMs).toISOString(),
    ]),
  );
  return EXIT.done;
}

/** `operation get | cancel ID`: one query, or one request to cancel; ID is that of the call, the operation, or the request. */
export async function operation(context: CommandContext): Promise<ExitCode> {
  const { client, terminal, options } = context;
  const [verb, id] = options.positionals;
  if ((verb !== 'get' && verb !== 'cancel') || id === undefined)
    throw new UsageError(terminal.t('cli.operationOperand'));
  const found = await find(context, id);
  await present(context, found);
  if (verb === 'get') return tell(context, await whenDue(context, found));
  const after = await client.operations.cancel({ callId: found.callId });
  const answer = after.queries.at(-1);
  terminal.notice(terminal.t(`uiOperations.fate.${nonNone(after)}`, facts(after)));
  if (options.json) terminal.json(JSON.stringify(after, null, 2));
  else
    terminal.json(
      JSON.stringify({ operation_id: after.operationId, answer: answer?.state ?? answer?.errorCode ?? null }),
    );
  if (answer?.errorCode != null) return exitOfErrorCode(answer.errorCode);
  return answer?.problem == null ? EXIT.done : exitOfProblem(answer.problem);
}

function nonNone(one: Operation) {
  const fate = cancelFate(one);
  return fate === 'none' ? 'unanswered' : fate;
}

function facts({ cancelAskedAtMs, endedAtMs, state }: Operation) {
  const time = (atMs: number | null) => (atMs === null ? '–' : new Date(atMs).toISOString());
  return { asked: time(cancelAskedAtMs), ended: time(endedAtMs), state: state ?? '–' };
}

function tell({ terminal, options }: CommandContext, one: Operation): ExitCode {
  const query = one.queries.at(-1);
  terminal.findings(query?.findings ?? []);
  if (options.json) terminal.json(JSON.stringify(one, null, 2));
  else {
    const { operationId, requestId, state, progressText, outcome } = one;
    const shown = { operation_id: operationId, request_id: requestId, state, progress: progressText };
    terminal.json(JSON.stringify(shown));
    // The value's own text, so that every digit stays.
    if (outcome?.kind === 'success' && outcome.valueText !== null) terminal.line(outcome.valueText);
  }
  if (one.paused !== null && one.endedAtMs === null) {
    terminal.problem(one.paused);
    return query?.errorCode == null ? exitOfProblem(one.paused) : exitOfErrorCode(query.errorCode);
  }
  return one.outcome === null ? EXIT.done : exitOfOutcome(one.outcome);
}

/** Waits as long as the Provider asked for, never shorter (v2 4.4). */
async function whenDue({ client, signal }: CommandContext, { callId }: Operation): Promise<Operation> {
  for (;;) {
    try {
      return await client.operations.poll({ callId });
    } catch (error) {
      const wait = waitOf(error);
      if (wait === null) throw error;
      await delay(wait + 2, undefined, { signal });
    }
  }
}

function waitOf(error: unknown): number | null {
  const told = error instanceof ORPCError ? Problem.safeParse(error.data) : null;
  if (told?.success !== true || told.data.code !== 'poll-too-early') return null;
  const ms = Number(told.data.params['ms']);
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

async function known({ client, signal }: CommandContext): Promise<readonly Operation[]> {
  for await (const list of await client.operations.watch(undefined, { signal })) return list;
  return [];
}

async function find(context: CommandContext, id: string): Promise<Operation> {
  const found = (await known(context)).filter(
    ({ callId, operationId, requestId }) => callId === id || operationId === id || requestId === id,
  );
  const [first] = found;
  if (first === undefined) throw new ProblemError(problem('operation-unknown'));
  if (found.length > 1) {
    throw new UsageError(
      context.terminal.t('cli.severalOperations', { list: found.map((one) => one.callId).join(', ') }),
    );
  }
  return first;
}

/** A host that has just started does not know its devices yet. */
async function present(context: CommandContext, { deviceKey, userId }: Operation): Promise<void> {
  const { devices } = await settledDevices(context);
  const device = devices.find(({ key }) => key === deviceKey);
  if (device === undefined) throw new ProblemError(problem('no-such-device', { serial: deviceKey }));
  await settledProviders({ ...context, options: { ...context.options, user: userId } }, device);
}

function isNamed(providerKey: string, name: string): boolean {
  const [packageName = ''] = providerKey.split('/');
  return providerKey === name || packageName === name || name.startsWith(`${packageName}.`);
}
