import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** The first of the names that is an executable on PATH, or null. */
export function onPath(...names: string[]): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const name of names) {
      const file = path.join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here: look further.
      }
    }
  }
  return null;
}

/** A Chromium to test with: CETP_CHROMIUM, PATH, or a usual place. */
export function findChromium(): string | null {
  const asked = process.env['CETP_CHROMIUM'];
  if (asked !== undefined) return asked;
  const found = onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (found !== null) return found;
  const usual = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  return usual.find((file) => existsSync(file)) ?? null;
}

export interface Tool {
  readonly name: string;
  readonly debianPackage: string;
  /** Homebrew's cask, which is also the product's usual name. */
  readonly caskOrName: string;
  find(): string | null;
}

export const TEST_TOOLS: readonly Tool[] = [
  { name: 'Chromium', debianPackage: 'chromium', caskOrName: 'chromium', find: findChromium },
  { name: 'adb', debianPackage: 'adb', caskOrName: 'android-platform-tools', find: () => onPath('adb') },
  { name: 'aapt', debianPackage: 'aapt', caskOrName: 'android-commandlinetools', find: () => onPath('aapt') },
];

/**
 * Installs the missing tools with apt where that is possible (root on Debian);
 * elsewhere says the one command to run and answers false.
 */
export function ensureTools(tools: readonly Tool[]): boolean {
  const missing = tools.filter((tool) => tool.find() === null);
  if (missing.length === 0) return true;
  const packages = missing.map((tool) => tool.debianPackage);
  const names = missing.map((tool) => tool.name).join(' and ');
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log(`Installing ${names} with apt …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (args: string[]) =>
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    run(['update', '-qq']);
    if (run(['install', '-y', '-qq', ...packages]) && missing.every((tool) => tool.find() !== null)) return true;
  }
  const command = existsSync('/etc/debian_version')
    ? `sudo apt-get install ${packages.join(' ')}`
    : `${process.platform === 'darwin' ? 'brew install --cask' : 'install and put on PATH:'} ${missing.map((tool) => tool.caskOrName).join(' ')}`;
  console.error(`The tests need ${names}. Run:\n\n    ${command}\n`);
  return false;
}
