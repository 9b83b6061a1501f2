import { type Problem, ProblemError, problem, toProblem } from '../../../shared/model/problem.ts';
import { encodeBundle } from '../../../shared/protocols/companion/encode-bundle.ts';
import type { Bridge, BridgeAnswer, EncodedCall, LaunchAnswer } from '../bridge.ts';
import type { CompanionClient } from './companion-client.ts';
import type { CompanionManager } from './companion-manager.ts';
import { wireErrorProblem } from './companion-problems.ts';
import { judgeProcess, pidsOf } from './process-look.ts';

/**
 * The full bridge: calls as a real Consumer, through the companion. `wireText` is the JSON text of the extras, or
 * `null`, and goes into the request line as it is.
 */
export function createCompanionBridge(manager: CompanionManager): Bridge {
  return {
    kind: 'companion',

    encode(authority, method, arg, extras): EncodedCall {
      return { authority, method, arg, extras, wireText: extras === null ? 'null' : encodeBundle(extras) };
    },

    async call(call, timeoutMs, signal, onSent): Promise<BridgeAnswer> {
      const notSent = problem('call-cancelled', { sent: 'no' });
      if (signal.aborted) return failure(notSent);
      let client: CompanionClient;
      try {
        client = await unlessAborted(manager.ensure(), signal, notSent);
        const processName = manager.processNameOf(call.authority);
        const look = async () => (processName === null ? null : pidsOf(manager.io, processName));
        const before = await unlessAborted(look(), signal, notSent);
        const { authority, method, arg, wireText } = call;
        const reply = await client.call(
          { authority, method, arg, extrasText: wireText, timeoutMs },
          onSent === undefined ? { signal } : { signal, onSent },
        );
        if (reply.kind === 'answer') return reply;
        if (reply.kind === 'failed') return failure(reply.problem);
        const told = wireErrorProblem(reply.error);
        if (reply.error.code !== 'DEAD_PROVIDER') return failure(told);
        return failure(judgedDeath(told, judgeProcess(before, await look()), processName));
      } catch (error) {
        return failure(toProblem(error));
      }
    },

    async release(handles) {
      await manager.current()?.release(handles);
    },

    async readHandle(handle, signal) {
      // A new connection would not know the handle: it went with the one that received it.
      const client = manager.current();
      if (client === null) throw new ProblemError(problem('companion.handle-gone'));
      return client.readHandle(handle, signal);
    },

    async launch(handle, timeoutMs, signal): Promise<LaunchAnswer> {
      const client = manager.current();
      if (client === null) return failure(problem('launch-handle-gone'));
      const reply = await client.launch(handle, timeoutMs, signal);
      if (reply.kind === 'result') return reply;
      return failure(reply.kind === 'failed' ? reply.problem : launchProblem(wireErrorProblem(reply.error), timeoutMs));
    },

    async handlesGone() {
      return (await manager.current()?.closed) ?? problem('companion.connection-lost');
    },
  };
}

/** Codes that say something else of a launch than of a call. */
function launchProblem(told: Problem, timeoutMs: number): Problem {
  switch (told.code) {
    case 'companion.busy':
      return problem('launch-busy', {}, told.raw);
    case 'companion.timeout':
      return problem('launch-timeout', { ms: timeoutMs }, told.raw);
    case 'companion.stale-handle':
      return problem('launch-handle-gone', {}, told.raw);
    default:
      return told;
  }
}

/** Binder says the same for a crash and for a reply above about 1 MiB; the process ids tell them apart (facts 9.3). */
function judgedDeath(told: Problem, verdict: 'lives' | 'died' | 'unknown', processName: string | null): Problem {
  const params = { ...told.params, process: processName ?? '?' };
  if (verdict === 'died') return problem('companion.provider-crashed', params, told.raw);
  if (verdict === 'lives') return problem('companion.reply-too-big-for-binder', params, told.raw);
  return problem('companion.dead-provider', params, told.raw);
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, reason: Problem): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new ProblemError(reason));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function failure(reason: Problem): { readonly kind: 'failure'; readonly problem: Problem } {
  return { kind: 'failure', problem: reason };
}
