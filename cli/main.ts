import { setImmediate as immediate } from 'node:timers/promises';
import { ORPCError } from '@orpc/client';
import { Problem, ProblemError, problem, toProblem } from '../shared/model/problem.ts';
import { call } from './commands/call.ts';
import { companion } from './commands/companion.ts';
import { devices } from './commands/devices.ts';
import { doctor } from './commands/doctor.ts';
import { history } from './commands/history.ts';
import { operation, operations } from './commands/operations.ts';
import { providers } from './commands/providers.ts';
import { runSaved } from './commands/run.ts';
import { serve } from './commands/serve.ts';
import { session } from './commands/session.ts';
import { tools } from './commands/tools.ts';
import { connect } from './connect.ts';
import type { CommandContext } from './context.ts';
import { attendDemo } from './demo-answer.ts';
import { EXIT, type ExitCode, exitOfProblem } from './exit-codes.ts';
import { elapsedSince, Interrupted, listenForInterrupt, type Signals, unlessInterrupted } from './interrupt.ts';
import { type CliOptions, parseOptions, UsageError } from './options.ts';
import { APP_VERSION } from './package-info.ts';
import { Terminal } from './terminal.ts';

const COMMANDS: Readonly<Record<string, (context: CommandContext) => Promise<ExitCode>>> = {
  devices,
  providers,
  tools,
  call,
  history,
  doctor,
  companion,
  operations,
  operation,
  session,
  run: runSaved,
};

/** How long a call may take to end after an interrupt, in ms; longer than the engine waits for the last word of a bridge. */
const CALL_END_MS = 5_000;
/** How long the host may take to close after an interrupt, in ms; what was recorded is on disk already. */
const CLOSE_MS = 2_000;

const terminal = new Terminal(process.env);

/** Runs the command of this process's command line and ends the process with its exit code. */
export async function run(signals: Signals): Promise<never> {
  const interrupt = listenForInterrupt(signals, () => process.exit(EXIT.cancelled));
  // Lets in a signal that came while this was loading.
  await immediate();
  const code = await main(process.argv.slice(2), interrupt);
  const unwritten = await terminal.flush();
  if (unwritten !== null) terminal.notice(terminal.t('cli.outputLost', { reason: unwritten }));
  process.exit(unwritten !== null && code === EXIT.done ? EXIT.usage : code);
}

async function main(argv: readonly string[], interrupt: AbortSignal): Promise<ExitCode> {
  let options: CliOptions;
  try {
    options = parseOptions(argv);
  } catch (error) {
    return usage(error instanceof UsageError ? error.detail : String(error), argv.includes('--json'));
  }
  if (options.version) {
    terminal.line(APP_VERSION);
    return EXIT.done;
  }
  if (options.help) {
    terminal.line(terminal.t('cli.help'));
    return EXIT.done;
  }
  if (options.command === 'serve') return guarded(options, interrupt, () => serve(options, terminal, interrupt));
  const command = Object.hasOwn(COMMANDS, options.command ?? '') ? COMMANDS[options.command ?? ''] : undefined;
  if (command === undefined) {
    const detail = options.command === null ? null : terminal.t('cli.unknownCommand', { command: options.command });
    return usage(detail, options.json);
  }
  return guarded(options, interrupt, async () => {
    const connection = await unlessInterrupted(interrupt, connect(options));
    const leaveDemo =
      options.demo || options.demoAnswer !== null
        ? attendDemo(connection.client, terminal, options.demoAnswer)
        : () => {};
    try {
      const running = command({ client: connection.client, options, terminal, signal: interrupt });
      // A call under way ends with its record; everything else has nothing to tell any more.
      const endsItself = command === call || command === runSaved || options.follow;
      return await unlessInterrupted(interrupt, running, endsItself ? CALL_END_MS : 0);
    } catch (error) {
      // The command itself may go on while the host closes: its answer comes too late.
      if (error instanceof Interrupted) terminal.mute();
      const lost = error instanceof Interrupted ? null : connection.lost();
      throw lost === null ? error : new ProblemError(lost, { cause: error });
    } finally {
      leaveDemo();
      await Promise.race([connection.close(), elapsedSince(interrupt, CLOSE_MS)]);
    }
  });
}

async function guarded(options: CliOptions, interrupt: AbortSignal, work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) return usage(error.detail, options.json);
    if (error instanceof Interrupted || interrupt.aborted) {
      terminal.mute();
      if (options.json) terminal.cancelled();
      return EXIT.cancelled;
    }
    const failure = problemOf(error);
    if (options.json) terminal.json(JSON.stringify({ status: 'failed', problem: failure }, null, 2));
    terminal.problem(failure);
    return exitOfProblem(failure);
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ORPCError) {
    const data = Problem.safeParse(error.data);
    if (data.success) return data.data;
  }
  return toProblem(error);
}

function usage(detail: string | null, json: boolean): ExitCode {
  if (json) {
    const wrong = problem('usage', { detail: detail ?? terminal.t('cli.noCommand') });
    terminal.json(JSON.stringify({ status: 'failed', problem: wrong }, null, 2));
  }
  if (detail !== null) terminal.notice(detail);
  terminal.notice(terminal.t('cli.help'));
  return EXIT.usage;
}
