// `npm start`: opens the window; where Electron or a display cannot be had, one line says why and
// the same app is served to the browser on 127.0.0.1. Arguments are passed on (`npm start -- --demo`).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');
const electronFolder = path.join(root, 'node_modules', 'electron');

/** The Electron binary, fetched on the first start; or why there is none. */
function electronBinary(): { file: string } | { reason: string } {
  const read = (): string | null => {
    const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
    const pathFile = path.join(electronFolder, 'path.txt');
    const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : null;
    const file =
      override === undefined
        ? name && path.join(electronFolder, 'dist', name)
        : path.join(override, name ?? 'electron');
    return file !== null && existsSync(file) ? file : null;
  };
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return { reason: 'there is no display' };
  }
  const present = read();
  if (present !== null) return { file: present };
  console.log('Fetching the Electron binary (only on the first start) …');
  spawnSync(process.execPath, [path.join(electronFolder, 'install.js')], { stdio: 'ignore', timeout: 300_000 });
  const fetched = read();
  return fetched === null ? { reason: 'the Electron binary could not be fetched' } : { file: fetched };
}

await ensureBuilt({ quiet: true });
const args = process.argv.slice(2);
const electron = electronBinary();
let command: string;
let commandArgs: string[];
if ('file' in electron) {
  command = electron.file;
  commandArgs = [root, ...args];
} else {
  console.log(`No window, because ${electron.reason}: serving the same app to your browser instead.`);
  command = process.execPath;
  commandArgs = [path.join(root, 'cli', 'cetp.js'), 'serve', '--open', ...args];
}
const child = spawn(command, commandArgs, { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`${command} cannot be started: ${error.message}`);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
