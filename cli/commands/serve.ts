import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Host } from '../../host/host.ts';
import { type RunningServer, startServer } from '../../host/server/server.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import { createHostFor } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { unlessInterrupted } from '../interrupt.ts';
import { type CliOptions, UsageError } from '../options.ts';
import { RENDERER_ROOT } from '../package-info.ts';
import type { Terminal } from '../terminal.ts';

/** How long a host may take to close, in ms; what was recorded is on disk already. */
const CLOSE_MS = 5_000;

/** Serves the app to this machine's browser until Ctrl+C. The address is the only line on stdout. */
export async function serve(options: CliOptions, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  if (!existsSync(path.join(RENDERER_ROOT, 'index.html'))) throw new UsageError(terminal.t('cli.notBuilt'));
  const host = await unlessInterrupted(signal, createHostFor(options));
  const server = await listen(host, options.port);
  terminal.line(options.json ? JSON.stringify({ url: server.url }) : server.url);
  terminal.notice(terminal.t('cli.serving'));
  if (options.open) openBrowser(server.url);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([server.close().then(() => host.close()), delay(CLOSE_MS)]);
  return EXIT.done;
}

async function listen({ router, resultsFolder }: Host, port: number): Promise<RunningServer> {
  try {
    return await startServer({ router, resultsFolder, rendererRoot: RENDERER_ROOT, port });
  } catch (error) {
    throw new ProblemError(problem('port-unusable', { port }, error instanceof Error ? error.message : null));
  }
}

/** Best effort: the address stands in the terminal anyway. */
function openBrowser(url: string): void {
  const headless = process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'];
  if (headless) return;
  const [command, args]: [string, string[]] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
