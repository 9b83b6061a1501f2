import type { CompanionStatus } from '../../shared/model/device.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode, exitOfProblem } from '../exit-codes.ts';
import { Interrupted } from '../interrupt.ts';
import { UsageError } from '../options.ts';
import { selectDevice } from '../select.ts';

/** `companion install | status | uninstall`, for the device of `-s` and the user of `--user`. */
export async function companion(context: CommandContext): Promise<ExitCode> {
  const { client, terminal, options, signal } = context;
  const [verb] = options.positionals;
  if (verb !== 'install' && verb !== 'status' && verb !== 'uninstall') {
    throw new UsageError(terminal.t('cli.companionOperand'));
  }
  const device = await selectDevice(context);
  const on = { deviceKey: device.key, userId: options.user };
  const user = options.user ?? device.users.find(({ current }) => current)?.id ?? 0;
  const words = { device: device.serial, user };
  if (verb === 'install') terminal.notice(terminal.t('cli.companionInstalls', words));
  if (verb === 'uninstall') terminal.notice(terminal.t('cli.companionUninstalls', words));
  const status = verb === 'status' ? await known(context, on) : await client.companion[verb](on, { signal });
  if (options.json) terminal.json(JSON.stringify(status, null, 2));
  else print(context, status, words);
  if (status.problem !== null) terminal.problem(status.problem);
  // A companion that is installed but could not be started is not what was asked for.
  if (status.state === 'failed' && status.problem !== null) return exitOfProblem(status.problem);
  return verb === 'status' && status.state === 'not-installed' ? EXIT.unreachable : EXIT.done;
}

/** The status once somebody has looked; starts nothing. An installed companion that tells no version is told as it is. */
async function known({ client, signal }: CommandContext, on: { deviceKey: string; userId: number | null }) {
  let last: CompanionStatus | null = null;
  const timer = AbortSignal.timeout(LOOK_MS);
  for await (const status of await client.companion.watch(on, { signal: AbortSignal.any([signal, timer]) })) {
    last = status;
    if (status.state === 'unknown' ? status.problem !== null : status.state !== 'starting' && !isBare(status)) break;
  }
  if (signal.aborted || last === null) throw new Interrupted();
  return last;
}

/** How long the device may take to tell the version of what is installed, in ms. */
const LOOK_MS = 15_000;

const isBare = ({ state, version }: CompanionStatus): boolean => state === 'installed' && version === null;

function print({ terminal }: CommandContext, status: CompanionStatus, words: { device: string; user: number }): void {
  const { state, version, bundledVersion, permission, uid } = status;
  terminal.line(terminal.t('cli.companionState', { ...words, state: terminal.t(`uiDevices.companionState.${state}`) }));
  if (version !== null) terminal.line(`  ${terminal.t('cli.companionVersion', { version })}`);
  if (bundledVersion !== null && bundledVersion !== version) {
    terminal.line(`  ${terminal.t('cli.companionBundled', { version: bundledVersion })}`);
  }
  if (permission !== 'unknown') {
    const text = terminal.t(`uiDevices.permission.${permission}`);
    terminal.line(`  ${terminal.t('cli.companionPermission', { permission: text })}`);
  }
  if (uid !== null) terminal.line(`  ${terminal.t('cli.companionUid', { uid })}`);
}
