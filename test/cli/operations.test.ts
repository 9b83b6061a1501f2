import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdbHostServer, serveAdbServer } from '../../host/simulator/adb-server/serve-adb-server.ts';
import { createVirtualAndroid } from '../../host/simulator/android/virtual-android.ts';
import { createNotesProvider, notesPackage } from '../../host/simulator/provider-kit/notes-weather.ts';
import {
  createPriceAlerts,
  PRICE_ALERTS_PACKAGE,
  priceAlertsPackage,
} from '../../host/simulator/provider-kit/price-alerts.ts';
import { createDeviceServices } from '../../host/simulator/userland/services.ts';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli', 'cetp.js');

/** The phone outlives every command: what one began, another asks for. */
const alerts = createPriceAlerts({ operationSteps: 2 });
let server: AdbHostServer;
let folder: string;
let common: string[];
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-cli-ops-'));
  server = await serveAdbServer({ host: '127.0.0.1' });
  const packages = [notesPackage(createNotesProvider()), priceAlertsPackage(alerts.app)];
  const android = createVirtualAndroid({ sdk: 34, packages });
  server.setDevices([{ services: createDeviceServices(android, { serial: 'CLI34' }), state: 'device' }]);
  common = ['--adb', `127.0.0.1:${server.port}`, '--journal', path.join(folder, 'journal.sqlite')];
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]) {
  const env = { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: '', ADB: '/nonexistent' };
  const child = spawn(process.execPath, [CLI, ...args, ...common], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...said })),
  );
  return { child, said, ended };
}
const run = (...args: string[]) => start(...args).ended;

const importing = (...more: string[]) => [
  'call',
  PRICE_ALERTS_PACKAGE,
  'import_watchlist',
  '--args',
  '{"symbols":["ABC","DEF"]}',
  '--yes',
  ...more,
];

test('v2 4.4: call --wait follows to the end, progress on stderr, the value alone on stdout', async () => {
  const { code, stdout, stderr } = await run(...importing('--wait'));
  expect([code, stdout.trim()]).toEqual([0, '{"imported":2}']);
  expect(stderr).toMatch(/operation: queued[\s\S]*operation: running[\s\S]*operation: succeeded/);
  const failed = await run(
    'call',
    PRICE_ALERTS_PACKAGE,
    'import_watchlist',
    '--args',
    '{"symbols":["FAIL"]}',
    '--yes',
    '--wait',
    '--json',
  );
  expect(failed.code).toBe(5);
  expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'provider-error', outcome: { errorCode: 'UNAVAILABLE' } });
});

test('call --detach leaves; another command lists, asks at the asked pace, and requests a cancel', {
  timeout: 120_000,
}, async () => {
  const detached = await run(...importing('--detach'));
  expect(detached.code).toBe(0);
  const { operation_id: id } = JSON.parse(detached.stdout);
  const list = JSON.parse((await run('operations', PRICE_ALERTS_PACKAGE, '--json')).stdout).operations;
  expect(list).toMatchObject([{ operationId: id, state: null, endedAtMs: null }]);
  expect(JSON.parse((await run('operations', 'com.other', '--json')).stdout)).toEqual({ operations: [] });
  const asked = await run('operation', 'get', id);
  expect([asked.code, JSON.parse(asked.stdout)]).toMatchObject([0, { operation_id: id, state: 'queued' }]);
  const cancelled = await run('operation', 'cancel', list[0].callId, '--json');
  expect(cancelled.code).toBe(0);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ endedAtMs: null, queryCount: 2 });
  const end = await run('operation', 'get', list[0].requestId, '--json');
  expect(JSON.parse(end.stdout)).toMatchObject({ state: 'cancelled' });
  expect(JSON.parse((await run('operations', '--json')).stdout)).toEqual({ operations: [] });
  expect((await run('operation', 'get', id)).code).toBe(4);
});

test('session: negotiated with a chosen offer, shown from the journal, and why it ended', {
  timeout: 120_000,
}, async () => {
  const made = await run('session', 'negotiate', PRICE_ALERTS_PACKAGE, '--capabilities', 'cancellation', '--json');
  expect(made.code).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ state: 'open', capabilities: ['cancellation'] });
  expect(made.stdout).not.toMatch(/session_token":"(?!⟦masked)/);
  const [last] = JSON.parse((await run('session', 'show', PRICE_ALERTS_PACKAGE, '--json')).stdout).sessions;
  expect(last).toMatchObject({
    state: 'ended',
    offeredCapabilities: ['cancellation'],
    problem: { code: 'host-closed' },
  });
  expect((await run('session', 'drop', PRICE_ALERTS_PACKAGE)).stderr).toContain('There is no session.');
  expect((await run('session', 'burn', PRICE_ALERTS_PACKAGE)).code).toBe(1);
});

test('history --follow writes each event of another process as a line of JSON, and an interrupt ends it with 0', async () => {
  const following = start('history', '--follow');
  await expect
    .poll(
      async () => {
        await run('session', 'negotiate', PRICE_ALERTS_PACKAGE);
        return following.said.stdout;
      },
      { timeout: 25_000 },
    )
    .toContain('"method":"negotiate"');
  following.child.kill('SIGINT');
  const { code, stdout } = await following.ended;
  expect(code).toBe(0);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['request', 'response']));
  expect(lines.every(({ data }) => typeof data === 'object')).toBe(true);
});

test('wait and detach exclude each other, and belong to call', async () => {
  expect((await run(...importing('--wait', '--detach'))).code).toBe(1);
  expect((await run('history', '--wait')).code).toBe(1);
  expect((await run('devices', '--follow')).code).toBe(1);
});

test('v2 4.5: --wait --out waits for the file that ends an operation; without --wait it tells that nothing was written', {
  timeout: 120_000,
}, async () => {
  const out = path.join(folder, 'history.json');
  const exporting = [
    'call',
    PRICE_ALERTS_PACKAGE,
    'export_history',
    '--args',
    '{"symbol":"NWND","years":40}',
    '--out',
    out,
  ];
  const left = await run(...exporting);
  expect(left.code).toBe(0);
  expect(left.stderr).toContain(`Nothing was written to ${out}`);
  expect(existsSync(out)).toBe(false);
  const { code, stdout } = await run(...exporting, '--wait');
  const { verified, declared } = JSON.parse(stdout);
  expect([code, verified]).toEqual([0, true]);
  expect(createHash('sha256').update(readFileSync(out)).digest('hex')).toBe(declared.sha256);
});
