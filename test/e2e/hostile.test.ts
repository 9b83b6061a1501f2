import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import {
  createMalformedProvider,
  MALFORMED_PACKAGE,
  malformedEntries,
  malformedPackage,
} from '../../host/simulator/provider-kit/malformed-catalog.ts';
import { notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage, expectNothingCutOff, PATIENCE } from './pages.ts';

/** A Provider that wants to break, freeze or mislead whoever looks at it. */
const LONG = 3_000_000;
const TOO_LONG = 5 * 1024 * 1024;

let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let phoneTooLong: PluggedPhone;
let app: ServedApp;
let open: OpenPage;
let ui: AppPage;
let deviceKey: string;
/** Where the remote `$ref` points to: anybody who follows it is seen. */
let trap: Server;
const trapped: string[] = [];

beforeAll(async () => {
  trap = createServer((request, response) => {
    trapped.push(String(request.url));
    response.end('{}');
  });
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const remote = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/remote.json`;
  const entries = malformedEntries(LONG).map((text) => text.replace('https://schemas.example.org/remote.json', remote));
  const listText = `{"revision":"junk-1","tools":[${entries.join(',')}]}`;
  expect(listText).toContain(remote);

  browser = await launchBrowser();
  server = await startRealAdbServer();
  const device = (serialno: string, model: string, options: Parameters<typeof createMalformedProvider>[0]) =>
    plugIn(server, {
      sdk: 34,
      model,
      serialno,
      packages: [notesPackage(), malformedPackage(createMalformedProvider(options))],
      binderLimitBytes: Number.POSITIVE_INFINITY,
    });
  phone = await device('JUNK34', 'Junk', { listText });
  phoneTooLong = await device('JUNK35', 'TooLong', { descriptionLength: TOO_LONG });
  app = await serveApp({ adb: { host: '127.0.0.1', port: server.port } });
  deviceKey = `local/${phone.serial}`;
});
afterAll(async () => {
  await app?.close();
  await phone?.unplug();
  await phoneTooLong?.unplug();
  await server?.stop();
  await browser?.close();
  trap.close();
});
beforeEach(async () => {
  open = await openPage(browser, app.url);
  ui = new AppPage(open.page);
});
afterEach(async () => {
  const polluted = await open.page.evaluate(() => ({
    prototype: 'polluted' in {},
    images: document.querySelectorAll('img').length,
    scripts: document.querySelectorAll('script:not([src])').length,
  }));
  const { faults } = open;
  await open.close();
  expect(faults).toEqual([]);
  expect(polluted).toEqual({ prototype: false, images: 0, scripts: 0 });
  expect(trapped).toEqual([]);
});

const detail = () => ui.main.getByRole('region', { name: 'Details of the tool' });

async function look(tool: string): Promise<void> {
  await ui.provider(deviceKey, MALFORMED_PACKAGE, 'tools');
  await ui.search.fill(tool);
  await ui.tool(tool).click();
  await detail().getByRole('heading', { name: tool }).waitFor();
  await detail().getByText('Input schema').first().waitFor();
}

test('junk is listed with its reasons and costs no other tool', async () => {
  await ui.provider(deviceKey, MALFORMED_PACKAGE, 'tools');
  await ui.main.getByText(`${malformedEntries(0).length} tools`, { exact: true }).waitFor();
  await expectNothingCutOff(ui.page);
  await screenshot(ui.page, 'hostile-catalog-light');
  expect(await ui.main.getByRole('checkbox', { name: /^Malformed \d+/ }).count()).toBe(1);
  await ui.search.fill('no_schema');
  await ui.tool('no_schema').getByText('Malformed').waitFor();
  await ui.tool('no_schema').click();
  await detail().getByText('This entry breaks the specification').waitFor();
  await screenshot(ui.page, 'hostile-malformed-light');
});

test('bidi, control characters, HTML and ANSI are text, and are seen', async () => {
  await ui.heading('Devices').waitFor();
  await look('bidi_text');
  await detail().getByText('U+202E').first().waitFor();
  await detail().getByText('U+200B').first().waitFor();
  await detail().getByText('U+0007').first().waitFor();
  await screenshot(ui.page, 'hostile-bidi-light');
  await look('html_text');
  await detail().getByText('<img src=x onerror=alert(1)>').first().waitFor();
  await detail().getByText('<script>alert(1)</script>').first().waitFor();
  await look('ansi_text');
  await detail().getByText('U+001B').first().waitFor();
  const shown = await ui.page.evaluate(() => document.body.textContent ?? '');
  for (const hidden of ['\u001b', '\u0007', '\u202e', '\u200b']) expect(shown).not.toContain(hidden);
});

test('a description of megabytes is cut for display, says so, and the page stays usable', async () => {
  await look('huge_description');
  await detail()
    .getByText(/show [\d,]+ more characters/)
    .first()
    .waitFor();
  await screenshot(ui.page, 'hostile-huge-description-light');
  await ui.search.fill('good_tool');
  await ui.tool('good_tool').waitFor();
});

test('an answer too large to carry is a failure with its reason, never an empty list', async () => {
  await ui.provider(`local/${phoneTooLong.serial}`, MALFORMED_PACKAGE, 'tools');
  await ui.main.getByText('The tools could not be read').waitFor();
  expect(await ui.main.getByText('The Provider lists no tools').count()).toBe(0);
  await screenshot(ui.page, 'hostile-too-large-light');
});

test('keys named __proto__, deep nesting and repeated members stay what they are', async () => {
  await look('proto_keys');
  await detail().getByRole('button', { name: 'Show' }).last().click();
  await detail().getByText('__proto__').first().waitFor();
  await look('repeated_member');
  await look('deep_schema');
  await ui.compose(deviceKey, MALFORMED_PACKAGE, 'deep_schema');
  await ui.setArguments('{"a":{}}');
  await screenshot(ui.page, 'hostile-deep-schema-light');
});

test('a remote $ref is followed by nobody, and the arguments are not called valid', async () => {
  await ui.compose(deviceKey, MALFORMED_PACKAGE, 'remote_ref');
  await ui.setArguments('{"x":1}');
  await ui.main.getByText('Arguments not checked').waitFor();
  await screenshot(ui.page, 'hostile-remote-ref-light');
});

test('a catastrophic pattern ends as not checked; meanwhile the page answers', async () => {
  await ui.compose(deviceKey, MALFORMED_PACKAGE, 'slow_pattern');
  const text = `{"text":"${'a'.repeat(60)}!"}`;
  await ui.paste(text);
  await ui.main.getByText('Preparing…').waitFor();
  await ui.main.getByRole('button', { name: 'Input schema' }).click();
  await ui.main.getByText('^(a+)+$').first().waitFor();
  await ui.main.getByRole('button', { name: 'What will be sent' }).click();
  await ui.previewShows(text);
  await ui.main.getByText('Arguments not checked').waitFor();
  await screenshot(ui.page, 'hostile-pattern-light');
  await ui.sidebar.getByRole('link', { name: 'History' }).click();
  await ui.heading('History').waitFor();
});

test('integers of 64 bits and more keep every digit, in the answer, the tree and the raw Bundle', async () => {
  await ui.compose(deviceKey, MALFORMED_PACKAGE, 'huge_integers');
  await ui.runButton.click();
  await ui.calls.first().getByText('Success').waitFor();
  const digits = ['9223372036854775807', '9007199254740993', '123456789012345678901234567890', '1e-400', '1.10'];
  await expect.poll(() => ui.answer.textContent(), PATIENCE).toContain(digits[0]);
  const answer = await ui.answer.textContent();
  for (const number of digits) expect(answer).toContain(number);
  await screenshot(ui.page, 'hostile-integers-light');
  await ui.results.getByRole('button', { name: 'Tree' }).click();
  for (const number of digits) await ui.results.getByText(number, { exact: true }).first().waitFor();
  await ui.resultView('Raw Bundle');
  for (const number of digits) await ui.results.getByText(number).first().waitFor();
  await look('huge_bound');
  await detail().getByText('18446744073709551615').first().waitFor();
});

test('a hostile result is text', async () => {
  await ui.compose(deviceKey, MALFORMED_PACKAGE, 'html_text');
  await ui.runButton.click();
  await ui.calls.first().getByText('Success').waitFor();
  await expect.poll(() => ui.answer.textContent(), PATIENCE).toContain('__proto__');
  await ui.results.getByRole('button', { name: 'Tree' }).click();
  await ui.results.getByText('<script>alert(1)</script>').first().waitFor();
  await ui.results.getByText('polluted').first().waitFor();
});
