import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { COMPANION_PACKAGE, companionSpec } from '../../host/simulator/android/companion-package.ts';
import { buildApk } from '../../host/simulator/apk/apk.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, type PageOptions, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage, expectNothingCutOff } from './pages.ts';

/** The companion on the device's page: what it is, its update, its removal, and the fallback. */
let browser: Browser;
let server: RealAdbServer;
let assetsRoot: string;
let app: ServedApp | undefined;
let phone: PluggedPhone | undefined;
let open: OpenPage | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startRealAdbServer();
  assetsRoot = mkdtempSync(path.join(os.tmpdir(), 'cetp-card-'));
});
afterAll(async () => {
  await server?.stop();
  await browser?.close();
  rmSync(assetsRoot, { recursive: true, force: true });
});
afterEach(async () => {
  const faults = open?.faults ?? [];
  await open?.close();
  await app?.close();
  await phone?.unplug();
  expect(faults).toEqual([]);
});

interface Scene {
  /** The vendor's words for refusing instrumentation. */
  readonly refused?: string;
  /** Version of the APK that this inspector brings; the installed one is 1.0.0. */
  readonly bundled?: string;
  readonly look?: PageOptions;
}

async function start(serialno: string, { refused, bundled = '1.2.0', look = {} }: Scene = {}) {
  writeFileSync(
    path.join(assetsRoot, 'companion.apk'),
    buildApk({ ...companionSpec, versionName: bundled, versionCode: 3 }),
  );
  phone = await plugIn(server, { sdk: 34, model: 'Pixel 8', serialno, packages: wellBehavedPackages() });
  phone.android.refuseInstrumentation(refused ?? null);
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port }, assetsRoot });
  open = await openPage(browser, app.url, look);
  const ui = new AppPage(open.page);
  await ui.device(`local/${phone.serial}`);
  return { ui, page: open.page, android: phone.android };
}

async function axe(): Promise<void> {
  if (open === undefined) throw new Error('no page');
  const { violations } = await new AxeBuilder({ page: open.page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
}

test('an older companion is told with both versions and updated by its button', async () => {
  const { ui, page } = await start('CARD1');
  await ui.main.getByText('The installed companion is version 1.0.0; this inspector brings 1.2.0.').waitFor();
  await ui.main.getByText('this inspector, since').waitFor();
  await axe();
  await expectNothingCutOff(page);
  await screenshot(page, 'companion-older-light');
  await ui.main.getByRole('button', { name: 'Update' }).click();
  await ui.main.getByText('The installed companion is version 1.0.0').waitFor({ state: 'detached' });
  await ui.main.getByText('1.2.0', { exact: true }).waitFor();
});

test('it is uninstalled after one more question, by the keyboard alone; Escape keeps it', async () => {
  const { ui, page, android } = await start('CARD2');
  const isInstalled = () => android.packages().some(({ spec }) => spec.package === COMPANION_PACKAGE);
  const button = ui.main.getByRole('button', { name: 'Uninstall…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Uninstall the companion?' }).waitFor();
  await axe();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(isInstalled()).toBe(true);
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Keep it' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await ui.main.getByRole('button', { name: 'Install the companion' }).waitFor();
  expect(isInstalled()).toBe(false);
  await ui.main.getByText('Read through the shell').waitFor();
});

test('a refused update is told in the words of the device, once', async () => {
  const { ui, android } = await start('CARD3');
  await ui.main.getByRole('button', { name: 'Update' }).waitFor();
  android.refuseNextInstall('INSTALL_FAILED_USER_RESTRICTED: Install canceled by user');
  await ui.main.getByRole('button', { name: 'Update' }).click();
  const words = ui.main.getByText('INSTALL_FAILED_USER_RESTRICTED: Install canceled by user');
  await words.first().waitFor();
  expect(await words.count()).toBe(1);
});

test.each([
  ['dark', 'en', 'foreground service (fallback)'],
  ['light', 'zh-CN', '前台服务（后备）'],
] as const)('where instrumentation is refused the service serves, and the page says so: %s, %s', async (...row) => {
  const [theme, language, text] = row;
  const refused = 'Permission Denial: instrumentation is disabled by the manufacturer';
  const { ui, page } = await start(`CARD-${language}`, { refused, bundled: '1.0.0', look: { theme, language } });
  await ui.main.getByText(text).waitFor();
  await ui.main.getByText(refused).waitFor();
  await axe();
  await expectNothingCutOff(page);
  await screenshot(page, `companion-service-${theme}`);
});
