import { checkedCallFile } from '../../shared/collections/call-file.ts';
import { printSecretsFile, readSecretsFile } from '../../shared/collections/environment-file.ts';
import { compareFiles, isCallPath } from '../../shared/collections/file-names.ts';
import { MAX_CALL_BYTES, MAX_ENVIRONMENT_BYTES } from '../../shared/collections/file-shape.ts';
import type { Collection, RunEvent, SavedCall, SavedCallEntry } from '../../shared/model/collection.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import { MIN_SECRET_LENGTH } from '../../shared/redaction/secret-registry.ts';
import { fillIn, secretValues, valuesOf } from './fill-in.ts';
import { findDevice, findProvider, type OnDevice } from './find-target.ts';
import { readInside, realFolder, removeInside, writeInside } from './folder-access.ts';
import {
  readCalls,
  readEntry,
  readEnvironment,
  readEnvironments,
  secretsFile,
  shownEnvironment,
} from './read-collection.ts';
import { RememberedFolders, type Settings } from './remembered-folders.ts';
import type { RunCallDeps } from './run-call.ts';
import { type RunClock, runCollection } from './run-collection.ts';

/** Of runs at one time. */
const MAX_RUNS = 4;
const IGNORE_FILE = 'environments/.gitignore';
const IGNORE_LINE = '*.secrets.json';

export interface CollectionsDeps extends RunCallDeps {
  readonly settings: Settings;
  readonly clock: RunClock;
  readonly uuid: () => string;
}

export interface RunInput {
  readonly folder: string;
  /** Null: every call of the folder. */
  readonly files: readonly string[] | null;
  readonly environment: string | null;
  readonly vars: Readonly<Record<string, string>>;
  readonly device: OnDevice | null;
  readonly confirmed: boolean;
  readonly bail: boolean;
}

/** Where a saved call would go, for a look at it in the composer. */
export interface Located extends OnDevice {
  readonly providerKey: string;
  readonly toolIndex: number;
  readonly tool: string;
  /** Variables put in, secrets not: it is kept as a draft. */
  readonly argsText: string;
}

/** Saved calls in folders that a person opened. Every expected failure is a `ProblemError`. */
export class Collections {
  readonly #deps: CollectionsDeps;
  readonly #folders: RememberedFolders;
  readonly #runs = new Map<string, AbortController>();

  constructor(deps: CollectionsDeps) {
    this.#deps = deps;
    this.#folders = new RememberedFolders(deps.settings);
  }

  list(): { folder: string; environment: string | null }[] {
    return this.#folders.list();
  }

  /** The deliberate act that lets every other command touch this folder. */
  async open(path: string, remember: boolean): Promise<Collection> {
    const folder = await realFolder(path);
    this.#folders.add(folder, remember);
    return this.read(folder);
  }

  /** Forgets the folder; nothing in it changes. */
  close(folder: string): void {
    this.#folders.remove(folder);
  }

  async read(folder: string): Promise<Collection> {
    await this.#require(folder);
    const calls = await readCalls(folder);
    const { environments, problems } = await readEnvironments(folder);
    const chosen = this.#folders.environmentOf(folder);
    return {
      folder,
      entries: [...calls.entries],
      environments: environments.map(shownEnvironment),
      problems: [...calls.problems, ...problems],
      environment: environments.some(({ name }) => name === chosen) ? chosen : null,
    };
  }

  /** `before` null makes a new file; else the file must still have this SHA-256. */
  async save(folder: string, file: string, call: SavedCall, before: string | null): Promise<SavedCallEntry> {
    await this.#require(folder);
    if (!isCallPath(file)) throw new ProblemError(problem('saved-call-name', { file: file.slice(0, 300) }));
    const text = checkedCallFile(call);
    if (!text.ok) throw new ProblemError(text.error);
    await writeInside(folder, file, text.value, { before, maxBytes: MAX_CALL_BYTES });
    return readEntry(folder, file);
  }

  async remove(folder: string, file: string, before: string): Promise<void> {
    await this.#require(folder);
    if (!isCallPath(file)) throw new ProblemError(problem('saved-call-name', { file: file.slice(0, 300) }));
    await removeInside(folder, file, before, MAX_CALL_BYTES);
  }

  async selectEnvironment(folder: string, environment: string | null): Promise<void> {
    await this.#require(folder);
    if (environment !== null) await this.#environment(folder, environment);
    this.#folders.choose(folder, environment);
  }

