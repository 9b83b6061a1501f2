import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

export async function history({ client, terminal, options, signal }: CommandContext): Promise<ExitCode> {
  if (options.follow) return follow(client, terminal, signal);
  const page = await client.history.list({ search: options.search, beforeSeq: null, limit: options.limit });
  if (options.json) {
    terminal.json(JSON.stringify(page, null, 2));
    return EXIT.done;
  }
  if (page.rows.length === 0) {
    terminal.notice(terminal.t(options.search === '' ? 'cli.noHistory' : 'cli.noHistoryMatch'));
    return EXIT.done;
  }
  terminal.table(
    [
      terminal.t('cli.time'),
      terminal.t('cli.provider'),
      terminal.t('cli.method'),
      terminal.t('cli.tool'),
      terminal.t('cli.end'),
      'request_id',
    ],
    page.rows.map((row) => [
      new Date(row.startedAtMs).toISOString(),
      row.providerKey ?? '–',
      row.method ?? '–',
      row.tool ?? '–',
      row.errorCode === null ? row.state : `${row.state} ${row.errorCode}`,
      row.requestId ?? '–',
    ]),
  );
  if (page.total > page.rows.length)
    terminal.notice(terminal.t('cli.moreHistory', { shown: page.rows.length, total: page.total }));
  return EXIT.done;
}

/** One JSON line an event as it happens, until an interrupt, which is the way to end it. */
async function follow(
  client: CommandContext['client'],
  terminal: CommandContext['terminal'],
  signal: AbortSignal,
): Promise<ExitCode> {
  try {
    for await (const event of await client.history.follow({ afterSeq: null }, { signal })) {
      const { data, ...rest } = event;
      terminal.jsonLine(`${JSON.stringify(rest).slice(0, -1)},"data":${data}}`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return EXIT.done;
}
