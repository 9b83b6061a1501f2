import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { createRouterClient } from '@orpc/server';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PRICE_ALERTS_PACKAGE } from '../../host/simulator/provider-kit/price-alerts.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { AppPage, expectNothingCutOff, focused, PATIENCE } from './pages.ts';

/** Saved calls in a real browser, on the demo devices: open, run, look at each expectation, save, open in the composer. */
const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'examples', 'saved-calls');
const PHONE = 'demo/DEMO34PHONE01';

let browser: Browser;
let app: ServedApp;
let root: string;
let folder: string;
let open: OpenPage;
let ui: AppPage;
beforeAll(async () => {
  browser = await launchBrowser();
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cetp-saved-')));
});
afterAll(async () => {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = mkdtempSync(path.join(root, 'calls-'));
  cpSync(EXAMPLE, folder, { recursive: true });
  app = await serveApp({ demo: true });
  open = await openPage(browser, app.url);
  ui = new AppPage(open.page);
});
afterEach(async () => {
  const { faults } = open;
  await open.close();
  await app.close();
  expect(faults).toEqual([]);
});

async function openFolder(): Promise<void> {
  await ui.sidebar.getByRole('link', { name: 'Saved calls' }).click();
  await ui.main.getByRole('button', { name: 'Open folder…' }).click();
  await ui.dialog.getByLabel('Path of the folder').fill(folder);
  await ui.page.keyboard.press('Enter');
  await ui.main.getByRole('button', { name: /Quote, every digit/ }).waitFor();
  await ui.main.getByLabel('Device', { exact: true }).selectOption(PHONE);
}
const chooseDemo = () => ui.main.getByLabel('Environment', { exact: true }).selectOption('demo');

test('a folder is opened, run after a deliberate act, and each expectation stands beside what came', async () => {
  await openFolder();
  await chooseDemo();
  await ui.main.getByRole('button', { name: 'Run all' }).click();
  await ui.dialog.getByText('This run may change something').waitFor();
  expect(await focused(ui.page)).toBe('Cancel');
  await ui.dialog.getByText('create_alert').waitFor();
  await screenshot(open.page, 'saved-confirm-light');
  await ui.dialog.getByRole('button', { name: 'Run them' }).click();
  await ui.main.getByText('5 passed, 0 failed, 0 errors, 0 skipped').waitFor();
  const table = ui.main.getByRole('table', { name: 'Expectations' });
  await table.getByText('9223372036854775807').first().waitFor();
  expect(await table.getByText('holds', { exact: true }).count()).toBe(6);
  await screenshot(open.page, 'saved-passed-light');
});

test('what fails, what we refused and what was changed on disk do not look like a pass', async () => {
  const file = path.join(folder, '01-quote.cetp.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"equals": "ACME"', '"equals": "OTHER"'));
  await openFolder();
  await chooseDemo();
  await ui.main.getByRole('button', { name: 'Run', exact: true }).click();
  await ui.main.getByText('0 passed, 1 failed, 0 errors, 0 skipped').waitFor();
  await ui.main.getByRole('row', { name: /does not hold.*\/symbol.*OTHER.*ACME/ }).waitFor();
  await screenshot(open.page, 'saved-failed-light');
  await ui.main.getByLabel('Environment', { exact: true }).selectOption('');
  await ui.main.getByRole('button', { name: 'Run', exact: true }).click();
  await ui.main.getByText('Not sent: no value for symbol.').waitFor();
  await ui.main.getByText('0 passed, 0 failed, 1 errors, 0 skipped').waitFor();
  writeFileSync(file, '{"v":1,');
  await ui.main.getByRole('button', { name: 'Read again' }).click();
  await ui.main.getByText('This file is no saved call').waitFor();
});

