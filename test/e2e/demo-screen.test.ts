import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorityOf } from '../../host/simulator/provider-kit/package-builder.ts';
import { PRICE_ALERTS_PACKAGE } from '../../host/simulator/provider-kit/price-alerts.ts';
import { type Answer, launchResolution, TestCaller } from '../../host/simulator/provider-kit/test-caller.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, type PageOptions, screenshot } from '../harness/page.ts';
import { AppPage, expectNothingCutOff, focused, PATIENCE } from './pages.ts';

/** The demo phone's own screen over the app's pages; another app on that phone is the caller. */

let browser: Browser;
let app: ServedApp;
let open: OpenPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  app = await serveApp({ demo: true });
});
afterEach(async () => {
  for (const { faults, close } of open) {
    expect(faults).toEqual([]);
    await close();
  }
  open = [];
  await app.close();
});

async function show(options: PageOptions = {}): Promise<{ ui: AppPage; page: Page }> {
  const opened = await openPage(browser, app.url, options);
  open.push(opened);
  return { ui: new AppPage(opened.page), page: opened.page };
}

async function callerOnThePhone(): Promise<TestCaller> {
  const phone = app.host.demo()?.devices[0]?.android;
  const acquired = phone?.acquire(0, authorityOf(PRICE_ALERTS_PACKAGE));
  if (acquired?.kind !== 'ok') throw new Error('No demo phone');
  const caller = new TestCaller(acquired.app);
  await caller.negotiate();
  return caller;
}

const ORDER = { symbol: 'NWND', side: 'buy', quantity: 250 };
const resumed = (asked: Answer) => ({
  requestId: String(asked.values['request_id']),
  resumeToken: String(asked.values['resume_token']),
});
const screenOf = (page: Page) => page.getByRole('region', { name: 'Screen of the demo phone' });

describe('the screen of the demo phone', () => {
  test('grant, then confirm an order, on any page: who asks, with which values, what cannot be undone', async () => {
    const { ui, page } = await show();
    const caller = await callerOnThePhone();
    await ui.home();
    const screen = screenOf(page);
    expect(await screen.count()).toBe(0);

    const first = await caller.execute('place_order', ORDER);
    const granted = launchResolution(first);
    await screen.getByRole('heading', { name: 'Grant access' }).waitFor();
    expect(await screen.textContent()).toContain('Place orders in Price Alerts');
    await screen.getByRole('button', { name: 'Approve' }).click();
    expect(await granted).toBe(-1);
    await screen.waitFor({ state: 'detached' });

    const second = await caller.execute('place_order', ORDER, resumed(first));
    const confirmed = launchResolution(second);
    await ui.page.goto(`${app.url.split('#')[0]}#/settings`);
    await screen.getByRole('heading', { name: 'Confirm this action' }).waitFor();
    for (const text of ['test.caller10200', 'place_order', 'quantity250', 'A market order for 250 NWND (buy)']) {
      expect(await screen.textContent()).toContain(text);
    }
    await screenshot(page, 'demo-screen-light');
    await screen.getByRole('button', { name: 'Approve' }).click();
    expect(await confirmed).toBe(-1);
    expect((await caller.execute('place_order', ORDER, resumed(second))).values['status']).toBe('success');
  });

  test('deny and close are two answers', async () => {
    const { page } = await show();
    const caller = await callerOnThePhone();
    const screen = screenOf(page);
    for (const [button, code] of [
      ['Deny', 'USER_CANCELLED'],
      ['Close without deciding', 'USER_ACTION_REQUIRED'],
    ] as const) {
      const asked = await caller.execute('delete_alert', { alert_id: 'al-1' });
      const launched = launchResolution(asked);
      await screen.getByRole('button', { name: button }).click();
      expect(await launched).toBe(0);
      const { values } = await caller.execute('delete_alert', { alert_id: 'al-1' }, resumed(asked));
      expect(values['error_code']).toBe(code);
    }
  });

  test('a call of the composer: confirmed on the demo phone, resumed, done (4.3)', async () => {
    const { ui, page } = await show();
    await ui.compose('demo/DEMO34PHONE01', PRICE_ALERTS_PACKAGE, 'delete_alert');
    await ui.setArguments('{"alert_id":"al-1"}');
    await ui.runButton.click();
    await ui.dialog.getByRole('button', { name: 'Run it' }).click();
    await ui.results.getByRole('button', { name: 'Confirm on the device' }).click();
    const screen = screenOf(page);
    await screen.waitFor();
    expect(await screen.textContent()).toContain('com.clawseed.inspector.companion');
    // The results stay in sight beside it.
    const [phone, results] = [await screen.boundingBox(), await ui.results.boundingBox()];
    expect((phone?.x ?? 0) + (phone?.width ?? 0)).toBeLessThanOrEqual(results?.x ?? 0);
    await screenshot(page, 'demo-screen-composer');
    await screen.getByRole('button', { name: 'Approve' }).click();
    await ui.calls.filter({ hasText: 'Success' }).waitFor();
    expect(await ui.calls.count()).toBe(2);
  });

  test('by keyboard alone: P goes there, Esc hides it and the phone goes on asking, focus comes back', async () => {
    const { page } = await show();
    const caller = await callerOnThePhone();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' });
    const launched = launchResolution(asked);
    const screen = screenOf(page);
    await screen.waitFor();
    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('p');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Hide this screen; the phone goes on asking');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'The demo phone asks (1)' }).waitFor();
    expect(await focused(page)).toBe('Settings');
    await page.keyboard.press('p');
    await page.keyboard.press('Enter');
    await screen.waitFor();
    await page.keyboard.press('p');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Approve');
    await page.keyboard.press('Enter');
    expect(await launched).toBe(-1);
    await screen.waitFor({ state: 'detached' });
  });

  test('a screen that is answered in one window goes in the other; with its app it goes in both', async () => {
    const [one, two] = [await show(), await show()];
    const caller = await callerOnThePhone();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' });
    const launched = launchResolution(asked);
    await screenOf(two.page).waitFor();
    await screenOf(one.page).getByRole('button', { name: 'Deny' }).click();
    await screenOf(two.page).waitFor({ state: 'detached' });
    await launched;
    const other = launchResolution(await caller.execute('delete_alert', { alert_id: 'al-2' }));
    await Promise.all([screenOf(one.page).waitFor(), screenOf(two.page).waitFor()]);
    app.host.demo()?.devices[0]?.android.kill(PRICE_ALERTS_PACKAGE);
    expect(await other).toBe(0);
    await Promise.all(
      [one, two].map(({ page }) => screenOf(page).waitFor({ state: 'detached', timeout: PATIENCE.timeout })),
    );
  });

  test.each([
    ['dark', 'en'],
    ['contrast', 'en'],
    ['light', 'zh-CN'],
  ] as const)('axe is content and nothing is cut off: %s, %s', async (theme, language) => {
    const { page } = await show({ theme, language });
    const caller = await callerOnThePhone();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' });
    void launchResolution(asked);
    await page.locator('.phone').waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }))).toEqual([]);
    await expectNothingCutOff(page);
    await screenshot(page, `demo-screen-${theme}-${language}`);
  });
});
