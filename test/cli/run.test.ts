import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const CLI = path.join(ROOT, 'cli', 'cetp.js');
const EXAMPLE = path.join(ROOT, 'docs', 'examples', 'saved-calls');
const SECRET = 'correct-horse-battery';

let root: string;
let folder: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'cetp-run-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'calls-'));
});

function run(args: readonly string[], options: { env?: NodeJS.ProcessEnv; cwd?: string } = {}) {
  const env = {
    ...process.env,
    LANG: 'en_US.UTF-8',
    LC_ALL: '',
    ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1',
    ADB: '/nonexistent',
    ...options.env,
  };
  const child = spawn(process.execPath, [CLI, 'run', ...args], { env, cwd: options.cwd });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}
const demo = (args: readonly string[], options: Parameters<typeof run>[1] = {}) =>
  run([...args, '--demo', '--journal', ':memory:'], options).ended;
const put = (file: string, content: object) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), JSON.stringify({ v: 1, ...content }));
};
const quote = { provider: 'org.example.pricealerts', tool: 'get_quote', args: { symbol: 'ACME' } };

test('the example passes on the demo, in order, with JUnit beside it', async () => {
  const junit = path.join(folder, 'junit.xml');
  const { code, stdout, stderr } = await demo([EXAMPLE, '--env', 'demo', '--yes', '--junit', junit]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
    ['passed', '01-quote.cetp.json'],
    ['passed', '02-quote-lower-case.cetp.json'],
    ['passed', '03-weather.cetp.json'],
    ['passed', 'alerts/01-create.cetp.json'],
    ['passed', 'alerts/02-list.cetp.json'],
    ['5', 'passed,'],
  ]);
  expect(readFileSync(junit, 'utf8')).toContain(
    '<testsuites name="cetp run" tests="5" failures="0" errors="0" skipped="0"',
  );
});

test('without --yes nothing with effects is sent: our refusal, exit 2, an error in JUnit', async () => {
  const junit = path.join(folder, 'junit.xml');
  const { code, stdout } = await demo([path.join(EXAMPLE, 'alerts'), '--var', 'symbol=ACME', '--junit', junit]);
  expect(code).toBe(2);
  expect(stdout).toContain('this run was not confirmed');
  expect(readFileSync(junit, 'utf8')).toContain('<error type="saved-call-unconfirmed"');
});

describe('exit codes', () => {
  test.each<[number, string, object, string[]]>([
    [8, 'an expectation failed', { ...quote, expect: { value: [{ at: '/price', equals: 43 }] } }, []],
    [8, 'an error where success was expected', { ...quote, args: { symbol: 'acme' }, force: true }, []],
    [2, 'a variable without a value', { ...quote, args: { symbol: '{{nobody}}' } }, []],
    [2, 'arguments that break the schema', { ...quote, args: { symbol: 1 } }, []],
    [2, 'a file that is none', { provider: 'p' }, []],
    [4, 'no such Provider', { ...quote, provider: 'org.example.nobody' }, []],
    [4, 'no such device', quote, ['-s', 'NOPE']],
    [
      6,
      'a time-out',
      {
        provider: 'org.example.errorlab',
        tool: 'slow',
        args: { ms: 20000 },
        timeoutMs: 300,
        allowEffects: true,
        force: true,
      },
      ['--yes'],
    ],
    [1, 'no such environment', quote, ['--env', 'nowhere']],
    [1, 'a variable without =', quote, ['--var', 'symbol']],
    [1, 'JUnit cannot be written', quote, ['--junit', '/nonexistent/junit.xml']],
  ])('%i: %s', async (expected, _name, call, args) => {
    put('a.cetp.json', call);
    const { code, stdout, stderr } = await demo([folder, ...args]);
    expect({ code, said: code === expected ? '' : stdout + stderr }).toEqual({ code: expected, said: '' });
  });

  test('1: a folder without calls is no success, nor is one that is not there', async () => {
    expect(await demo([folder])).toMatchObject({ code: 1, stdout: '' });
    expect((await demo([path.join(folder, 'none')])).code).toBe(1);
    expect((await demo([])).code).toBe(1);
  });

  test('7: Ctrl+C ends the call under way, skips the rest, and still writes what came', {
    timeout: 60_000,
  }, async () => {
    put('1.cetp.json', {
      provider: 'org.example.errorlab',
      tool: 'slow',
      args: { ms: 600_000 },
      allowEffects: true,
      force: true,
    });
    put('2.cetp.json', quote);
    const junit = path.join(folder, 'junit.xml');
    const journal = path.join(folder, 'journal.sqlite');
    const { child, ended } = run([folder, '--yes', '--json', '--junit', junit, '--demo', '--journal', journal]);
    await vi.waitFor(
      () => {
        // The request stands in the journal before its first byte leaves.
        const files = [journal, `${journal}-wal`].filter((file) => existsSync(file));
        if (
          !files.some(
            (file) =>
              readFileSync(file, 'latin1').includes('"ms\\":600000') || readFileSync(file, 'latin1').includes('600000'),
          )
        ) {
          throw new Error('not sent yet');
        }
      },
      { timeout: 30_000 },
    );
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', totals: { errors: 1, skipped: 1 } });
    expect(readFileSync(junit, 'utf8')).toContain('<skipped/>');
  });
});

