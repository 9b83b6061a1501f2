import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { AdbServerAddress } from './server-address.ts';

/** A failed TCP connection to an adb server, from Node's error. */
export function connectionProblem(address: AdbServerAddress, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = errorCode(error);
  const where = { host: address.host, port: address.port };
  const raw = error instanceof Error ? error.message || code : String(error);
  const name =
    code === 'ECONNREFUSED'
      ? 'adb-server-refused'
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? 'adb-server-unresolved'
        : code === 'ECONNRESET' || code === 'EPIPE'
          ? 'adb-server-gone'
          : 'adb-server-unreachable';
  return new ProblemError(problem(name, where, raw), { cause: error });
}

/** Node reports several tried addresses as one AggregateError. */
function errorCode(error: unknown): string {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The FAIL texts of a server's `host:transport` (adb `transport.cpp`, `acquire_one_transport`). */
const transportTexts: readonly (readonly [RegExp, string])[] = [
  [/unauthorized/i, 'device-unauthorized'],
  [/still authorizing/i, 'device-authorizing'],
  [/still connecting/i, 'device-connecting'],
  [/no permissions|insufficient permissions/i, 'device-no-permissions'],
  [/device offline/i, 'device-offline'],
  [/not found|no devices|no device with|device unknown|no such device/i, 'device-not-found'],
];

/** What a FAIL on choosing a device means. `raw` is the server's text, even when it is empty. */
export function transportProblem(serial: string, raw: string): Problem {
  const code = transportTexts.find(([pattern]) => pattern.test(raw))?.[1];
  return problem(code ?? 'adb-refused', { serial, request: 'transport' }, raw);
}

/**
 * What a FAIL on opening a service means: `closed` is the device's refusal,
 * the others tell that the device itself is not there any more.
 */
export function serviceProblem(serial: string, service: string, raw: string): Problem {
  const code = transportTexts.find(([pattern, name]) => name !== 'device-not-found' && pattern.test(raw))?.[1];
  const kind = service.slice(0, Math.max(0, service.indexOf(':'))) || service.slice(0, 40);
  return problem(code ?? 'service-refused', { serial, service: kind }, raw);
}
