/**
 * Background operations (v2 4.4), so that one that has not ended is followed
 * again after a restart. Written with the event that tells the same. The row
 * holds `operation_id` as the Provider named it, which an event may show
 * masked; like the events it is readable for this user only, and unlike them
 * it is never shown or exported.
 */
export const operations = {
  version: 2,
  sql: `
    CREATE TABLE operations (
      call_id TEXT PRIMARY KEY,
      device_key TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      provider_key TEXT NOT NULL,
      tool TEXT NOT NULL,
      request_id TEXT NOT NULL,
      operation_id TEXT NOT NULL,
      args_sha256 TEXT NOT NULL,
      started_at_ms INTEGER NOT NULL,
      facts TEXT NOT NULL,
      poll_after_ms INTEGER NOT NULL,
      state TEXT,
      cancel_asked_at_ms INTEGER,
      cancel_requested_at_ms INTEGER,
      ended_at_ms INTEGER,
      following INTEGER NOT NULL,
      owner TEXT,
      UNIQUE (device_key, user_id, provider_key, request_id, operation_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX operations_unfinished ON operations (started_at_ms) WHERE ended_at_ms IS NULL;
    CREATE INDEX events_of_request ON events (request_id, seq) WHERE request_id IS NOT NULL;
  `,
} as const;
