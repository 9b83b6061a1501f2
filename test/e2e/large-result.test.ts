import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import {
  ARCHIVE_PACKAGE,
  archiveBlocks,
  archivePackage,
  createArchive,
} from '../../host/simulator/provider-kit/archive.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { type ServedApp, serveApp } from '../harness/app.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type OpenPage, openPage, screenshot } from '../harness/page.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';
import { AppPage, PATIENCE } from './pages.ts';

/** Results that come as files (v2 4.5), from a device behind the real adb server to the disk of whoever looks. */
const archive = createArchive();
let browser: Browser;
let server: RealAdbServer;
let phone: PluggedPhone;
let folder: string;
let app: ServedApp;
let open: OpenPage;
let ui: AppPage;

const serve = () =>
  serveApp({ adb: { host: '127.0.0.1', port: server.port }, journalFile: path.join(folder, 'journal.sqlite') });

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-large-'));
  browser = await launchBrowser();
  server = await startRealAdbServer();
  const packages = [...wellBehavedPackages(), archivePackage(archive.app)];
  phone = await plugIn(server, { sdk: 34, model: 'Pixel 8', serialno: 'LARGE34', packages });
  app = await serve();
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

async function run(args: object): Promise<void> {
  await ui.compose(`local/${phone.serial}`, ARCHIVE_PACKAGE, 'export_records');
  await ui.setArguments(JSON.stringify(args));
  await ui.main.getByRole('button', { name: /^Run/ }).click();
}

const newest = () => ui.main.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
const content = () => ui.main.getByRole('region', { name: 'Content of the file' });

test('v2 4.5: a good file is verified beside what was declared, read anywhere, searched, and saved byte for byte', async () => {
  await run({ records: 60_000 });
  await newest().getByText('File verified').waitFor();
  const digest = ui.main.getByRole('row').filter({ hasText: 'sha256' });
  await digest.getByText('as declared', { exact: true }).waitFor();
  await ui.main.getByText('Output matches the schema').first().waitFor();
  await content().getByText('00000003').waitFor();

  await ui.main.getByRole('button', { name: 'Tail' }).click();
  await content().getByText('00059999').waitFor();
  const find = ui.main.getByRole('searchbox', { name: 'Find in the file' });
  await find.fill('"0004444');
  await find.press('Enter');
  await ui.main.getByText('1 of 10', { exact: true }).waitFor();
  await content().locator('mark').getByText('"0004444').waitFor();
  await find.press('Enter');
  await ui.main.getByText('2 of 10', { exact: true }).waitFor();
  await find.press('Shift+Enter');
  await ui.main.getByText('1 of 10', { exact: true }).waitFor();
  await screenshot(open.page, 'large-result-found-light');
  const jump = ui.main.getByRole('textbox', { name: 'Go to byte' });
  await jump.fill('1,280,002');
  await jump.press('Enter');
  await content().locator('.marked').getByText('00010000').waitFor();
  const axe = await new AxeBuilder({ page: open.page }).include('.result-file').analyze();
  expect(axe.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);

  const [download] = await Promise.all([
    open.page.waitForEvent('download'),
    ui.main.getByRole('link', { name: 'Save as…' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^export_records-[0-9a-f]{8}\.json$/);
  const saved = createHash('sha256').update(await readFile(await download.path()));
  const sent = createHash('sha256');
  for (const block of archiveBlocks(60_000)) sent.update(block);
  expect(saved.digest('hex')).toBe(sent.digest('hex'));
  expect(archive.descriptors.closed).toBe(archive.descriptors.opened);
});

test('v2 4.5: a tampered file is not as declared, with both digests, and its call is still a success', async () => {
  await run({ records: 60_000, fault: 'tampered' });
  await newest().getByText('File not as declared').waitFor();
  await newest().getByText('Success', { exact: true }).waitFor();
  const digest = ui.main.getByRole('row').filter({ hasText: 'sha256' });
  await digest.getByText('not as declared', { exact: true }).waitFor();
  expect(await digest.textContent()).toMatch(/[0-9a-f]{64}Came [0-9a-f]{64}/);
  await ui.main.getByRole('button', { name: 'Findings 1' }).click();
  await ui.main.getByText(/The file declares the SHA-256/).waitFor();
  await screenshot(open.page, 'large-result-tampered-light');
});

test('a file that stops coming is told as it is, and reading it can be stopped', async () => {
  await run({ records: 60_000, fault: 'silent' });
  await ui.main.getByRole('progressbar', { name: 'Receiving the file' }).waitFor();
  await ui.main.getByText('983,042 of 7,680,002 bytes').waitFor();
  await screenshot(open.page, 'large-result-receiving-light');
  await ui.main.getByRole('button', { name: 'Stop reading' }).click();
  await newest().getByText('File reading cancelled').waitFor();
  await expect.poll(() => archive.descriptors.closed, PATIENCE).toBe(archive.descriptors.opened);
});

test('a small file opens as a tree; after a restart of the app it is shown from the history, until it is deleted', async () => {
  await run({ records: 3 });
  await newest().getByText('File verified').waitFor();
  await ui.main.getByRole('group', { name: 'Content of the file' }).getByText('"00000001"').waitFor();
  await open.close();
  await app.close();
  app = await serve();
  open = await openPage(browser, app.url);
  ui = new AppPage(open.page);
  await ui.go('/history');
  await ui.main.getByRole('option').filter({ hasText: 'export_records' }).first().click();
  const file = ui.main.getByRole('region', { name: 'File of the result' });
  await file.getByText('verified', { exact: true }).waitFor();
  await file.getByText('"00000001"').waitFor();
  await screenshot(open.page, 'large-result-history-light');
  await file.getByRole('button', { name: 'Delete' }).click();
  await file.getByText('Nothing of this result is kept on this machine any more.').waitFor();
});
