import { StringDecoder } from 'node:string_decoder';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/model/problem.ts';
import { COMPANION_INSTRUMENTATION } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo, ShellStream } from '../../adb/device-io.ts';
import { InstrumentationParser, type InstrumentationReport } from './instrumentation-output.ts';
import { readAnnouncement, type StartedCompanion } from './start-announcement.ts';

/** How `am instrument` ended. */
export type InstrumentationEnd =
  /** Android says that the companion's process has ended. `finished`: by itself, as after a long idle time. */
  | { readonly kind: 'ended'; readonly finished: boolean; readonly problem: Problem }
  /** Only the watcher is gone (a cable, adb): the companion may live on. */
  | { readonly kind: 'watcher-lost' };

export interface CompanionRun extends StartedCompanion {
  readonly ended: Promise<InstrumentationEnd>;
  /** Stops watching; the companion lives on. */
  stop(): void;
}

/**
 * Starts the companion (sections 1.2 and 1.3) and keeps `am` open. Resolves when it has told its socket. Throws
 * `ProblemError`: `companion.not-installed`, `companion.start-failed`, `companion.crashed`, `companion.not-responding`,
 * `companion.system-restarted`, `companion.start-timeout`, `companion.unsupported-protocol`, `companion.bad-start`.
 */
export async function startCompanion(io: DeviceIo, userId: number | null, timeoutMs: number): Promise<CompanionRun> {
  const user = userId === null ? [] : ['--user', String(userId)];
  const abort = new AbortController();
  const opening = setTimeout(() => abort.abort(), timeoutMs);
  const stream = await io
    .shellStream(['am', 'instrument', '-w', '-r', ...user, COMPANION_INSTRUMENTATION], abort.signal)
    .catch((error: unknown) => {
      throw abort.signal.aborted ? new ProblemError(problem('companion.start-timeout', { ms: timeoutMs })) : error;
    })
    .finally(() => clearTimeout(opening));
  return new Promise((resolve, reject) => {
    watch(stream, () => abort.abort(), timeoutMs, resolve, reject);
  });
}

function watch(
  stream: ShellStream,
  abort: () => void,
  timeoutMs: number,
  resolve: (run: CompanionRun) => void,
  reject: (error: ProblemError) => void,
): void {
  const parser = new InstrumentationParser();
  const decoder = new StringDecoder('utf8');
  let resolveEnded: (end: InstrumentationEnd) => void = () => {};
  const ended = new Promise<InstrumentationEnd>((settle) => {
    resolveEnded = settle;
  });
  const stop = () => {
    clearTimeout(timer);
    stream.destroy();
    abort();
    resolveEnded({ kind: 'watcher-lost' });
  };
  const fail = (reason: Problem) => {
    stop();
    reject(new ProblemError(reason));
  };
  const timer = setTimeout(
    () => fail(problem('companion.start-timeout', { ms: timeoutMs }, outputOf(parser, stream))),
    timeoutMs,
  );
  const onReports = (reports: readonly InstrumentationReport[]) => {
    for (const report of reports) {
      if (report.kind === 'status' && report.code >= 0 && report.values.has('cetp.socket')) {
        try {
          const started = readAnnouncement(report.values);
          clearTimeout(timer);
          resolve({ ...started, ended, stop });
        } catch (error) {
          return fail(toProblem(error));
        }
      } else if (report.kind !== 'status' || report.code < 0) {
        const reason = endProblem(report, outputOf(parser, stream));
        resolveEnded({ kind: 'ended', finished: report.kind === 'ended' && report.code === -1, problem: reason });
        fail(reason);
      }
    }
  };
  stream.on('data', (chunk: Uint8Array) => onReports(parser.push(decoder.write(Buffer.from(chunk)))));
  const onEnd = (cause: string | null) => {
    onReports(parser.end());
    fail(problem('companion.start-failed', {}, cause ?? outputOf(parser, stream)));
  };
  stream.on('error', (error) => onEnd(toProblem(error).raw ?? toProblem(error).code));
  stream.on('end', () => onEnd(null));
  stream.on('close', () => onEnd(null));
}

function endProblem(report: InstrumentationReport, output: string): Problem {
  if (report.kind === 'aborted') return problem('companion.system-restarted', {}, report.text);
  if (report.kind === 'refused') return problem('companion.start-failed', {}, output);
  const message = report.values.get('shortMsg') ?? report.values.get('Error') ?? '';
  if (message.startsWith('Unable to find instrumentation')) return problem('companion.not-installed', {}, message);
  if (message === 'keyDispatchingTimedOut') return problem('companion.not-responding', {}, output);
  if (report.kind === 'status') return problem('companion.start-failed', {}, output);
  return problem('companion.crashed', { message: message.slice(0, 500) }, output);
}

/** Without the token, should it be in the last output. */
function outputOf(parser: InstrumentationParser, stream: ShellStream): string {
  const text = [parser.tail, stream.stderrText ?? ''].filter((part) => part !== '').join('\n');
  return text.trim().replace(/(cetp\.token=)[^\s]*/g, '$1…');
}
