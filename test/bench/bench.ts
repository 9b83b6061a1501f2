// `npm run bench`: the performance figures, as ratios against a peer measured in the same run.
// The peer is the web client of the MCP Inspector, installed into .cache on the first run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createHost } from '../../host/host.ts';
import { startServer } from '../../host/server/server.ts';
import { createVirtualAndroid } from '../../host/simulator/android/virtual-android.ts';
import { startDemoServer } from '../../host/simulator/demo/demo-server.ts';
import { BIG_CATALOG_PACKAGE, bigCatalogPackage } from '../../host/simulator/provider-kit/big-catalog.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { ensureBuilt } from '../../scripts/build.ts';
import { launchBrowser } from '../harness/browser.ts';
import { measureStreaming, type StreamPair } from './streaming.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const PEER = '@modelcontextprotocol/inspector';
const PEER_VERSION = '2.12.0';
const RUNS = 7;

interface Load {
  /** First contentful paint, in ms from navigation. */
  readonly paint: number;
  /** The first frame that shows a control which answers a click, in ms from navigation. */
  readonly usable: number;
}

/** Watches each frame for the first visible, enabled button or link with a text. */
const WATCH_USABLE = `(() => {
  const look = () => {
    for (const element of document.querySelectorAll('button:not([disabled]), a[href]')) {
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && element.textContent.trim() !== '') {
        requestAnimationFrame(() => { window.__usable = performance.now(); });
        return;
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH_USABLE);
  await page.goto(url, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const usable = (globalThis as unknown as { __usable?: number }).__usable;
    return paint !== undefined && usable !== undefined ? { paint, usable } : null;
  });
  const result = (await handle.jsonValue()) as Load;
  await context.close();
  return result;
}

async function startPeer(): Promise<{ url: string; stop(): void }> {
  const folder = path.join(root, '.cache', 'bench-peer');
  const launcher = path.join(folder, 'node_modules', PEER, 'clients', 'launcher', 'build', 'index.js');
  if (!existsSync(launcher)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${PEER}@${PEER_VERSION}`];
    const installed = spawnSync('npm', args, { cwd: folder, stdio: 'ignore' });
    if (installed.status !== 0) throw new Error(`Could not install the peer: npm ${args.join(' ')}`);
  }
  const env = { ...process.env, MCP_AUTO_OPEN_ENABLED: 'false', CLIENT_PORT: '16274' };
  const child = spawn(process.execPath, [launcher, '--web'], { env });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const match = /http:\/\/127\.0\.0\.1\S+TOKEN=\w+/.exec(text);
      if (match) resolve(match[0]);
    });
    child.once('exit', () => reject(new Error(`The peer ended: ${text}`)));
  });
  return { url, stop: () => child.kill() };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const ms = (value: number) => `${value.toFixed(0)} ms`;

function report(name: string, ours: readonly number[], theirs: readonly number[]): void {
  const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
  console.log(
    `${name.padEnd(34)} ours ${ms(median(ours)).padStart(8)}   peer ${ms(median(theirs)).padStart(8)}   ratio ${median(ratios).toFixed(2)}` +
      `   (${ratios
        .map((ratio) => ratio.toFixed(2))
        .sort()
        .join(' ')})`,
  );
}

/** From a key press to the frame after the list has answered, for each key of a word. */
async function keystrokes(page: Page, word: string): Promise<number[]> {
  const times: number[] = [];
  const box = page.getByRole('searchbox').or(page.getByRole('textbox')).first();
  await box.focus();
  for (const key of word) {
    await page.evaluate(() => {
      const scope = globalThis as unknown as { __key: Promise<number> };
      scope.__key = new Promise((resolve) => {
        document.addEventListener(
          'keydown',
          (event) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - event.timeStamp))),
          { once: true, capture: true },
        );
      });
    });
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => (globalThis as unknown as { __key: Promise<number> }).__key));
  }
  return times;
}

await ensureBuilt({ quiet: true });
console.log(
  `${os.cpus()[0]?.model} × ${os.cpus().length}, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)}`,
);
const STREAM_MIB = 256;
const pairs: StreamPair[] = [];
await measureStreaming(STREAM_MIB, RUNS, (pair) => pairs.push(pair));
console.log(
  `\nA file result of ${STREAM_MIB} MiB through the real adb server against "adb exec-out cat", ${RUNS} pairs, median:`,
);
const rate = (value: number) => `${value.toFixed(0)} MiB/s`;
console.log(
  `${'streamed, digested, on the disk'.padEnd(34)} ours ${rate(median(pairs.map(({ ours }) => ours)))}   ` +
    `peer ${rate(median(pairs.map(({ peer: theirs }) => theirs)))}   ` +
    `ratio ${median(pairs.map(({ ours, peer: theirs }) => ours / theirs)).toFixed(2)}   ` +
    `${median(pairs.map(({ cpu }) => cpu)).toFixed(2)} CPU s a GiB`,
);
const peer = await startPeer();
const phone = createVirtualAndroid({
  model: 'Pixel 8',
  serialno: 'BENCH34',
  packages: [...wellBehavedPackages(), bigCatalogPackage()],
  // No real Binder carries a list of 5,000 tools.
  binderLimitBytes: Number.POSITIVE_INFINITY,
});
const adb = await startDemoServer([{ android: phone, serial: 'BENCH34', state: 'device' }]);
const host = await createHost({
  journalFile: ':memory:',
  assetsRoot: null,
  version: 'bench',
  demo: false,
  env: {},
  adb: { host: adb.host, port: adb.port },
});
const server = await startServer({ router: host.router, rendererRoot: path.join(root, 'dist', 'renderer'), port: 0 });
const browser = await launchBrowser();
try {
  await load(browser, peer.url);
  await load(browser, server.url);
  const ours: Load[] = [];
  const theirs: Load[] = [];
  for (let run = 0; run < RUNS; run++) {
    ours.push(await load(browser, server.url));
    theirs.push(await load(browser, peer.url));
  }
  console.log(`\nPage of the served app against the web client of ${PEER} ${PEER_VERSION}, ${RUNS} pairs, median:`);
  report(
    'first contentful paint',
    ours.map(({ paint }) => paint),
    theirs.map(({ paint }) => paint),
  );
  report(
    'first control that answers',
    ours.map(({ usable }) => usable),
    theirs.map(({ usable }) => usable),
  );

  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(server.url);
  await page.getByText('Pixel 8').first().click();
  await page
    .getByText(/warehouse/i)
    .first()
    .click();
  await page
    .getByText(/^5,?000/)
    .first()
    .waitFor();
  const times = await keystrokes(page, 'stock 42');
  console.log(`\nFilter over 5,000 tools (${BIG_CATALOG_PACKAGE}), key press to the next frame, for each key:`);
  console.log(`  ${times.map((time) => ms(time)).join('  ')}   longest ${ms(Math.max(...times))}`);
} finally {
  await browser.close();
  await server.close();
  await host.close();
  await adb.close();
  peer.stop();
}
process.exit(0);
