import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import { type Migration, migrations } from './migrations/index.ts';

/** `CETP` in ASCII: tells our files from other SQLite files. */
const APPLICATION_ID = 0x43455450;
/** Files up to this size are checked whole at the start, in bytes; a larger one is found damaged when a damaged page is read. */
const CHECK_UP_TO = 64 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 10_000;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export interface OpenedDatabase {
  readonly db: DatabaseSync;
  /** Set when a damaged file was moved aside and a new one begun. */
  readonly notice: Problem | null;
}

/**
 * Opens or makes the journal's database. A file of a newer version or of
 * another program is refused untouched (`journal-newer`, `journal-foreign`);
 * a damaged one is renamed to `<file>.damaged-<time>` and a new one begun.
 */
export function openDatabase(file: string, now: () => number): OpenedDatabase {
  if (file !== ':memory:') prepareFile(file);
  try {
    return { db: openSound(file), notice: null };
  } catch (error) {
    if (!isDamage(error)) throw asProblem('journal-cannot-open', file, error);
    const movedTo = moveAside(file, now());
    const raw = error instanceof Error ? error.message : String(error);
    return { db: openSound(file), notice: problem('journal-damaged', { file, movedTo }, raw) };
  }
}

/** A failure of SQLite as a Problem; others pass. */
export function asProblem(code: string, file: string, error: unknown): unknown {
  if (error instanceof ProblemError || !(error instanceof Error)) return error;
  return new ProblemError(problem(code, { file }, error.message), { cause: error });
}

function prepareFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // What devices said is private to this user.
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw asProblem('journal-cannot-open', file, error);
  }
}

function openSound(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    checkOwner(db, file);
    checkSound(db, file);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    migrate(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkOwner(db: DatabaseSync, file: string): void {
  const id = pragma(db, 'application_id');
  const version = pragma(db, 'user_version');
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n']);
  if (id !== APPLICATION_ID && (tables > 0 || id !== 0)) throw new ProblemError(problem('journal-foreign', { file }));
  const supported = latest();
  if (version > supported) throw new ProblemError(problem('journal-newer', { file, version, supported }));
}

function checkSound(db: DatabaseSync, file: string): void {
  if (file !== ':memory:' && statSync(file).size > CHECK_UP_TO) return;
  const verdict = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
  if (verdict !== 'ok') throw new DamagedError(verdict);
}

function migrate(db: DatabaseSync, file: string): void {
  if (pragma(db, 'user_version') === latest()) return;
  db.exec('BEGIN EXCLUSIVE');
  try {
    // Another process may have done it while this one waited.
    const version = pragma(db, 'user_version');
    if (version > latest()) {
      throw new ProblemError(problem('journal-newer', { file, version, supported: latest() }));
    }
    for (const step of migrations) if (step.version > version) apply(db, step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
  } catch (error) {
    // A full disk has ended the transaction by itself: a second end would hide the reason.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function apply(db: DatabaseSync, step: Migration): void {
  db.exec(step.sql);
  db.exec(`PRAGMA user_version = ${step.version}`);
}

function latest(): number {
  return migrations.at(-1)?.version ?? 0;
}

function pragma(db: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

class DamagedError extends Error {}

function isDamage(error: unknown): boolean {
  if (error instanceof DamagedError) return true;
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' && ((code & 0xff) === SQLITE_CORRUPT || (code & 0xff) === SQLITE_NOTADB);
}

function moveAside(file: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  let target = `${file}.damaged-${stamp}`;
  for (let n = 2; existsSync(target); n++) target = `${file}.damaged-${stamp}-${n}`;
  renameSync(file, target);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  }
  prepareFile(file);
  return target;
}
