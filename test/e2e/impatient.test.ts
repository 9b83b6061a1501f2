import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PRICE_ALERTS_PACKAGE } from '../../host/simulator/provider-kit/price-alerts.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage } from '../harness/page.ts';
import { AppPage, PATIENCE } from './pages.ts';

/** A person who clicks twice where once is enough, and who leaves a finger on a key. */
const DEVICE = 'demo/DEMO34PHONE01';
let browser: Browser;
let app: ServedApp;
let open: OpenPage;
let ui: AppPage;

beforeAll(async () => {
  browser = await launchBrowser();
  app = await serveApp({ demo: true, watchLocal: false });
});
afterAll(async () => {
  await app?.close();
  await browser?.close();
});
beforeEach(async () => {
  open = await openPage(browser, app.url);
  ui = new AppPage(open.page);
});
afterEach(async () => {
  const { faults } = open;
  await open.close();
  expect(faults).toEqual([]);
});

const screen = () => ui.page.getByRole('button', { name: 'Approve' });

/** Whatever was sent before this has reached the host, and the next call is prepared. */
async function settled(): Promise<void> {
  await ui.prepared();
  await ui.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await expect.poll(() => ui.calls.filter({ hasText: 'Running' }).count(), PATIENCE).toBe(0);
}

test('a double click on Run sends one call', async () => {
  await ui.compose(DEVICE, PRICE_ALERTS_PACKAGE, 'get_quote');
  await ui.setArguments('{"symbol":"ACME"}');
  await ui.runButton.dblclick();
  await ui.calls.first().getByText('Success').waitFor();
  await settled();
  expect(await ui.calls.count()).toBe(1);
});

test('a held Ctrl+Enter sends one call, and so does a held Enter on the button', async () => {
  await ui.compose(DEVICE, PRICE_ALERTS_PACKAGE, 'list_alerts');
  await ui.runButton.focus();
  const { keyboard } = ui.page;
  for (let press = 1; press <= 2; press++) {
    if (press === 1) await keyboard.down('Control');
    // Each further `down` of a key that is down is a repeat.
    for (let i = 0; i < 5; i++) await keyboard.down('Enter');
    await keyboard.up('Enter');
    if (press === 1) await keyboard.up('Control');
    await ui.calls
      .nth(press - 1)
      .getByText('Success')
      .waitFor();
    await settled();
    expect(await ui.calls.count()).toBe(press);
  }
});

test('v2 4.3: a double click on each button of a confirmation does it once, and says nothing of a failure', async () => {
  await ui.compose(DEVICE, PRICE_ALERTS_PACKAGE, 'delete_alert');
  await ui.setArguments('{"alert_id":"al-1"}');
  await ui.runButton.dblclick();
  await ui.dialog.getByRole('button', { name: 'Run it' }).dblclick();
  const stop = ui.results.getByRole('button', { name: 'Stop waiting' });
  const failed = ui.results.getByText('That did not work');
  await ui.results.getByRole('button', { name: 'Confirm on the device' }).dblclick();
  await stop.waitFor();
  await screen().waitFor();
  expect([await ui.calls.count(), await failed.count()]).toEqual([1, 0]);
  await stop.dblclick();
  await ui.results.getByText('waits for a person').waitFor();
  await ui.page.getByRole('button', { name: 'Close without deciding' }).dblclick();
  await screen().waitFor({ state: 'detached' });
  await ui.results.getByRole('button', { name: 'Resume…' }).dblclick();
  await ui.dialog.getByRole('button', { name: 'Send anyway' }).dblclick();
  await expect.poll(() => ui.calls.count(), PATIENCE).toBe(2);
  await settled();
  expect([await ui.calls.count(), await failed.count()]).toEqual([2, 0]);
});
