import { z } from 'zod';

/**
 * Something that went wrong, as data. `code` names the text and the remedy in
 * `shared/i18n` (`problem.<code>`, `remedy.<code>`); `raw` is what the other
 * side said, verbatim and never translated.
 */
export const Problem = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  raw: z.string().nullable(),
});
export type Problem = z.infer<typeof Problem>;

export function problem(code: string, params: Problem['params'] = {}, raw: string | null = null): Problem {
  return { code, params, raw };
}

/** Carries a Problem through code that throws. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.raw === null ? problem.code : `${problem.code}: ${problem.raw}`, options);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return problem('unexpected', {}, error instanceof Error ? error.message : String(error));
}
