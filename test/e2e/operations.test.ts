import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AdbHostServer, serveAdbServer } from '../../host/simulator/adb-server/serve-adb-server.ts';
import { createVirtualAndroid } from '../../host/simulator/android/virtual-android.ts';
import { DEVIANT_PACKAGE, deviantPackage } from '../../host/simulator/provider-kit/deviant.ts';
import { createNotesProvider, notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import {
  createPriceAlerts,
  PRICE_ALERTS_PACKAGE,
  type PriceAlerts,
  priceAlertsPackage,
} from '../../host/simulator/provider-kit/price-alerts.ts';
import { createDeviceServices } from '../../host/simulator/userland/services.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { AppPage, expectNothingCutOff, PATIENCE } from './pages.ts';

/** Background operations in the browser, from acceptance to end (v2 4.4). */
const DEVICE = 'local/OPS34';

let browser: Browser;
let alerts: PriceAlerts;
let server: AdbHostServer;
let app: ServedApp;
let open: OpenPage;
let ui: AppPage;

/** A phone whose operations take this many queries. */
async function start(operationSteps: number): Promise<void> {
  alerts = createPriceAlerts({ operationSteps });
  server = await serveAdbServer({ host: '127.0.0.1' });
  const packages = [notesPackage(createNotesProvider()), priceAlertsPackage(alerts.app), deviantPackage()];
  const android = createVirtualAndroid({ sdk: 34, model: 'Pixel 8', packages });
  server.setDevices([{ services: createDeviceServices(android, { serial: 'OPS34' }), state: 'device' }]);
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port } });
  open = await openPage(browser, app.url);
  ui = new AppPage(open.page);
}

async function runImport(symbols: readonly string[]): Promise<void> {
  await ui.compose(DEVICE, PRICE_ALERTS_PACKAGE, 'import_watchlist');
  await ui.setArguments(JSON.stringify({ symbols }));
  await ui.runButton.click();
  await ui.dialog.getByRole('button', { name: /Run|Send/ }).click();
  await operation().waitFor();
}

const operation = () => ui.results.getByRole('region', { name: 'Operation' });
const story = () => operation().getByRole('list', { name: 'What happened when' });
/** What each negotiation offered, as it arrived. */
const offered = () =>
  alerts.app.received.flatMap(({ method, extras }) =>
    method === 'negotiate'
      ? [extras?.entries.find(({ key }) => key === 'consumer_capabilities')].map((entry) =>
          entry?.t === 'string' ? entry.v : null,
        )
      : [],
  );
const methods = () => alerts.app.received.map(({ method }) => method);

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
afterEach(async () => {
  const { faults } = open;
  await open.close();
  await app.close();
  await server.close();
  expect(faults).toEqual([]);
});

test('async success: each state with its time, each query counted, and the value at the end', async () => {
  await start(3);
  await runImport(['ABC', 'DEF']);
  await story().getByText('succeeded').waitFor();
  for (const state of ['queued', 'running']) await story().getByText(state, { exact: true }).first().waitFor();
  await expect.poll(() => ui.answer.first().textContent(), PATIENCE).toContain('imported');
  const queries = operation().getByRole('table', { name: 'Queries' }).getByRole('row');
  expect(await queries.count()).toBe(1 + methods().filter((method) => method === 'get_operation').length);
  await screenshot(open.page, 'operation-succeeded');
  await expectNothingCutOff(open.page);
});

test('failure: the error that the operation carried is the Provider’s', async () => {
  await start(1);
  await runImport(['FAIL']);
  await story().getByText('failed').waitFor();
  await operation().getByText('UNAVAILABLE').first().waitFor();
});

test('cancel won: asked, acknowledged and reported cancelled are three events', async () => {
  await start(1_000);
  await runImport(['XYZ']);
  await operation().getByRole('button', { name: 'Request cancellation' }).click();
  await story().getByText('The Provider acknowledged the request to cancel').waitFor();
  await story().getByText('We requested a cancel').waitFor();
  await story().getByText('cancelled', { exact: true }).waitFor();
  await operation()
    .getByText(/^Cancel won: requested at .*/)
    .waitFor();
  expect(alerts.store.list().some(({ symbol }) => symbol === 'XYZ')).toBe(false);
  await screenshot(open.page, 'operation-cancel-won');
});

