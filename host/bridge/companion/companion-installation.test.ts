import { afterEach, expect, test } from 'vitest';
import type { CompanionStatus } from '../../../shared/model/device.ts';
import type { ProblemError } from '../../../shared/model/problem.ts';
import { COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import { companionSpec } from '../../simulator/android/companion-package.ts';
import type { VirtualAndroidOptions } from '../../simulator/android/virtual-android.ts';
import { buildApk } from '../../simulator/apk/apk.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../testing/virtual-phone.ts';
import { type CompanionManager, createCompanionManager } from './companion-manager.ts';
import { isOlder } from './installed-app.ts';
import { startCompanionService } from './service-start.ts';
import { readUninstallResult } from './uninstall-companion.ts';

/** Versions, the fallback's service and removal, through the embedded adb server. */
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const NEWER = { ...companionSpec, versionName: '1.2.0', versionCode: 3 };
const VENDOR = 'Permission Denial: instrumentation is disabled by the manufacturer';

async function phoneOf(options: VirtualAndroidOptions = {}, apk = companionSpec, startTimeoutMs = 10_000) {
  const phone = await startVirtualPhone({ packages: [gardenPackage(() => bundle([])).spec], ...options });
  closers.push(() => phone.close());
  const manager = createCompanionManager({
    io: phone.io,
    userId: 0,
    apk: async () => buildApk(apk),
    foreignLooksMs: [0, 50],
    startTimeoutMs,
  });
  closers.push(() => manager.close());
  return { phone, manager };
}

const hasCode = (code: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ code }) }) as unknown as ProblemError;

async function until(manager: CompanionManager, fits: (status: CompanionStatus) => boolean): Promise<CompanionStatus> {
  for await (const status of manager.watch(new AbortController().signal)) if (fits(status)) return status;
  throw new Error('The watch ended.');
}

test('what is installed is told without starting it: version, grant, user', async () => {
  const { phone, manager } = await phoneOf();
  expect(await until(manager, ({ version }) => version !== null)).toEqual({
    state: 'installed',
    version: '1.0.0',
    uid: null,
    permission: 'granted',
    userId: 0,
    bundledVersion: '1.0.0',
    isOlder: false,
    startedBy: null,
    connectedSinceMs: null,
    clock: null,
    problem: null,
  });
  expect(phone.android.pidOf(COMPANION_PACKAGE)).toBeNull();
});

test.each([
  ['installed before the permission was defined', { companionInstalled: 'first' }, 'denied'],
  ['on a device where nobody defines it', { packages: [] }, 'undefined'],
] as const)('the grant of a companion %s is told without starting it', async (_when, options, permission) => {
  const { manager } = await phoneOf(options);
  expect(await until(manager, ({ version }) => version !== null)).toMatchObject({ state: 'installed', permission });
});

test('an older companion works, says so, and is updated by an installation', async () => {
  const { manager } = await phoneOf({}, NEWER);
  const older = {
    version: '1.0.0',
    bundledVersion: '1.2.0',
    isOlder: true,
    problem: { code: 'companion.older', params: { installed: '1.0.0', bundled: '1.2.0' } },
  };
  expect(await until(manager, ({ version }) => version !== null)).toMatchObject({ state: 'installed', ...older });
  await manager.ensure();
  expect(manager.status()).toMatchObject({ state: 'connected', startedBy: 'instrumentation', ...older });
  expect(await manager.install()).toMatchObject({
    state: 'connected',
    version: '1.2.0',
    isOlder: false,
    problem: null,
  });
});

test('version names are compared by their numbers', () => {
  expect(isOlder('1.9.0', '1.10')).toBe(true);
  expect(isOlder('1.10', '1.9.9')).toBe(false);
  expect(isOlder('1.0', '1.0.0')).toBe(false);
  expect(isOlder('1.0-beta', '2.0')).toBe(false);
  expect(isOlder(null, '2.0')).toBe(false);
});

