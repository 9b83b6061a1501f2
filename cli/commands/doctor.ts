import { translateIfKnown } from '../../shared/i18n/translate.ts';
import type { DoctorCheck } from '../../shared/model/device.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { Interrupted } from '../interrupt.ts';
import { settledDevices } from '../select.ts';

const MARK: Readonly<Record<DoctorCheck['status'], string>> = {
  running: '…',
  ok: '✓',
  warning: '!',
  failed: '✗',
  skipped: '–',
};

/** Exit code 4 when a check failed: the device or the Provider cannot be reached. */
export async function doctor(context: CommandContext): Promise<ExitCode> {
  const { client, terminal, options, signal } = context;
  const { devices } = await settledDevices(context);
  const device = devices.find(({ serial, key, serverId }) =>
    options.serial === null
      ? !options.demo || serverId === 'demo'
      : serial === options.serial || key === options.serial,
  );
  const checks: DoctorCheck[] = [];
  for await (const check of await client.devices.doctor({ deviceKey: device?.key ?? options.serial }, { signal })) {
    if (check.status === 'running') continue;
    checks.push(check);
    if (!options.json) print(context, check);
  }
  if (signal.aborted) throw new Interrupted();
  if (options.json) terminal.json(JSON.stringify({ deviceKey: device?.key ?? null, checks }, null, 2));
  return checks.some(({ status }) => status === 'failed') ? EXIT.unreachable : EXIT.done;
}

function print({ terminal }: CommandContext, check: DoctorCheck): void {
  const { locale } = terminal;
  const name = translateIfKnown(locale, `doctorCheck.${check.id}`) ?? check.id;
  const text = translateIfKnown(locale, `doctor.${check.id}.${check.code}`, check.params) ?? check.code;
  terminal.line(`${MARK[check.status]} ${name}: ${text}`);
  const remedy = check.remedy === null ? null : translateIfKnown(locale, `remedy.${check.remedy}`, check.params);
  if (remedy !== null) terminal.line(`    → ${remedy}`);
  if (check.raw !== null && check.status !== 'ok') terminal.line(`    | ${check.raw}`);
}
