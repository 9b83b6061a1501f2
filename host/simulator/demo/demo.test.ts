import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorityOf } from '../provider-kit/package-builder.ts';
import { UNPROTECTED_PACKAGE } from '../provider-kit/unprotected.ts';
import { createDemoDevices } from './demo-devices.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

describe('createDemoDevices', () => {
  it('gives a full phone, a tablet without the companion, and a phone that refuses', () => {
    const devices = createDemoDevices();
    const companion = 'com.clawseed.inspector.companion';
    const facts = devices.map(({ android, serial, state }) => ({
      state,
      release: android.release,
      sameSerial: android.properties['ro.serialno'] === serial,
      companion: android.packages().some((item) => item.spec.package === companion),
    }));
    expect(facts).toEqual([
      { state: 'device', release: '14', sameSerial: true, companion: true },
      { state: 'device', release: '11', sameSerial: true, companion: false },
      { state: 'unauthorized', release: '13', sameSerial: true, companion: false },
    ]);
  });

  it('gives fresh devices each time', () => {
    const [first] = createDemoDevices();
    const [second] = createDemoDevices();
    first?.android.uninstall(UNPROTECTED_PACKAGE);
    expect(second?.android.packages().map((item) => item.spec.package)).toContain(UNPROTECTED_PACKAGE);
  });
});

describe('startDemoServer', () => {
  let server: DemoServer;
  beforeAll(async () => {
    server = await startDemoServer();
  });
  afterAll(() => server.close());

  const adb = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('adb', ['-H', server.host, '-P', String(server.port), ...args]);
    return stdout;
  };

  it('shows the real adb client its devices in their states', async () => {
    const lines = (await adb('devices')).split('\n').filter((line) => line.startsWith('DEMO'));
    expect(lines.sort()).toEqual(['DEMO30TABLET1\tdevice', 'DEMO33PHONE02\tunauthorized', 'DEMO34PHONE01\tdevice']);
  });

  it('runs a call of the unprotected Provider through the shell', async () => {
    const uri = `content://${authorityOf(UNPROTECTED_PACKAGE)}`;
    const out = await adb('-s', 'DEMO30TABLET1', 'shell', 'content', 'call', '--uri', uri, '--method', 'list_tools');
    expect(out).toContain('Result: Bundle[{status=success, data={"tools":[{"name":"next_departures"');
  });
});
