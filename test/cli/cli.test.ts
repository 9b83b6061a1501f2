import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli', 'cetp.js');
const QUOTE = '{"symbol":"ACME","price":42.10,"volume":9223372036854775807}';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  args: readonly string[],
  options: { stdin?: string | Buffer; lang?: string; env?: NodeJS.ProcessEnv; onStdout?: (text: string) => void } = {},
) {
  const env = {
    ...process.env,
    LANG: options.lang ?? 'en_US.UTF-8',
    LC_ALL: '',
    ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1',
    ADB: '/nonexistent',
    ...options.env,
  };
  const child = spawn(process.execPath, [CLI, ...args], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    options.onStdout?.(stdout);
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(options.stdin ?? '');
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}

const demo = (...args: string[]) => run([...args, '--demo', '--journal', ':memory:']).ended;

describe('commands against the demo device', () => {
  test('devices', async () => {
    const { code, stdout } = await demo('devices', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).devices).toHaveLength(3);
  });

  test('providers and tools print one JSON document', async () => {
    const providers = await demo('providers', '--json');
    expect(JSON.parse(providers.stdout)).toMatchObject({ state: 'ready', origin: 'companion' });
    const tools = await demo('tools', 'org.example.pricealerts', '--json');
    expect(JSON.parse(tools.stdout)).toMatchObject({ protocol: 'v2', problem: null });
  });

  test('call prints the value, every digit kept', async () => {
    const { code, stdout } = await demo('call', 'org.example.pricealerts', 'get_quote', '--args', '{"symbol":"ACME"}');
    expect(code).toBe(0);
    expect(stdout).toBe(`${QUOTE}\n`);
  });

  test('arguments come from a file and from standard input', async () => {
    const file = path.join(folder, 'args.json');
    writeFileSync(file, '{"symbol":"ACME"}\n');
    const call = ['call', 'org.example.pricealerts.clawseed.tools', 'get_quote', '--demo', '--journal', ':memory:'];
    expect((await run([...call, '--args', `@${file}`]).ended).stdout).toBe(`${QUOTE}\n`);
    expect((await run([...call, '--args', '-'], { stdin: '{"symbol":"ACME"}' }).ended).stdout).toBe(`${QUOTE}\n`);
    expect((await run([...call, '--args', '@/no/such/file']).ended).code).toBe(1);
  });

  test('--json of a call holds the value with its verdict', async () => {
    const { stdout } = await demo(
      'call',
      'org.example.pricealerts',
      'get_quote',
      '--args',
      '{"symbol":"ACME"}',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', outputVerdict: { state: 'valid' } });
    expect(stdout).toContain('9223372036854775807');
  });

  test('doctor says that all is well', async () => {
    const { code, stdout } = await demo('doctor', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).checks).toHaveLength(9);
  });

  test('history is on disk between runs', async () => {
    const journal = path.join(folder, 'history.sqlite');
    await run([
      'call',
      'org.example.pricealerts',
      'get_quote',
      '--args',
      '{"symbol":"ACME"}',
      '--demo',
      '--journal',
      journal,
    ]).ended;
    const { stdout } = await run(['history', '--search', 'get_quote', '--json', '--journal', journal]).ended;
    expect(JSON.parse(stdout).rows[0]).toMatchObject({ tool: 'get_quote', state: 'success' });
  });

  test('speaks Chinese where the environment does', async () => {
    const { stderr } = await run(['history', '--journal', ':memory:'], { lang: 'zh_CN.UTF-8' }).ended;
    expect(stderr).toContain('日志为空');
  });

  test('hostile text reaches the terminal only as visible text', async () => {
    const { stdout, stderr } = await demo('tools', 'org.example.junkdrawer');
    for (const hidden of ['\u001b', '\u0007', '\u202e']) expect(stdout + stderr).not.toContain(hidden);
    expect(stdout).toContain('⟦U+001B⟧');
  });
});