test('a call is saved from the composer as typed, and opened there again', async () => {
  await openFolder();
  await ui.compose(PHONE, PRICE_ALERTS_PACKAGE, 'get_quote');
  const argsText = '{ "symbol" :\n\t"TIDE"  }';
  await ui.setArguments(argsText);
  await ui.runButton.click();
  await ui.calls.first().getByText('Success').waitFor();
  await ui.prepared();
  await ui.main.getByRole('button', { name: 'Save call…' }).click();
  await ui.dialog.getByLabel('Name').fill('Tide, as typed');
  await ui.dialog.getByText('output schema of the tool').waitFor();
  await screenshot(open.page, 'saved-save-light');
  await ui.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await ui.dialog.getByText('The call was saved').waitFor();
  const text = readFileSync(path.join(folder, 'tide-as-typed.cetp.json'), 'utf8');
  expect(text).toContain('"args": { "symbol" :\n  \t"TIDE"  }');
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);

  await ui.dialog.getByRole('link', { name: 'Show it in the saved calls' }).click();
  await ui.main.getByRole('heading', { name: 'Tide, as typed' }).waitFor();
  await ui.main.getByLabel('Device', { exact: true }).selectOption(PHONE);
  await ui.main.getByRole('button', { name: 'Run', exact: true }).click();
  await ui.main.getByText('1 passed, 0 failed, 0 errors, 0 skipped').waitFor();
  await ui.main.getByRole('button', { name: 'Open in composer' }).click();
  await ui.previewShows(argsText);

  // A file that is there is never written over.
  await ui.main.getByRole('button', { name: 'Save call…' }).click();
  await ui.dialog.getByLabel('Name').fill('Tide, as typed');
  await ui.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await ui.dialog.getByText('exists already').waitFor();
  expect(readFileSync(path.join(folder, 'tide-as-typed.cetp.json'), 'utf8')).toBe(text);
});

test('a long call of a run is cancelled, and the rest is skipped', async () => {
  const slow = {
    v: 1,
    name: 'Slow',
    provider: 'org.example.errorlab',
    tool: 'slow',
    args: { ms: 600_000 },
    allowEffects: true,
    force: true,
  };
  writeFileSync(path.join(folder, '00-slow.cetp.json'), JSON.stringify(slow));
  await openFolder();
  await chooseDemo();
  await ui.main.getByRole('button', { name: 'Run all' }).click();
  await ui.dialog.getByRole('button', { name: 'Run them' }).click();
  await ui.main.getByText('running', { exact: true }).waitFor();
  await ui.main.getByRole('button', { name: 'Cancel run' }).click();
  await expect
    .poll(() => ui.main.getByRole('status').allTextContents(), PATIENCE)
    .toContain('Cancelled: 0 passed, 0 failed, 1 errors, 5 skipped');
});

test.each([
  ['light', 'zh-CN', '已保存的调用', '全部运行', '运行'],
  ['dark', 'en', 'Saved calls', 'Run all', 'Run them'],
  ['contrast', 'en', 'Saved calls', 'Run all', 'Run them'],
] as const)(
  '%s, %s: no fault that axe can find, and nothing cut off',
  async (theme, language, title, runAll, runThem) => {
    await open.close();
    const client = createRouterClient(app.host.router, { context: {} });
    writeFileSync(
      path.join(folder, 'environments', 'demo.json'),
      JSON.stringify({ v: 1, variables: { symbol: 'acme', place: 'x' }, secrets: ['key'] }),
    );
    writeFileSync(path.join(folder, '09-broken.cetp.json'), '{"v":9}');
    await client.collections.open({ path: folder, remember: true });
    await client.collections.selectEnvironment({ folder, environment: 'demo' });
    open = await openPage(browser, app.url, { theme, language });
    ui = new AppPage(open.page);
    await ui.go('/saved');
    await ui.heading(title).waitFor();
    await ui.main.getByRole('combobox').last().selectOption(PHONE);
    await ui.main.getByRole('button', { name: runAll, exact: true }).click();
    await ui.dialog.getByRole('button', { name: runThem, exact: true }).click();
    await expect.poll(() => ui.main.locator('.saved-item .badge').count(), PATIENCE).toBe(6);
    await ui.main.getByRole('button', { name: runAll, exact: true }).waitFor();
    const { violations } = await new AxeBuilder({ page: ui.page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    await expectNothingCutOff(ui.page);
    await screenshot(ui.page, `saved-${theme}-${language}`);
  },
);
