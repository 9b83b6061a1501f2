import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeviceIo } from '../../adb/device-io-adb.ts';
import { type RealAdbServer, startRealAdbServer } from '../../adb/testing/real-adb-server.ts';
import { serveAdbd } from '../../simulator/adbd/serve-adbd.ts';
import { createVirtualAndroid } from '../../simulator/android/virtual-android.ts';
import { createDeviceServices } from '../../simulator/userland/services.ts';
import type { BinderOutcome } from '../../simulator/virtual-device.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage } from '../testing/virtual-phone.ts';
import { createCompanionBridge } from './companion-bridge.ts';
import { createCompanionManager } from './companion-manager.ts';

let adb: RealAdbServer;
beforeAll(async () => {
  adb = await startRealAdbServer();
});
afterAll(() => adb.stop());

test('through the real adb server: 30 calls at once, the cable out in the middle of one, the same companion again', async () => {
  const garden = gardenPackage(({ method, extras }) =>
    method === 'slow' ? new Promise<BinderOutcome>(() => {}) : bundle(extras?.entries ?? []),
  );
  const android = createVirtualAndroid({ packages: [garden.spec] });
  const services = createDeviceServices(android, { serial: 'GARDEN02' });
  const plugged = await serveAdbd(services);
  await adb.connection.connect('127.0.0.1', plugged.port);
  const serial = `127.0.0.1:${plugged.port}`;
  const io = createDeviceIo({ connection: adb.connection, serial, deviceKey: `local/${serial}`, sdk: 34 });
  const manager = createCompanionManager({ io, userId: 0, apk: () => null, foreignLooksMs: [0, 50] });
  const bridge = createCompanionBridge(manager);
  const live = new AbortController().signal;
  const call = (method: string, size: number) =>
    bridge.call(
      bridge.encode(GARDEN_AUTHORITY, method, null, [{ key: 'args', t: 'string', v: '\u00e9'.repeat(size) }]),
      60_000,
      live,
    );
  const sizes = Array.from({ length: 30 }, (_, i) => (i % 5 === 0 ? 100_000 : i));
  const answers = await Promise.all(sizes.map((size) => call('echo', size)));
  answers.forEach((answer, i) => {
    expect(answer).toMatchObject({ kind: 'answer', bundle: [{ key: 'args', v: '\u00e9'.repeat(sizes[i] ?? 0) }] });
  });
  const companion = android.companion();

  const slow = call('slow', 1);
  await expect.poll(() => garden.received.length).toBe(31);
  await plugged.close();
  expect(await slow).toMatchObject({ kind: 'failure', problem: { code: 'companion.lost-after-send' } });

  const again = await serveAdbd(services, { port: plugged.port });
  await adb.connection.disconnect('127.0.0.1', plugged.port);
  await adb.connection.connect('127.0.0.1', again.port);
  expect(await call('echo', 3)).toMatchObject({ kind: 'answer' });
  expect(android.companion()).toBe(companion);
  manager.close();
  await again.close();
});
