import { AxeBuilder } from '@axe-core/playwright';
import { createRouterClient } from '@orpc/server';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { NOTES_PACKAGE, notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, type PageOptions, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { createForms, FORMS_PACKAGE, formsPackage } from './form-provider.ts';
import { AppPage, expectNothingCutOff, focused, keyOf, PATIENCE } from './pages.ts';

/** The arguments as a form: one text, changed where the form is changed and nowhere else. */
const forms = createForms();

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
    model: 'Pixel 8',
    serialno: 'FORM34',
    packages: [formsPackage(forms), notesPackage()],
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
beforeEach(() => start());
afterEach(async () => {
  const { faults } = open;
  await open.close();
  expect(faults).toEqual([]);
});

async function start(options: PageOptions = {}): Promise<void> {
  // Each test begins with the text, as the first visit does.
  await createRouterClient(app.host.router, { context: {} }).app.putSetting({ key: 'ui.args-view', value: 'text' });
  open = await openPage(browser, app.url, options);
  ui = new AppPage(open.page);
}

const form = () => ui.main.getByRole('form');
const at = (pointer: string): Locator => form().locator(`[data-pointer="${pointer}"]`);
const control = (pointer: string): Locator => form().locator(`[data-focus="${pointer}"]`);
const show = (view: 'Text' | 'Form' | 'Both') =>
  ui.main
    .getByRole('group', { name: 'How to edit the arguments' })
    .getByRole('button', { name: view, exact: true })
    .click();

async function openForm(tool: string, text: string, packageName = FORMS_PACKAGE): Promise<void> {
  await ui.compose(deviceKey, packageName, tool);
  await ui.setArguments(text);
  await show('Form');
  await form().waitFor();
}

async function generate(mode: 'Minimal' | 'All fields' | 'Example'): Promise<void> {
  await ui.main.getByRole('button', { name: 'Fill in' }).click();
  await ui.page.getByRole('menuitem', { name: mode }).click();
}

const argsShown = async () => (await ui.preview()).find(({ key }) => key === 'args')?.value ?? '';

describe('an edit by the form', () => {
  const text =
    '{ "zzz" : 1.10,\n\n\t"quantity":9007199254740993 ,"title":"\\u0061b", "side":"buy",\n "labels": {"b":"2",  "a":"1"}}';

  test('changes its value alone: digits, order, escapes and space of all the rest stay', async () => {
    await openForm('rich', text);
    await control('/labels/a').fill('one "more"');
    await ui.previewShows(text.replace('"a":"1"', '"a":"one \\"more\\""'));
    await control('/quantity').fill('9007199254740995.50');
    await ui.previewShows(
      text.replace('"a":"1"', '"a":"one \\"more\\""').replace('9007199254740993', '9007199254740995.50'),
    );
  });

  test('shows what the schema does not know, and what the check says at its field', async () => {
    await openForm('rich', text);
    await at('/zzz').getByText('not in the schema').waitFor();
    await control('/quantity').fill('0');
    await at('/quantity').getByText('must be >= 1').waitFor();
    expect(await control('/quantity').getAttribute('aria-invalid')).toBe('true');
    await at('').getByText('must NOT have additional properties: "zzz"').waitFor();
    await screenshot(ui.page, 'form-invalid-light');
    await ui.main.getByRole('button', { name: 'Remove zzz' }).click();
    await control('/quantity').fill('2');
    await at('/quantity').getByText('must be >= 1').waitFor({ state: 'detached' });
    await ui.main.getByText('Arguments match the schema').first().waitFor();
  });

  test('keeps what is no number out of the text, says so, and lets nothing be sent meanwhile', async () => {
    await openForm('rich', '{"title":"ab","quantity":12,"side":"buy"}');
    await control('/quantity').fill('1,5');
    await at('/quantity').getByText('This is no JSON number.').waitFor();
    await at('/quantity').getByText('12', { exact: true }).waitFor();
    expect(await ui.runButton.isDisabled()).toBe(true);
    expect(await argsShown()).toContain('"quantity":12');
    await control('/quantity').press('Escape');
    expect(await control('/quantity').inputValue()).toBe('12');
    await expect.poll(() => ui.runButton.isDisabled(), PATIENCE).toBe(false);
    // A view that is left takes its unfinished field with it.
    await control('/quantity').fill('');
    await show('Text');
    await expect.poll(() => ui.runButton.isDisabled(), PATIENCE).toBe(false);
  });

  test('absent is not empty: optional members come and go', async () => {
    await openForm('rich', '{"title":"ab","quantity":1,"side":"buy"}');
    await at('/note').getByText('not set').waitFor();
    await ui.main.getByRole('button', { name: 'Add note' }).click();
    await ui.previewShows('{"title":"ab","quantity":1,"side":"buy","note":""}');
    await ui.main.getByRole('button', { name: 'Remove note' }).click();
    await ui.previewShows('{"title":"ab","quantity":1,"side":"buy"}');
    await ui.main.getByRole('button', { name: 'Remove side' }).click();
    await at('/side').getByText('required, missing').waitFor();
    await at('').getByText("must have required property 'side'").waitFor();
  });

  test('null, a list, an alternative and a member of any name have their controls', async () => {
    await openForm('rich', '{"title":"ab","quantity":1,"side":"buy","limit":1.0,"address":null}');
    await ui.main.getByLabel('Type of limit').selectOption('null');
    await ui.main.getByLabel('Type of address').selectOption('object');
    await control('/address/street').fill('Main');
    await control('/side').selectOption('sell');
    await ui.main.getByRole('button', { name: 'Add labels' }).click();
    await at('/labels').getByLabel('Name of a new member').fill('é');
    await at('/labels').getByRole('button', { name: 'Add member' }).click();
    await control('/labels/é').fill('x');
    await expect
      .poll(async () => JSON.parse(await argsShown()) as unknown, PATIENCE)
      .toEqual({
        title: 'ab',
        quantity: 1,
        side: 'sell',
        limit: null,
        address: { street: 'Main' },
        labels: { é: 'x' },
      });
  });
});

describe('what the form cannot show', () => {
  test('is its JSON text with the reason, and is never dropped', async () => {
    const text = '{"title":"ab","quantity":1,"side":"buy","target":{"sku":1.0},"labels":{"a":"1","a":"2"}}';
    await openForm('rich', text);
    await at('/target').getByText('alternatives').waitFor();
    await at('/labels').getByText('a name occurs more than once').waitFor();
    expect(await control('/labels').inputValue()).toBe('{"a":"1","a":"2"}');
    await control('/target').fill('{"sku":');
    await at('/target').getByText('This is no JSON yet.').waitFor();
    await control('/target').fill('{"sku":"x", "n":2.0}');
    await ui.previewShows(text.replace('{"sku":1.0}', '{"sku":"x", "n":2.0}'));
    await at('/labels').getByRole('button', { name: 'Edit as text' }).click();
    await ui.editor.waitFor();
    await expect.poll(() => focused(ui.page), PATIENCE).toBe('Arguments');
  });

  test('a text that is no JSON has no form, and loses nothing', async () => {
    await openForm('rich', '{"title": "ab",}');
    await form().getByText('The text is not JSON').waitFor();
    await form().getByRole('button', { name: 'Edit as text' }).click();
    await ui.previewShows('{"title": "ab",}');
  });

  test('a string with characters that hide is a token with escapes', async () => {
    await ui.compose(deviceKey, FORMS_PACKAGE, 'rich');
    await ui.paste('{"title":"a\u202eb\\r\\n","quantity":1,"side":"buy"}');
    await show('Form');
    expect(await control('/title').inputValue()).toBe('"a\\u202eb\\r\\n"');
    await control('/title').fill('"a\\u202eb\\r\\nc"');
    await ui.previewShows('{"title":"a\\u202eb\\r\\nc","quantity":1,"side":"buy"}');
  });

  test('a hostile schema is text and costs only its own field', async () => {
    await openForm('hostile', '{}');
    await form().getByText('<img src=x>').waitFor();
    for (const name of ['__proto__x', 'tree', 'patterns', 'remote', 'odd', 'choice', 'never', 'strange'])
      await form()
        .getByRole('button', { name: `Add ${name}`, exact: true })
        .click();
    await at('/remote').getByText('a reference of the schema').waitFor();
    await at('/never').getByText('allows no value').waitFor();
    await at('/strange').getByText('is no schema').waitFor();
    await expect
      .poll(() => control('/choice').locator('option').allTextContents(), PATIENCE)
      .toEqual(['"\\u202egnp.exe"', '"\\u200b"', '1', 'null']);
    expect(await ui.page.locator('img').count()).toBe(0);
    await screenshot(ui.page, 'form-hostile-light');
    await expectNothingCutOff(ui.page);
  });

  test('a v1 tool, whose schema promises nothing, has a form all the same', async () => {
    await openForm('search_notes', '{"own": 1.0}', NOTES_PACKAGE);
    await at('/own').waitFor();
    await form().getByLabel('Name of a new member').fill('more');
    await form().getByLabel('Name of a new member').press('Enter');
    await ui.main.getByLabel('Type of more').selectOption('array');
    await ui.previewShows('{"own": 1.0, "more": []}');
  });
});

test('everything by the keyboard, and one history of undo for text and form', async () => {
  await openForm('rich', '{"title":"ab","quantity":1,"side":"buy"}');
  const before = forms.received.filter(({ method }) => method === 'execute_tool').length;
  const { keyboard } = ui.page;
  await form().getByRole('button', { name: 'Add tags' }).focus();
  await keyboard.press('Enter');
  await expect.poll(() => focused(ui.page), PATIENCE).toContain('Entries: 0');
  await keyboard.press('Tab');
  for (const word of ['one', 'two']) {
    if (word === 'two')
      await form().locator('[data-pointer="/tags"]').getByRole('button', { name: 'Add item' }).focus();
    await keyboard.press('Enter');
    await keyboard.type(word);
  }
  await keyboard.press('Tab');
  expect(await focused(ui.page)).toBe('Move item 2 up');
  await keyboard.press('Enter');
  // The keyboard stays with the item that it moves.
  await expect.poll(() => focused(ui.page), PATIENCE).toBe('Move item 1 down');
  await ui.previewShows('{"title":"ab","quantity":1,"side":"buy","tags":["two","one"]}');
  await keyboard.press('Control+z');
  await ui.previewShows('{"title":"ab","quantity":1,"side":"buy","tags":["one","two"]}');
  await keyboard.press('Control+Shift+Z');
  await ui.previewShows('{"title":"ab","quantity":1,"side":"buy","tags":["two","one"]}');
  await control('/title').focus();
  await keyboard.press('End');
  await keyboard.type('cd');
  await ui.previewShows('{"title":"abcd","quantity":1,"side":"buy","tags":["two","one"]}');
  await show('Text');
  await ui.editor.focus();
  await keyboard.press('Control+z');
  await ui.previewShows('{"title":"ab","quantity":1,"side":"buy","tags":["two","one"]}');
  await show('Form');
  await control('/title').focus();
  await keyboard.press('Control+Enter');
  await ui.calls.first().getByText('Success').waitFor();
  const executed = forms.received.filter(({ method }) => method === 'execute_tool').slice(before);
  expect(executed).toHaveLength(1);
  expect(executed[0]?.extras?.entries.find(({ key }) => key === 'args')).toEqual({
    key: 'args',
    t: 'string',
    v: '{"title":"ab","quantity":1,"side":"buy","tags":["two","one"]}',
  });
});

test('the generators fill in, say what the check says, and can be undone', async () => {
  const own = '{"title": "mine"}';
  await openForm('rich', own);
  await generate('All fields');
  await control('/address/zip').waitFor();
  await ui.main.getByText('Arguments match the schema').first().waitFor();
  await generate('Minimal');
  await at('/address').getByText('not set').waitFor();
  await control('/title').focus();
  await ui.page.keyboard.press('Control+z');
  await ui.page.keyboard.press('Control+z');
  await ui.previewShows(own);
  // By the keyboard: the menu opens on its first entry, and Escape gives the button back.
  const button = ui.main.getByRole('button', { name: 'Fill in' });
  await button.focus();
  await ui.page.keyboard.press('Enter');
  await ui.page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(ui.page), PATIENCE).toMatch(/^All fields/);
  await ui.page.keyboard.press('Escape');
  await expect.poll(() => focused(ui.page), PATIENCE).toBe('Fill in');
});

