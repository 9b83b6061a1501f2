import { EventEmitter } from 'node:events';
import type { Browser } from 'playwright-core';
import { MessageChannelMain } from './ports.ts';
import { StandInSession } from './session.ts';
import { StandInUtilityProcess } from './utility-process.ts';
import { StandInBrowserWindow, type StandInWorld } from './window.ts';

/** The stand-in module of one run, and what a test looks at. */
export function createElectron(options: { browser: Browser; userData: string }) {
  const app = Object.assign(new EventEmitter(), {
    isPackaged: false,
    sandboxed: false,
    enableSandbox() {
      app.sandboxed = true;
    },
    requestSingleInstanceLock: () => true,
    whenReady: () => Promise.resolve(),
    getPath: () => options.userData,
    getVersion: () => '0.0.0-stand-in',
    quit: () => app.emit('will-quit', {}),
  });
  const session = new StandInSession();
  const ipcMain = new EventEmitter();
  const hosts: StandInUtilityProcess[] = [];
  const windows: StandInBrowserWindow[] = [];
  const schemes: unknown[] = [];
  const world: StandInWorld = { browser: options.browser, session, ipcMain, app, windows };
  class BrowserWindow extends StandInBrowserWindow {
    constructor(windowOptions: StandInBrowserWindow['options']) {
      super(world, windowOptions);
    }
  }
  const module = {
    app,
    ipcMain,
    BrowserWindow,
    MessageChannelMain,
    Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: () => {} },
    nativeTheme: { shouldUseDarkColors: false },
    protocol: { registerSchemesAsPrivileged: (list: unknown[]) => schemes.push(...list) },
    session: { defaultSession: session },
    utilityProcess: {
      fork: (entry: string) => {
        const host = new StandInUtilityProcess(entry);
        hosts.push(host);
        return host;
      },
    },
  };
  return { module, app, session, ipcMain, hosts, windows, schemes };
}
