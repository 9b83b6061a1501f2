import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron, type Browser, type Page } from 'playwright-core';
import { vi } from 'vitest';
import { createElectron } from '../electron-stand-in/index.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** The desktop shell with the demo, as a test drives it. */
export interface DesktopShell {
  page(): Page;
  /** The stand-in module; null in Electron itself. */
  readonly standIn: ReturnType<typeof createElectron> | null;
  close(): Promise<void>;
}

/** The Electron binary, where it was fetched before. Tests fetch none. */
export function electronBinary(): string | null {
  const folder = path.join(ROOT, 'node_modules', 'electron');
  const pathFile = path.join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const file = path.join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  const shows = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  return existsSync(file) && shows ? file : null;
}

/** The built main process and preload against the stand-in, its window a page of a real Chromium. */
export async function openStandIn(browser: Browser): Promise<DesktopShell> {
  const userData = mkdtempSync(path.join(os.tmpdir(), 'cetp-electron-'));
  const standIn = createElectron({ browser, userData });
  vi.doMock('electron', () => standIn.module);
  const argv = process.argv;
  process.argv = [...argv, '--demo'];
  await import(path.join(ROOT, 'dist', 'electron', 'main.js'));
  await vi.waitFor(() => {
    if (standIn.windows.length !== 1) throw new Error('no window yet');
  });
  await standIn.windows[0]?.loaded;
  process.argv = argv;
  return {
    standIn,
    page: () => {
      const page = standIn.windows[0]?.webContents.page;
      if (!page) throw new Error('The window has no page.');
      return page;
    },
    close: async () => {
      standIn.app.emit('will-quit', {});
      rmSync(userData, { recursive: true, force: true });
    },
  };
}

/** The app in Electron itself, with a user folder of its own and no adb of this machine. */
export async function openInElectron(executablePath: string): Promise<DesktopShell> {
  const userData = mkdtempSync(path.join(os.tmpdir(), 'cetp-electron-'));
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const app = await _electron.launch({
    executablePath,
    args: [ROOT, '--demo', `--user-data-dir=${userData}`, ...(asRoot ? ['--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), ADB: '/nonexistent', ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1' },
  });
  const window = await app.firstWindow();
  return {
    standIn: null,
    page: () => window,
    close: async () => {
      await app.close();
      rmSync(userData, { recursive: true, force: true });
    },
  };
}