test('where the vendor refuses instrumentation, the foreground service serves, and the reason stays in sight', async () => {
  const answered = gardenPackage(() => bundle([{ key: 'status', t: 'string', v: 'success' }]));
  const { phone, manager } = await phoneOf({ packages: [answered.spec] });
  phone.android.refuseInstrumentation(VENDOR);
  const client = await manager.ensure();
  expect(manager.status()).toMatchObject({
    state: 'connected',
    startedBy: 'service',
    permission: 'granted',
    problem: { code: 'companion.started-as-service', raw: expect.stringContaining(VENDOR) },
  });
  await client.call({ authority: GARDEN_AUTHORITY, method: 'm', arg: null, extrasText: 'null', timeoutMs: 5_000 });
  expect(answered.received).toHaveLength(1);
});

test('a service whose process dies is told, and the next need starts it again', async () => {
  const { phone, manager } = await phoneOf();
  phone.android.refuseInstrumentation(VENDOR);
  await manager.ensure();
  phone.android.kill(COMPANION_PACKAGE);
  await until(manager, ({ state }) => state === 'failed');
  await manager.ensure();
  expect(manager.status()).toMatchObject({ state: 'connected', startedBy: 'service' });
  phone.android.kill(COMPANION_PACKAGE);
  await until(manager, ({ state }) => state === 'failed');
  phone.android.refuseInstrumentation(null);
  await manager.ensure();
  expect(manager.status()).toMatchObject({ state: 'connected', startedBy: 'instrumentation', problem: null });
});

test('where neither can be started, the refusal of the first is what is told', async () => {
  const { phone, manager } = await phoneOf();
  phone.android.refuseInstrumentation(VENDOR);
  phone.android.startService = () => false;
  await expect(manager.ensure()).rejects.toMatchObject({
    problem: { code: 'companion.start-failed', raw: expect.stringContaining(VENDOR) },
  });
});

test('a service that never announces itself costs the time of a start, not more', async () => {
  const { phone, manager } = await phoneOf({}, companionSpec, 1_000);
  phone.android.refuseInstrumentation(VENDOR);
  phone.android.dumpService = () => null;
  await expect(manager.ensure()).rejects.toThrow(hasCode('companion.start-failed'));
});

test('an announcement without a socket does not bring its token into a problem', async () => {
  const { phone } = await phoneOf();
  const token = 'ab'.repeat(32);
  phone.android.dumpService = () => `cetp.protocol=1\ncetp.token=${token}\n`;
  const failure = await startCompanionService(phone.io, 0, 300).catch((error: unknown) => error);
  expect(failure).toMatchObject({ problem: { code: 'companion.start-timeout', raw: expect.stringContaining('…') } });
  expect(JSON.stringify((failure as ProblemError).problem)).not.toContain(token);
});

test('uninstalling removes it, also while it is connected; installing brings it back', async () => {
  const { phone, manager } = await phoneOf();
  await manager.ensure();
  expect(await manager.uninstall()).toMatchObject({ state: 'not-installed', version: null, problem: null });
  expect(phone.openSockets()).toBe(0);
  expect(phone.android.packages().map(({ spec }) => spec.package)).not.toContain(COMPANION_PACKAGE);
  await expect(manager.ensure()).rejects.toThrow(hasCode('companion.not-installed'));
  expect(await manager.uninstall()).toMatchObject({ state: 'not-installed' });
  expect(await manager.install()).toMatchObject({ state: 'connected', permission: 'granted' });
});

test('an installation and a removal at once happen one after the other', async () => {
  const { manager } = await phoneOf();
  const [installed, removed] = await Promise.all([manager.install(), manager.uninstall()]);
  expect(installed.state).toBe('connected');
  expect(removed.state).toBe('not-installed');
});

test.each([
  ['Success', null],
  ['Failure [not installed for 10]', null],
  ['Failure [DELETE_FAILED_DEVICE_POLICY_MANAGER]', 'uninstall-device-admin'],
  ['Failure [DELETE_FAILED_USER_RESTRICTED]', 'uninstall-user-restricted'],
  ['Failure [DELETE_FAILED_OWNER_BLOCKED]', 'uninstall-user-restricted'],
  ['Failure [DELETE_FAILED_INTERNAL_ERROR]', 'uninstall-refused'],
  [
    'Error: java.lang.SecurityException: Shell does not have permission to access user 150',
    'companion.user-unavailable',
  ],
  ['', 'uninstall-refused'],
])('pm uninstall: %s', (text, code) => {
  const result = readUninstallResult(`${text}\n`, '');
  if (code === null) expect(result).toBeNull();
  else expect(result).toMatchObject({ code, raw: text });
});
