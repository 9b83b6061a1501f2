import { readCallFile } from '../../shared/collections/call-file.ts';
import { readEnvironmentFile, readSecretsFile } from '../../shared/collections/environment-file.ts';
import { compareFiles, ENVIRONMENTS, isCallPath, isPlainName } from '../../shared/collections/file-names.ts';
import { CALL_SUFFIX, MAX_CALL_BYTES, MAX_ENVIRONMENT_BYTES } from '../../shared/collections/file-shape.ts';
import { variablesIn } from '../../shared/collections/variables.ts';
import type { CollectionEnvironment, SavedCall, SavedCallEntry } from '../../shared/model/collection.ts';
import { type Problem, problem, toProblem } from '../../shared/model/problem.ts';
import { filesBelow, readInside } from './folder-access.ts';

/** Of one collection. What is beyond is named, never silently missing. */
const MAX_CALLS = 1_000;
const MAX_LOOKED = 20_000;
const MAX_DEPTH = 8;
const MAX_TOTAL_CHARACTERS = 32 * 1024 * 1024;
const MAX_ENVIRONMENTS = 50;
const SECRETS_SUFFIX = '.secrets.json';

export interface ReadEnvironment {
  readonly name: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly secretNames: readonly string[];
  /** Values; they stay in the host. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly problem: Problem | null;
}

/** Every call of the folder in order of file name, and what was left out. */
export async function readCalls(
  folder: string,
): Promise<{ readonly entries: readonly SavedCallEntry[]; readonly problems: readonly Problem[] }> {
  const { files, complete } = await filesBelow(folder, (name) => name.endsWith(CALL_SUFFIX), {
    depth: MAX_DEPTH,
    looked: MAX_LOOKED,
    skip: new Set([ENVIRONMENTS]),
  });
  const sorted = [...files].sort((a, b) => compareFiles(a.file, b.file));
  const problems: Problem[] = [];
  if (!complete) problems.push(problem('collection-cut', { looked: MAX_LOOKED, depth: MAX_DEPTH }));
  if (sorted.length > MAX_CALLS) {
    problems.push(problem('collection-too-many', { count: sorted.length, limit: MAX_CALLS }));
  }
  const entries: SavedCallEntry[] = [];
  let characters = 0;
  for (const { file, odd } of sorted.slice(0, MAX_CALLS)) {
    const entry = odd ? faulty(file, problem('saved-call-outside', { file })) : await readEntry(folder, file);
    characters += entry.call?.argsText.length ?? 0;
    const fits = characters <= MAX_TOTAL_CHARACTERS;
    entries.push(fits ? entry : faulty(file, problem('collection-too-large', { limit: MAX_TOTAL_CHARACTERS })));
  }
  return { entries, problems };
}

/** One file as it is now. A file that is none, or that cannot be read, is an entry with a problem. */
export async function readEntry(folder: string, file: string): Promise<SavedCallEntry> {
  if (!isCallPath(file)) return faulty(file, problem('saved-call-name', { file: file.slice(0, 300) }));
  try {
    const found = await readInside(folder, file, MAX_CALL_BYTES);
    if (found === null) return faulty(file, problem('saved-call-gone', { file }));
    const { text, sha256 } = found;
    const read = readCallFile(text);
    if (!read.ok) return { ...faulty(file, read.error), sha256 };
    return { file, sha256, call: read.value, needs: needsOf(read.value), problem: null };
  } catch (error) {
    return faulty(file, toProblem(error));
  }
}

function faulty(file: string, reason: Problem): SavedCallEntry {
  return { file: file.slice(0, 1_000), sha256: null, call: null, needs: [], problem: reason };
}

function needsOf(call: SavedCall): string[] {
  if (!call.variables) return [];
  return [...variablesIn([call.provider, call.tool, call.device ?? '', call.argsText].join('\n'))];
}

/** `environments/*.json`, by name. */
export async function readEnvironments(
  folder: string,
): Promise<{ readonly environments: readonly ReadEnvironment[]; readonly problems: readonly Problem[] }> {
  let names: string[];
  try {
    names = await environmentNames(folder);
  } catch (error) {
    return { environments: [], problems: [toProblem(error)] };
  }
  const cut = names.length > MAX_ENVIRONMENTS;
  const problems = cut ? [problem('collection-too-many', { count: names.length, limit: MAX_ENVIRONMENTS })] : [];
  const environments: ReadEnvironment[] = [];
  for (const name of names.slice(0, MAX_ENVIRONMENTS)) environments.push(await readEnvironment(folder, name));
  return { environments, problems };
}

async function environmentNames(folder: string): Promise<string[]> {
  const isFile = (name: string) => name.endsWith('.json') && !name.endsWith(SECRETS_SUFFIX);
  const { files } = await filesBelow(folder, isFile, { depth: 2, looked: MAX_LOOKED, skip: new Set() });
  return files
    .filter(({ file, odd }) => !odd && file.startsWith(`${ENVIRONMENTS}/`))
    .map(({ file }) => file.slice(ENVIRONMENTS.length + 1, -'.json'.length))
    .filter(isPlainName)
    .sort(compareFiles);
}

export async function readEnvironment(folder: string, name: string): Promise<ReadEnvironment> {
  const none = { name, variables: new Map(), secretNames: [], secrets: new Map() };
  if (!isPlainName(name)) return { ...none, problem: problem('environment-unknown', { name: name.slice(0, 200) }) };
  try {
    const found = await readInside(folder, environmentFile(name), MAX_ENVIRONMENT_BYTES);
    if (found === null) return { ...none, problem: problem('environment-unknown', { name }) };
    const read = readEnvironmentFile(found.text);
    if (!read.ok) return { ...none, problem: read.error };
    const known = { name, variables: read.value.variables, secretNames: read.value.secrets };
    const apart = await readInside(folder, secretsFile(name), MAX_ENVIRONMENT_BYTES);
    const secrets = apart === null ? null : readSecretsFile(apart.text);
    if (secrets === null) return { ...known, secrets: new Map(), problem: null };
    if (!secrets.ok) return { ...known, secrets: new Map(), problem: problem('environment-secrets', { name }) };
    return { ...known, secrets: secrets.value, problem: null };
  } catch (error) {
    return { ...none, problem: toProblem(error) };
  }
}

export const environmentFile = (name: string) => `${ENVIRONMENTS}/${name}.json`;
export const secretsFile = (name: string) => `${ENVIRONMENTS}/${name}${SECRETS_SUFFIX}`;

/** Without the values of secrets, as a page gets it. */
export function shownEnvironment({
  name,
  variables,
  secretNames,
  secrets,
  problem: fault,
}: ReadEnvironment): CollectionEnvironment {
  const apart = new Set([...secretNames, ...secrets.keys()]);
  return {
    name,
    // A name in both files is a secret: its other value is not shown either.
    variables: Object.fromEntries([...variables].filter(([key]) => !apart.has(key))),
    secrets: [...apart].map((key) => ({ name: key, isSet: secrets.has(key) })),
    problem: fault,
  };
}
