import { AxeBuilder } from '@axe-core/playwright';
import { createRouterClient } from '@orpc/server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRICE_ALERTS_PACKAGE } from '../../host/simulator/provider-kit/price-alerts.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { openPage, type PageOptions, screenshot } from '../harness/page.ts';
import { AppPage, expectNothingCutOff, keyOf, PATIENCE } from './pages.ts';

/** Every page, in every theme and language, for everybody. */
const PHONE = 'demo/DEMO34PHONE01';

let browser: Browser;
let app: ServedApp;
let empty: ServedApp;

beforeAll(async () => {
  browser = await launchBrowser();
  app = await serveApp({ demo: true });
  empty = await serveApp();
  const client = createRouterClient(app.host.router, { context: {} });
  const on = { deviceKey: PHONE, userId: null };
  for await (const { state, origin } of await client.providers.watch(on)) {
    if (state === 'ready' && origin === 'companion') break;
  }
  // Something in every list.
  const target = { ...on, providerKey: keyOf(PRICE_ALERTS_PACKAGE) };
  await client.catalog.get({ ...target, refresh: false });
  for (const argsText of ['{"symbol":"ACME"}', '{"symbol":"lower"}']) {
    const draft = { ...target, tool: 'get_quote', argsText, timeoutMs: 10_000, requestId: null };
    const { id } = await client.calls.prepare(draft);
    await client.calls.run({ preparedId: id, confirmed: false, force: true });
  }
});
afterAll(async () => {
  await app?.close();
  await empty?.close();
  await browser?.close();
});

/** Each page with what must be on it before it is judged, in terms that no language changes. */
const PAGES: Readonly<Record<string, (ui: AppPage) => Promise<void>>> = {
  home: async (ui) => {
    await ui.home();
    await ui.row('DEMO33PHONE02').waitFor();
  },
  device: async (ui) => {
    await ui.device(PHONE);
    await ui.row(PRICE_ALERTS_PACKAGE).waitFor();
    await ui.main.getByText('ACCESS_TOOLS').waitFor();
  },
  'device-unauthorized': async (ui) => {
    await ui.device('demo/DEMO33PHONE02');
    await ui.main.locator('.note').first().waitFor();
  },
  doctor: async (ui) => {
    await ui.device(PHONE, 'doctor');
    await ui.main.locator('.check').nth(7).waitFor();
  },
  provider: async (ui) => {
    await ui.provider(PHONE, 'org.example.frontdoor');
    await ui.main.locator('dl.facts').first().waitFor();
  },
  session: async (ui) => {
    await ui.provider(PHONE, PRICE_ALERTS_PACKAGE, 'session');
    await ui.main.getByText('max_request_bytes', { exact: true }).first().waitFor();
  },
  tools: async (ui) => {
    await ui.provider(PHONE, PRICE_ALERTS_PACKAGE, 'tools');
    await ui.tool('place_order').click();
    await ui.main.locator('.detail-body').getByText('trading.execute').first().waitFor();
  },
  'tools-junk': async (ui) => {
    await ui.provider(PHONE, 'org.example.junkdrawer', 'tools');
    await ui.main.getByRole('option').nth(3).waitFor();
  },
  composer: async (ui) => {
    await ui.provider(PHONE, PRICE_ALERTS_PACKAGE, 'tools');
    await ui.tool('get_quote').click();
    await ui.main.locator('.detail-head a.btn.primary').click();
    await ui.main.locator('.composer-editor .view-line').first().waitFor();
    await ui.prepared();
    await ui.main.locator('.call').first().waitFor();
  },
  history: async (ui) => {
    await ui.sidebar.locator('a[href="#/history"]').click();
    await ui.main.getByRole('option').filter({ hasText: 'get_quote' }).first().click();
    await ui.main.locator('.history-json').first().waitFor();
  },
  settings: async (ui) => {
    await ui.sidebar.locator('a[href="#/settings"]').click();
    await ui.main.locator('input').first().waitFor();
  },
};

const LOOKS: readonly Required<Pick<PageOptions, 'theme' | 'language'>>[] = [
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'en' },
  { theme: 'contrast', language: 'en' },
  { theme: 'light', language: 'zh-CN' },
  { theme: 'dark', language: 'zh-CN' },
  { theme: 'contrast', language: 'zh-CN' },
];

