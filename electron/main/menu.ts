import type { MenuItemConstructorOptions } from 'electron';

/**
 * Roles only: their labels come from the system in its language, and copy,
 * paste and quit work as the platform's users expect.
 */
export function menuTemplate(platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : [{ role: 'fileMenu' as const }]),
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
  ];
}
