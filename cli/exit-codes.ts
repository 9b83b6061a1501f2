import { assertNever } from '../shared/base/assert-never.ts';
import type { CallOutcome } from '../shared/model/call.ts';
import type { Problem } from '../shared/model/problem.ts';
import type { ReceivedFile } from '../shared/model/result-file.ts';

export const EXIT = {
  done: 0,
  usage: 1,
  refused: 2,
  authorization: 3,
  unreachable: 4,
  providerError: 5,
  timeout: 6,
  cancelled: 7,
  conformance: 8,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const AUTHORIZATION = new Set(['AUTH_REQUIRED', 'USER_ACTION_REQUIRED', 'USER_CANCELLED', 'PERMISSION_DENIED']);

/** The Provider gave a proper answer, and it was a refusal. */
const ANSWERED = new Set(['provider-answered-error', 'negotiation-refused', 'negotiation-no-common-version']);

/** The exit code of a Provider's error code (v2 5). */
export function exitOfErrorCode(code: string): ExitCode {
  if (AUTHORIZATION.has(code)) return EXIT.authorization;
  if (code === 'DEADLINE_EXCEEDED') return EXIT.timeout;
  if (code === 'CANCELLED') return EXIT.cancelled;
  return EXIT.providerError;
}

/** The call was answered; this tells whether its file came as declared. One without a digest is no failure of ours. */
function exitOfFile(received: ReceivedFile | null): ExitCode {
  switch (received?.state) {
    case 'mismatch':
      return EXIT.conformance;
    case 'cancelled':
      return EXIT.cancelled;
    case 'verified':
    case 'unverified':
      return EXIT.done;
    default:
      return EXIT.unreachable;
  }
}

export function exitOfOutcome(outcome: CallOutcome): ExitCode {
  switch (outcome.kind) {
    case 'success':
      return outcome.file === null ? EXIT.done : exitOfFile(outcome.file.received);
    case 'accepted':
      return EXIT.done;
    case 'provider-error':
      return exitOfErrorCode(outcome.errorCode);
    case 'malformed':
      return EXIT.conformance;
    case 'transport-failure':
      return exitOfProblem(outcome.problem);
    case 'cancelled':
      return EXIT.cancelled;
    case 'refused':
      return EXIT.refused;
    default:
      return assertNever(outcome);
  }
}

/** The command line named what cannot be used on this machine. */
const OWN_MACHINE = new Set(['out-failed', 'journal-cannot-open', 'journal-foreign', 'journal-newer', 'port-unusable']);

/** A problem that kept a command from its answer: an error of the Provider, or no way to it. */
export function exitOfProblem(problem: Problem): ExitCode {
  const errorCode = problem.params['errorCode'];
  if (typeof errorCode === 'string') return exitOfErrorCode(errorCode);
  if (OWN_MACHINE.has(problem.code) || /^(collection|environment)-/.test(problem.code)) return EXIT.usage;
  if (/timeout/.test(problem.code)) return EXIT.timeout;
  if (ANSWERED.has(problem.code)) return EXIT.providerError;
  // What the Provider answered cannot be used: it breaks the protocol.
  if (/^(negotiation|answer|tools)-/.test(problem.code)) return EXIT.conformance;
  return EXIT.unreachable;
}
