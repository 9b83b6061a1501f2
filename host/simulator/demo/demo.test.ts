import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawHostClient } from '../adb-server/test-host-client.ts';
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

  it('serves the companion over the adb host protocol, from am instrument to a call', async () => {
    const open = async (service: string): Promise<RawHostClient> => {
      const client = new RawHostClient(server.port).send('host:transport:DEMO34PHONE01');
      expect(await client.text(4)).toBe('OKAY');
      client.send(service);
      expect(await client.text(4)).toBe('OKAY');
      return client;
    };
    const line = async (client: RawHostClient): Promise<string> => {
      let text = '';
      while (!text.endsWith('\n')) {
        const byte = await client.text(1);
        if (byte === '') throw new Error(`The stream ended after ${text}`);
        text += byte;
      }
      return text.trimEnd();
    };
    const run = await open('shell:am instrument -w -r com.clawseed.inspector.companion/.BridgeInstrumentation');
    const status = new Map<string, string>();
    for (let text = ''; !text.startsWith('INSTRUMENTATION_STATUS_CODE'); ) {
      text = await line(run);
      const [, key = '', value = ''] = /^INSTRUMENTATION_STATUS: ([^=]+)=(.*)$/.exec(text) ?? [];
      status.set(key, value);
    }
    const socket = await open(`localabstract:${status.get('cetp.socket')}`);
    const ask = async (request: object): Promise<Record<string, unknown>> => {
      socket.socket.write(`${JSON.stringify(request)}\n`);
      return JSON.parse(await line(socket)) as Record<string, unknown>;
    };
    const hello = await ask({ id: 1, op: 'hello', params: { protocol: 1, token: status.get('cetp.token') } });
    expect(hello).toMatchObject({ ok: { permissions: { 'com.clawseed.permission.ACCESS_TOOLS': 'granted' } } });
    const params = { authority: authorityOf('org.example.notes'), method: 'list_tools', arg: null, extras: null };
    const answer = await ask({ id: 2, op: 'call', params: { ...params, timeoutMs: 5_000 } });
    expect(answer).toMatchObject({ ok: { result: { status: { t: 'string', v: 'success' } } } });
    await socket.close();
    await run.close();
  });
});
