import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stringify } from 'lossless-json';
import { JournalEvent } from '../../shared/model/event.ts';
import type { Problem } from '../../shared/model/problem.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { SecretRegistry, secretScope } from '../../shared/redaction/secret-registry.ts';
import { boundText } from './bounded-text.ts';
import { asProblem, openDatabase } from './database.ts';
import { readHistory } from './history.ts';
import type { HistoryQuery, Journal, NewEvent } from './journal.ts';
import {
  createOperationStore,
  type OperationStore,
  type OperationWrite,
  transaction,
  writeOperation,
} from './operations.ts';
import { readUnanswered } from './unanswered.ts';

export interface JournalOptions {
  /** Epoch ms; default `Date.now`. */
  readonly now?: () => number;
  readonly secrets?: SecretRegistry;
  /** Told when a damaged file was moved aside. The journal records it as well. */
  readonly onNotice?: (problem: Problem) => void;
}

/**
 * Opens the journal in a file, or in `:memory:` for tests. Several processes
 * may use one file at once. Throws `ProblemError`: `journal-newer`,
 * `journal-foreign`, `journal-cannot-open`.
 */
export function openJournal(file: string, options: JournalOptions = {}): Journal {
  const now = options.now ?? Date.now;
  const { db, notice } = openDatabase(file, now);
  const journal = new SqliteJournal(file, db, now, options.secrets ?? new SecretRegistry());
  if (notice !== null) {
    journal.append({
      kind: 'notice',
      exchangeId: randomUUID(),
      deviceKey: 'host',
      providerKey: null,
      method: null,
      tool: null,
      requestId: null,
      outcome: 'notice',
      errorCode: notice.code,
      payload: { problem: notice },
    });
    options.onNotice?.(notice);
  }
  return journal;
}

const COLUMNS = `seq, at_ms AS atMs, kind, exchange_id AS exchangeId, device_key AS deviceKey,
  provider_key AS providerKey, method, tool, request_id AS requestId, data, redactions`;

class SqliteJournal implements Journal {
  readonly file: string;
  readonly secrets: SecretRegistry;
  readonly operations: OperationStore;
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #listeners = new Set<(lastSeq: number) => void>();
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, db: DatabaseSync, now: () => number, secrets: SecretRegistry) {
    this.file = file;
    this.#db = db;
    this.#now = now;
    this.secrets = secrets;
    this.operations = createOperationStore(db, (code, work) => this.#guard(code, work));
  }

  append(event: NewEvent): JournalEvent {
    const { value, redactions } = redact(
      { payload: event.payload, tool: event.tool, errorCode: event.errorCode ?? null },
      { registry: this.secrets, scope: secretScope(event.deviceKey, event.providerKey) },
    );
    const safe = value as { payload: unknown; tool: string | null; errorCode: string | null };
    const stored = {
      atMs: Math.trunc(this.#now()),
      kind: event.kind,
      exchangeId: event.exchangeId,
      deviceKey: event.deviceKey,
      providerKey: event.providerKey,
      method: event.method,
      tool: safe.tool,
      requestId: event.requestId,
      data: boundText(stringify(safe.payload) ?? 'null'),
      redactions,
    };
    const insert = () => this.#insert(stored, event.outcome ?? null, safe.errorCode);
    const { operation } = event;
    const seq = operation === undefined ? insert() : this.#insertWith(insert, operation);
    this.#tell(seq);
    return { seq, ...stored };
  }

  /** A listener's bug must not make a recorded event look unrecorded. */
  #tell(seq: number): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(seq);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #insert(event: Omit<JournalEvent, 'seq'>, outcome: string | null, errorCode: string | null): number {
    return this.#guard('journal-write-failed', () => {
      const result = this.#sql(
        `INSERT INTO events (at_ms, kind, exchange_id, starts, device_key, provider_key, method, tool, request_id,
           outcome, error_code, redactions, data)
         VALUES (?, ?, ?, NOT EXISTS (SELECT 1 FROM events WHERE exchange_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        event.atMs,
        event.kind,
        event.exchangeId,
        event.exchangeId,
        event.deviceKey,
        event.providerKey,
        event.method,
        event.tool,
        event.requestId,
        outcome,
        errorCode,
        event.redactions,
        event.data,
      );
      return Number(result.lastInsertRowid);
    });
  }

  #insertWith(insert: () => number, operation: OperationWrite): number {
    return this.#guard('journal-write-failed', () =>
      transaction(this.#db, () => {
        const seq = insert();
        writeOperation(this.#db, operation);
        return seq;
      }),
    );
  }

  history(query: HistoryQuery): ReturnType<Journal['history']> {
    return this.#guard('journal-read-failed', () => readHistory(this.#db, query));
  }

  events(exchangeId: string): JournalEvent[] {
    return this.#guard('journal-read-failed', () =>
      this.#sql(`SELECT ${COLUMNS} FROM events WHERE exchange_id = ? ORDER BY seq`)
        .all(exchangeId)
        .map((row) => JournalEvent.parse(row)),
    );
  }

  exchangesOf(of: Parameters<Journal['exchangesOf']>[0], limit: number): string[] {
    return this.#guard('journal-read-failed', () =>
      this.#sql(
        `SELECT exchange_id AS id FROM events
         WHERE starts = 1 AND device_key = ? AND provider_key = ? AND method = ? ORDER BY seq DESC LIMIT ?`,
      )
        .all(of.deviceKey, of.providerKey, of.method, limit)
        .map((row) => String(row['id'])),
    );
  }

  unanswered(...[query, limit]: Parameters<Journal['unanswered']>): string[] {
    return this.#guard('journal-read-failed', () => readUnanswered(this.#db, query, limit));
  }

  eventsAfter(seq: number, limit: number): JournalEvent[] {
    return this.#guard('journal-read-failed', () =>
      this.#sql(`SELECT ${COLUMNS} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`)
        .all(seq, limit)
        .map((row) => JournalEvent.parse(row)),
    );
  }

  lastSeq(): number {
    return this.#guard('journal-read-failed', () =>
      Number(this.#sql('SELECT coalesce(max(seq), 0) AS seq FROM events').get()?.['seq']),
    );
  }

  subscribe(listener: (lastSeq: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  getSetting(key: string): string | null {
    return this.#text('SELECT value AS text FROM settings WHERE key = ?', key);
  }

  settings(): Record<string, string> {
    return this.#guard('journal-read-failed', () => {
      const rows = this.#sql('SELECT key, value FROM settings').all();
      return Object.fromEntries(rows.map((row) => [String(row['key']), String(row['value'])]));
    });
  }

  putSetting(key: string, value: string): void {
    this.#put('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', key, value);
  }

  getDraft(key: string): string | null {
    return this.#text('SELECT args_text AS text FROM drafts WHERE key = ?', key);
  }

  putDraft(key: string, argsText: string): void {
    this.#put(
      'INSERT INTO drafts VALUES (?, ?) ON CONFLICT DO UPDATE SET args_text = excluded.args_text',
      key,
      argsText,
    );
  }

  close(): void {
    this.#listeners.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #text(sql: string, key: string): string | null {
    return this.#guard('journal-read-failed', () => {
      const row = this.#sql(sql).get(key);
      return row === undefined ? null : String(row['text']);
    });
  }

  #put(sql: string, key: string, value: string): void {
    this.#guard('journal-write-failed', () => this.#sql(sql).run(key, value));
  }

  #sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #guard<T>(code: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asProblem(code, this.file, error);
    }
  }
}