async function violations(ui: AppPage): Promise<readonly string[]> {
  // Monaco draws its own surface and has a mode of its own for screen readers; the page around it is ours.
  const result = await new AxeBuilder({ page: ui.page })
    .withTags(['wcag2a', 'wcag2aa'])
    .exclude('.monaco-editor')
    .analyze();
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary?.replaceAll('\n', ' ')}`),
  );
}

describe.each(LOOKS)('in $theme and $language', (look) => {
  test.each(Object.entries(PAGES))('%s', async (name, show) => {
    const { page, faults, close } = await openPage(browser, app.url, look);
    const ui = new AppPage(page);
    await show(ui);
    expect(await page.locator('html').getAttribute('data-theme')).toBe(look.theme);
    expect(await page.locator('html').getAttribute('lang')).toBe(look.language);
    await screenshot(page, `${name}-${look.theme}-${look.language}`);
    expect(await violations(ui)).toEqual([]);
    await expectNothingCutOff(page);
    await close();
    expect(faults).toEqual([]);
  });

  test('the first run', async () => {
    const { page, faults, close } = await openPage(browser, empty.url, look);
    const ui = new AppPage(page);
    await ui.main.locator('.first').waitFor();
    await screenshot(page, `first-run-${look.theme}-${look.language}`);
    expect(await violations(ui)).toEqual([]);
    await expectNothingCutOff(page);
    await close();
    expect(faults).toEqual([]);
  });
});

test.each(Object.entries(PAGES))('%s on a large screen', async (name, show) => {
  const { page, faults, close } = await openPage(browser, app.url, { size: 'large' });
  const ui = new AppPage(page);
  await show(ui);
  await screenshot(page, `${name}-large`);
  await expectNothingCutOff(page);
  await close();
  expect(faults).toEqual([]);
});

test('dialogs are accessible and hold the focus', async () => {
  const { page, faults, close } = await openPage(browser, app.url);
  const ui = new AppPage(page);
  await ui.sidebar.getByRole('button', { name: 'Connect a device' }).click();
  await ui.dialog.getByLabel('Address of the phone').waitFor();
  expect(await violations(ui)).toEqual([]);
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
    );
    expect(inside).toBe(true);
  }
  await page.keyboard.press('Escape');
  await ui.dialog.waitFor({ state: 'detached' });
  await close();
  expect(faults).toEqual([]);
});

test('from the start to a result by the keyboard alone, with the focus visible at every step', async () => {
  const { page, faults, close } = await openPage(browser, app.url);
  const ui = new AppPage(page);
  await ui.row('Pixel 8').waitFor();

  /** Presses Tab until the wanted element has the focus; every stop on the way must be visible as such. */
  const tabTo = async (wanted: (described: string) => boolean): Promise<void> => {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return {
          text: `${element.getAttribute('aria-label') ?? ''} ${element.textContent ?? ''}`.trim(),
          seen: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
          editor: element.closest('.monaco-editor') !== null,
        };
      });
      if (!stop.editor) expect(stop).toMatchObject({ seen: true });
      if (wanted(stop.text)) return;
    }
    throw new Error('not reached by Tab');
  };

  await tabTo((text) => text.startsWith('Pixel 8'));
  await page.keyboard.press('Enter');
  await ui.heading('Google Pixel 8').waitFor();
  await ui.sidebar.getByRole('link', { name: /Price Alerts/ }).waitFor();
  await tabTo((text) => text.startsWith('Price Alerts'));
  await page.keyboard.press('Enter');
  await ui.tool('get_quote').waitFor();
  await page.keyboard.press('?');
  await ui.dialog.getByText('Run the composed call').waitFor();
  await page.keyboard.press('Escape');
  await ui.dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.type('get_quote');
  await ui.main.getByText('1 of 10 tools', { exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await ui.main.locator('[role=option][aria-selected=true]').waitFor();
  await page.keyboard.press('Enter');
  await ui.heading('get_quote').waitFor();
  await ui.prepared();
  await ui.editor.waitFor();
  await page.keyboard.press('Control+Enter');
  await ui.calls.first().getByText('Success').waitFor();
  await expect.poll(() => ui.answer.textContent(), PATIENCE).toContain('9223372036854775807');
  await close();
  expect(faults).toEqual([]);
});