test('line ends of every sort stay, also those that the text editor would make alike', async () => {
  const client = createRouterClient(app.host.router, { context: {} });
  const target = { deviceKey, userId: null, providerKey: keyOf(FORMS_PACKAGE), tool: 'rich' };
  const text = '{\r\n  "title": "ab",\n  "quantity": 1,\r\n  "side": "buy"\r\n}\r\n';
  await client.calls.putDraft({ ...target, argsText: text });
  await ui.compose(deviceKey, FORMS_PACKAGE, 'rich');
  await show('Form');
  await control('/title').fill('abc');
  const stored = () => client.calls.getDraft(target).then(({ argsText }) => argsText);
  await expect.poll(stored, PATIENCE).toBe(text.replace('"ab"', '"abc"'));
  await show('Text');
  await ui.editor.waitFor();
  await show('Form');
  await control('/side').selectOption('sell');
  await expect.poll(stored, PATIENCE).toBe(text.replace('"ab"', '"abc"').replace('"buy"', '"sell"'));
});

test('a form of 500 fields shows them all and takes each edit', async () => {
  await openForm('wide', '{}');
  await generate('All fields');
  for (const _page of [1, 2]) await form().getByRole('button', { name: /more/ }).click();
  await control('/field_499').fill('last');
  await control('/field_0').fill('-7');
  // The preview folds so long a text: the draft as the host keeps it.
  const client = createRouterClient(app.host.router, { context: {} });
  const target = { deviceKey, userId: null, providerKey: keyOf(FORMS_PACKAGE), tool: 'wide' };
  await expect
    .poll(async () => {
      const { argsText } = await client.calls.getDraft(target);
      const args = JSON.parse(argsText ?? '{}') as Record<string, unknown>;
      return [args['field_0'], args['field_499'], Object.keys(args).length];
    }, PATIENCE)
    .toEqual([-7, 'last', 500]);
});

