import type { InstrumentationRun } from '../../virtual-device.ts';
import { type Command, orAbort, type Process } from '../process.ts';
import { parseComponent, shortComponent } from './format.ts';
import { readOptions, UsageError } from './options.ts';
import { dispatchTo } from './subcommands.ts';

const SUBCOMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['force-stop', forceStop],
  ['get-current-user', currentUser],
  ['instrument', instrument],
  ['start', start],
  ['start-activity', start],
  ['start-foreground-service', startService],
]);

/** `am SUBCOMMAND …`, also reached as `cmd activity`. */
export const am: Command = dispatchTo(SUBCOMMANDS, 'Activity manager (activity) commands:');

async function currentUser({ device, stdout }: Process): Promise<number> {
  await stdout.write(`${device.android.users[0]?.id ?? 0}\n`);
  return 0;
}

function forceStop(process: Process): Promise<number> {
  const { rest } = readOptions(process.argv.slice(1), { valued: ['--user'] });
  if (rest[0] === undefined) throw new UsageError('Argument expected after "force-stop"');
  process.device.android.kill(rest[0]);
  return Promise.resolve(0);
}

/** `am start -n PKG/CLS …`: says what it starts; it exists or it does not. Extras are read over. */
async function start(process: Process): Promise<number> {
  const args = process.argv.slice(1);
  const target = args[args.indexOf('-n') + 1];
  const component = args.includes('-n') && target !== undefined ? parseComponent(target) : null;
  if (component === null) {
    await process.stderr.write('Error: Activity not started, unable to resolve Intent { flg=0x10000000 }\n');
    return 1;
  }
  const short = shortComponent(component.package, component.className);
  await process.stdout.write(`Starting: Intent { cmp=${short} }\n`);
  const { android } = process.device;
  const spec = android.packages().find((installed) => installed.spec.package === component.package)?.spec;
  const activity = spec?.activities?.find((candidate) => candidate.name === component.className);
  if (activity === undefined || !activity.enabled) {
    await process.stderr.write(
      `Error type 3\nError: Activity class {${component.package}/${component.className}} does not exist.\n`,
    );
    return 1;
  }
  if (!activity.exported) {
    await process.stderr.write(
      `java.lang.SecurityException: Permission Denial: starting Intent { flg=0x10000000 cmp=${short} } from null (pid=4242, uid=2000) not exported from uid ${android.packages().find((installed) => installed.spec === spec)?.uid}\n`,
    );
    return 255;
  }
  return 0;
}

/** `am start-foreground-service -n PKG/CLS`: says what it starts, also when there is no such Service (API 26 to 34). */
async function startService(process: Process): Promise<number> {
  const args = process.argv.slice(1);
  const target = args[args.indexOf('-n') + 1];
  const component = args.includes('-n') && target !== undefined ? parseComponent(target) : null;
  if (component === null) throw new UsageError('No component given');
  const short = shortComponent(component.package, component.className);
  await process.stdout.write(`Starting service: Intent { cmp=${short} }\n`);
  if (process.device.android.startService?.(`${component.package}/${component.className}`)) return 0;
  await process.stderr.write('Error: Not found; no service started.\n');
  return 255;
}

/**
 * `am instrument [-w] [-r] [--user N] CMP`: prints the status, and with `-w` stays until the run ends or the stream is
 * closed. The app outlives a closed stream (android-facts 4.1).
 */
async function instrument(process: Process): Promise<number> {
  const { sdk } = process.device.android;
  const args = process.argv.slice(1);
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '-e') at += 2;
    else if (arg === '--user' || arg === '--abi') at += 1;
    else if (!arg.startsWith('-')) rest.push(arg);
    else if (!['-w', '-r', '--no-restart', '--no-hidden-api-checks', '--no-window-animation'].includes(arg)) {
      throw new UsageError(`Unknown option: ${arg}`);
    }
  }
  const raw = args.includes('-r');
  const component = rest[0] === undefined ? null : parseComponent(rest[0]);
  if (rest[0] === undefined || component === null) throw new UsageError(`Bad component name: ${rest[0] ?? ''}`);
  const refusal = process.device.android.instrumentationRefusal?.() ?? null;
  if (refusal !== null) {
    await process.stderr.write(`java.lang.SecurityException: ${refusal}\n`);
    return 255;
  }
  const run = await process.device.android.instrument(`${component.package}/${component.className}`);
  if (run === null) return notFound(process, rest[0], component, raw);
  if (!args.includes('-w')) return 0;

  await process.stdout.write(status(run.status, run.statusCode, raw, sdk));
  const ended = await orAbort(run.ended, process.signal);
  if (ended === null) return 129;
  await process.stdout.write(ending(ended, raw, sdk));
  return 0;
}

type Report = Readonly<Record<string, string>>;

/** Keys are sorted from API 28 on. */
const pairs = (report: Report, sdk: number): readonly (readonly [string, string])[] => {
  const entries = Object.entries(report);
  return sdk >= 28 ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : entries;
};

function status(report: Report, code: number, raw: boolean, sdk: number): string {
  if (!raw) return report['stream'] ?? '';
  const lines = pairs(report, sdk).map(([key, value]) => `INSTRUMENTATION_STATUS: ${key}=${value}\n`);
  return `${lines.join('')}INSTRUMENTATION_STATUS_CODE: ${code}\n`;
}

function ending(end: Awaited<InstrumentationRun['ended']>, raw: boolean, sdk: number): string {
  const text = end.result['stream'];
  if (!raw && text !== undefined) return `${text}\n`;
  const lines = pairs(end.result, sdk).map(([key, value]) => `INSTRUMENTATION_RESULT: ${key}=${value}\n`);
  return `${lines.join('')}INSTRUMENTATION_CODE: ${end.code}\n`;
}

async function notFound(
  process: Process,
  given: string,
  component: { readonly package: string; readonly className: string },
  raw: boolean,
): Promise<number> {
  const { sdk } = process.device.android;
  const error = `Unable to find instrumentation info for: ComponentInfo{${component.package}/${component.className}}`;
  await process.stdout.write(status({ Error: error, id: 'ActivityManagerService' }, -1, raw, sdk));
  if (raw) await process.stdout.write(`onError: commandError=true message=INSTRUMENTATION_FAILED: ${given}\n`);
  await process.stderr.write(
    [
      `android.util.AndroidException: INSTRUMENTATION_FAILED: ${given}`,
      '\tat com.android.commands.am.Instrument.run(Instrument.java:519)',
      '\tat com.android.commands.am.Am.runInstrument(Am.java:202)',
      '\tat com.android.commands.am.Am.onRun(Am.java:80)',
      '\tat com.android.internal.os.BaseCommand.run(BaseCommand.java:62)',
      '\tat com.android.commands.am.Am.main(Am.java:50)',
      '',
    ].join('\n'),
  );
  return 1;
}