test('cancel lost: acknowledged, and the operation ends as it would have', async () => {
  await start(12);
  await runImport(['LATE']);
  await operation().getByRole('button', { name: 'Request cancellation' }).click();
  await story().getByText('The Provider acknowledged the request to cancel').waitFor();
  await story().getByText('succeeded', { exact: true }).waitFor();
  await operation()
    .getByText(/^Cancel lost: requested at .*succeeded/)
    .waitFor();
});

test('a waiting operation stands on the page of what waits, stops and goes on there, and a lost session is made anew', async () => {
  await start(1_000);
  await runImport(['ABC']);
  await ui.go('/activity');
  const row = ui.main
    .getByRole('list', { name: 'Operations' })
    .getByRole('listitem')
    .filter({ hasText: 'import_watchlist' });
  await row.getByText(/next query in|asking now|is due/).waitFor();
  await row.getByText('What happened when').click();
  await screenshot(open.page, 'activity-operations');
  await row.getByRole('button', { name: 'Stop asking' }).click();
  await row.getByText('Nobody asks for it any more.').waitFor();
  const before = methods().length;
  alerts.app.restart();
  expect(methods().length).toBe(before);
  await row.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => methods().slice(before), PATIENCE).toEqual(expect.arrayContaining(['negotiate']));
  await expect.poll(() => methods().slice(before).at(-1), PATIENCE).toBe('get_operation');
  await row.getByText(/next query in|asking now|is due/).waitFor();
  await ui.provider(DEVICE, PRICE_ALERTS_PACKAGE, 'session');
  const list = ui.main.getByRole('list', { name: 'Negotiations' });
  await list.getByRole('listitem').filter({ hasText: 'for the state of an operation' }).waitFor();
  const lost = list.getByRole('listitem').filter({ hasText: 'for the list of tools' });
  await lost
    .getByText(/Provider|session/i)
    .first()
    .click();
  await screenshot(open.page, 'session-after-restart');
  await expectNothingCutOff(open.page);

  await ui.main.getByRole('button', { name: 'Choose the offer…' }).click();
  await ui.dialog.getByLabel('large_results').uncheck();
  await screenshot(open.page, 'session-offer');
  await ui.dialog.getByRole('button', { name: 'Negotiate' }).click();
  await expect.poll(() => offered().at(-1), PATIENCE).toBe('["async_operations","cancellation"]');
  await list.getByText('A new negotiation replaced it.').first().waitFor();
  const sent = methods().filter((method) => method === 'negotiate').length;
  await ui.main.getByRole('button', { name: 'Drop', exact: true }).click();
  await ui.main.getByText('It was ended by hand; nothing was sent.').first().waitFor();
  expect(methods().filter((method) => method === 'negotiate').length).toBe(sent);
});

test('v2 3.3: a list that changed without a new revision is shown old beside new, security semantics marked', async () => {
  await start(1);
  await ui.compose(DEVICE, DEVIANT_PACKAGE, 'semantics_change_without_revision');
  await ui.runButton.click();
  await ui.dialog.getByRole('button', { name: 'Run it' }).click();
  await ui.calls.first().getByText('Success').waitFor();
  await ui.provider(DEVICE, DEVIANT_PACKAGE, 'tools');
  await ui.main.getByRole('button', { name: 'Refresh' }).click();
  const changes = ui.main.locator('.catalog-changes');
  await changes.getByText(/^Changed since/).click();
  await changes.getByText('The revision is the same although').waitFor();
  const row = changes.getByRole('row').filter({ hasText: 'annotations.destructive' });
  await row.getByText('security').waitFor();
  expect(await row.getByRole('cell').allTextContents()).toEqual(['false', 'true']);
  await screenshot(open.page, 'catalog-changes');
  await expectNothingCutOff(open.page);
});
