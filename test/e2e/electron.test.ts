import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type DesktopShell, electronBinary, openInElectron, openStandIn } from '../harness/desktop-shell.ts';
import { AppPage } from './pages.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const binary = electronBinary();
if (binary === null)
  console.log('No Electron binary or no display here: the desktop shell runs against its stand-in only.');

/** What holds in every desktop shell: the stand-in always, Electron itself where its binary is. */
const SHELLS: readonly (readonly [string, () => Promise<DesktopShell>])[] = [
  ['the stand-in', () => openStandIn(browser)],
  ...(binary === null ? [] : [['Electron', () => openInElectron(binary)] as const]),
];

describe.each(SHELLS)('the desktop shell in %s', (_name, open) => {
  let shell: DesktopShell;
  beforeAll(async () => {
    shell = await open();
  });
  afterAll(() => shell.close());
  const page = () => shell.page();

  test('the page is shown and reaches the host through its port', async () => {
    await page().getByText('Pixel 8').first().waitFor();
  });

  test('the page gets nothing of Node or ipc', async () => {
    const seen = await page().evaluate(() =>
      ['require', 'process', 'module', 'electron', 'ipcRenderer'].filter((name) => name in window),
    );
    expect(seen).toEqual([]);
  });

  test('the page keeps its strict policy', async () => {
    const [ran, fetched] = await page().evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.head.append(script);
      const answer = await fetch('https://example.com/').then(
        () => 'answered',
        () => 'refused',
      );
      return [(window as unknown as { injected?: boolean }).injected ?? false, answer];
    });
    expect({ ran, fetched }).toEqual({ ran: false, fetched: 'refused' });
  });

  test('a call from the device to its result, by the keyboard', async () => {
    const ui = new AppPage(page());
    await ui.compose('demo/DEMO34PHONE01', 'org.example.pricealerts', 'get_quote');
    await page().keyboard.press('Control+Enter');
    await ui.main.getByText('9223372036854775807').first().waitFor();
    await ui.home();
  });
});

describe('what only the stand-in lets us look at', () => {
  let shell: DesktopShell;
  beforeAll(async () => {
    vi.resetModules();
    shell = await openStandIn(browser);
  });
  afterAll(() => shell.close());
  const page = () => shell.page();
  const electron = () => {
    if (shell.standIn === null) throw new Error('not the stand-in');
    return shell.standIn;
  };

  test('the window is isolated and sandboxed', () => {
    expect(electron().windows[0]?.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    });
    expect(electron().app.sandboxed).toBe(true);
    expect(electron().schemes).toEqual([expect.objectContaining({ scheme: 'cetp-app' })]);
  });

  test('permissions and devices are denied; only the copy button may write', () => {
    const asked: Record<string, boolean> = {};
    for (const permission of ['geolocation', 'media', 'notifications', 'clipboard-read', 'clipboard-sanitized-write']) {
      electron().session.permissionRequest?.({}, permission, (granted) => {
        asked[permission] = granted;
      });
    }
    expect(Object.entries(asked).filter(([, granted]) => granted)).toEqual([['clipboard-sanitized-write', true]]);
    expect(electron().session.permissionCheck?.({}, 'hid')).toBe(false);
    expect(electron().session.devicePermission?.()).toBe(false);
  });

  test('nothing leaves for the network', async () => {
    expect(await electron().session.answer('https://example.com/')).toBeNull();
    expect(await electron().session.answer('file:///etc/passwd')).toBeNull();
    expect((await electron().session.answer('cetp-app://other/index.html'))?.status).toBe(404);
    expect((await electron().session.answer('cetp-app://app/../../package.json'))?.status).toBe(404);
  });

  test('no navigation, no new window, no webview', () => {
    const contents = electron().windows[0]?.webContents;
    const blocked = (event: string, url: string): boolean => {
      const preventDefault = vi.fn();
      contents?.emit(event, { url, preventDefault });
      return preventDefault.mock.calls.length > 0;
    };
    expect(blocked('will-navigate', 'https://example.com/')).toBe(true);
    expect(blocked('will-navigate', 'cetp-app://app.evil.example/')).toBe(true);
    expect(blocked('will-navigate', 'cetp-app://app/')).toBe(false);
    expect(blocked('will-redirect', 'https://example.com/')).toBe(true);
    expect(blocked('will-attach-webview', '')).toBe(true);
    expect(contents?.openHandler?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' });
  });

  test('a frame that is not ours gets no port', () => {
    const postMessage = vi.fn();
    const sender = { isDestroyed: () => false, postMessage };
    for (const senderFrame of [
      null,
      { url: 'https://example.com/', parent: null },
      { url: 'cetp-app://app/', parent: {} },
    ]) {
      electron().ipcMain.emit('cetp:ready', { senderFrame, sender });
    }
    expect(postMessage).not.toHaveBeenCalled();
  });

  test('a host that crashes is started again, and the page goes on', async () => {
    const before = electron().hosts.length;
    await electron().hosts.at(-1)?.worker.terminate();
    await vi.waitFor(() => expect(electron().hosts.length).toBe(before + 1), { timeout: 15_000 });
    await page().getByText('Pixel 8').first().waitFor();
    await page().getByText('Tab P11').first().waitFor();
  });
});
