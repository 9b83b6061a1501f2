import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { JournalEvent } from '../../shared/model/event.ts';

/** What is needed to follow a background operation (v2 4.4) in another run of the host. */
export const StoredOperation = z.object({
  /** The exchange whose answer opened it. */
  callId: z.string(),
  deviceKey: z.string(),
  userId: z.number(),
  providerKey: z.string(),
  tool: z.string(),
  requestId: z.string(),
  /** As the Provider named it: may quote a secret, and never leaves the host. */
  operationId: z.string(),
  /** Of the arguments, as hexadecimal text. */
  argsSha256: z.string(),
  startedAtMs: z.number(),
  /** JSON text of what its answers are judged by; the journal does not read it. */
  facts: z.string(),
  pollAfterMs: z.number(),
  state: z.string().nullable(),
  cancelAskedAtMs: z.number().nullable(),
  cancelRequestedAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  following: z.boolean(),
});
export type StoredOperation = z.infer<typeof StoredOperation>;

/** The members that change; those left out stay. */
export type OperationChange = Partial<
  Pick<StoredOperation, 'pollAfterMs' | 'state' | 'cancelAskedAtMs' | 'cancelRequestedAtMs' | 'endedAtMs' | 'following'>
>;

/** Written in one transaction with the event that tells it. */
export type OperationWrite =
  | { readonly kind: 'open'; readonly operation: StoredOperation; readonly owner: string }
  | { readonly kind: 'change'; readonly callId: string; readonly change: OperationChange };

/** The operations of a journal file, which several processes may use at once. */
export interface OperationStore {
  /** Without a reported end, newest first. */
  unfinished(limit: number): StoredOperation[];
  find(callId: string): StoredOperation | null;
  /**
   * Makes a host the one that asks for an operation. Gives the owner that has
   * it where that one is alive; null once it is ours.
   */
  claim(callId: string, owner: string, isAlive: (owner: string) => boolean): string | null;
  /** The host that asks for it, or null. */
  ownerOf(callId: string): string | null;
  /**
   * The last events of its queries and requests to cancel, oldest first. Data
   * of more than 256 KiB is given as `null`.
   */
  events(of: Pick<StoredOperation, 'deviceKey' | 'providerKey' | 'requestId'>, limit: number): JournalEvent[];
  /** How many queries and requests to cancel were recorded. */
  queryCount(of: Pick<StoredOperation, 'deviceKey' | 'providerKey' | 'requestId'>): number;
  /** Gives up everything that a host follows. */
  release(owner: string): void;
}

const COLUMNS = `call_id AS callId, device_key AS deviceKey, user_id AS userId, provider_key AS providerKey, tool,
  request_id AS requestId, operation_id AS operationId, args_sha256 AS argsSha256, started_at_ms AS startedAtMs,
  facts, poll_after_ms AS pollAfterMs, state, cancel_asked_at_ms AS cancelAskedAtMs,
  cancel_requested_at_ms AS cancelRequestedAtMs, ended_at_ms AS endedAtMs, following`;

const EVENT_COLUMNS = `seq, at_ms AS atMs, kind, exchange_id AS exchangeId, device_key AS deviceKey,
  provider_key AS providerKey, method, tool, request_id AS requestId, redactions,
  CASE WHEN length(data) > 262144 THEN 'null' ELSE data END AS data`;
const OF_OPERATION = `request_id = ? AND device_key = ? AND provider_key = ?
  AND method IN ('get_operation', 'cancel_operation')`;

const CHANGEABLE: Readonly<Record<keyof OperationChange, string>> = {
  pollAfterMs: 'poll_after_ms',
  state: 'state',
  cancelAskedAtMs: 'cancel_asked_at_ms',
  cancelRequestedAtMs: 'cancel_requested_at_ms',
  endedAtMs: 'ended_at_ms',
  following: 'following',
};

/** Inside the caller's transaction. The first reported end stays. */
export function writeOperation(db: DatabaseSync, write: OperationWrite): void {
  if (write.kind === 'open') insert(db, write.operation, write.owner);
  else change(db, write.callId, write.change);
}

