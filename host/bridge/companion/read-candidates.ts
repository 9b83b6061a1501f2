import { isJsonObject, type JsonObject, member } from '../../../shared/base/json.ts';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import type { CompanionReply } from './companion-connection.ts';
import { wireErrorProblem } from './companion-problems.ts';

/** Pages at most; a page holds at least one whole package. */
const MAX_PAGES = 10_000;

/**
 * Reads every page of `discover`. A page that would not fit in a line is asked for again in smaller pieces. Throws
 * `ProblemError`; a list that is not whole is never returned.
 */
export async function readAllCandidates(
  ask: (paramsText: string) => Promise<CompanionReply>,
  kind: 'cetp' | 'agent-provider',
): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  let after: string | null = null;
  let limit: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params: Record<string, string | number> = { kind };
    if (after !== null) params['after'] = after;
    if (limit !== null) params['limit'] = limit;
    const reply = await ask(JSON.stringify(params));
    if (reply.kind === 'failed') throw new ProblemError(reply.problem);
    if (reply.kind === 'error') {
      if (reply.error.code !== 'REPLY_TOO_LARGE' || limit === 1) throw new ProblemError(wireErrorProblem(reply.error));
      limit = limit === null ? 64 : Math.max(1, Math.floor(limit / 4));
      continue;
    }
    const candidates = member(reply.value, 'candidates');
    if (!Array.isArray(candidates) || !candidates.every(isJsonObject)) throw badPage('the candidates are no list');
    all.push(...candidates);
    if (member(reply.value, 'more') !== true) return all;
    const last = candidates.at(-1);
    const next = last === undefined ? undefined : member(last, 'package');
    if (typeof next !== 'string' || next === after) throw badPage('the pages do not advance');
    after = next;
  }
  throw badPage(`more than ${MAX_PAGES} pages`);
}

function badPage(reason: string): ProblemError {
  return new ProblemError(problem('companion.bad-reply', { reason }));
}
