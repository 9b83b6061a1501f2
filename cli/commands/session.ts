import type { Session } from '../../shared/model/session.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode, exitOfProblem } from '../exit-codes.ts';
import { UsageError } from '../options.ts';
import { selectDevice, selectProvider } from '../select.ts';

const VERSIONS = [2, 1];
const CAPABILITIES = ['async_operations', 'cancellation', 'large_results'];

/** `session show | negotiate | drop PROVIDER`. `show` and `drop` send nothing. */
export async function session(context: CommandContext): Promise<ExitCode> {
  const { client, terminal, options, signal } = context;
  const [verb, name] = options.positionals;
  if ((verb !== 'show' && verb !== 'negotiate' && verb !== 'drop') || name === undefined) {
    throw new UsageError(terminal.t('cli.sessionOperand'));
  }
  const device = await selectDevice(context);
  const provider = await selectProvider(context, device, name);
  const of = { deviceKey: device.key, userId: options.user, providerKey: provider.key };
  if (verb === 'show') return show(context, await client.sessions.list(of, { signal }));
  if (verb === 'drop') {
    const dropped = await client.sessions.drop(of, { signal });
    if (options.json) terminal.json(JSON.stringify(dropped, null, 2));
    else terminal.notice(terminal.t(dropped === null ? 'cli.noSession' : 'cli.sessionDropped'));
    return EXIT.done;
  }
  const full = options.versions === null && options.capabilities === null;
  const offer = full
    ? null
    : { versions: [...(options.versions ?? VERSIONS)], capabilities: [...(options.capabilities ?? CAPABILITIES)] };
  const made = await client.sessions.negotiate({ ...of, offer }, { signal });
  terminal.findings(made.findings);
  if (options.json) terminal.json(JSON.stringify(made, null, 2));
  else table(context, [made]);
  if (made.problem === null) return EXIT.done;
  terminal.problem(made.problem);
  return exitOfProblem(made.problem);
}

function show(context: CommandContext, sessions: readonly Session[]): ExitCode {
  const { terminal, options } = context;
  if (options.json) terminal.json(JSON.stringify({ sessions }, null, 2));
  else if (sessions.length === 0) terminal.notice(terminal.t('cli.noSession'));
  else table(context, sessions);
  return EXIT.done;
}

function table({ terminal }: CommandContext, sessions: readonly Session[]): void {
  terminal.table(
    [
      terminal.t('cli.time'),
      terminal.t('cli.state'),
      'v',
      'capabilities',
      'expires_at',
      terminal.t('cli.cause'),
      terminal.t('cli.end'),
    ],
    sessions.map((one) => [
      new Date(one.startedAtMs).toISOString(),
      one.state,
      String(one.selectedVersion ?? '–'),
      one.capabilities.join(',') || '–',
      one.expiresAtMs === null ? '–' : new Date(one.expiresAtMs).toISOString(),
      terminal.t(`uiSessions.cause.${one.cause}`),
      one.problem === null ? '–' : terminal.problemText(one.problem),
    ]),
  );
}
