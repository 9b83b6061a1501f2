import { afterEach, expect, test } from 'vitest';
import type { CompanionStatus } from '../../../shared/model/device.ts';
import type { ProblemError } from '../../../shared/model/problem.ts';
import { COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import { companionSpec } from '../../simulator/android/companion-package.ts';
import type { VirtualAndroidOptions } from '../../simulator/android/virtual-android.ts';
import { buildApk } from '../../simulator/apk/apk.ts';
import { bundle, GARDEN, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../testing/virtual-phone.ts';
import { type CompanionManager, createCompanionManager } from './companion-manager.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function phoneOf(options: VirtualAndroidOptions = {}) {
  const phone = await startVirtualPhone({ packages: [gardenPackage(() => bundle([])).spec], ...options });
  closers.push(() => phone.close());
  const newManager = () => {
    const manager = createCompanionManager({
      io: phone.io,
      userId: 0,
      apk: async () => buildApk(companionSpec),
      foreignLooksMs: [0, 50],
    });
    closers.push(() => manager.close());
    return manager;
  };
  return { phone, newManager, manager: newManager() };
}

const hasCode = (code: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ code }) }) as unknown as ProblemError;

/** The first status that fits. */
async function until(manager: CompanionManager, fits: (status: CompanionStatus) => boolean): Promise<CompanionStatus> {
  for await (const status of manager.watch(new AbortController().signal)) if (fits(status)) return status;
  throw new Error('The watch ended.');
}

test('starts the companion once, however many ask', async () => {
  const { phone, manager } = await phoneOf();
  expect(manager.status().state).toBe('unknown');
  const clients = await Promise.all([manager.ensure(), manager.ensure(), manager.ensure()]);
  expect(new Set(clients).size).toBe(1);
  expect(phone.openSockets()).toBe(1);
  const uid = phone.android.packages().find((item) => item.spec.package === COMPANION_PACKAGE)?.uid;
  expect(manager.status()).toMatchObject({
    state: 'connected',
    version: '1.0.0',
    uid,
    permission: 'granted',
    problem: null,
  });
  expect(await manager.ensure()).toBe(clients[0]);
});

test('a device without it says so, and offers nothing by itself', async () => {
  const { manager } = await phoneOf({ companionInstalled: false });
  expect((await manager.probe()).state).toBe('not-installed');
  await expect(manager.ensure()).rejects.toThrow(hasCode('companion.not-installed'));
  expect(manager.status()).toMatchObject({ state: 'not-installed', problem: { code: 'companion.not-installed' } });
});

test('watching looks whether it is installed', async () => {
  const { manager } = await phoneOf();
  expect(await until(manager, (status) => status.state !== 'unknown')).toMatchObject({ state: 'installed' });
});

test('installs, starts and reports', async () => {
  const { manager } = await phoneOf({ companionInstalled: false });
  expect(await manager.install()).toMatchObject({ state: 'connected', permission: 'granted', problem: null });
});

test('a companion that came before the permission lacks it; reinstalling is the cure', async () => {
  const { manager } = await phoneOf({ companionInstalled: 'first' });
  await manager.ensure();
  expect(manager.status()).toMatchObject({
    state: 'connected',
    permission: 'denied',
    problem: { code: 'companion.permission-not-granted' },
  });
  expect(await manager.install()).toMatchObject({ state: 'connected', permission: 'granted', problem: null });
});

test('a permission that nobody defines', async () => {
  const { manager } = await phoneOf({ packages: [] });
  await manager.ensure();
  expect(manager.status()).toMatchObject({ state: 'connected', permission: 'undefined' });
});

test('a refused installation is told in the words of the device', async () => {
  const { phone, manager } = await phoneOf({ companionInstalled: false });
  phone.android.refuseNextInstall('INSTALL_FAILED_USER_RESTRICTED: Install canceled by user');
  await expect(manager.install()).rejects.toMatchObject({
    problem: {
      code: 'install-user-restricted',
      raw: 'Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]',
    },
  });
  expect(manager.status()).toMatchObject({ problem: { code: 'install-user-restricted' } });
  const leftovers = await phone.io.shell(['ls', '/data/local/tmp']);
  expect(leftovers.stdout).not.toContain('companion');
});

test('a refused reinstallation leaves the running companion usable', async () => {
  const { phone, manager } = await phoneOf();
  await manager.ensure();
  const pid = phone.android.pidOf(COMPANION_PACKAGE);
  phone.android.refuseNextInstall('INSTALL_FAILED_ABORTED: User rejected permissions');
  await expect(manager.install()).rejects.toThrow(hasCode('install-aborted'));
  expect(manager.status()).toMatchObject({ state: 'installed', problem: { code: 'install-aborted' } });
  await manager.ensure();
  expect(manager.status().state).toBe('connected');
  expect(phone.android.pidOf(COMPANION_PACKAGE)).toBe(pid);
});

