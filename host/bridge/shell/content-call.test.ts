import { expect, test } from 'vitest';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import type { DeviceIo, ShellOptions, ShellResult } from '../../adb/device-io.ts';
import { createShellBridge } from './content-call.ts';

/** A device that answers one command by a function, and keeps what it was asked. */
function deviceOf(answer: (options: ShellOptions) => Promise<ShellResult>) {
  const asked: (readonly string[])[] = [];
  const io = {
    deviceKey: 'local/x',
    sdk: 34,
    shell: (args: readonly string[], options: ShellOptions = {}) => {
      asked.push(args);
      return answer(options);
    },
  } as unknown as DeviceIo;
  return { io, asked };
}

const printed = (stdout: string) => async () => ({ stdout, stderr: '', exitCode: 0 });
const never = (options: ShellOptions) =>
  new Promise<ShellResult>((_, reject) =>
    options.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  );
const live = () => new AbortController().signal;

test('previews the command that it runs', async () => {
  const { io, asked } = deviceOf(printed('Result: Bundle[{status=success, data={}}]\n'));
  const bridge = createShellBridge(io, 34, 10);
  const call = bridge.encode('org.sample.garden', 'execute_tool', null, [
    { key: 'tool_name', t: 'string', v: "it's" },
    { key: 'args', t: 'string', v: '{"n": 1.0}' },
  ]);
  expect(call.wireText).toBe(
    "content call --user 10 --uri content://org.sample.garden --method execute_tool --extra 'tool_name:s:it'\\''s' --extra 'args:s:{\"n\"\\: 1.0}'",
  );
  const order: string[] = [];
  const answer = await bridge.call(call, 5_000, live(), () => order.push('sent'));
  order.push('answered');
  expect(order).toEqual(['sent', 'answered']);
  expect(asked).toEqual([
    ['content', 'call', '--user', '10', '--uri', 'content://org.sample.garden', '--method', 'execute_tool'].concat([
      '--extra',
      "tool_name:s:it's",
      '--extra',
      'args:s:{"n"\\: 1.0}',
    ]),
  ]);
  expect(answer).toEqual({
    kind: 'answer',
    bundle: [
      { key: 'status', t: 'text', v: 'success' },
      { key: 'data', t: 'text', v: '{}' },
    ],
    nullKeys: 0,
    elapsedMs: null,
  });
});

test('a null answer, an answer that cannot be taken apart, a failure', async () => {
  const answerOf = async (stdout: string) => {
    const bridge = createShellBridge(deviceOf(printed(stdout)).io, 34, null);
    return bridge.call(bridge.encode('a', 'm', null, null), 5_000, live());
  };
  expect(await answerOf('Result: null\n')).toMatchObject({ kind: 'answer', bundle: null });
  expect(await answerOf('Result: Bundle[{a=1, b=2}]\n')).toMatchObject({
    kind: 'answer',
    bundle: [{ key: 'Result', t: 'text', v: 'Bundle[{a=1, b=2}]' }],
    notes: [{ code: 'shell-answer-unsplit' }],
  });
  expect(await answerOf('')).toMatchObject({ kind: 'failure', problem: { code: 'shell-no-output' } });
});

test('cancel, time-out and a lost device are told apart', async () => {
  const bridge = createShellBridge(deviceOf(never).io, 34, null);
  const call = bridge.encode('a', 'm', null, null);
  const abort = new AbortController();
  const cancelled = bridge.call(call, 60_000, abort.signal);
  abort.abort();
  expect(await cancelled).toMatchObject({ problem: { code: 'call-cancelled', params: { sent: 'yes' } } });
  expect(await bridge.call(call, 60_000, abort.signal)).toMatchObject({
    problem: { code: 'call-cancelled', params: { sent: 'no' } },
  });
  expect(await bridge.call(call, 10, live())).toMatchObject({
    problem: { code: 'shell-call-timeout', params: { ms: 10 } },
  });
  const lost = createShellBridge(
    deviceOf(async () => {
      throw new ProblemError(problem('device-offline', {}, 'device offline'));
    }).io,
    34,
    null,
  );
  expect(await lost.call(call, 60_000, live())).toEqual({
    kind: 'failure',
    problem: { code: 'device-offline', params: {}, raw: 'device offline' },
  });
});

test('a command that adb cannot carry is refused before it is sent', () => {
  const { io, asked } = deviceOf(never);
  const bridge = createShellBridge(io, 34, null);
  const encode = () => bridge.encode('a', 'm', null, [{ key: 'args', t: 'string', v: 'x'.repeat(70_000) }]);
  expect(encode).toThrow(/shell-command-too-long/);
  expect(asked).toEqual([]);
});
