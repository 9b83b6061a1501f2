import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { selectDevice, settledProviders } from '../select.ts';

export async function providers(context: CommandContext): Promise<ExitCode> {
  const { terminal, options } = context;
  const device = await selectDevice(context);
  const snapshot = await settledProviders(context, device);
  if (options.json) {
    terminal.json(JSON.stringify(snapshot, null, 2));
    return EXIT.done;
  }
  if (snapshot.problem !== null) terminal.problem(snapshot.problem);
  for (const { package: name, problem } of snapshot.unreadable) {
    terminal.notice(terminal.t('cli.unreadable', { package: name }));
    terminal.problem(problem);
  }
  if (snapshot.providers.length === 0) {
    terminal.notice(terminal.t('cli.noProviders'));
    return EXIT.done;
  }
  terminal.table(
    [
      terminal.t('cli.authority'),
      terminal.t('cli.label'),
      terminal.t('cli.protocol'),
      terminal.t('cli.bridge'),
      terminal.t('cli.findings'),
    ],
    snapshot.providers.map((provider) => [
      provider.authority ?? provider.key,
      provider.candidate.label ?? '–',
      provider.protocol,
      provider.bridge,
      String(provider.findings.length),
    ]),
  );
  return EXIT.done;
}
