import type { EventKind, HistoryRow, JournalEvent } from '../../shared/model/event.ts';
import type { SecretRegistry } from '../../shared/redaction/secret-registry.ts';
import type { OperationStore, OperationWrite } from './operations.ts';
import type { UnansweredQuery } from './unanswered.ts';

export interface NewEvent {
  readonly kind: EventKind;
  readonly exchangeId: string;
  readonly deviceKey: string;
  readonly providerKey: string | null;
  readonly method: string | null;
  readonly tool: string | null;
  readonly requestId: string | null;
  /** How the exchange ended; only on its last event. */
  readonly outcome?: HistoryRow['state'];
  readonly errorCode?: string | null;
  /** Any JSON-able payload. Secrets in it are redacted by the journal. */
  readonly payload: unknown;
  /** What the event says of a background operation; on disk with it, or neither is. */
  readonly operation?: OperationWrite;
}

export interface HistoryQuery {
  readonly search: string;
  readonly beforeSeq: number | null;
  readonly limit: number;
}

/**
 * The SQLite journal of live runs (WAL, `synchronous=FULL`): when `append`
 * returns, the event survives `kill -9` and a power cut.
 */
export interface Journal {
  readonly file: string;
  /** Secrets that passed through `append`, or were added; masked in all that is recorded from then on. */
  readonly secrets: SecretRegistry;
  /** Background operations, kept for a later run of the host. */
  readonly operations: OperationStore;
  append(event: NewEvent): JournalEvent;
  history(query: HistoryQuery): { rows: HistoryRow[]; total: number };
  events(exchangeId: string): JournalEvent[];
  /** Ids of the exchanges of one method with one Provider, newest first. */
  exchangesOf(
    of: { readonly deviceKey: string; readonly providerKey: string; readonly method: string },
    limit: number,
  ): string[];
  /** Exchanges of `execute_tool` whose request_id has no answer that ends it, newest first (v2 4.1). */
  unanswered(query: UnansweredQuery, limit: number): string[];
  /** Events of every exchange after a seq, in order. */
  eventsAfter(seq: number, limit: number): JournalEvent[];
  lastSeq(): number;
  /** Calls `listener` after each append; returns the way to stop. */
  subscribe(listener: (lastSeq: number) => void): () => void;
  getSetting(key: string): string | null;
  settings(): Record<string, string>;
  putSetting(key: string, value: string): void;
  getDraft(key: string): string | null;
  putDraft(key: string, argsText: string): void;
  close(): void;
}
