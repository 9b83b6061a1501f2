import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import {
  createPriceAlerts,
  PRICE_ALERTS_PACKAGE,
  priceAlertsPackage,
} from '../../host/simulator/provider-kit/price-alerts.ts';
import type { UserDecision, UserPrompt } from '../../host/simulator/provider-kit/v2/definition.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage, bundleIn, PATIENCE } from './pages.ts';

/** A person at the phone, and one at the app (v2 4.3). */
const prompts: { prompt: UserPrompt; decide: (decision: UserDecision) => void }[] = [];
let nowMs = 0;
const alerts = createPriceAlerts({
  now: () => Date.now() + nowMs,
  user: (prompt) => new Promise((decide) => prompts.push({ prompt, decide })),
});

let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let app: ServedApp;
let open: OpenPage;
let ui: AppPage;
let deviceKey: string;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startRealAdbServer();
  phone = await plugIn(server, {
    sdk: 34,
    serialno: 'CONFIRM34',
    packages: [notesPackage(), priceAlertsPackage(alerts.app)],
  });
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port } });
  deviceKey = `local/${phone.serial}`;
});
afterAll(async () => {
  await app?.close();
  await phone?.unplug();
  await server?.stop();
  await browser?.close();
});
beforeEach(async () => {
  prompts.splice(0);
  nowMs = 0;
  open = await openPage(browser, app.url);
  ui = new AppPage(open.page);
});
afterEach(async () => {
  const { faults } = open;
  await open.close();
  expect(faults).toEqual([]);
});

const panel = () =>
  ui.results
    .locator('.card')
    .filter({ has: open.page.getByRole('heading', { name: 'The Provider asks for a person' }) });
const ran = () => alerts.app.ran.length;

/** The person at the phone, once the screen is open. */
async function decide(decision: UserDecision): Promise<UserPrompt> {
  await expect.poll(() => prompts.length, PATIENCE).toBe(1);
  const [{ prompt, decide: answer }] = prompts.splice(0) as [(typeof prompts)[number]];
  answer(decision);
  return prompt;
}

async function expectAccessible(): Promise<void> {
  const { violations } = await new AxeBuilder({ page: open.page }).exclude('.monaco-editor').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** Calls `delete_alert`, which asks for a person each time. */
async function askToDelete(id: string, waitSeconds = '30'): Promise<void> {
  await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'delete_alert');
  await ui.main.locator('.composer-run input[inputmode="decimal"]').fill(waitSeconds);
  await ui.setArguments(JSON.stringify({ alert_id: id }));
  await ui.runButton.click();
  await ui.dialog.getByRole('button', { name: 'Run it' }).click();
  await panel().waitFor();
}

test('v2 4.3: approve: the screen opens, the same call is resumed once, and the effect comes only then', async () => {
  const before = ran();
  await askToDelete('al-1');
  expect(await panel().textContent()).toContain(PRICE_ALERTS_PACKAGE);
  expect(await panel().textContent()).toContain('waits for a person');
  await screenshot(open.page, 'confirmation-waiting');
  await expectAccessible();
  await ui.resultView('Sent');
  const sent = await bundleIn(ui.results.getByRole('table', { name: 'Sent' }));
  await ui.resultView('Answer');
  await panel().getByRole('button', { name: 'Confirm on the device' }).click();
  await panel().getByText('Its screen was opened on the device').waitFor();
  await expect.poll(() => prompts.length, PATIENCE).toBe(1);
  await screenshot(open.page, 'confirmation-launched');
  expect(ran()).toBe(before);
  expect(await decide('approve')).toMatchObject({ kind: 'confirm', tool: 'delete_alert' });
  await expect.poll(() => ui.calls.count(), PATIENCE).toBe(2);
  await ui.results.getByText('Resumes the call that asked for a person').waitFor();
  await expect.poll(() => ui.calls.first().textContent(), PATIENCE).toContain('Success');
  expect(ran()).toBe(before + 1);
  await ui.resultView('Sent');
  const resumed = await bundleIn(ui.results.getByRole('table', { name: 'Sent' }));
  const of = (rows: typeof sent, key: string) => rows.find((row) => row.key === key)?.value;
  for (const key of ['request_id', 'tool_name', 'args']) expect(of(resumed, key), key).toBe(of(sent, key));
  expect(of(resumed, 'resume_token')).toMatch(/masked/i);
  await ui.resultView('Answer');
  await ui.results.getByRole('button', { name: 'Show it' }).click();
  await panel().getByText('The screen closed with result RESULT_OK (-1)').waitFor();
  await expect.poll(() => panel().textContent(), PATIENCE).toContain('used up');
  await screenshot(open.page, 'confirmation-approved');
});

