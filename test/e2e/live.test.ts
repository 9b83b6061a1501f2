import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { PRICE_ALERTS_PACKAGE, priceAlertsPackage } from '../../host/simulator/provider-kit/price-alerts.ts';
import { UNPROTECTED_PACKAGE, unprotectedPackage } from '../../host/simulator/provider-kit/unprotected.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage } from './pages.ts';

/** What changes while one looks at it. Every wait ends with the change itself. */
let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let app: ServedApp;
let open: OpenPage | undefined;

const PHONE = { sdk: 34, model: 'Pixel 8', serialno: 'LIVE34' } as const;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startRealAdbServer();
  phone = await plugIn(server, { ...PHONE, packages: wellBehavedPackages() });
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port } });
});
afterAll(async () => {
  await app?.close();
  await phone?.unplug();
  await server?.stop();
  await browser?.close();
});
afterEach(async () => {
  const faults = open?.faults ?? [];
  await open?.close();
  open = undefined;
  expect(faults).toEqual([]);
});

async function look(expectedErrors?: RegExp): Promise<AppPage> {
  open = await openPage(browser, app.url, expectedErrors === undefined ? {} : { expectedErrors });
  return new AppPage(open.page);
}

test.each([true, false])('packages come, change and go on the screen (companion: %s)', async (companion) => {
  const other = await plugIn(server, {
    sdk: 33,
    model: 'Pixel 7',
    serialno: `LIVE33${companion}`,
    packages: wellBehavedPackages(),
    companionInstalled: companion,
  });
  try {
    const ui = await look();
    await ui.device(`local/${other.serial}`);
    await ui.main.getByText(companion ? 'Seen by the companion' : 'Read through the shell').waitFor();
    const row = ui.row(UNPROTECTED_PACKAGE);
    await row.waitFor();
    other.android.uninstall(UNPROTECTED_PACKAGE);
    await row.waitFor({ state: 'detached' });
    other.android.install(unprotectedPackage());
    await row.waitFor();
    other.android.install({ ...unprotectedPackage(), versionName: '9.9.9', versionCode: 99 });
    await row.filter({ hasText: '9.9.9' }).waitFor();
  } finally {
    await other.unplug();
  }
});

test('a phone that is unplugged says so, and comes back on the same page', async () => {
  const ui = await look();
  await ui.device(`local/${phone.serial}`);
  await ui.row(PRICE_ALERTS_PACKAGE).waitFor();
  await server.connection.disconnect('127.0.0.1', Number(phone.serial.split(':')[1]));
  await ui.main.getByText('This device is not connected').waitFor();
  await screenshot(ui.page, 'device-gone-light');
  await server.connection.connect('127.0.0.1', Number(phone.serial.split(':')[1]));
  await ui.row(PRICE_ALERTS_PACKAGE).waitFor();
  await ui.main.getByText('Seen by the companion').waitFor();
});

test('tools of a replaced Provider are read again', async () => {
  const ui = await look();
  const deviceKey = `local/${phone.serial}`;
  await ui.provider(deviceKey, PRICE_ALERTS_PACKAGE, 'tools');
  await ui.main.getByText('10 tools', { exact: true }).waitFor();
  phone.android.uninstall(PRICE_ALERTS_PACKAGE);
  await ui.sidebar.getByRole('link', { name: /Price Alerts/ }).waitFor({ state: 'detached' });
  phone.android.install(priceAlertsPackage());
  await ui.sidebar.getByRole('link', { name: /Price Alerts/ }).waitFor();
  await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'get_quote');
  await ui.setArguments('{"symbol":"ACME"}');
  await ui.runButton.click();
  await ui.calls.first().getByText('Success').waitFor();
});

test('the adb server dies: it is said, nothing is shown as present, and its return is seen', async () => {
  const ui = await look();
  await ui.row('Pixel 8').waitFor();
  const { port } = server;
  await server.stop();
  await ui.main
    .getByText(new RegExp(`127\\.0\\.0\\.1:${port}`))
    .first()
    .waitFor();
  await ui.row('Pixel 8').filter({ hasText: 'Ready' }).waitFor({ state: 'detached' });
  await screenshot(ui.page, 'adb-server-gone-light');
  server = await startRealAdbServer(port);
  await server.connection.connect('127.0.0.1', Number(phone.serial.split(':')[1]));
  await ui.row('Pixel 8').filter({ hasText: 'Ready' }).waitFor();
  await ui.device(`local/${phone.serial}`);
  await ui.row(PRICE_ALERTS_PACKAGE).filter({ hasText: 'Companion' }).waitFor();
});

test('the host goes away: a banner; it comes back on its port: the page lives on', async () => {
  // The socket's own complaint while nobody listens.
  const ui = await look(/WebSocket connection to|ERR_CONNECTION_REFUSED|403/);
  await ui.row('Pixel 8').waitFor();
  const { port } = app.server;
  const url = app.url;
  await app.close();
  await ui.page.getByText("The connection to the inspector's host is lost.").waitFor();
  await screenshot(ui.page, 'host-lost-light');
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port }, port });
  expect(new URL(app.url).host).toBe(new URL(url).host);
  // Another run has another token: the page cannot use it until its address is opened again.
  await ui.page.goto(app.url);
  await ui.page.getByText("The connection to the inspector's host is lost.").waitFor({ state: 'detached' });
  await ui.row('Pixel 8').filter({ hasText: 'Ready' }).waitFor();
});
