import type { ErrorObject, ValidateFunction } from 'ajv';
import { cutText, type Json, parseJson } from '../../shared/base/json.ts';
import type { SchemaVerdict, ValueIssue } from '../../shared/model/call.ts';
import type { Compiled } from './compile.ts';
import { numbersOf, overlap, toNeighbours } from './precision.ts';

const MAX_ISSUES = 100;
const VALUE_LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 200 };

/** The verdict on a value. `valid` and `invalid` are certain; anything less is `not-checked` with its reason. */
export function checkValue(compiled: Compiled, valueText: string): SchemaVerdict {
  const parsed = parseJson(valueText, VALUE_LIMITS);
  if (!parsed.ok) {
    if (parsed.error.code !== 'syntax') {
      return notChecked(parsed.error.code === 'too-deep' ? 'value-too-deep' : 'value-too-large');
    }
    return invalid([{ pointer: '', keyword: 'syntax', message: parsed.error.message }]);
  }
  return checkParsedValue(compiled, parsed.value.value);
}

/** The same for a value that was parsed within limits already. */
export function checkParsedValue(compiled: Compiled, value: Json): SchemaVerdict {
  if (!compiled.ok) return notChecked(compiled.reason, compiled.issues);
  try {
    return checkParsed(compiled, value);
  } catch (error) {
    // A schema that refers to itself without consuming anything never ends.
    if (error instanceof RangeError) return notChecked('schema-recursion');
    throw error;
  }
}

function checkParsed(compiled: Extract<Compiled, { ok: true }>, value: Json): SchemaVerdict {
  const { traits, validate } = compiled;
  const numbers = numbersOf(value);
  const lost = numbers.filter((number) => !number.exact);
  const doubtful =
    (lost.length > 0 && traits.needsExactNumbers) ||
    (numbers.length > 0 && traits.lostDivisor) ||
    lost.some((number) => number.hidesFraction) ||
    numbers.some((number) => traits.lostNumbers.some((bound) => overlap(number, bound)));
  if (doubtful) return imprecise(lost);
  const low = run(validate, toNeighbours(value, 'low'));
  if (lost.length > 0 && fingerprint(low) !== fingerprint(run(validate, toNeighbours(value, 'high')))) {
    return imprecise(lost);
  }
  if (low.length > 0) return invalid(toIssues(low));
  return { state: 'valid', issues: [], reason: traits.hasFormats ? 'formats-ignored' : null };
}

function run(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  return validate(value) === true ? [] : [...(validate.errors ?? [])];
}

function fingerprint(errors: readonly ErrorObject[]): string {
  return JSON.stringify(errors.map((error) => [error.instancePath, error.schemaPath]));
}

function imprecise(lost: readonly { readonly pointer: string; readonly source: string }[]): SchemaVerdict {
  const issues = lost.map(({ pointer, source }) => ({
    pointer,
    keyword: 'precision',
    message: `${cutText(source, 60)} has more digits than this check can tell apart`,
  }));
  return notChecked('number-precision', issues);
}

function notChecked(reason: string, issues: readonly ValueIssue[] = []): SchemaVerdict {
  return { state: 'not-checked', issues: capped(issues), reason };
}

function invalid(issues: readonly ValueIssue[]): SchemaVerdict {
  return { state: 'invalid', issues: capped(issues), reason: null };
}

/** Says how many more there were, so that a cut list never passes for the whole. */
function capped(issues: readonly ValueIssue[]): ValueIssue[] {
  if (issues.length <= MAX_ISSUES) return [...issues];
  const more = issues.length - (MAX_ISSUES - 1);
  return [
    ...issues.slice(0, MAX_ISSUES - 1),
    { pointer: '', keyword: 'limit', message: `${more} more issues are not shown` },
  ];
}

function toIssues(errors: readonly ErrorObject[]): ValueIssue[] {
  return errors.slice(0, 10_000).map((error) => ({
    pointer: error.instancePath,
    keyword: error.keyword,
    message: cutText(describe(error), 500),
  }));
}

/** ajv's sentence, with the value that it leaves out. */
function describe(error: ErrorObject): string {
  const message = error.message ?? `breaks ${error.keyword}`;
  const params = error.params as Readonly<Record<string, unknown>>;
  const named = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'];
  if (named !== undefined) return `${message}: ${JSON.stringify(named)}`;
  if (Array.isArray(params['allowedValues'])) {
    const shown = params['allowedValues'].slice(0, 20).map((value) => JSON.stringify(value));
    return `${message}: ${shown.join(', ')}${params['allowedValues'].length > 20 ? ', …' : ''}`;
  }
  if (Object.hasOwn(params, 'allowedValue')) return `${message}: ${JSON.stringify(params['allowedValue'])}`;
  return message;
}
