import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli', 'cetp.js');
const ALERTS = 'org.example.pricealerts';
const CREATE = ['create_alert', '--yes', '--args', '{"symbol":"NWND","price":1,"direction":"above"}'];
const DELETE = ['delete_alert', '--yes', '--args', '{"alert_id":"al-1"}'];

/** A run of the terminal against the demo devices. */
function call(...args: string[]) {
  const env = {
    ...process.env,
    LANG: 'en_US.UTF-8',
    LC_ALL: '',
    ADB: '/nonexistent',
    ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1',
  };
  const all = [CLI, 'call', ALERTS, ...args, '--json', '--demo', '-s', 'DEMO34PHONE01', '--journal', ':memory:'];
  const child = spawn(process.execPath, all, { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise<{ code: number | null; json: unknown; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, json: stdout === '' ? null : JSON.parse(stdout), stderr })),
  );
}

test('v2 4.3: --resume opens the screen, waits for the person, and resumes the call', async () => {
  const approved = await call(...DELETE, '--resume', '--demo-answer', 'approve');
  expect(approved.code).toBe(0);
  expect(approved.json).toMatchObject({ status: 'success', attempt: 2, resumes: expect.any(String) });
  const denied = await call(...DELETE, '--resume', '--demo-answer', 'deny');
  expect(denied.code).toBe(3);
  expect(denied.json).toMatchObject({ outcome: { errorCode: 'USER_CANCELLED' } });
  const without = await call(...DELETE);
  expect(without.code).toBe(3);
  expect(without.json).toMatchObject({ attempt: 1, outcome: { errorCode: 'USER_ACTION_REQUIRED' } });
});

test('--break: what is broken on purpose reaches the Provider, and the record says so', async () => {
  const method = await call('get_quote', '--args', '{"symbol":"NWND"}', '--break', 'unknown-method');
  expect(method.json).toMatchObject({ deliberate: ['unknown-method'], outcome: { errorCode: 'METHOD_NOT_FOUND' } });
  expect(method.code).toBe(5);
  const changed = await call(...DELETE, '--resume', '--demo-answer', 'approve', '--break', 'changed-args-on-resume');
  expect(changed.json).toMatchObject({
    deliberate: ['changed-args-on-resume'],
    outcome: { errorCode: 'INVALID_REQUEST' },
  });
  expect((await call('get_quote', '--break', 'nonsense')).code).toBe(1);
});

test('v2 6: --times sends the same bytes at once, and tells the end of each', async () => {
  const { code, json } = await call(...CREATE, '--times', '3');
  expect(code).toBe(0);
  const copies = [1, 2, 3].map((index) => ({ index, status: 'success', errorCode: null }));
  expect(json).toMatchObject({ status: 'success', deliberate: ['times'], copies });
  expect((await call(...CREATE, '--times', '51')).code).toBe(1);
});
