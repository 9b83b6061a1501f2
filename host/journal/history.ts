import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { HistoryRow } from '../../shared/model/event.ts';
import type { HistoryQuery } from './journal.ts';

const ROWS = `
  SELECT s.seq AS seq, s.exchange_id AS exchangeId, s.at_ms AS startedAtMs, e.at_ms AS endedAtMs,
    s.device_key AS deviceKey, s.provider_key AS providerKey, s.method AS method, s.tool AS tool,
    s.request_id AS requestId, e.error_code AS errorCode,
    coalesce(e.outcome, CASE s.kind WHEN 'notice' THEN 'notice' ELSE 'open' END) AS state,
    -- As the payload's own member: inside a text of the payload the quotes would be escaped.
    instr(s.data, '"deliberate":["') > 0 AS deliberate
  FROM events s
  LEFT JOIN events e ON e.seq =
    (SELECT max(x.seq) FROM events x WHERE x.exchange_id = s.exchange_id AND x.outcome IS NOT NULL)
  WHERE s.starts = 1`;
const SEARCHED = ['tool', 'method', 'provider_key', 'request_id', 'error_code', 'data'];

/**
 * Exchanges, newest first. The search is for one literal text in any event of
 * an exchange: by LIKE, so that two Chinese characters are enough and an append costs nothing (a
 * trigram index took 130 ms for 1 MB). Letters of ASCII match in either case.
 */
export function readHistory(db: DatabaseSync, query: HistoryQuery): { rows: HistoryRow[]; total: number } {
  const search = searchClause(query.search);
  const older = query.beforeSeq === null ? '' : ' AND s.seq < ?';
  const rows = db
    .prepare(`${ROWS}${search.sql}${older} ORDER BY s.seq DESC LIMIT ?`)
    .all(...search.values, ...(query.beforeSeq === null ? [] : [query.beforeSeq]), query.limit);
  const total = db
    .prepare(`SELECT count(*) AS n FROM events s WHERE s.starts = 1${search.sql}`)
    .get(...search.values)?.['n'];
  return {
    rows: rows.map((row) => HistoryRow.parse({ ...row, deliberate: row['deliberate'] === 1 })),
    total: Number(total),
  };
}

function searchClause(search: string): { sql: string; values: SQLInputValue[] } {
  if (search === '') return { sql: '', values: [] };
  const patterns = spellings(search).map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`);
  const inOneEvent = SEARCHED.flatMap((column) => patterns.map(() => `m.${column} LIKE ? ESCAPE '\\'`)).join(' OR ');
  return {
    sql: ` AND s.exchange_id IN (SELECT m.exchange_id FROM events m WHERE ${inOneEvent})`,
    values: SEARCHED.flatMap(() => patterns),
  };
}

/**
 * How a text may stand in the stored JSON: as it is, inside a string, inside a
 * JSON text in a string, and there with `\uXXXX` or with Android's `\/`.
 */
function spellings(text: string): string[] {
  const once = inString(text);
  const twice = inString(once);
  const ascii = once.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [...new Set([text, once, twice, inString(ascii), inString(once.replaceAll('/', '\\/'))])];
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
