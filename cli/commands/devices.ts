import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { settledDevices } from '../select.ts';

export async function devices(context: CommandContext): Promise<ExitCode> {
  const { terminal, options } = context;
  const snapshot = await settledDevices(context);
  if (options.json) {
    terminal.json(JSON.stringify(snapshot, null, 2));
    return EXIT.done;
  }
  for (const server of snapshot.servers) {
    if (server.problem !== null) terminal.problem(server.problem);
  }
  if (snapshot.devices.length === 0) {
    terminal.notice(terminal.t('cli.noDevices'));
    return EXIT.done;
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
