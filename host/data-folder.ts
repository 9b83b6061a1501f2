import os from 'node:os';
import path from 'node:path';

/**
 * Where journal and settings live: the platform's folder for an app's data,
 * the same that Electron's `userData` names.
 */
export function defaultDataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = os.homedir();
  const name = 'CETP Inspector';
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), name);
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), name);
}
