import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { ProblemError } from '../../../shared/model/problem.ts';
import type { DeviceIo, ShellStream } from '../../adb/device-io.ts';
import { TOKEN } from '../testing/scripted-companion.ts';
import { startCompanion } from './instrumentation.ts';

function deviceThatPrints(text: string, options: { readonly end: boolean; readonly stderr?: string }) {
  const asked: (readonly string[])[] = [];
  const stream = Object.assign(new PassThrough(), { stderrText: options.stderr ?? '' }) as unknown as ShellStream;
  const io = {
    shellStream: async (args: readonly string[]) => {
      asked.push(args);
      stream.write(text);
      if (options.end) stream.end();
      return stream;
    },
  } as unknown as DeviceIo;
  return { io, asked, stream };
}

const status = (values: Record<string, string>, code = 0) =>
  `${Object.entries(values)
    .map(([key, value]) => `INSTRUMENTATION_STATUS: ${key}=${value}\n`)
    .join('')}INSTRUMENTATION_STATUS_CODE: ${code}\n`;

const start = { 'cetp.protocol': '1', 'cetp.socket': 'cetp-77', 'cetp.token': TOKEN, 'cetp.version': '1.4.0' };

const hasCode = (code: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ code }) }) as unknown as ProblemError;

test('starts in the user that it is told, and reads socket, token and version', async () => {
  const { io, asked } = deviceThatPrints(status(start), { end: false });
  const run = await startCompanion(io, 10, 5_000);
  expect(asked).toEqual([
    ['am', 'instrument', '-w', '-r', '--user', '10', 'com.clawseed.inspector.companion/.BridgeInstrumentation'],
  ]);
  expect(run).toMatchObject({ address: { socket: 'cetp-77', token: TOKEN }, version: '1.4.0' });
  run.stop();
  expect(await run.ended).toEqual({ kind: 'watcher-lost' });
});

test('tells the end of the companion from the loss of the watcher', async () => {
  const crash = deviceThatPrints(status(start), { end: false });
  const crashed = await startCompanion(crash.io, null, 5_000);
  crash.stream.write('INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n');
  expect(await crashed.ended).toMatchObject({
    kind: 'ended',
    finished: false,
    problem: { code: 'companion.crashed', params: { message: 'Process crashed.' } },
  });
  const idle = deviceThatPrints(status(start), { end: false });
  const finished = await startCompanion(idle.io, null, 5_000);
  idle.stream.write('INSTRUMENTATION_CODE: -1\n');
  expect(await finished.ended).toMatchObject({ kind: 'ended', finished: true });
  const cable = deviceThatPrints(status(start), { end: false });
  const lost = await startCompanion(cable.io, null, 5_000);
  cable.stream.destroy(new Error('gone'));
  expect(await lost.ended).toEqual({ kind: 'watcher-lost' });
});

test.each<[string, string, string]>([
  [
    'companion.not-installed',
    status(
      {
        Error: 'Unable to find instrumentation info for: ComponentInfo{x/x.BridgeInstrumentation}',
        id: 'ActivityManagerService',
      },
      -1,
    ),
    'Unable to find instrumentation info for: ComponentInfo{x/x.BridgeInstrumentation}',
  ],
  ['companion.start-failed', status({ Error: 'Permission Denial', id: 'ActivityManagerService' }, -1), 'Denial'],
  ['companion.start-failed', 'java.lang.SecurityException: not allowed\n', 'not allowed'],
  ['companion.crashed', 'INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n', 'crashed'],
  [
    'companion.not-responding',
    'INSTRUMENTATION_RESULT: shortMsg=keyDispatchingTimedOut\nINSTRUMENTATION_CODE: 0\n',
    'keyDispatchingTimedOut',
  ],
  ['companion.system-restarted', 'INSTRUMENTATION_ABORTED: System has crashed.\n', 'System has crashed.'],
  ['companion.unsupported-protocol', status({ ...start, 'cetp.protocol': '2' }), ''],
  ['companion.bad-start', status({ ...start, 'cetp.token': 'short' }), 'cetp-77'],
  ['companion.bad-start', status({ ...start, 'cetp.socket': 'a b' }), 'a b'],
])('%s', async (code, text, raw) => {
  const { io, stream } = deviceThatPrints(text, { end: true });
  const error = await startCompanion(io, null, 5_000).then(
    () => null,
    (reason: ProblemError) => reason,
  );
  expect(error).toEqual(hasCode(code));
  expect(error?.problem.raw ?? '').toContain(raw);
  expect(stream.destroyed).toBe(true);
});

test('stderr is part of what is told, the token never', async () => {
  const { io } = deviceThatPrints(`INSTRUMENTATION_STATUS: cetp.token=${TOKEN}\n`, { end: true, stderr: 'am: killed' });
  const error = await startCompanion(io, null, 5_000).catch((reason: ProblemError) => reason as ProblemError);
  const { raw } = (error as ProblemError).problem;
  expect(raw).toContain('am: killed');
  expect(raw).not.toContain(TOKEN);
});

test('a companion that says nothing is not waited for without end', async () => {
  const { io, stream } = deviceThatPrints('', { end: false });
  await expect(startCompanion(io, null, 20)).rejects.toThrow(hasCode('companion.start-timeout'));
  expect(stream.destroyed).toBe(true);
});
