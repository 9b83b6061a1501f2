import path from 'node:path';
import { app, dialog, ipcMain, Menu, protocol, session } from 'electron';
import { resultsFolderOf } from '../../host/server/static-files.ts';
import { pickLocale, translateIfKnown } from '../../shared/i18n/translate.ts';
import type { Problem } from '../../shared/model/problem.ts';
import { APP_SCHEME, serveRenderer } from './app-protocol.ts';
import { hardenApp, hardenSession } from './hardening.ts';
import { HostProcess } from './host-process.ts';
import { menuTemplate } from './menu.ts';
import { isTrustedFrame } from './trusted-sender.ts';
import { openWindow } from './window.ts';

/** Composition root of the desktop shell: a window, a host process, and a port between them. */
const distRoot = path.resolve(import.meta.dirname, '..');

protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
hardenApp(app);

if (app.requestSingleInstanceLock()) {
  void app.whenReady().then(start);
} else {
  app.quit();
}

async function start(): Promise<void> {
  hardenSession(session.defaultSession);
  const journalFile = path.join(app.getPath('userData'), 'journal.sqlite');
  serveRenderer(session.defaultSession.protocol, path.join(distRoot, 'renderer'), resultsFolderOf(journalFile));
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform)));

  const host = new HostProcess({
    entry: path.join(distRoot, 'electron', 'host.js'),
    host: {
      journalFile,
      assetsRoot: app.isPackaged ? process.resourcesPath : path.resolve(distRoot, '..', 'assets'),
      version: app.getVersion(),
      demo: process.argv.includes('--demo'),
    },
    onFailed: (problem) => void dialog.showMessageBox({ type: 'error', ...failureTexts(problem) }),
  });
  host.start();

  const open = () => openWindow(path.join(distRoot, 'electron', 'preload.cjs'));
  // A page asks for its port when it has loaded; a restarted host offers a new one unasked.
  ipcMain.on('cetp:ready', (event) => {
    if (isTrustedFrame(event.senderFrame)) host.connect(event.sender);
  });
  let window = open();
  app.on('second-instance', (_event, argv) => {
    if (argv.includes('--demo')) host.startDemo();
    if (window.isDestroyed()) window = open();
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('activate', () => {
    if (window.isDestroyed()) window = open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', () => host.stop());
}

/** Why the engine does not start, and what to do, in the language of the system. */
function failureTexts({ code, params, raw }: Problem): { message: string; detail: string } {
  const locale = pickLocale([app.getLocale()]);
  const remedy = translateIfKnown(locale, `remedy.${code}`, params);
  return {
    message: translateIfKnown(locale, `problem.${code}`, params) ?? code,
    detail: [remedy, raw].filter((part) => part !== null).join('\n\n'),
  };
}