function change(db: DatabaseSync, callId: string, changed: OperationChange): void {
  const entries = Object.entries(changed).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return;
  const sets = entries.map(([key]) => `${CHANGEABLE[key as keyof OperationChange]} = ?`).join(', ');
  const values = entries.map(([, value]) => plain(value));
  db.prepare(`UPDATE operations SET ${sets} WHERE call_id = ? AND ended_at_ms IS NULL`).run(...values, callId);
}

/**
 * One row an operation, also where several calls with one request_id are
 * answered with it. A further call after its end makes it one to ask for again.
 */
function insert(db: DatabaseSync, one: StoredOperation, owner: string): void {
  db.prepare(
    `INSERT INTO operations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) 
     ON CONFLICT (device_key, user_id, provider_key, request_id, operation_id) DO UPDATE
       SET call_id = excluded.call_id, ended_at_ms = NULL, following = 1, owner = excluded.owner
       WHERE ended_at_ms IS NOT NULL`,
  ).run(
    one.callId,
    one.deviceKey,
    one.userId,
    one.providerKey,
    one.tool,
    one.requestId,
    one.operationId,
    one.argsSha256,
    Math.trunc(one.startedAtMs),
    one.facts,
    Math.trunc(one.pollAfterMs),
    one.state,
    one.cancelAskedAtMs,
    one.cancelRequestedAtMs,
    one.endedAtMs,
    plain(one.following),
    owner,
  );
}

function plain(value: string | number | boolean | null): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? Math.trunc(value) : value;
}

function fromRow(row: Record<string, unknown>): StoredOperation {
  return StoredOperation.parse({ ...row, following: row['following'] === 1 });
}

/** `guard` names a failure of SQLite. */
export function createOperationStore(db: DatabaseSync, guard: <T>(code: string, work: () => T) => T): OperationStore {
  const ownerOf = (callId: string): string | null => {
    const row = db.prepare('SELECT owner FROM operations WHERE call_id = ?').get(callId);
    return typeof row?.['owner'] === 'string' ? row['owner'] : null;
  };
  return {
    unfinished: (limit) =>
      guard('journal-read-failed', () =>
        db
          .prepare(
            `SELECT ${COLUMNS} FROM operations WHERE ended_at_ms IS NULL ORDER BY started_at_ms DESC, call_id LIMIT ?`,
          )
          .all(limit)
          .map(fromRow),
      ),
    find: (callId) =>
      guard('journal-read-failed', () => {
        const row = db.prepare(`SELECT ${COLUMNS} FROM operations WHERE call_id = ?`).get(callId);
        return row === undefined ? null : fromRow(row);
      }),
    ownerOf: (callId) => guard('journal-read-failed', () => ownerOf(callId)),
    claim: (callId, owner, isAlive) =>
      guard('journal-write-failed', () =>
        transaction(db, () => {
          const other = ownerOf(callId);
          if (other === owner) return null;
          if (other !== null && isAlive(other)) return other;
          db.prepare('UPDATE operations SET owner = ? WHERE call_id = ?').run(owner, callId);
          return null;
        }),
      ),
    events: ({ requestId, deviceKey, providerKey }, limit) =>
      guard('journal-read-failed', () =>
        db
          .prepare(`SELECT ${EVENT_COLUMNS} FROM events WHERE ${OF_OPERATION} ORDER BY seq DESC LIMIT ?`)
          .all(requestId, deviceKey, providerKey, limit)
          .reverse()
          .map((row) => JournalEvent.parse(row)),
      ),
    queryCount: ({ requestId, deviceKey, providerKey }) =>
      guard('journal-read-failed', () =>
        Number(
          db
            .prepare(`SELECT count(*) AS n FROM events WHERE ${OF_OPERATION} AND kind = 'request'`)
            .get(requestId, deviceKey, providerKey)?.['n'],
        ),
      ),
    release: (owner) =>
      guard('journal-write-failed', () => {
        db.prepare('UPDATE operations SET owner = NULL WHERE owner = ? AND ended_at_ms IS NULL').run(owner);
      }),
  };
}

/** All or nothing, also against another process that writes. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