test('a start in the middle of an installation waits for its end', async () => {
  const { phone, manager } = await phoneOf({ companionInstalled: 'first' });
  const [status, again, client] = await Promise.all([manager.install(), manager.install(), manager.ensure()]);
  expect(status).toEqual(again);
  expect(status).toMatchObject({ state: 'connected', permission: 'granted' });
  expect(manager.current()).not.toBeNull();
  expect(client.hello.version).toBe('1.0.0');
  expect(phone.openSockets()).toBe(1);
});

test('a build without the APK says so', async () => {
  const { phone } = await phoneOf();
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: () => null });
  await expect(manager.install()).rejects.toThrow(hasCode('companion.apk-missing'));
});

test('after a lost cable the same companion is used again', async () => {
  const { phone, manager } = await phoneOf();
  const first = await manager.ensure();
  const pid = phone.android.pidOf(COMPANION_PACKAGE);
  phone.unplug();
  await first.closed;
  expect(manager.status().state).toBe('failed');
  await expect(manager.ensure()).rejects.toThrow();
  phone.plugIn();
  const second = await manager.ensure();
  expect(second).not.toBe(first);
  expect(second.isOpen).toBe(true);
  expect(phone.android.pidOf(COMPANION_PACKAGE)).toBe(pid);
  expect(phone.openSockets()).toBe(1);
});

test('a companion that crashed is told so, and started anew when it is next needed', async () => {
  const { phone, manager } = await phoneOf();
  await manager.ensure();
  phone.android.kill(COMPANION_PACKAGE);
  const status = await until(manager, ({ problem }) => problem?.code === 'companion.crashed');
  expect(status).toMatchObject({ state: 'failed', problem: { params: { message: 'Process crashed.' } } });
  expect((await manager.ensure()).isOpen).toBe(true);
});

test('another inspector takes it over: told, not taken back by itself, taken back on a wish', async () => {
  const { phone, manager, newManager } = await phoneOf();
  const mine = await manager.ensure();
  const other = newManager();
  await other.ensure();
  await mine.closed;
  await expect(manager.ensure()).rejects.toThrow(hasCode('companion.taken-over'));
  expect(manager.status()).toMatchObject({ state: 'failed', problem: { code: 'companion.taken-over' } });
  await expect(manager.discover('cetp')).rejects.toThrow(hasCode('companion.taken-over'));
  expect(other.current()?.isOpen).toBe(true);

  expect((await manager.restart()).isOpen).toBe(true);
  await until(other, ({ problem }) => problem?.code === 'companion.taken-over');
  expect(phone.openSockets()).toBe(1);
});

test('taken over while the cable was out: told, not taken back by itself', async () => {
  const { phone, manager } = await phoneOf();
  const first = await manager.ensure();
  phone.unplug();
  await first.closed;
  phone.android.instrument('com.clawseed.inspector.companion/.BridgeInstrumentation');
  const foreign = phone.android.pidOf(COMPANION_PACKAGE);
  phone.plugIn();
  await expect(manager.ensure()).rejects.toThrow(hasCode('companion.taken-over'));
  expect(phone.android.pidOf(COMPANION_PACKAGE)).toBe(foreign);
});

test('discovers, and learns the process behind an authority', async () => {
  const { manager } = await phoneOf();
  const candidates = await manager.discover('cetp');
  expect(candidates).toMatchObject([{ package: GARDEN, provider: { authorities: [GARDEN_AUTHORITY] } }]);
  expect(manager.processNameOf(GARDEN_AUTHORITY)).toBe(GARDEN);
});

test('package events arrive', async () => {
  const { phone, manager } = await phoneOf();
  await manager.ensure();
  const events = manager.packageEvents(new AbortController().signal)[Symbol.asyncIterator]();
  await manager.discover('cetp');
  phone.android.uninstall(GARDEN);
  expect(await events.next()).toEqual({ done: false, value: { action: 'removed', package: GARDEN } });
});

test('closing leaves no socket and no waiting', async () => {
  const { phone, manager } = await phoneOf();
  const client = await manager.ensure();
  manager.close();
  expect(await client.closed).toMatchObject({ code: 'companion.closed' });
  await expect(manager.ensure()).rejects.toThrow(hasCode('companion.closed'));
  await expect.poll(() => phone.openSockets()).toBe(0);
  expect(phone.android.companion()?.isOpen).toBe(true);
});
