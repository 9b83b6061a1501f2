import { isJsonObject, type JsonObject, member, toPlainJson } from '../../shared/base/json.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';
import { Candidate } from '../../shared/model/provider.ts';
import { decodeBundle } from '../../shared/protocols/companion/decode-bundle.ts';

/** The wire's own members; `metaData` is a Bundle with rules of its own. */
const Facts = Candidate.omit({ metaData: true, unknown: true });

export interface InvalidCandidate {
  /** As far as it can be told, else empty. */
  readonly package: string;
  readonly problem: Problem;
}

/**
 * A Candidate from the companion's wire (companion protocol section 3) in the
 * model's form. The device is not trusted: a fact of the wrong type makes the
 * whole Candidate invalid (`candidate-invalid` with where and what). Unknown
 * members are ignored.
 */
export function candidateFromCompanion(json: JsonObject): Result<Candidate, InvalidCandidate> {
  const name = member(json, 'package');
  const invalid = (where: string, message: string): Result<Candidate, InvalidCandidate> =>
    err({
      package: typeof name === 'string' ? name : '',
      problem: problem('candidate-invalid', { where }, message),
    });
  const facts = Facts.safeParse(toPlainJson(json));
  if (!facts.success) {
    const issue = facts.error.issues[0];
    return invalid(issue?.path.join('.') ?? '', issue?.message ?? '');
  }
  const metaData = member(json, 'metaData');
  if (metaData === undefined || !isJsonObject(metaData)) return invalid('metaData', 'not a Bundle');
  const bundle = decodeBundle(metaData);
  if (!bundle.ok) return invalid(`metaData/${bundle.error.path}`, bundle.error.message);
  return ok({ ...facts.data, metaData: bundle.value, unknown: [] });
}