describe('exit codes', () => {
  const alerts = 'org.example.pricealerts';
  const errors = 'org.example.errorlab';
  test.each<[number, string, string[]]>([
    [1, 'no command', []],
    [1, 'unknown command', ['frobnicate']],
    [1, 'unknown option', ['devices', '--frobnicate']],
    [1, 'a Provider is missing', ['tools']],
    [2, 'a tool with effects without --yes', ['call', alerts, 'create_alert', '--args', '{"symbol":"ACME","price":1}']],
    [2, 'arguments that the schema refuses', ['call', alerts, 'get_quote', '--args', '{"symbol":1}']],
    [
      3,
      'authorization needed',
      ['call', alerts, 'place_order', '--yes', '--args', '{"symbol":"ACME","quantity":1,"side":"buy"}', '--force'],
    ],
    [4, 'no such device', ['providers', '-s', 'NOPE']],
    [4, 'no such Provider', ['tools', 'no.such.provider']],
    [5, 'the Provider answers an error', ['call', alerts, 'get_quote', '--force', '--args', '{"symbol":"lower"}']],
    [5, 'negotiation refused by the Provider', ['tools', 'org.example.ledger']],
    [6, 'time-out', ['call', errors, 'slow', '--yes', '--force', '--timeout', '300', '--args', '{"ms":20000}']],
    [8, 'an answer that is none', ['call', errors, 'answers_empty', '--yes', '--force']],
  ])('%i: %s', async (expected, _name, args) => {
    const { code, stdout, stderr } = await demo(...args);
    expect({ code, stdout, stderr: code === expected ? '' : stderr }).toMatchObject({ code: expected, stderr: '' });
    if (expected !== 1) expect(stdout).toBe('');
  });

  test('7: cancelled by Ctrl+C', async () => {
    const { child, ended } = run([
      'call',
      errors,
      'slow',
      '--yes',
      '--force',
      '--args',
      '{"ms":60000}',
      '--demo',
      '--journal',
      path.join(folder, 'cancel.sqlite'),
    ]);
    const watch = async () => {
      for (;;) {
        const { stdout } = await run([
          'history',
          '--search',
          'slow',
          '--json',
          '--journal',
          path.join(folder, 'cancel.sqlite'),
        ]).ended;
        if (stdout.includes('"execute_tool"')) return;
      }
    };
    await watch();
    child.kill('SIGINT');
    expect((await ended).code).toBe(7);
  });

  test('7: Ctrl+C before anything was sent sends nothing, and says so in one document', async () => {
    const journal = path.join(folder, 'early.sqlite');
    // The arguments are awaited: nothing can have left.
    const args = ['call', alerts, 'get_quote', '--args', '-', '--json', '--demo', '--journal', journal];
    const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ADB: '/nonexistent' } });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await vi.waitFor(() => expect(existsSync(journal)).toBe(true), { timeout: 20_000 });
    child.kill('SIGINT');
    expect(await ended).toBe(7);
    expect(JSON.parse(stdout)).toEqual({ status: 'cancelled' });
    const { stdout: after } = await run(['history', '--json', '--journal', journal]).ended;
    expect(JSON.parse(after).total).toBe(0);
  });

  test('4: an adb server that says nothing does not look like one without devices', { timeout: 60_000 }, async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const adb = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, stderr } = await run(['devices', '--adb', adb, '--journal', ':memory:']).ended;
    silent.close();
    expect(code).toBe(4);
    expect(stderr).toContain(adb);
    expect(stderr).not.toContain('Plug one in');
  });

  test('4: the adb server refuses and adb cannot help', async () => {
    const { code } = await run(['providers', '--adb', '127.0.0.1:1', '--journal', ':memory:']).ended;
    expect(code).toBe(4);
  });
});

describe('one JSON document, whatever goes wrong', () => {
  const alerts = 'org.example.pricealerts';
  test.each<[number, string, string, string[]]>([
    [1, 'usage', 'no command', []],
    [1, 'usage', 'an unknown option', ['devices', '--frobnicate']],
    [1, 'usage', 'arguments without --args', ['call', alerts, 'get_quote', '{"symbol":"ACME"}']],
    [1, 'usage', 'an empty name of a journal', ['history', '--journal', '']],
    [
      1,
      'usage',
      '--connect with a journal of its own',
      ['history', '--connect', 'http://127.0.0.1:1', '--journal', 'x'],
    ],
    [1, 'journal-cannot-open', 'a journal that is a folder', ['history', '--journal', os.tmpdir()]],
    [4, 'no-such-device', 'no such device', ['providers', '-s', 'NOPE', '--journal', ':memory:', '--demo']],
  ])('%i %s: %s', async (expected, problemCode, _name, args) => {
    const { code, stdout } = await run([...args, '--json']).ended;
    expect(code).toBe(expected);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', problem: { code: problemCode } });
  });

  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stdout } = await run(['serve', '--port', String(port), '--json', '--journal', ':memory:']).ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ problem: { code: 'port-unusable', params: { port } } });
    taken.close();
  });
});

