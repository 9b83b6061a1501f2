import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRouterClient } from '@orpc/server';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { createErrorLab, ERROR_LAB_PACKAGE, errorLabPackage } from '../../host/simulator/provider-kit/error-lab.ts';
import { misbehavingPackages } from '../../host/simulator/provider-kit/kit.ts';
import { createNotesProvider, NOTES_PACKAGE, notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import {
  createPriceAlerts,
  PRICE_ALERTS_PACKAGE,
  priceAlertsPackage,
} from '../../host/simulator/provider-kit/price-alerts.ts';
import type { ReceivedCall } from '../../host/simulator/provider-kit/recorder.ts';
import { unprotectedPackage } from '../../host/simulator/provider-kit/unprotected.ts';
import type { Bundle } from '../../shared/model/bundle.ts';
import { encodeBundle } from '../../shared/protocols/companion/encode-bundle.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage, bundleIn, focused, keyOf, PATIENCE, type ShownEntry } from './pages.ts';

/** From a device behind the real adb server to a result on the screen. */
const alerts = createPriceAlerts();
const notes = createNotesProvider();
const lab = createErrorLab({ limits: { max_concurrent_requests: 8 } });

let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let app: ServedApp;
let folder: string;
let journalFile: string;
let open: OpenPage;
let ui: AppPage;
let deviceKey: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-main-path-'));
  journalFile = path.join(folder, 'journal.sqlite');
  browser = await launchBrowser();
  server = await startRealAdbServer();
  const others = misbehavingPackages().filter((spec) => spec.package !== ERROR_LAB_PACKAGE);
  phone = await plugIn(server, {
    sdk: 34,
    model: 'Pixel 8',
    serialno: 'MAIN34',
    packages: [
      notesPackage(notes),
      priceAlertsPackage(alerts.app),
      unprotectedPackage(),
      errorLabPackage(lab),
      ...others,
    ],
  });
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port }, journalFile });
  deviceKey = `local/${phone.serial}`;
});
afterAll(async () => {
  await app?.close();
  await phone?.unplug();
  await server?.stop();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
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

const executed = (received: readonly ReceivedCall[]) => received.filter(({ method }) => method === 'execute_tool');

/** What arrived, as the page must have shown it before: the token masked, everything else to the letter. */
function asShown(entries: Bundle): readonly ShownEntry[] {
  return entries.map((entry) => {
    if (entry.key === 'session_token' && entry.t === 'string') {
      return { key: entry.key, type: entry.t, value: `masked, ${Buffer.byteLength(entry.v)} bytes` };
    }
    return { key: entry.key, type: entry.t, value: 'v' in entry ? String(entry.v) : 'null' };
  });
}

function tokenOf(call: ReceivedCall | undefined): string {
  const entry = call?.extras?.entries.find(({ key }) => key === 'session_token');
  if (entry?.t !== 'string') throw new Error('no token was received');
  return entry.v;
}

describe('from the device to the catalog', () => {
  test('the device leads to its Providers, with badges and findings', async () => {
    await ui.row('Pixel 8').getByRole('link').click();
    await ui.heading('Google Pixel 8').waitFor();
    await ui.main.getByText('Seen by the companion').waitFor();
    await ui.row('org.example.pricealerts').filter({ hasText: 'v2' }).filter({ hasText: 'Companion' }).waitFor();
    await ui.row('org.example.notes').filter({ hasText: 'v1' }).waitFor();
    await ui.row('org.example.frontdoor').filter({ hasText: 'unusable' }).filter({ hasText: '1 MUST' }).waitFor();
    await screenshot(open.page, 'device-light');

    await ui.row('org.example.frontdoor').getByRole('link').click();
    await ui.heading('Front Door').waitFor();
    const finding = ui.main.getByRole('listitem').filter({ hasText: 'MUST' }).first();
    expect(await finding.textContent()).toMatch(/v1 2\.1|v1 §|2\.1/);
    await ui.main.getByText("not the Service's package").waitFor();
    await screenshot(open.page, 'provider-finding-light');
  });

  test('the negotiation shows its outcome; the token is nowhere', async () => {
    await ui.provider(deviceKey, PRICE_ALERTS_PACKAGE, 'session');
    const negotiate = ui.main.getByRole('button', { name: /^Negotiate/ });
    await negotiate.first().click();
    await ui.main.getByText('Open', { exact: true }).first().waitFor();
    const countdown = ui.main.getByText(/expires in/);
    const before = await countdown.textContent();
    await expect.poll(() => countdown.textContent(), PATIENCE).not.toBe(before);
    for (const limit of ['max_request_bytes', 'max_inline_result_bytes', 'max_concurrent_requests']) {
      await ui.main.getByText(limit, { exact: true }).first().waitFor();
    }
    await ui.main.getByText('64.0 KiB').first().waitFor();
    await ui.main.getByText('large_results').first().waitFor();
    await ui.main
      .getByText(/masked, \d+ bytes/)
      .first()
      .waitFor();
    await screenshot(open.page, 'session-light');

    await ui.provider(deviceKey, PRICE_ALERTS_PACKAGE, 'tools');
    await ui.tool('get_quote').waitFor();
    const token = tokenOf(alerts.app.received.findLast(({ method }) => method === 'list_tools'));
    expect(token.length).toBeGreaterThan(20);
    await ui.provider(deviceKey, PRICE_ALERTS_PACKAGE, 'session');
    await ui.main.getByText(/expires in/).waitFor();
    expect(await open.page.content()).not.toContain(token);
  });

  test('the catalog is searched and narrowed; every annotation is a word', async () => {
    await ui.provider(deviceKey, PRICE_ALERTS_PACKAGE, 'tools');
    await ui.main.getByText('10 tools', { exact: true }).waitFor();
    const order = ui.tool('place_order');
    expect(await order.textContent()).toMatch(/Transaction[\s\S]*High risk[\s\S]*Always confirm/);
    await screenshot(open.page, 'catalog-light');
    await ui.page.keyboard.press('/');
    await ui.page.keyboard.type('alert');
    await ui.main.getByText(/^\d of 10 tools$/).waitFor();
    await ui.tool('get_quote').waitFor({ state: 'detached' });
    await ui.main.getByRole('checkbox', { name: 'Delete 1' }).check();
    await ui.main.getByText('1 of 10 tools', { exact: true }).waitFor();
    await ui.tool('delete_alert').waitFor();
    // The view is in the address: it survives a reload.
    await expect.poll(() => open.page.url(), PATIENCE).toContain('delete');
    await open.page.reload();
    await ui.main.getByText('1 of 10 tools', { exact: true }).waitFor();
    await ui.main.getByRole('button', { name: 'Clear the filters' }).click();
    await ui.search.fill('no such tool anywhere');
    await ui.main.getByText('No tool matches').waitFor();
    await ui.main.getByRole('button', { name: 'Clear search and filters' }).click();
    await ui.main.getByText('10 tools', { exact: true }).waitFor();

    await ui.tool('place_order').click();
    const detail = ui.main.getByRole('region', { name: 'Details of the tool' });
    await detail.getByText('trading.execute').first().waitFor();
    await detail.getByText('quantity').first().waitFor();
    await screenshot(open.page, 'tool-detail-light');
  });
});

describe('the composer', () => {
  test('completion and diagnostics come from the schema', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'place_order');
    await ui.setArguments('{}');
    await ui.page.keyboard.press('ArrowLeft');
    await ui.page.keyboard.press('Control+Space');
    const suggestions = ui.page.locator('.suggest-widget');
    await suggestions.getByText('quantity').first().waitFor();
    await suggestions.getByText('symbol').first().waitFor();
    await screenshot(open.page, 'composer-completion-light');
    await ui.page.keyboard.press('Escape');
    await suggestions.waitFor({ state: 'hidden' });
    await ui.setArguments('{"symbol":"ACME","side":"hold","quantity":1}');
    await ui.main.locator('.composer-editor .squiggly-warning').first().waitFor();
    await ui.main
      .getByText(/Arguments break the schema/)
      .first()
      .waitFor();
    await screenshot(open.page, 'composer-invalid-light');
  });

  test('the minimal example is valid, and a draft is kept over a reload', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'update_alert');
    await ui.setArguments('{"alert_id": "al-1", "price":   1234567890123456789.50}');
    await ui.page.locator('main').getByRole('link', { name: 'Tools' }).click();
    await ui.tool('update_alert').waitFor();
    await open.page.goBack();
    await ui.previewShows('{"alert_id": "al-1", "price":   1234567890123456789.50}');
    await open.page.reload();
    await ui.previewShows('{"alert_id": "al-1", "price":   1234567890123456789.50}');
    await ui.main.getByRole('button', { name: 'Fill in' }).click();
    await ui.page.getByRole('menuitem', { name: 'Minimal' }).click();
    await ui.main.getByText('Arguments match the schema').waitFor();
    await expect
      .poll(async () => (await ui.preview()).find(({ key }) => key === 'args')?.value, PATIENCE)
      .toMatch(/"alert_id"[\s\S]*"price"/);
  });

  test('what is previewed is what arrives, to the byte, and every digit of the answer is shown', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'get_quote');
    const argsText = '{ "symbol" :\n\t"ACME"  }\n';
    await ui.setArguments(argsText);
    const shown = await ui.preview();
    const sha256 = await ui.previewSha256;
    const before = executed(alerts.app.received).length;
    await ui.editor.focus();
    await ui.page.keyboard.press('Control+Enter');
    await ui.calls.first().getByText('Success').waitFor();

    const arrived = executed(alerts.app.received).slice(before);
    expect(arrived).toHaveLength(1);
    const entries = arrived[0]?.extras?.entries ?? [];
    expect(asShown(entries)).toEqual(shown);
    expect(entries.find(({ key }) => key === 'args')).toEqual({ key: 'args', t: 'string', v: argsText });
    // The digest that was shown is of what the Provider got, secrets included; the journal has the same.
    expect(createHash('sha256').update(encodeBundle(entries)).digest('hex')).toBe(sha256);
    expect(journalBytes().includes(sha256 ?? '?')).toBe(true);
    expect(journalBytes().includes(tokenOf(arrived[0]))).toBe(false);
    expect(await open.page.content()).not.toContain(tokenOf(arrived[0]));

    await ui.results.getByText('Output matches the schema').waitFor();
    await expect.poll(() => ui.answer.textContent(), PATIENCE).toContain('9223372036854775807');
    expect(await ui.answer.textContent()).toContain('42.10');
    await screenshot(open.page, 'composer-result-light');
    await ui.resultView('Raw Bundle');
    const raw = await bundleIn(ui.results.getByRole('table', { name: 'Raw Bundle' }));
    expect(raw.map(({ key, type }) => [key, type])).toEqual(
      expect.arrayContaining([
        ['status', 'string'],
        ['protocol_version', 'int'],
        ['data', 'string'],
      ]),
    );
    expect(raw.find(({ key }) => key === 'data')?.value).toContain('"price":42.10,"volume":9223372036854775807');
    await ui.resultView('Sent');
    expect(await bundleIn(ui.results.getByRole('table', { name: 'Sent' }))).toEqual(shown);
  });

  test('invalid arguments warn, and can still be sent', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'get_quote');
    const before = executed(alerts.app.received).length;
    await ui.setArguments('{"symbol":"acme"}');
    await ui.main
      .getByText(/Arguments break the schema/)
      .first()
      .waitFor();
    await ui.runButton.click();
    await ui.calls.first().getByText('INVALID_ARGS').waitFor();
    expect(executed(alerts.app.received).length).toBe(before + 1);

    // Text that is no JSON at all is sent as it is, too.
    await ui.setArguments('{"symbol":');
    await ui.main
      .getByText(/Arguments break the schema/)
      .first()
      .waitFor();
    await ui.runButton.click();
    await expect.poll(() => executed(alerts.app.received).length, PATIENCE).toBe(before + 2);
    const args = executed(alerts.app.received)
      .at(-1)
      ?.extras?.entries.find(({ key }) => key === 'args');
    expect(args).toEqual({ key: 'args', t: 'string', v: '{"symbol":' });
  });

  test('what our own check refuses needs a second, deliberate act', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'get_quote');
    const before = executed(alerts.app.received).length;
    await ui.paste(`{"symbol":"ACME","pad":"${'x'.repeat(70_000)}"}`);
    await ui.main.getByRole('button', { name: /^Run anyway/ }).click();
    await ui.dialog.getByText('Our own check would refuse this call').waitFor();
    await screenshot(open.page, 'composer-force-light');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await ui.dialog.waitFor({ state: 'detached' });
    expect(executed(alerts.app.received).length).toBe(before);
    await ui.main.getByRole('button', { name: /^Run anyway/ }).click();
    await ui.dialog.getByRole('button', { name: 'Send anyway' }).click();
    await ui.calls.first().getByText('INVALID_REQUEST').waitFor();
    expect(executed(alerts.app.received).length).toBe(before + 1);
  });

  test('a tool with effects asks first: Cancel has the focus, Escape sends nothing', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'create_alert');
    await ui.setArguments('{"symbol":"ACME","price":1}');
    const before = executed(alerts.app.received).length;
    await ui.editor.focus();
    await ui.page.keyboard.press('Control+Enter');
    await ui.dialog.getByText('This call may change something').waitFor();
    expect(await focused(ui.page)).toBe('Cancel');
    await screenshot(open.page, 'composer-confirm-light');
    await ui.page.keyboard.press('Escape');
    await ui.dialog.waitFor({ state: 'detached' });
    await ui.page.keyboard.press('Control+Enter');
    await ui.dialog.waitFor();
    await ui.page.keyboard.press('Enter');
    await ui.dialog.waitFor({ state: 'detached' });
    expect(executed(alerts.app.received).length).toBe(before);
    await ui.page.keyboard.press('Control+Enter');
    await ui.dialog.getByRole('button', { name: 'Run it' }).click();
    await ui.calls.first().getByText('Success').waitFor();
    expect(executed(alerts.app.received).length).toBe(before + 1);
  });
});

