import type { Annotations } from '../../shared/model/catalog.ts';
import { ProblemError } from '../../shared/model/problem.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { UsageError } from '../options.ts';
import { selectDevice, selectProvider } from '../select.ts';
import { cut } from '../terminal.ts';

export async function tools(context: CommandContext): Promise<ExitCode> {
  const { client, terminal, options, signal } = context;
  const [name] = options.positionals;
  if (name === undefined) throw new UsageError(terminal.t('cli.needsProvider'));
  const device = await selectDevice(context);
  const provider = await selectProvider(context, device, name);
  const catalog = await client.catalog.get(
    { deviceKey: device.key, userId: options.user, providerKey: provider.key, refresh: true },
    { signal },
  );
  if (catalog.problem !== null) throw new ProblemError(catalog.problem);
  if (options.json) {
    terminal.json(JSON.stringify(catalog, null, 2));
    return EXIT.done;
  }
  if (catalog.protocol === 'v1') terminal.notice(terminal.t('cli.v1NoAnnotations'));
  terminal.findings(catalog.findings);
  terminal.table(
    [
      terminal.t('cli.tool'),
      terminal.t('cli.effect'),
      terminal.t('cli.risk'),
      terminal.t('cli.confirmation'),
      terminal.t('cli.description'),
    ],
    catalog.tools.map((tool) => [
      tool.state === 'ok' ? (tool.name ?? '–') : `! ${tool.name ?? `#${tool.index}`}`,
      declared(context, tool.annotations, 'effect'),
      declared(context, tool.annotations, 'risk'),
      declared(context, tool.annotations, 'confirmation'),
      cut(tool.description, 60),
    ]),
  );
  for (const tool of catalog.tools) {
    if (tool.findings.length === 0) continue;
    terminal.notice(`${tool.name ?? `#${tool.index}`}:`);
    terminal.findings(tool.findings);
  }
  return EXIT.done;
}

function declared(
  { terminal }: CommandContext,
  annotations: Annotations | null,
  field: 'effect' | 'risk' | 'confirmation',
): string {
  return annotations === null ? '–' : (annotations[field] ?? terminal.t('common.notDeclared'));
}
