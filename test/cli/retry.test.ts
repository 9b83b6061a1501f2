import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli', 'cetp.js');
const LAB = 'org.example.errorlab';

/** A run of the terminal against the demo devices; `onStderr` sees all of stderr so far. */
function call(args: readonly string[], onStderr: (text: string, kill: () => void) => void = () => {}) {
  const env = {
    ...process.env,
    LANG: 'en_US.UTF-8',
    LC_ALL: '',
    ADB: '/nonexistent',
    ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1',
  };
  const child = spawn(process.execPath, [CLI, 'call', LAB, ...args, '--demo', '--journal', ':memory:'], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    onStderr(stderr, () => child.kill('SIGINT'));
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
}

test('v2 5: --retry repeats what the Provider lets be repeated, with the same request_id, and tells each attempt', async () => {
  const id = '0e2a5c1e-7d7e-4f6e-9f0c-6a4f2f1f0a01';
  const { code, stdout, stderr } = await call(['fail_rate_limited', '--retry', '2', '--json', '--request-id', id]);
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'provider-error', requestId: id, attempt: 3 });
  expect(stderr.match(/Attempt \d was answered RATE_LIMITED/g)).toEqual([
    'Attempt 1 was answered RATE_LIMITED',
    'Attempt 2 was answered RATE_LIMITED',
  ]);
});

test('v2 5: --retry never repeats an error of authorization, and nothing without it', async () => {
  const refused = await call(['fail_auth_required', '--retry', '5', '--json']);
  expect(JSON.parse(refused.stdout)).toMatchObject({ attempt: 1, outcome: { errorCode: 'AUTH_REQUIRED' } });
  const once = await call(['fail_unavailable', '--json']);
  expect(JSON.parse(once.stdout)).toMatchObject({ attempt: 1, outcome: { errorCode: 'UNAVAILABLE' } });
});

test('Ctrl+C while it waits for the next attempt ends with what was answered', async () => {
  const { code, stdout } = await call(['fail_unavailable', '--retry', '5', '--json'], (text, kill) => {
    if (text.includes('Attempt 1')) kill();
  });
  expect(JSON.parse(stdout)).toMatchObject({ attempt: 1, outcome: { errorCode: 'UNAVAILABLE' } });
  expect(code).toBe(5);
});

test('more attempts than five are a usage error', async () => {
  expect((await call(['fail_unavailable', '--retry', '6'])).code).toBe(1);
});

test('v2 4.1: --deadline is sent as it is; one that has passed is refused, and forced it is the Provider that says so', async () => {
  const refused = await call(['fail_unavailable', '--deadline', '2020-01-01T00:00:00Z', '--json']);
  expect([refused.code, JSON.parse(refused.stdout).refusals[0].code]).toEqual([2, 'deadline-in-past']);
  const forced = await call(['fail_unavailable', '--deadline', '1577836800000', '--force', '--json']);
  expect(JSON.parse(forced.stdout)).toMatchObject({ outcome: { errorCode: 'DEADLINE_EXCEEDED' } });
  expect((await call(['fail_unavailable', '--deadline', '2027-01-01T00:00'])).code).toBe(1);
});
