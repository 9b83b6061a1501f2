import { type Bundle, UNSPLIT_KEY } from '../../../shared/model/bundle.ts';
import { type Problem, problem } from '../../../shared/model/problem.ts';
import { splitBundleText } from './split-bundle-text.ts';

export type ContentCallReading =
  | { readonly kind: 'null' }
  /** Every value is a `text` entry: `content` prints no types. `note` says that the text could not be taken apart. */
  | { readonly kind: 'bundle'; readonly bundle: Bundle; readonly note: Problem | null }
  | { readonly kind: 'error'; readonly problem: Problem };

/** Characters of output kept in a Problem's `raw`. */
const MAX_RAW = 64 * 1024;

/**
 * Reads what `content call` printed, on stdout and stderr or on both merged. The exit status tells nothing: `content`
 * catches every exception and exits 0 (AOSP `Content.java`, API 26 to 34).
 */
export function parseContentCall(output: {
  readonly stdout: string;
  readonly stderr: string;
  readonly sdk: number | null;
}): ContentCallReading {
  const { stdout, stderr, sdk } = output;
  const result = /^Result: /m.exec(stdout);
  const trace = readTrace(stderr) ?? readTrace(result === null ? stdout : stdout.slice(0, result.index));
  if (result !== null && trace === null) return readResult(stdout.slice(result.index + result[0].length));
  if (trace !== null && isNullOnOldAndroid(trace, sdk)) return { kind: 'null' };
  const raw = rawOutput(stdout, stderr);
  if (trace !== null) return { kind: 'error', problem: traceProblem(trace, raw) };
  const usage = /^\[ERROR\] (.*)$/m.exec(stdout);
  if (usage !== null) return { kind: 'error', problem: problem('shell-bad-arguments', {}, usage[1] ?? '') };
  if (/content: (?:inaccessible or )?not found|content: No such file/.test(stderr + stdout)) {
    return { kind: 'error', problem: problem('shell-no-content-command', {}, raw) };
  }
  if (raw.trim() === '') return { kind: 'error', problem: problem('shell-no-output', {}, null) };
  return { kind: 'error', problem: problem('shell-unreadable-output', {}, raw) };
}

function readResult(printed: string): ContentCallReading {
  const text = printed.replace(/\r?\n$/, '');
  if (text === 'null') return { kind: 'null' };
  const map = /^Bundle\[\{(.*)\}\]$/s.exec(text);
  const pairs = map === null ? null : splitBundleText(map[1] ?? '');
  if (pairs !== null) {
    return { kind: 'bundle', bundle: pairs.map(({ key, value }) => ({ key, t: 'text', v: value })), note: null };
  }
  return {
    kind: 'bundle',
    bundle: [{ key: UNSPLIT_KEY, t: 'text', v: text }],
    note: problem('shell-answer-unsplit', { key: UNSPLIT_KEY }),
  };
}

interface Trace {
  readonly exceptionClass: string;
  readonly message: string;
}

/** The exception that `content` printed after `Error while accessing provider:AUTHORITY`. */
function readTrace(text: string): Trace | null {
  const match =
    /^Error while accessing provider:[^\n]*\n([\w.$]+)(?:: ([\s\S]*?))?\s*(?:\n\s+at |\n\s*\.\.\. |\s*$)/m.exec(text);
  if (match === null) return null;
  return { exceptionClass: match[1] ?? '', message: match[2] ?? '' };
}

/** Up to API 27 `content` takes the size of the null that a Provider answered (`Content.java`, `CallCommand`). */
function isNullOnOldAndroid(trace: Trace, sdk: number | null): boolean {
  return (
    (sdk === null || sdk <= 27) &&
    trace.exceptionClass === 'java.lang.NullPointerException' &&
    trace.message.includes('android.os.Bundle.size()')
  );
}

function traceProblem(trace: Trace, raw: string): Problem {
  const { exceptionClass, message } = trace;
  if (exceptionClass === 'java.lang.SecurityException') {
    if (message.includes('not exported from')) return problem('shell-provider-not-exported', {}, raw);
    const needed = /requires (\S+)/.exec(message);
    if (message.startsWith('Permission Denial: opening provider') && needed !== null) {
      return problem('shell-permission-denied', { permission: needed[1] ?? '' }, raw);
    }
  }
  if (exceptionClass === 'java.lang.IllegalStateException' && message.startsWith('Could not find provider')) {
    return problem('shell-provider-not-found', {}, raw);
  }
  return problem('shell-provider-exception', { class: exceptionClass, message: message.slice(0, 2000) }, raw);
}

function rawOutput(stdout: string, stderr: string): string {
  const raw = stdout === '' || stderr === '' ? stdout + stderr : `${stdout}\n${stderr}`;
  return raw.length <= MAX_RAW ? raw : `${raw.slice(0, MAX_RAW)}\n[+${raw.length - MAX_RAW}]`;
}