describe('answers, failures and refusals', () => {
  test('several calls are in flight, and one is cancelled by the keyboard', async () => {
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'slow');
    await ui.setArguments('{"ms":600000}');
    const before = executed(lab.received).length;
    for (const count of [1, 2, 3]) {
      await ui.prepared();
      await ui.editor.focus();
      await ui.page.keyboard.press('Control+Enter');
      await expect.poll(() => ui.calls.count(), PATIENCE).toBe(count);
    }
    await expect.poll(() => executed(lab.received).length, PATIENCE).toBe(before + 3);
    expect(await ui.calls.getByText('Running').count()).toBe(3);
    await screenshot(open.page, 'composer-in-flight-light');
    await ui.page.keyboard.press('Escape');
    await ui.calls.nth(0).getByText('Cancelled').waitFor();
    expect(await ui.calls.getByText('Running').count()).toBe(2);
    await ui.results.getByText('Cancelled here; the Provider may still act').waitFor();
    await ui.calls
      .nth(2)
      .getByRole('button', { name: /^Cancel/ })
      .click();
    await ui.calls.nth(2).getByText('Cancelled').waitFor();
    await ui.calls.nth(1).getByText('Running').waitFor();
    await ui.calls
      .nth(1)
      .getByRole('button', { name: /^Cancel/ })
      .click();
    await ui.calls.nth(1).getByText('Cancelled').waitFor();
  });

  test('quick runs are calls of their own, each with its own request_id', async () => {
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'slow');
    await ui.setArguments('{"ms":1}');
    const before = executed(lab.received).length;
    await ui.editor.focus();
    for (const count of [1, 2, 3]) {
      await ui.page.keyboard.press('Control+Enter');
      await expect.poll(() => executed(lab.received).length, PATIENCE).toBe(before + count);
    }
    const ids = executed(lab.received)
      .slice(before)
      .map(({ extras }) => JSON.stringify(extras?.entries.find(({ key }) => key === 'request_id')));
    expect(new Set(ids).size).toBe(3);
    await expect.poll(() => ui.calls.getByText('Success').count(), PATIENCE).toBe(3);
  });

  test('v2 4.4: an accepted call is followed to its end, each state with its time, its request_id the same', async () => {
    await ui.compose(deviceKey, PRICE_ALERTS_PACKAGE, 'import_watchlist');
    await ui.setArguments('{"symbols":["ACME"]}');
    await ui.editor.focus();
    await ui.page.keyboard.press('Control+Enter');
    await ui.page.getByRole('button', { name: 'Run it' }).click();
    await ui.results.getByRole('cell', { name: 'succeeded', exact: true }).waitFor();
    await ui.results.getByText('"imported"').first().waitFor();
    const started = alerts.app.received.findLastIndex(({ method }) => method === 'execute_tool');
    const received = alerts.app.received
      .slice(started)
      .filter(({ method }) => /execute_tool|get_operation/.test(method));
    // A slow machine asks later and may miss a state in between; it never asks without the execution's id.
    expect(received.length).toBeGreaterThan(1);
    const ids = received.map(({ extras }) => extras?.entries.find(({ key }) => key === 'request_id'));
    expect(new Set(ids.map((id) => JSON.stringify(id))).size).toBe(1);
  });

  test('an error of the Provider shows its code, meaning, retry and details', async () => {
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'fail_rate_limited');
    await ui.runButton.click();
    await ui.calls.first().getByText('Provider error').waitFor();
    await ui.results.getByText('The Provider answered with an error').waitFor();
    await ui.results.getByText('The lab was asked for RATE_LIMITED').waitFor();
    await ui.results.getByText(/^1500/).waitFor();
    await ui.results.getByText('9007199254740993').waitFor();
    expect(await ui.results.locator('dl.facts').first().textContent()).toMatch(/retryable\s*yes/);
    await screenshot(open.page, 'result-provider-error-light');
  });

  test('an answer that is none of the three is malformed, with the raw Bundle beside', async () => {
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'status_unknown');
    await ui.runButton.click();
    await ui.calls.first().getByText('Malformed answer').waitFor();
    await ui.results.getByText('not in the form of the specification').waitFor();
    await ui.resultView('Raw Bundle');
    await ui.results.getByText('perhaps').waitFor();
  });

  test('an output that breaks its schema is a success with our verdict beside', async () => {
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'breaks_output_schema');
    await ui.runButton.click();
    await ui.calls.first().getByText('Success').waitFor();
    await ui.results
      .getByText(/Output breaks the schema/)
      .first()
      .waitFor();
    await expect.poll(() => ui.answer.textContent(), PATIENCE).toContain('"yes"');
    await screenshot(open.page, 'result-output-invalid-light');
  });

  test('a Provider that dies is no answer: it looks unlike an error and unlike our refusal', async () => {
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'dies');
    await ui.runButton.click();
    await ui.calls.first().getByText('No answer').waitFor();
    await ui.results.getByText('No answer: the call failed on its way').waitFor();
    await screenshot(open.page, 'result-transport-failure-light');
    const looks = async (text: string) =>
      ui.calls
        .first()
        .getByText(text)
        .evaluate((badge) => `${badge.closest('[class*=tone-]')?.className}`);
    const failure = await looks('No answer');

    // The Provider that died has forgotten its sessions.
    const client = createRouterClient(app.host.router, { context: {} });
    const renew = () => client.sessions.negotiate({ deviceKey, userId: null, providerKey: keyOf(ERROR_LAB_PACKAGE) });
    await renew();
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'fail_internal_error');
    await ui.runButton.click();
    await ui.calls.first().getByText('Provider error').waitFor();
    const error = await looks('Provider error');

    // A session that ends between the preview and the run: what was prepared is not what would be sent.
    await ui.compose(deviceKey, ERROR_LAB_PACKAGE, 'throws');
    await ui.setArguments('{}');
    await renew();
    const before = executed(lab.received).length;
    await ui.runButton.click();
    await ui.calls.first().getByText('Refused here').waitFor();
    await ui.results.getByText('Refused by the inspector; nothing was sent').waitFor();
    expect(executed(lab.received).length).toBe(before);
    await screenshot(open.page, 'result-refused-light');
    expect(new Set([failure, error, await looks('Refused here')]).size).toBe(3);
  });
});

