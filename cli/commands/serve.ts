import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startServer } from '../../host/server/server.ts';
import { createHostFor } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { CliOptions } from '../options.ts';
import { RENDERER_ROOT } from '../package-info.ts';
import type { Terminal } from '../terminal.ts';

/** Serves the app to this machine's browser until Ctrl+C. The address is the only line on stdout. */
export async function serve(options: CliOptions, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  if (!existsSync(path.join(RENDERER_ROOT, 'index.html'))) {
    terminal.notice(terminal.t('cli.notBuilt'));
    return EXIT.usage;
  }
  const host = await createHostFor(options);
  const server = await startServer({ router: host.router, rendererRoot: RENDERER_ROOT, port: options.port });
  terminal.line(options.json ? JSON.stringify({ url: server.url }) : server.url);
  terminal.notice(terminal.t('cli.serving'));
  if (options.open) openBrowser(server.url);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await server.close();
  await host.close();
  return EXIT.done;
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
