import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort, type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { serveAdbd } from '../../host/simulator/adbd/serve-adbd.ts';
import { companionSpec } from '../../host/simulator/android/companion-package.ts';
import { createVirtualAndroid } from '../../host/simulator/android/virtual-android.ts';
import { buildApk } from '../../host/simulator/apk/apk.ts';
import { UNPROTECTED_PACKAGE } from '../../host/simulator/provider-kit/unprotected.ts';
import { createDeviceServices } from '../../host/simulator/userland/services.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, type PageOptions, screenshot } from '../harness/page.ts';
import { AppPage, expectNothingCutOff } from './pages.ts';

/** What a person meets who starts the app for the first time. */
const REAL_ASSETS = path.resolve(import.meta.dirname, '..', '..', 'assets');

let browser: Browser;
let server: RealAdbServer;
let folder: string;
let app: ServedApp | undefined;
let open: OpenPage | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startRealAdbServer();
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-first-'));
});
afterAll(async () => {
  await server?.stop();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  const faults = open?.faults ?? [];
  await open?.close();
  await app?.close();
  open = undefined;
  app = undefined;
  expect(faults).toEqual([]);
});

async function start(options: Parameters<typeof serveApp>[0] = {}, look: PageOptions = {}): Promise<AppPage> {
  app = await serveApp(options);
  open = await openPage(browser, app.url, look);
  return new AppPage(open.page);
}

test('without a device it says what to do; one click brings the demo', async () => {
  const ui = await start();
  await ui.heading('No device yet').waitFor();
  await ui.main.getByText('USB debugging').first().waitFor();
  await expectNothingCutOff(ui.page);
  await screenshot(ui.page, 'first-run-light');
  await ui.main.getByRole('button', { name: 'Start the demo device' }).click();
  await ui.row('Pixel 8').filter({ hasText: 'Ready' }).waitFor();
  await ui.row('Tab P11').filter({ hasText: 'Ready' }).waitFor();
  await ui.row('DEMO33PHONE02').filter({ hasText: 'Not authorized' }).waitFor();
  await screenshot(ui.page, 'home-demo-light');
});

test('an adb that does not run is explained', async () => {
  app = await serveApp({
    watchLocal: true,
    // A machine may have adb in a standard folder: only the variable makes sure that it is not used.
    env: { ADB: '/nonexistent/adb', ANDROID_ADB_SERVER_PORT: String(await freePort()) },
  });
  open = await openPage(browser, app.url);
  const ui = new AppPage(open.page);
  await ui.main.getByText('The variable ADB names /nonexistent/adb').waitFor();
  await ui.main.getByText('Correct ADB, or clear it').waitFor();
  await ui.main.getByRole('button', { name: 'Start the demo device' }).waitFor();
  await screenshot(ui.page, 'adb-unusable-light');
});

test('a refusing adb server is explained, with its address', async () => {
  const port = await freePort();
  const ui = await start({ adb: { host: '127.0.0.1', port } });
  await ui.main.getByText(`No adb server listens on 127.0.0.1:${port}.`).waitFor();
  await ui.main.getByText('adb start-server').waitFor();
  await screenshot(ui.page, 'adb-refused-light');
});

test('a further adb server is added and removed', async () => {
  const ui = await start();
  await ui.sidebar.getByRole('link', { name: 'Settings' }).click();
  await ui.main.getByLabel('Host of another adb server').fill('127.0.0.1');
  await ui.main.getByLabel('Port').fill(String(server.port));
  await ui.main.getByRole('button', { name: 'Add server' }).click();
  const line = ui.main.getByRole('listitem').filter({ hasText: `127.0.0.1:${server.port}` });
  await line.getByText('version 41').waitFor();
  await screenshot(ui.page, 'settings-light');
  await ui.sidebar.getByText(`127.0.0.1:${server.port}`).waitFor();
  await line.getByRole('button', { name: 'Remove' }).click();
  await line.waitFor({ state: 'detached' });
  await ui.sidebar.getByText(`127.0.0.1:${server.port}`).waitFor({ state: 'detached' });
});