describe('other Providers', () => {
  test('a v1 Provider through the companion', async () => {
    await ui.provider(deviceKey, NOTES_PACKAGE, 'tools');
    await ui.main.getByText('v1 tools carry no annotations', { exact: false }).waitFor();
    await ui.compose(deviceKey, NOTES_PACKAGE, 'search_notes');
    await ui.setArguments('{"query":"lock"}');
    const before = executed(notes.received).length;
    const shown = await ui.preview();
    await ui.runButton.click();
    await ui.calls.first().getByText('Success').waitFor();
    const arrived = executed(notes.received)[before]?.extras?.entries ?? [];
    expect(asShown(arrived)).toEqual(shown);
    expect(arrived.map(({ key }) => key).sort()).toEqual(['args', 'request_id', 'tool_name']);
    await ui.compose(deviceKey, NOTES_PACKAGE, 'get_private_notes');
    await ui.runButton.click();
    await ui.calls.first().getByText('AUTH_REQUIRED').waitFor();
    await ui.results.getByText('Open Field Notes and unlock private notes').waitFor();
    await screenshot(open.page, 'result-v1-auth-light');
  });

  test('a negotiation that fails disables the Provider, with every violation', async () => {
    await ui.provider(deviceKey, 'org.example.ledger', 'tools');
    await ui.main.getByText('The tools could not be read').waitFor();
    await ui.main.getByText('This app needs CETP 3').first().waitFor();
    await ui.provider(deviceKey, 'org.example.ledger', 'session');
    await ui.main.getByText('There is no fallback to v1', { exact: false }).waitFor();
    await screenshot(open.page, 'session-failed-light');
    await ui.provider(deviceKey, 'org.example.carkeys', 'session');
    await ui.main
      .getByRole('button', { name: /^Negotiate/ })
      .first()
      .click();
    await ui.main.getByText('The negotiation failed').first().waitFor();
    await ui.main.getByText('com.somebody.else').first().waitFor();
    expect(await ui.main.getByRole('listitem').filter({ hasText: 'MUST' }).count()).toBeGreaterThan(3);
    await screenshot(open.page, 'session-invalid-light');
  });

  test('a dual-stack Provider whose negotiation fails is never asked as v1', async () => {
    const broken = createPriceAlerts({
      intercept: ({ method }) =>
        method === 'negotiate' ? { kind: 'exception', class: 'java.lang.IllegalStateException', message: 'No' } : null,
    });
    const dual = await plugIn(server, {
      sdk: 33,
      model: 'Dual',
      serialno: 'DUAL33',
      packages: [notesPackage(), priceAlertsPackage(broken.app)],
    });
    try {
      await ui.row('Dual').waitFor();
      await ui.provider(`local/${dual.serial}`, PRICE_ALERTS_PACKAGE, 'tools');
      await ui.main.getByText('The tools could not be read').waitFor();
      await ui.provider(`local/${dual.serial}`, PRICE_ALERTS_PACKAGE, 'session');
      await ui.main.getByText('There is no fallback to v1', { exact: false }).waitFor();
      await ui.main.getByRole('button', { name: 'Negotiate again' }).click();
      await expect
        .poll(() => broken.app.received.filter(({ method }) => method === 'negotiate').length, PATIENCE)
        .toBeGreaterThan(1);
      expect(new Set(broken.app.received.map(({ method }) => method))).toEqual(new Set(['negotiate']));
    } finally {
      await dual.unplug();
    }
  });

  test('a phone unplugged in the middle of a call: no answer, and the page says that it is gone', async () => {
    const brief = createErrorLab();
    const other = await plugIn(server, {
      sdk: 34,
      model: 'Brief',
      serialno: 'BRIEF34',
      packages: [notesPackage(), errorLabPackage(brief)],
    });
    await ui.row('Brief').waitFor();
    await ui.compose(`local/${other.serial}`, ERROR_LAB_PACKAGE, 'never_answers');
    await ui.runButton.click();
    await expect.poll(() => executed(brief.received).length, PATIENCE).toBe(1);
    await other.unplug();
    await ui.calls.first().getByText('No answer').waitFor();
    await ui.results.getByText('No answer: the call failed on its way').waitFor();
    await screenshot(open.page, 'result-unplugged-light');
  });
});

/** Every byte that the journal wrote, its write-ahead log included. */
function journalBytes(): Buffer {
  const files = readdirSync(folder).filter((name) => name.startsWith(path.basename(journalFile)));
  return Buffer.concat(files.map((name) => readFileSync(path.join(folder, name))));
}