test('v2 4.3: deny: USER_CANCELLED, no effect; from the page of what waits', async () => {
  const before = ran();
  await askToDelete('al-2');
  await ui.sidebar.getByRole('link', { name: 'Waiting' }).click();
  await ui.heading('Waiting').waitFor();
  const item = ui.main.getByRole('listitem').filter({ hasText: 'delete_alert' }).first();
  await screenshot(open.page, 'activity-waiting');
  await expectAccessible();
  await item.getByRole('button', { name: 'Confirm on the device' }).focus();
  await open.page.keyboard.press('Enter');
  await decide('deny');
  await ui.main.getByText('No call waits for a person.').waitFor();
  expect(ran()).toBe(before);
  await ui.main.getByText(/^Ended in this run/).click();
  await ui.main.getByRole('link', { name: 'delete_alert' }).first().click();
  await expect.poll(() => ui.calls.first().textContent(), PATIENCE).toContain('USER_CANCELLED');
});

test('v2 4.3: expiry: a token that is too old is refused by the Provider, and nothing happened', async () => {
  const before = ran();
  await askToDelete('al-2', '600');
  await panel().getByRole('button', { name: 'Only open the screen' }).click();
  await decide('approve');
  await panel().getByText('answered, not resumed yet').waitFor();
  nowMs += 6 * 60_000;
  await panel().getByRole('button', { name: 'Resume…' }).click();
  await ui.dialog.getByRole('table', { name: 'What will be sent' }).waitFor();
  await screenshot(open.page, 'confirmation-resume-preview');
  await expectAccessible();
  await ui.dialog.getByRole('button', { name: 'Resume it' }).click();
  await expect.poll(() => ui.calls.first().textContent(), PATIENCE).toContain('INVALID_REQUEST');
  expect(ran()).toBe(before);
});

test('a break on purpose is chosen, seen, sent, and marked in the record and in the history', async () => {
  await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'get_quote');
  await ui.setArguments('{"symbol":"NWND"}');
  await ui.main.getByText('Break on purpose').click();
  await ui.main.getByRole('checkbox', { name: /^Unknown method/ }).check();
  await ui.main.getByRole('checkbox', { name: /^Expired deadline/ }).check();
  await ui.main.locator('.composer-left').getByText('Breaks the rules on purpose').waitFor();
  await ui.prepared();
  await screenshot(open.page, 'break-on-purpose');
  await expectAccessible();
  expect(await ui.main.locator('.composer-left').textContent()).toContain('cetp_inspector_unknown');
  await ui.runButton.click();
  await expect.poll(() => ui.calls.first().textContent(), PATIENCE).toMatch(/METHOD_NOT_FOUND.*deliberate/);
  await ui.results.getByText('Breaks the rules on purpose').waitFor();
  await screenshot(open.page, 'break-result');
  await expectAccessible();
  await ui.main.getByRole('button', { name: 'Break nothing' }).click();
  await ui.main.getByLabel('Copies at once').fill('3');
  await ui.main.locator('.composer-left .note').getByText('Several at once').waitFor();
  await ui.prepared();
  await ui.runButton.click();
  await expect.poll(() => ui.calls.filter({ hasText: 'Success' }).count(), PATIENCE).toBe(3);
  await screenshot(open.page, 'break-copies');
  await ui.go('/history');
  await expect.poll(() => ui.main.getByRole('option').filter({ hasText: 'deliberate' }).count(), PATIENCE).toBe(4);
  await screenshot(open.page, 'break-history');
});
