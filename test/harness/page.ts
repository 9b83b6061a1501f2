import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { SCREENS } from './app.ts';

export const SIZES = { small: { width: 1280, height: 800 }, large: { width: 1920, height: 1080 } } as const;

export interface PageOptions {
  readonly size?: keyof typeof SIZES;
  readonly theme?: 'light' | 'dark' | 'contrast';
  readonly language?: 'en' | 'zh-CN';
  /** Console errors that the test itself provokes, such as a socket to a server that it stopped. */
  readonly expectedErrors?: RegExp;
}

export interface OpenPage {
  readonly page: Page;
  /** What must never happen: uncaught errors, console errors, dialogs of the browser, requests that leave the app. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** A page of its own in a context of its own: no storage and no cookie of another test. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { theme = 'light' } = options;
  const context = await browser.newContext({
    viewport: SIZES[options.size ?? 'small'],
    locale: options.language ?? 'en-US',
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    contrast: theme === 'contrast' ? 'more' : 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const origin = new URL(url).host;
  page.on('pageerror', (error) => faults.push(`page error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || options.expectedErrors?.test(message.text())) return;
    faults.push(`console error: ${message.text()} (${message.location().url})`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const outside = (address: string) => {
    const { protocol, host } = new URL(address);
    if (protocol !== 'data:' && protocol !== 'blob:' && host !== origin) faults.push(`request to ${address}`);
  };
  context.on('request', (request) => outside(request.url()));
  page.on('websocket', (socket) => outside(socket.url()));
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

/** Writes `test-results/screens/<name>.png` for a person to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENS, `${name}.png`) });
}
