import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { ERROR_LAB_PACKAGE, errorLabPackage } from '../../host/simulator/provider-kit/error-lab.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { PRICE_ALERTS_PACKAGE } from '../../host/simulator/provider-kit/price-alerts.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage } from './pages.ts';

/** A cable that is pulled while something is under way: the screen says what is known, and nothing turns for ever. */
let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let app: ServedApp;
let open: OpenPage | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startRealAdbServer();
  const packages = [...wellBehavedPackages(), errorLabPackage()];
  phone = await plugIn(server, { sdk: 34, model: 'Pixel 8', serialno: 'UNPLUG34', packages });
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

const port = () => Number(phone.serial.split(':')[1]);
const pull = () => server.connection.disconnect('127.0.0.1', port());
const plugAgain = () => server.connection.connect('127.0.0.1', port());
const deviceKey = () => `local/${phone.serial}`;

async function compose(packageName: string, tool: string, args: string): Promise<AppPage> {
  open = await openPage(browser, app.url);
  const ui = new AppPage(open.page);
  await ui.compose(deviceKey(), packageName, tool);
  await ui.setArguments(args);
  return ui;
}

/** Nothing on the page turns any more. */
async function expectStill(ui: AppPage): Promise<void> {
  await expect.poll(() => ui.results.locator('.spinner').count(), { timeout: 20_000 }).toBe(0);
}

test('during a call: no answer, the Provider may still act, and the same request_id asks again when the device is back', async () => {
  const ui = await compose(ERROR_LAB_PACKAGE, 'slow', '{"ms":4000}');
  await ui.runButton.click();
  await ui.calls.first().getByText('Running').waitFor();
  await pull();
  await ui.calls.first().getByText('No answer').waitFor();
  await ui.results.getByText('How this ended is not known.').waitFor();
  await expectStill(ui);
  await screenshot(ui.page, 'unplug-call-light');
  await plugAgain();
  await ui.main.getByText('The device is not ready').waitFor({ state: 'detached' });
  const again = ui.results.getByRole('button', { name: 'Ask again', exact: true });
  await expect
    .poll(
      async () => {
        if ((await ui.calls.count()) < 2) await again.click().catch(() => {});
        return ui.calls.count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBeGreaterThan(1);
  await ui.calls.first().getByText('Success').waitFor();
  await ui.results.getByRole('list', { name: 'Attempts of this request_id' }).getByText('Attempt 2').waitFor();
  await screenshot(ui.page, 'unplug-asked-again-light');
});

test('during a burst: the queue is in sight, and each call ends with what is known of it', async () => {
  const ui = await compose(ERROR_LAB_PACKAGE, 'slow', '{"ms":60000}');
  for (let i = 1; i <= 8; i++) {
    await ui.runButton.click();
    await expect.poll(() => ui.calls.filter({ hasText: 'Running' }).count(), { timeout: 20_000 }).toBe(i);
    await ui.prepared();
  }
  await ui.results.getByText('4 running, 0 unknown, 4 waiting; 4 at once').waitFor();
  await ui.calls.first().getByText('queue 4/4').waitFor();
  await screenshot(ui.page, 'queue-light');
  await pull();
  await expect.poll(() => ui.calls.filter({ hasText: 'No answer' }).count(), { timeout: 20_000 }).toBeGreaterThan(7);
  await expectStill(ui);
  await ui.results.getByText('Nothing was sent.').first().waitFor();
  await screenshot(ui.page, 'unplug-burst-light');
  await plugAgain();
  await ui.main.getByText('The device is not ready').waitFor({ state: 'detached' });
});

test('during a poll: nothing turns while the device is away, and the operation comes to its end when it is back', async () => {
  const ui = await compose(PRICE_ALERTS_PACKAGE, 'import_watchlist', '{"symbols":["ACME","INIT"]}');
  await ui.runButton.click();
  await ui.dialog.getByRole('button', { name: 'Run it' }).click();
  await ui.calls.first().getByText('Accepted').waitFor();
  await pull();
  await ui.main.getByText('The device is not ready').waitFor();
  await expectStill(ui);
  await screenshot(ui.page, 'unplug-poll-light');
  await plugAgain();
  await ui.main.getByText('The device is not ready').waitFor({ state: 'detached' });
  await ui.results.getByText('succeeded', { exact: true }).first().waitFor({ timeout: 60_000 });
});