test('one JSON document with every check', async () => {
  const call = { v: 1, ...quote, expect: { value: [{ at: '/volume', equals: 'VOLUME' }], maxDurationMs: 600_000 } };
  // A literal of this language would lose the last digits.
  writeFileSync(path.join(folder, 'a.cetp.json'), JSON.stringify(call).replace('"VOLUME"', '9223372036854775807'));
  put('b.cetp.json', { ...quote, expect: { value: [{ at: '/none', equals: 1 }] } });
  const { code, stdout } = await demo([folder, '--json']);
  expect(code).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'failed',
    totals: { passed: 1, failed: 1, errors: 0, skipped: 0 },
    results: [
      {
        file: 'a.cetp.json',
        state: 'passed',
        checks: [{}, { state: 'passed', expected: '9223372036854775807' }, { state: 'info' }],
      },
      {
        file: 'b.cetp.json',
        state: 'failed',
        checks: [{ state: 'passed' }, { state: 'failed', actual: null, reason: 'nothing-there' }],
      },
    ],
  });
});

test('single files belong to the folder with their environments; --bail skips what follows', async () => {
  cpSync(EXAMPLE, folder, { recursive: true });
  const files = ['alerts/02-list.cetp.json', '01-quote.cetp.json'];
  const named = await demo([...files, '--env', 'demo', '--var', 'symbol=NWND', '--bail', '--json'], { cwd: folder });
  expect(named.code).toBe(8);
  expect(
    JSON.parse(named.stdout).results.map(({ file, state }: { file: string; state: string }) => [file, state]),
  ).toEqual([
    ['01-quote.cetp.json', 'failed'],
    ['alerts/02-list.cetp.json', 'skipped'],
  ]);
});

test('a secret comes from the environment of the process and is in no output', async () => {
  put('environments/ci.json', { secrets: ['place'] });
  put('w.cetp.json', {
    provider: 'org.example.notes',
    tool: 'get_weather',
    args: { place: '{{place}}' },
    expect: { value: [{ at: '/unit', equals: 'kelvin' }] },
  });
  const junit = path.join(folder, 'junit.xml');
  const env = { CETP_SECRET_place: SECRET };
  const { code, stdout, stderr } = await demo([folder, '--env', 'ci', '--json', '--junit', junit], { env });
  expect(code).toBe(8);
  expect(stdout).toContain('⟦masked:');
  expect(stdout + stderr + readFileSync(junit, 'utf8')).not.toContain(SECRET);
});
