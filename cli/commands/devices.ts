import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { serverProblem, settledDevices } from '../select.ts';

export async function devices(context: CommandContext): Promise<ExitCode> {
  const { terminal, options } = context;
  const snapshot = await settledDevices(context);
  const failures = snapshot.servers.map(serverProblem).filter((failure) => failure !== null);
  for (const failure of failures) terminal.problem(failure);
  // A server that did not tell its devices must not look like one that has none.
  const code = snapshot.devices.length === 0 && failures.length > 0 ? EXIT.unreachable : EXIT.done;
  if (options.json) {
    terminal.json(JSON.stringify(snapshot, null, 2));
    return code;
  }
  if (snapshot.devices.length === 0) {
    if (failures.length === 0) terminal.notice(terminal.t('cli.noDevices'));
    return code;
  }
  terminal.table(
    [terminal.t('cli.serial'), terminal.t('cli.state'), terminal.t('cli.model'), 'Android', terminal.t('cli.server')],
    snapshot.devices.map((device) => [
      device.serial,
      device.stateText,
      [device.manufacturer, device.model].filter((part) => part !== null).join(' ') || '–',
      device.androidRelease ?? '–',
      device.serverId,
    ]),
  );
  return EXIT.done;
}
