import { z } from 'zod';
import { ProblemError, problem } from '../../shared/model/problem.ts';

/** The strings that the journal keeps for shells. */
export interface Settings {
  getSetting(key: string): string | null;
  putSetting(key: string, value: string): void;
}

const SETTING = 'collections.folders';
const MAX_FOLDERS = 50;
const Remembered = z.array(z.object({ folder: z.string(), environment: z.string().nullable() })).max(MAX_FOLDERS);
type Remembered = z.infer<typeof Remembered>;

/** The folders that a person opened, newest last: for good, or for this run of the host. */
export class RememberedFolders {
  readonly #settings: Settings;
  /** Opened for this run only, each with its chosen environment. */
  readonly #once = new Map<string, string | null>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Those that were opened for good. */
  list(): Remembered {
    // A setting may be of another version, or damaged.
    try {
      const read = Remembered.safeParse(JSON.parse(this.#settings.getSetting(SETTING) ?? '[]'));
      return read.success ? read.data : [];
    } catch {
      return [];
    }
  }

  has(folder: string): boolean {
    return this.#once.has(folder) || this.list().some((one) => one.folder === folder);
  }

  add(folder: string, remember: boolean): void {
    if (!remember) {
      if (!this.has(folder)) this.#once.set(folder, null);
      return;
    }
    const list = this.list();
    if (list.some((one) => one.folder === folder)) return;
    if (list.length >= MAX_FOLDERS) throw new ProblemError(problem('collections-too-many', { limit: MAX_FOLDERS }));
    this.#put([...list, { folder, environment: null }]);
  }

  remove(folder: string): void {
    this.#once.delete(folder);
    this.#put(this.list().filter((one) => one.folder !== folder));
  }

  environmentOf(folder: string): string | null {
    return this.list().find((one) => one.folder === folder)?.environment ?? this.#once.get(folder) ?? null;
  }

  choose(folder: string, environment: string | null): void {
    if (this.#once.has(folder)) this.#once.set(folder, environment);
    this.#put(this.list().map((one) => (one.folder === folder ? { folder, environment } : one)));
  }

  #put(list: Remembered): void {
    this.#settings.putSetting(SETTING, JSON.stringify(list));
  }
}
