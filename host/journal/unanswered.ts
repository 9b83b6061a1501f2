import type { DatabaseSync } from 'node:sqlite';

/** Of executions that are looked through, newest first. */
const MAX_SCANNED = 2_000;

export interface UnansweredQuery {
  readonly deviceKey: string;
  readonly providerKey: string;
  /** As the journal holds it. */
  readonly tool: string;
  /** The id of the call to come: one that was sent before makes it a retry, and nothing is returned. */
  readonly requestId: string;
  /** Epoch ms; older requests are left out. */
  readonly sinceMs: number;
}

/**
 * Ids of the exchanges of `execute_tool`, newest first, that were recorded and whose request_id has no answer which ends
 * it: none at all, or, to a later attempt, only one of the errors that v2 5 always lets a Consumer retry.
 */
export function readUnanswered(db: DatabaseSync, query: UnansweredQuery, limit: number): string[] {
  const { deviceKey, providerKey, tool, requestId, sinceMs } = query;
  return db
    .prepare(
      `SELECT e.id AS id FROM (
         SELECT seq, exchange_id AS id, kind, tool, at_ms, request_id FROM events
         WHERE starts = 1 AND device_key = ?1 AND provider_key = ?2 AND method = 'execute_tool'
         ORDER BY seq DESC LIMIT ${MAX_SCANNED}
       ) e
       WHERE e.kind = 'request' AND e.tool = ?3 AND e.at_ms >= ?5 AND e.request_id IS NOT NULL
         AND NOT EXISTS (
           SELECT 1 FROM events s WHERE s.request_id = ?4 AND s.kind = 'request' AND s.method = 'execute_tool'
             AND s.device_key = ?1 AND s.provider_key = ?2
         )
         AND NOT EXISTS (
           SELECT 1 FROM events r WHERE r.request_id = e.request_id AND r.kind = 'response'
             AND r.device_key = ?1 AND r.provider_key = ?2
             AND (r.exchange_id = e.id OR coalesce(r.outcome, '') <> 'provider-error'
               OR coalesce(r.error_code, '') NOT IN ('NEGOTIATION_REQUIRED', 'RATE_LIMITED', 'UNAVAILABLE'))
         )
       ORDER BY e.seq DESC LIMIT ?6`,
    )
    .all(deviceKey, providerKey, tool, requestId, sinceMs, limit)
    .map((row) => String(row['id']));
}