describe('what was asked for is what is sent', () => {
  const call = ['call', 'org.example.pricealerts', 'get_quote', '--demo'];

  test('the last newline of a file belongs to it', async () => {
    const file = path.join(folder, 'crlf.json');
    const journal = path.join(folder, 'crlf.sqlite');
    writeFileSync(file, '{"symbol":"ACME"}\r\n');
    await run([...call, '--args', `@${file}`, '--journal', journal]).ended;
    const database = new DatabaseSync(journal, { readOnly: true });
    const rows = database.prepare("SELECT data FROM events WHERE kind = 'request' AND tool = 'get_quote'").all();
    database.close();
    expect(JSON.stringify(JSON.parse(String(rows[0]?.['data'])))).toContain(
      JSON.stringify('{"symbol":"ACME"}\r\n').slice(1, -1),
    );
  });

  test('bytes that are no UTF-8 are refused, not replaced', async () => {
    const stdin = Buffer.from([0x22, 0xff, 0x22]);
    const { code, stderr } = await run([...call, '--force', '--args', '-', '--journal', ':memory:'], { stdin }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('not UTF-8');
  });
});

describe('the terminal around it', () => {
  test('a reader that goes away changes neither the end nor the exit code', async () => {
    const { child, ended } = run([
      'call',
      'org.example.errorlab',
      'answers_empty',
      '--yes',
      '--force',
      '--demo',
      '--json',
      '--journal',
      ':memory:',
    ]);
    child.stdout.destroy();
    expect((await ended).code).toBe(8);
  });

  test('LC_ALL=C silences LANG', async () => {
    const options = { lang: 'zh_CN.UTF-8', env: { LC_ALL: 'C' } };
    expect((await run(['history', '--journal', ':memory:'], options).ended).stderr).toContain('The journal is empty');
  });
});

describe('through the real adb server', () => {
  let server: RealAdbServer;
  let phone: PluggedPhone;
  beforeAll(async () => {
    server = await startRealAdbServer();
    phone = await plugIn(server, { sdk: 34, model: 'Pixel 8', serialno: 'CLI34', packages: wellBehavedPackages() });
  });
  afterAll(async () => {
    await phone.unplug();
    await server.stop();
  });

  test('the same call gives the same value', async () => {
    const args = ['call', 'org.example.pricealerts', 'get_quote', '--args', '{"symbol":"ACME"}'];
    const { code, stdout } = await run([...args, '--adb', `127.0.0.1:${server.port}`, '--journal', ':memory:']).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${QUOTE}\n` });
  });
});

describe('companion', () => {
  const companion = (...args: string[]) => demo('companion', ...args, '-s', 'DEMO34PHONE01');

  test('status tells what is installed, and starts nothing', async () => {
    const { code, stdout } = await companion('status', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'installed',
      version: '1.0.0',
      bundledVersion: '1.0.0',
      permission: 'granted',
      userId: 0,
    });
  });

  test('install and uninstall say what they do, on stderr', async () => {
    const removed = await companion('uninstall');
    expect(removed).toMatchObject({
      code: 0,
      stdout: 'Not installed on DEMO34PHONE01 for user 0\n  this inspector brings version 1.0.0\n',
    });
    expect(removed.stderr).toContain('Removing the companion');
    const tablet = await demo('companion', 'install', '-s', 'DEMO30TABLET1', '--json');
    expect(tablet.code).toBe(0);
    expect(tablet.stderr).toContain('a small app that calls Providers as a real Consumer');
    expect(JSON.parse(tablet.stdout)).toMatchObject({ state: 'connected', permission: 'granted', problem: null });
  });

  test('a device without it is exit 4; no word, or another, is a usage error', async () => {
    expect((await demo('companion', 'status', '-s', 'DEMO30TABLET1')).code).toBe(4);
    expect((await companion()).code).toBe(1);
    expect((await companion('remove')).stderr).toContain('cetp companion install, status or uninstall');
  });
});

describe('serve and --connect', () => {
  test('another terminal uses the running host', async () => {
    const address = Promise.withResolvers<string>();
    const { child, ended } = run(['serve', '--demo', '--journal', ':memory:'], {
      onStdout: (text) => text.includes('\n') && address.resolve(text.trim()),
    });
    const url = await Promise.race([address.promise, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
    const { stdout } = await run(['devices', '--json', '--connect', url]).ended;
    expect(JSON.parse(stdout).devices).toHaveLength(3);
    const wrong = await run(['devices', '--connect', url.replace(/token=.*/, 'token=wrong')]).ended;
    expect(wrong.code).toBe(4);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('a host that ends during a call is told as that', async () => {
    const address = Promise.withResolvers<string>();
    const journal = path.join(folder, 'lost.sqlite');
    const served = run(['serve', '--demo', '--journal', journal], {
      onStdout: (text) => text.includes('\n') && address.resolve(text.trim()),
    });
    const args = ['call', 'org.example.errorlab', 'slow', '--yes', '--force', '--args', '{"ms":20000}'];
    const call = run([...args, '--demo', '--json', '--connect', await address.promise]).ended;
    const database = () => run(['history', '--search', 'slow', '--json', '--journal', journal]).ended;
    while (!(await database()).stdout.includes('"execute_tool"'));
    served.child.kill('SIGKILL');
    const { code, stdout } = await call;
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', problem: { code: 'host-lost' } });
  });
});
