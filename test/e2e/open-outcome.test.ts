import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import { PRICE_ALERTS_PACKAGE, priceAlertsPackage } from '../../host/simulator/provider-kit/price-alerts.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { WatchedProvider } from '../harness/watched-provider.ts';
import { AppPage } from './pages.ts';

const provider = new WatchedProvider();
let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let app: ServedApp;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startRealAdbServer();
  const alerts = priceAlertsPackage(provider.alerts.app);
  const packages = [notesPackage(), { ...alerts, apps: { [`${PRICE_ALERTS_PACKAGE}.clawseed.tools`]: provider.app } }];
  phone = await plugIn(server, { sdk: 34, model: 'Pixel 8', serialno: 'OPEN34', packages });
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port } });
});
afterAll(async () => {
  await app?.close();
  await phone?.unplug();
  await server?.stop();
  await browser?.close();
});

test('v2 4.1: after a lost answer of a create, Run does not act twice: a new id is refused, the old one tells', async () => {
  const open = await openPage(browser, app.url);
  const ui = new AppPage(open.page);
  await ui.compose(`local/${phone.serial}`, PRICE_ALERTS_PACKAGE, 'create_alert');
  await ui.setArguments('{"symbol":"AAA","price":1}');
  const executed = () =>
    new Set(provider.arrivals.flatMap((one) => (one.method === 'execute_tool' ? [one.requestId] : [])));

  // It acts at once, and answers long after the Consumer has stopped waiting.
  provider.delays = [[0, 60_000]];
  await ui.runButton.click();
  await ui.dialog.getByRole('button', { name: 'Run it' }).click();
  await expect.poll(() => executed().size).toBe(1);
  provider.delays = [[0, 0]];
  await ui.main
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click();
  await ui.results.getByText('How this ended is not known.').waitFor();

  // What was prepared before the answer was lost is checked again when it is run.
  await ui.runButton.click();
  await ui.dialog.waitFor();
  const runIt = ui.dialog.getByRole('button', { name: /^(Run it|Send anyway)$/ });
  if ((await runIt.textContent()) === 'Run it') {
    await runIt.click();
    await ui.calls.first().getByText('Refused').waitFor();
    await ui.runButton.click();
  }
  await ui.dialog.getByText('Only that request_id can tell: a new one could act twice').waitFor();
  await screenshot(open.page, 'open-outcome-dialog');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(executed().size).toBe(1);
  await screenshot(open.page, 'open-outcome-light');

  await ui.calls.filter({ hasText: 'Cancelled' }).click();
  await ui.results.getByRole('button', { name: 'Ask again', exact: true }).click();
  await ui.results.getByRole('button', { name: 'Send again', exact: true }).click();
  await ui.calls.first().getByText('Success').waitFor();
  expect(executed().size).toBe(1);
  await ui.main.getByText('Only that request_id can tell').waitFor({ state: 'detached' });
  await open.close();
  expect(open.faults).toEqual([]);
});
