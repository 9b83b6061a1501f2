import type { z } from 'zod';
import { parseJson, toPlainJson, utf8Length } from '../base/json.ts';
import { indentJsonText, itemTexts, memberText } from '../base/json-text.ts';
import { err, ok, type Result } from '../base/result.ts';
import { Comparison, type Expectations, type SavedCall, type ValueCheck } from '../model/collection.ts';
import { type Problem, problem } from '../model/problem.ts';
import { CallFile, MAX_CALL_BYTES } from './file-shape.ts';

/** Deeper than arguments may be (200), by what stands around them. */
const MAX_DEPTH = 205;
/** Parts whose repeated members are the content's own business. */
const FREE_PARTS = /^\/(?:args|expect\/schema|expect\/value\/\d+\/\w+)\//;
export const NO_EXPECTATIONS: Expectations = {
  outcome: null,
  errorCode: null,
  value: [],
  outputSchema: false,
  schemaText: null,
  maxDurationMs: null,
};

/**
 * Reads the text of a call's file. The text of `args` is cut out of the file,
 * less the two spaces by which `printCallFile` sets its lines in. Lines may
 * end as git on Windows writes them. Hostile text gives `saved-call-*`.
 */
export function readCallFile(fileText: string): Result<SavedCall, Problem> {
  // Strings of JSON hold no bare line end, so this changes space only.
  const text = fileText.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const checked = readShape(text, CallFile, MAX_CALL_BYTES);
  if (!checked.ok) return checked;
  const shape = checked.value;
  const args = memberText(text, 'args');
  if (args !== null && shape.argsText !== undefined) return err(invalid('/argsText', 'args and argsText'));
  return ok({
    name: shape.name ?? null,
    provider: shape.provider,
    tool: shape.tool,
    device: shape.device ?? null,
    argsText: args === null ? (shape.argsText ?? '{}') : args.replaceAll('\n  ', '\n'),
    variables: shape.variables ?? true,
    timeoutMs: shape.timeoutMs ?? null,
    allowEffects: shape.allowEffects ?? false,
    force: shape.force ?? false,
    expect: readExpectations(shape.expect, memberText(text, 'expect')),
  });
}

/** Parses and checks a file of the collection: bounded, no repeated members, nothing unknown. */
export function readShape<T extends z.ZodType>(text: string, shape: T, maxBytes: number): Result<z.infer<T>, Problem> {
  const parsed = parseJson(text, { maxLength: maxBytes, maxDepth: MAX_DEPTH });
  if (!parsed.ok) {
    const fault = parsed.error;
    return err(invalid('', fault.code === 'syntax' ? fault.message : `${fault.code} ${fault.limit}`));
  }
  const repeated = parsed.value.duplicates.find(({ pointer }) => !FREE_PARTS.test(pointer));
  if (repeated !== undefined) return err(invalid(repeated.pointer, 'repeated'));
  const plain = toPlainJson(parsed.value.value);
  const version =
    typeof plain === 'object' && plain !== null && Object.hasOwn(plain, 'v') ? (plain as { v: unknown }).v : 1;
  if (version !== 1)
    return err(problem('saved-call-version', { version: String(JSON.stringify(version)).slice(0, 40) }));
  const read = shape.safeParse(plain);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  const at = (issue?.path ?? []).map((part) => `/${String(part).slice(0, 80)}`).join('');
  return err(invalid(at, (issue?.message ?? '').slice(0, 300)));
}

function invalid(at: string, detail: string): Problem {
  return problem('saved-call-invalid', { at: at === '' ? '/' : at.slice(0, 200) }, detail);
}

type Shape = z.infer<typeof CallFile>;

function readExpectations(shape: Shape['expect'], text: string | null): Expectations {
  if (shape === undefined || text === null) return NO_EXPECTATIONS;
  return {
    outcome: shape.outcome ?? null,
    errorCode: shape.errorCode ?? null,
    value: (itemTexts(memberText(text, 'value') ?? '[]') ?? []).map(readCheck),
    outputSchema: shape.outputSchema ?? false,
    schemaText: memberText(text, 'schema'),
    maxDurationMs: shape.maxDurationMs ?? null,
  };
}

function readCheck(text: string): ValueCheck {
  const op = Comparison.options.find((name) => memberText(text, name) !== null) ?? 'exists';
  return { at: JSON.parse(memberText(text, 'at') ?? '""') as string, op, expected: memberText(text, op) ?? 'true' };
}

/**
 * The text of a call's file: members in one order, two spaces, a last newline.
 * Arguments that are JSON by themselves stand in it as typed, others as one
 * string. `readCallFile` gives the same call again.
 */
export function printCallFile(call: SavedCall): string {
  const members: [string, string][] = [['v', '1']];
  const add = (name: string, value: unknown) => members.push([name, JSON.stringify(value)]);
  if (call.name !== null) add('name', call.name);
  add('provider', call.provider);
  add('tool', call.tool);
  if (call.device !== null) add('device', call.device);
  if (call.timeoutMs !== null) add('timeoutMs', call.timeoutMs);
  if (!call.variables) add('variables', false);
  if (call.allowEffects) add('allowEffects', true);
  if (call.force) add('force', true);
  if (standsAlone(call.argsText)) members.push(['args', setIn(call.argsText)]);
  else add('argsText', call.argsText);
  const expect = printExpectations(call.expect);
  if (expect !== null) members.push(['expect', setIn(indentJsonText(expect))]);
  return `{\n${members.map(([name, text]) => `  "${name}": ${text}`).join(',\n')}\n}\n`;
}

/** Whether the text can stand in the file as it is and be cut out again unchanged. */
function standsAlone(text: string): boolean {
  return text.isWellFormed() && !text.includes('\r') && !/^\s|\s$/.test(text) && parseJson(text).ok;
}

/** Lines after the first get two spaces; an empty line stays empty. */
function setIn(text: string): string {
  return text.replace(/\n(?=[^\n])/g, '\n  ');
}

function printExpectations(expect: Expectations): string | null {
  const members: string[] = [];
  const add = (name: string, text: string) => members.push(`"${name}":${text}`);
  if (expect.outcome !== null) add('outcome', JSON.stringify(expect.outcome));
  if (expect.errorCode !== null) add('errorCode', JSON.stringify(expect.errorCode));
  const checks = expect.value.map(({ at, op, expected }) => `{"at":${JSON.stringify(at)},"${op}":${expected}}`);
  if (checks.length > 0) add('value', `[${checks.join(',')}]`);
  if (expect.outputSchema) add('outputSchema', 'true');
  if (expect.schemaText !== null) add('schema', expect.schemaText);
  if (expect.maxDurationMs !== null) add('maxDurationMs', String(expect.maxDurationMs));
  return members.length === 0 ? null : `{${members.join(',')}}`;
}

/** Whether the file that would be written can be read again: the page may have made it by hand. */
export function checkedCallFile(call: SavedCall): Result<string, Problem> {
  const { value, schemaText } = call.expect;
  // Text that is no JSON by itself would end its own member and begin another.
  const broken = [...value.map(({ expected }) => expected), schemaText ?? 'true'].find((part) => !parseJson(part).ok);
  if (broken !== undefined) return err(invalid('/expect', broken.slice(0, 300)));
  const text = printCallFile(call);
  const bytes = utf8Length(text);
  if (bytes > MAX_CALL_BYTES) return err(problem('saved-call-too-large', { bytes, limit: MAX_CALL_BYTES }));
  const read = readCallFile(text);
  return read.ok ? ok(text) : read;
}