describe('for everybody', () => {
  test.each<[string, PageOptions]>([
    ['light', {}],
    ['dark', { theme: 'dark' }],
    ['contrast', { theme: 'contrast' }],
    ['both-large', { size: 'large' }],
  ])('%s: no fault that axe can find, and nothing cut off', async (name, options) => {
    await open.close();
    await start(options);
    await ui.compose(deviceKey, FORMS_PACKAGE, 'rich');
    await generate('All fields');
    await ui.prepared();
    await show(name === 'both-large' ? 'Both' : 'Form');
    await control('/quantity').fill('0');
    await at('/quantity').getByText('must be >= 1').waitFor();
    await control('/limit').fill('x');
    await at('/limit').getByText('This is no JSON number.').waitFor();
    await ui.prepared();
    const { violations } = await new AxeBuilder({ page: ui.page }).exclude('.monaco-editor').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    await expectNothingCutOff(ui.page);
    await screenshot(ui.page, `form-${name}`);
  });

  test('the choice of the view is kept for the next visit', async () => {
    await openForm('rich', '{}');
    await ui.page.reload();
    await form().waitFor();
    await open.close();
    open = await openPage(browser, app.url);
    ui = new AppPage(open.page);
    await ui.provider(deviceKey, FORMS_PACKAGE, 'tools');
    await ui.tool('rich').click();
    await ui.main.getByRole('link', { name: 'Compose a call' }).click();
    await form().waitFor();
  });
});
