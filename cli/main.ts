import { ORPCError } from '@orpc/client';
import { Problem, toProblem } from '../shared/model/problem.ts';
import { call } from './commands/call.ts';
import { devices } from './commands/devices.ts';
import { doctor } from './commands/doctor.ts';
import { history } from './commands/history.ts';
import { providers } from './commands/providers.ts';
import { serve } from './commands/serve.ts';
import { tools } from './commands/tools.ts';
import { connect } from './connect.ts';
import type { CommandContext } from './context.ts';
import { EXIT, type ExitCode, exitOfProblem } from './exit-codes.ts';
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
};

const terminal = new Terminal(process.env);
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt.abort());
// A reader that goes away (`cetp … | head`) is no error of ours.
process.stdout.on('error', () => process.exit(EXIT.done));

process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<ExitCode> {
  let options: CliOptions;
  try {
    options = parseOptions(argv);
  } catch (error) {
    return usage(error instanceof UsageError ? error.detail : String(error));
  }
  if (options.version) {
    terminal.line(APP_VERSION);
    return EXIT.done;
  }
  if (options.help) {
    terminal.line(terminal.t('cli.help'));
    return EXIT.done;
  }
  if (options.command === 'serve') return guarded(options, () => serve(options, terminal, interrupt.signal));
  const command = Object.hasOwn(COMMANDS, options.command ?? '') ? COMMANDS[options.command ?? ''] : undefined;
  if (command === undefined)
    return usage(options.command === null ? null : terminal.t('cli.unknownCommand', { command: options.command }));
  return guarded(options, async () => {
    const connection = await connect(options);
    try {
      return await command({ client: connection.client, options, terminal, signal: interrupt.signal });
    } finally {
      await connection.close();
    }
  });
}

async function guarded(options: CliOptions, run: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError) return usage(error.detail);
    if (interrupt.signal.aborted) return EXIT.cancelled;
    const problem = problemOf(error);
    if (options.json) terminal.json(JSON.stringify({ status: 'failed', problem }, null, 2));
    terminal.problem(problem);
    return exitOfProblem(problem);
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ORPCError) {
    const data = Problem.safeParse(error.data);
    if (data.success) return data.data;
  }
  return toProblem(error);
}

function usage(detail: string | null): ExitCode {
  if (detail !== null) terminal.notice(detail);
  terminal.notice(terminal.t('cli.help'));
  return EXIT.usage;
}
