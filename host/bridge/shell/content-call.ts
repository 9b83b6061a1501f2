import type { Bundle } from '../../../shared/model/bundle.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/model/problem.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { quoteShellCommand } from '../../adb/shell-quote.ts';
import type { Bridge, BridgeAnswer, EncodedCall } from '../bridge.ts';
import { contentCallArgs, MAX_COMMAND_BYTES } from './content-args.ts';
import { parseContentCall } from './parse-content-call.ts';

/** Bytes of output that one answer may have; a Binder reply is at most about 1 MiB, UTF-16. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/**
 * The limited bridge: `content call` as uid 2000. It reaches only exported Providers without a permission, sends only
 * the types that an argument can carry, and brings every value back as untyped text.
 *
 * `sdk` is the device's API level; `userId` null leaves `--user` out, which is user 0. `wireText` is the exact command.
 */
export function createShellBridge(io: DeviceIo, sdk: number | null, userId: number | null): Bridge {
  const argsOf = (parts: { authority: string; method: string; arg: string | null; extras: Bundle | null }) =>
    contentCallArgs(parts, sdk, userId);

  return {
    kind: 'shell',

    encode(authority, method, arg, extras): EncodedCall {
      const wireText = quoteShellCommand(argsOf({ authority, method, arg, extras }));
      const bytes = Buffer.byteLength(wireText);
      if (bytes > MAX_COMMAND_BYTES) {
        throw new ProblemError(problem('shell-command-too-long', { bytes, limit: MAX_COMMAND_BYTES }));
      }
      return { authority, method, arg, extras, wireText };
    },

    async call(call, timeoutMs, signal, onSent): Promise<BridgeAnswer> {
      if (signal.aborted) return failure(problem('call-cancelled', { sent: 'no' }));
      const args = argsOf(call);
      if (quoteShellCommand(args) !== call.wireText) throw new Error('The encoded call was changed after encode().');
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const sending = io.shell(args, {
          signal: AbortSignal.any([signal, timeout]),
          timeoutMs: timeoutMs + 5_000,
          maxBytes: MAX_OUTPUT_BYTES,
        });
        // The command goes out with the service request; a failure before the device took it is told by adb's own code.
        onSent?.();
        const { stdout, stderr } = await sending;
        const reading = parseContentCall({ stdout, stderr, sdk });
        if (reading.kind === 'error') return { kind: 'failure', problem: reading.problem };
        return {
          kind: 'answer',
          bundle: reading.kind === 'null' ? null : reading.bundle,
          nullKeys: 0,
          elapsedMs: null,
          ...(reading.kind === 'bundle' && reading.note !== null ? { notes: [reading.note] } : {}),
        };
      } catch (error) {
        if (signal.aborted) return failure(problem('call-cancelled', { sent: 'yes' }));
        if (timeout.aborted) return failure(problem('shell-call-timeout', { ms: timeoutMs }));
        return failure(toProblem(error));
      }
    },

    /** `content` brings text only: there are no handles. */
    async release() {},

    async readHandle() {
      throw new ProblemError(problem('companion.handle-gone'));
    },

    async launch() {
      return failure(problem('launch-handle-gone'));
    },

    handlesGone: () => new Promise(() => {}),
  };
}

function failure(reason: Problem): { readonly kind: 'failure'; readonly problem: Problem } {
  return { kind: 'failure', problem: reason };
}
