/**
 * The append-only events, and what the shells keep (settings, drafts).
 * `starts` is 1 on the first event of an exchange. `data` comes last, so that
 * a list never reads past it.
 */
export const events = {
  version: 1,
  sql: `
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      exchange_id TEXT NOT NULL,
      starts INTEGER NOT NULL,
      device_key TEXT NOT NULL,
      provider_key TEXT,
      method TEXT,
      tool TEXT,
      request_id TEXT,
      outcome TEXT,
      error_code TEXT,
      redactions INTEGER NOT NULL,
      data TEXT NOT NULL
    ) STRICT;
    CREATE INDEX events_of_exchange ON events (exchange_id, seq);
    CREATE INDEX exchange_starts ON events (seq) WHERE starts = 1;
    CREATE INDEX exchange_ends ON events (exchange_id, seq) WHERE outcome IS NOT NULL;
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE drafts (key TEXT PRIMARY KEY, args_text TEXT NOT NULL) STRICT;
  `,
} as const;