test('connecting over TCP, the Providers through the shell, and disconnecting', async () => {
  const android = createVirtualAndroid({ sdk: 31, model: 'Pixel 6', serialno: 'TCP31', companionInstalled: false });
  const adbd = await serveAdbd(createDeviceServices(android, { serial: 'TCP31' }));
  try {
    const ui = await start({ adb: { host: '127.0.0.1', port: server.port } });
    await ui.heading('No device yet').waitFor();
    await ui.sidebar.getByRole('button', { name: 'Connect a device' }).click();
    await ui.dialog.getByLabel('Address of the phone').fill('not an address');
    await ui.dialog.getByText('Write host:port').waitFor();
    await ui.dialog.getByLabel('Address of the phone').fill(`127.0.0.1:${adbd.port}`);
    await screenshot(ui.page, 'connect-dialog-light');
    await ui.dialog.getByRole('button', { name: 'Connect', exact: true }).last().click();
    await ui.dialog.getByText(/connected to/).waitFor();
    await ui.dialog.getByRole('button', { name: 'Close' }).last().click();
    await ui.row('Pixel 6').getByRole('link').click();
    await ui.main.getByText('No Providers on this device').waitFor();
    await ui.main.getByRole('button', { name: 'Disconnect' }).click();
    await ui.main.getByText('This device is not connected').waitFor();
    await ui.home();
    await ui.heading('No device yet').waitFor();
  } finally {
    await adbd.close();
  }
});

test('a device that refuses this computer says what to do', async () => {
  const ui = await start({ demo: true });
  await ui.row('DEMO33PHONE02').getByRole('link').click();
  await ui.main.getByText('Allow USB debugging?').waitFor();
  await screenshot(ui.page, 'device-unauthorized-light');
});

test('the doctor walks the whole chain', async () => {
  const ui = await start({ demo: true });
  await ui.row('Pixel 8').getByRole('link').click();
  await ui.main.getByRole('link', { name: 'Doctor' }).click();
  await ui.main.locator('.check').nth(7).waitFor();
  await ui.main.getByRole('button', { name: 'Check again' }).and(ui.page.locator(':enabled')).waitFor();
  const steps = await ui.main.locator('.check .strong:first-child').allInnerTexts();
  expect(steps.length).toBeGreaterThanOrEqual(8);
  await ui.main.locator('.check').nth(7).getByText('in order').waitFor();
  await screenshot(ui.page, 'doctor-light');
  await ui.device('demo/DEMO33PHONE02', 'doctor');
  await ui.main.locator('.check').filter({ hasText: 'failed' }).getByText('What to do:').first().waitFor();
  await screenshot(ui.page, 'doctor-unauthorized-light');
});

test('without the companion the mode is limited and says so; a build without the APK explains its button', async () => {
  const ui = await start({ demo: true });
  await ui.row('Tab P11').getByRole('link').click();
  await ui.main.getByText('Read through the shell').waitFor();
  await ui.row(UNPROTECTED_PACKAGE).filter({ hasText: 'Shell, limited' }).waitFor();
  await ui.row('org.example.pricealerts').filter({ hasText: 'Not possible' }).waitFor();
  await screenshot(ui.page, 'device-without-companion-light');
  await ui.main.getByRole('button', { name: 'Install the companion' }).click();
  await ui.main.getByText('This build of the inspector has no companion APK.').waitFor();
});

test('an unprotected Provider is called through the shell; then the companion is installed by its button', async () => {
  let assetsRoot = REAL_ASSETS;
  if (!existsSync(path.join(REAL_ASSETS, 'companion.apk'))) {
    assetsRoot = folder;
    writeFileSync(path.join(folder, 'companion.apk'), buildApk(companionSpec));
  }
  const ui = await start({ demo: true, assetsRoot });
  const tablet = 'demo/DEMO30TABLET1';
  await ui.compose(tablet, UNPROTECTED_PACKAGE, 'next_departures');
  await ui.setArguments('{"stop":"人民广场"}');
  await ui.main.getByText('content call').first().waitFor();
  await ui.runButton.click();
  await ui.calls.first().getByText('Success').waitFor();
  await ui.answer.getByText('夜27路').waitFor();
  await screenshot(ui.page, 'composer-shell-light');

  await ui.device(tablet);
  await ui.main.getByRole('button', { name: 'Install the companion' }).click();
  await ui.main.getByText('Seen by the companion').waitFor();
  await ui.row('org.example.pricealerts').filter({ hasText: 'Companion' }).waitFor();
  await ui.compose(tablet, UNPROTECTED_PACKAGE, 'next_departures');
  await ui.runButton.click();
  await ui.calls.first().getByText('Success').waitFor();
  await ui.answer.getByText('夜27路').waitFor();
});