  /** Keeps a secret's value beside its environment, in a file that git is told to leave out. Null takes it away. */
  async putSecret(folder: string, environment: string, name: string, value: string | null): Promise<void> {
    await this.#require(folder);
    const known = await this.#environment(folder, environment);
    if (!known.secretNames.includes(name)) {
      throw new ProblemError(problem('environment-no-secret', { name: name.slice(0, 100), environment }));
    }
    if (value !== null && value.length < MIN_SECRET_LENGTH) {
      throw new ProblemError(problem('saved-call-secret-short', { names: name, least: MIN_SECRET_LENGTH }));
    }
    await ignoreSecrets(folder);
    const file = secretsFile(environment);
    const found = await readInside(folder, file, MAX_ENVIRONMENT_BYTES);
    const before = found === null ? null : readSecretsFile(found.text);
    if (before?.ok === false) throw new ProblemError(problem('environment-secrets', { name: environment }));
    const secrets = new Map(before?.value);
    if (value === null) secrets.delete(name);
    else secrets.set(name, value);
    await writeInside(folder, file, printSecretsFile(secrets), {
      before: found?.sha256 ?? null,
      maxBytes: MAX_ENVIRONMENT_BYTES,
      mode: 0o600,
    });
  }

  /** Runs calls in order of file name. A reader that goes away ends the run. */
  async *run(input: RunInput, reader: AbortSignal): AsyncGenerator<RunEvent, void, void> {
    await this.#require(input.folder);
    if (this.#runs.size >= MAX_RUNS) throw new ProblemError(problem('saved-run-busy', { limit: MAX_RUNS }));
    const runId = this.#deps.uuid();
    const stop = new AbortController();
    this.#runs.set(runId, stop);
    try {
      const environment = input.environment === null ? null : await this.#environment(input.folder, input.environment);
      const values = valuesOf(environment, input.vars);
      for (const secret of secretValues(values)) this.#deps.secrets.add(secret, null);
      const entries = await this.#entries(input);
      const { device, confirmed, bail } = input;
      const signal = AbortSignal.any([reader, stop.signal]);
      yield* runCollection(this.#deps, { runId, entries, values, device, confirmed, bail }, signal);
    } finally {
      stop.abort();
      this.#runs.delete(runId);
    }
  }

  /** Ends a run: the call under way is abandoned, later ones are skipped, and the stream still tells it. */
  cancel(runId: string): boolean {
    const run = this.#runs.get(runId);
    run?.abort();
    return run !== undefined;
  }

  /** Finds device, Provider and tool of a saved call. Sends nothing to the tool. */
  async locate(
    input: Pick<RunInput, 'folder' | 'environment' | 'device'> & { readonly file: string },
  ): Promise<Located> {
    await this.#require(input.folder);
    const entry = await readEntry(input.folder, input.file);
    if (entry.call === null) throw new ProblemError(entry.problem ?? problem('saved-call-gone', { file: input.file }));
    const environment = input.environment === null ? null : await this.#environment(input.folder, input.environment);
    const filled = fillIn(entry.call, valuesOf(environment, {}), true);
    const on = await findDevice(this.#deps, filled.device, input.device);
    const { key: providerKey } = await findProvider(this.#deps, on, filled.provider);
    const catalog = await this.#deps.sessions.catalog({ ...on, providerKey }, false);
    if (catalog.problem !== null) throw new ProblemError(catalog.problem);
    const row = catalog.tools.find(({ name }) => name === filled.tool);
    if (row === undefined) throw new ProblemError(problem('tool-not-in-catalog', { tool: filled.tool.slice(0, 200) }));
    return { ...on, providerKey, toolIndex: row.index, tool: filled.tool, argsText: filled.argsText };
  }

  shutDown(): void {
    for (const run of this.#runs.values()) run.abort();
  }

  async #entries({ folder, files }: RunInput): Promise<readonly SavedCallEntry[]> {
    if (files !== null) {
      const chosen: SavedCallEntry[] = [];
      for (const file of [...new Set(files)].sort(compareFiles)) chosen.push(await readEntry(folder, file));
      return chosen;
    }
    const { entries, problems } = await readCalls(folder);
    // A run of everything that leaves something out would pass for more than it is.
    const [cut] = problems;
    if (cut !== undefined) throw new ProblemError(cut);
    return entries;
  }

  async #environment(folder: string, name: string) {
    const environment = await readEnvironment(folder, name);
    if (environment.problem !== null) throw new ProblemError(environment.problem);
    return environment;
  }

  /** Only folders that were opened; and one that a link leads elsewhere by now is another folder. */
  async #require(folder: string): Promise<void> {
    if (!this.#folders.has(folder)) {
      throw new ProblemError(problem('collection-not-open', { path: folder.slice(0, 300) }));
    }
    const real = await realFolder(folder);
    if (real !== folder) throw new ProblemError(problem('collection-moved', { path: folder.slice(0, 300) }));
  }
}

/** A rule of the folder's own, so that a secret is not put under version control by accident. */
async function ignoreSecrets(folder: string): Promise<void> {
  const found = await readInside(folder, IGNORE_FILE, MAX_ENVIRONMENT_BYTES);
  if (found?.text.split(/\r?\n/).includes(IGNORE_LINE)) return;
  const start =
    found === null || found.text === '' || found.text.endsWith('\n') ? (found?.text ?? '') : `${found.text}\n`;
  const options = { before: found?.sha256 ?? null, maxBytes: MAX_ENVIRONMENT_BYTES };
  await writeInside(folder, IGNORE_FILE, `${start}${IGNORE_LINE}\n`, options);
}
