import { afterEach, expect, test } from 'vitest';
import type { CompanionStatus } from '../../../shared/model/device.ts';
import { companionSpec } from '../../simulator/android/companion-package.ts';
import { buildApk } from '../../simulator/apk/apk.ts';
import { type Clock, systemClock } from '../../simulator/companion/clock.ts';
import { bundle, gardenPackage, startVirtualPhone } from '../testing/virtual-phone.ts';
import { type CompanionManager, createCompanionManager } from './companion-manager.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A phone whose clock is off as its owner set it, and a manager that measures often. */
async function phoneWith(clockEveryMs = 20) {
  const setting = { offsetMs: 0 };
  const clock: Clock = { now: () => systemClock.now() + setting.offsetMs, after: systemClock.after };
  const phone = await startVirtualPhone({ packages: [gardenPackage(() => bundle([])).spec], clock });
  closers.push(() => phone.close());
  const manager = createCompanionManager({
    io: phone.io,
    userId: 0,
    apk: async () => buildApk(companionSpec),
    clockEveryMs,
  });
  closers.push(() => manager.close());
  return { phone, manager, setting };
}

async function until(manager: CompanionManager, fits: (status: CompanionStatus) => boolean): Promise<CompanionStatus> {
  for await (const status of manager.watch(new AbortController().signal)) if (fits(status)) return status;
  throw new Error('The watch ended.');
}

test('the clock is measured when the companion connects, and again while it stays', async () => {
  const { manager, setting } = await phoneWith();
  setting.offsetMs = 3_600_000;
  expect(await manager.clock()).toBe(null);
  await manager.ensure();
  const first = await manager.clock();
  expect(Math.abs((first?.offsetMs ?? 0) - 3_600_000)).toBeLessThanOrEqual((first?.uncertaintyMs ?? 0) + 2);
  setting.offsetMs = -60_000;
  const { clock } = await until(manager, (status) => (status.clock?.offsetMs ?? 0) < 0);
  expect(Math.abs((clock?.offsetMs ?? 0) + 60_000)).toBeLessThanOrEqual((clock?.uncertaintyMs ?? 0) + 2);
});

test('a clock that changed is seen when somebody asks', async () => {
  const { manager, setting } = await phoneWith(3_600_000);
  await manager.ensure();
  await manager.clock();
  setting.offsetMs = 60_000;
  expect((await manager.measureClock())?.offsetMs).toBeGreaterThan(30_000);
  expect(manager.status().clock?.offsetMs).toBeGreaterThan(30_000);
});

test('what was measured goes with the connection: an unknown clock is not shown as a known one', async () => {
  const { phone, manager } = await phoneWith();
  await manager.ensure();
  await manager.clock();
  phone.unplug();
  const gone = await until(manager, (status) => status.state === 'failed');
  expect(gone.clock).toBe(null);
  expect(await manager.clock()).toBe(null);
  expect(await manager.measureClock()).toBe(null);
});
