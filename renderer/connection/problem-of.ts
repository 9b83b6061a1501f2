import type { Problem } from '../../shared/model/problem.ts';

/** Turns whatever a command threw into a Problem; a lost connection is told apart from a host that answered. */
export function problemOf(error: unknown): Problem {
  if (isRecord(error) && error['code'] === 'PROBLEM' && isProblem(error['data'])) return error['data'];
  const raw = error instanceof Error ? error.message : String(error);
  if (isRecord(error) && typeof error['status'] === 'number') return { code: 'unexpected', params: {}, raw };
  return { code: 'ui-connection-lost', params: {}, raw };
}

/** A command that was given up by the page itself. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isProblem(value: unknown): value is Problem {
  return isRecord(value) && typeof value['code'] === 'string' && isRecord(value['params']);
}
