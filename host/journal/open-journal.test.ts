import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Problem, ProblemError } from '../../shared/model/problem.ts';
import { boundText, MAX_EVENT_BYTES } from './bounded-text.ts';
import type { Journal, NewEvent } from './journal.ts';
import { migrations } from './migrations/index.ts';
import { openJournal } from './open-journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(folder, 'deep', 'journal.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function event(over: Partial<NewEvent>): NewEvent {
  return {
    kind: 'request',
    exchangeId: 'x1',
    deviceKey: 'local/A',
    providerKey: 'com.acme/com.acme.Tools',
    method: 'execute_tool',
    tool: 'create_alert',
    requestId: 'f2d7c9ae-0000-4000-8000-000000000001',
    payload: {},
    ...over,
  };
}

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function find(journal: Journal, search: string): string[] {
  return journal.history({ search, beforeSeq: null, limit: 100 }).rows.map((row) => row.exchangeId);
}

describe('events', () => {
  it('gives back what was appended, after reopening too', () => {
    const journal = openJournal(file, { now: () => 1_700_000_000_123 });
    const first = journal.append(event({ payload: { a: [1, null, '\u0000\ud800 提醒'], __proto__: 1 } }));
    const second = journal.append(event({ kind: 'response', outcome: 'success' }));
    journal.close();
    const again = openJournal(file);
    expect(again.events('x1')).toEqual([first, second]);
    expect(JSON.parse(first.data)).toEqual({ a: [1, null, '\u0000\ud800 提醒'] });
    expect(again.lastSeq()).toBe(second.seq);
    again.close();
  });

  it('tells listeners until they stop, and stores drafts and settings as they are', () => {
    const journal = openJournal(':memory:');
    const seen: number[] = [];
    const stop = journal.subscribe((seq) => seen.push(seq));
    journal.append(event({}));
    stop();
    journal.append(event({}));
    expect(seen).toEqual([1]);
    journal.putDraft('k', '{"session_token":"mine"}');
    journal.putDraft('k', '{ "a" : 1 }\r\n');
    expect(journal.getDraft('k')).toBe('{ "a" : 1 }\r\n');
    expect(journal.getDraft('other')).toBe(null);
    journal.putSetting('__proto__', 'v');
    journal.putSetting('theme', 'dark');
    expect(Object.entries(journal.settings())).toEqual([
      ['__proto__', 'v'],
      ['theme', 'dark'],
    ]);
    journal.close();
  });

  it('redacts on the way in, and later echoes of a token it has seen', () => {
    const journal = openJournal(file);
    const bundle = [{ key: 'data', t: 'string', v: '{"session_token":"s3cr3t-t0ken"}' }];
    expect(journal.append(event({ kind: 'response', payload: { bundle } })).redactions).toBe(1);
    const echo = journal.append(
      event({ kind: 'response', payload: 'no s3cr3t-t0ken', errorCode: 's3cr3t-t0ken', outcome: 'provider-error' }),
    );
    expect(echo.redactions).toBe(2);
    expect(journal.history({ search: '', beforeSeq: null, limit: 1 }).rows[0]?.errorCode).toBe('⟦masked:12⟧');
    journal.close();
    expect(readFileSync(file).includes('s3cr3t')).toBe(false);
  });

  it('keeps a long payload to its bound, with length and digest of the whole', () => {
    const journal = openJournal(':memory:');
    const payload = { text: '"\\提😀'.repeat(700_000) };
    const whole = JSON.stringify(payload);
    const { data } = journal.append(event({ payload }));
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    const { truncated } = JSON.parse(data);
    expect(truncated.bytes).toBe(Buffer.byteLength(whole));
    expect(truncated.sha256).toBe(createHash('sha256').update(whole).digest('hex'));
    expect(whole.startsWith(truncated.head)).toBe(true);
    expect(truncated.head.length).toBeGreaterThan(1_000_000);
    journal.close();
  });

  it('bounds any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
        const bounded = boundText(text, 1_000);
        expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(1_000);
        if (Buffer.byteLength(text) <= 1_000) expect(bounded).toBe(text);
        else expect(text.startsWith(JSON.parse(bounded).truncated.head)).toBe(true);
      }),
    );
  });
});

describe('history', () => {
  it('has one row an exchange, open where no end was recorded', () => {
    let now = 1_000;
    const journal = openJournal(':memory:', { now: () => now++ });
    journal.append(event({ exchangeId: 'a' }));
    journal.append(event({ exchangeId: 'b' }));
    journal.append(event({ exchangeId: 'b', kind: 'response', outcome: 'provider-error', errorCode: 'CONFLICT' }));
    journal.append(event({ exchangeId: 'b', kind: 'notice' }));
    journal.append(event({ exchangeId: 'c', kind: 'notice', tool: null }));
    const { rows, total } = journal.history({ search: '', beforeSeq: null, limit: 2 });
    expect(total).toBe(3);
    expect(rows.map((row) => [row.exchangeId, row.state, row.errorCode, row.startedAtMs, row.endedAtMs])).toEqual([
      ['c', 'notice', null, 1_004, null],
      ['b', 'provider-error', 'CONFLICT', 1_001, 1_002],
    ]);
    const older = journal.history({ search: '', beforeSeq: rows[1]?.seq ?? null, limit: 2 });
    expect(older.rows.map((row) => [row.exchangeId, row.state])).toEqual([['a', 'open']]);
    expect(older.total).toBe(3);
    journal.close();
  });

  it('finds a text in any event of an exchange, and takes % and _ as they are', () => {
    const journal = openJournal(':memory:');
    const args = JSON.stringify({ symbol: 'ABC', note: '价格提醒', url: 'https://acme.test/x' });
    journal.append(event({ exchangeId: 'args', payload: { extras: [{ key: 'args', t: 'string', v: args }] } }));
    journal.append(event({ exchangeId: 'percent', tool: 'rate_limit', payload: '100%_done', requestId: 'r-77' }));
    const escaped = '{"m":"\\u63d0\\u9192","u":"https:\\/\\/acme.test\\/x"}';
    journal.append(event({ exchangeId: 'late', providerKey: 'org.other/S', tool: null }));
    journal.append(
      event({ exchangeId: 'late', kind: 'response', payload: { data: escaped }, errorCode: 'RATE_LIMITED' }),
    );
    expect(find(journal, '"symbol":"ABC"')).toEqual(['args']);
    expect(find(journal, '提醒')).toEqual(['late', 'args']);
    expect(find(journal, 'https://acme.test/x')).toEqual(['late', 'args']);
    expect(find(journal, 'abc')).toEqual(['args']);
    expect(find(journal, '0%_d')).toEqual(['percent']);
    expect(find(journal, '%')).toEqual(['percent']);
    expect(find(journal, 'rate_limit')).toEqual(['late', 'percent']);
    expect(find(journal, 'creat_')).toEqual([]);
    expect(find(journal, 'R-77')).toEqual(['percent']);
    expect(find(journal, 'rate_limited')).toEqual(['late']);
    expect(find(journal, 'org.other')).toEqual(['late']);
    expect(find(journal, "nothing' OR 1=1 --")).toEqual([]);
    expect(journal.history({ search: '提醒', beforeSeq: 2, limit: 10 })).toMatchObject({ total: 2, rows: [{}] });
    journal.close();
  });
});

describe('files', () => {
  it('is private to the user', () => {
    openJournal(file).close();
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('refuses a newer version and leaves it as it is', () => {
    openJournal(file).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 99; CREATE TABLE later (a)');
    db.close();
    const before = readFileSync(file);
    expect(problemOf(() => openJournal(file))).toMatchObject({
      code: 'journal-newer',
      params: { version: 99, supported: migrations.at(-1)?.version ?? 0 },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("refuses another program's database", () => {
    openJournal(file).close();
    rmSync(file);
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE bookmarks (a)');
    db.close();
    expect(problemOf(() => openJournal(file)).code).toBe('journal-foreign');
  });

  it('says so when a folder cannot be made', () => {
    writeFileSync(join(folder, 'deep'), 'a file');
    const found = problemOf(() => openJournal(file));
    expect(found.code).toBe('journal-cannot-open');
    expect(found.raw).toContain('EEXIST');
  });

  it.each([
    ['no database', (bytes: Buffer) => bytes.fill(7, 0, 64)],
    ['a damaged page', (bytes: Buffer) => bytes.fill(0xee, 4_096)],
  ])('moves a damaged file aside with a notice: %s', (_name, damage) => {
    const first = openJournal(file);
    for (let i = 0; i < 50; i++) first.append(event({ exchangeId: `e${i}`, payload: 'y'.repeat(3_000) }));
    first.close();
    const bytes = damage(readFileSync(file));
    writeFileSync(file, bytes);
    const notices: Problem[] = [];
    const journal = openJournal(file, { now: () => Date.UTC(2026, 8, 2), onNotice: (notice) => notices.push(notice) });
    const movedTo = `${file}.damaged-20260902T000000Z`;
    expect(notices).toMatchObject([{ code: 'journal-damaged', params: { file, movedTo } }]);
    expect(readFileSync(movedTo).equals(bytes)).toBe(true);
    expect(journal.history({ search: '', beforeSeq: null, limit: 5 }).rows).toMatchObject([
      { state: 'notice', errorCode: 'journal-damaged' },
    ]);
    journal.close();
    writeFileSync(file, damage(Buffer.alloc(8_192, 1)));
    openJournal(file, { now: () => Date.UTC(2026, 8, 2) }).close();
    expect(readdirSync(join(folder, 'deep'))).toContain('journal.sqlite.damaged-20260902T000000Z-2');
  });
});

describe('processes', () => {
  it('has every acknowledged event after kill -9 in the middle of a burst', async () => {
    const child = burst('kill', 1_000_000);
    const acknowledged = await lines(child, 200, () => child.kill('SIGKILL'));
    const journal = openJournal(file);
    for (const line of acknowledged) {
      const [seq, exchangeId] = line.split(' ');
      const [stored] = journal.events(exchangeId ?? '');
      expect(stored?.seq).toBe(Number(seq));
      expect(JSON.parse(stored?.data ?? '').text).toHaveLength(2_000);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    journal.close();
  });

  it('serves several processes on one new file', async () => {
    const children = ['a', 'b', 'c'].map((name) => burst(name, 60));
    const printed = await Promise.all(children.map((child) => lines(child, 60, () => {})));
    const journal = openJournal(file);
    expect(printed.map((list) => list.length)).toEqual([60, 60, 60]);
    expect(journal.history({ search: '', beforeSeq: null, limit: 1 }).total).toBe(180);
    journal.close();
  });

  function burst(name: string, count: number): ChildProcess {
    const script = fileURLToPath(new URL('./fixtures/burst.ts', import.meta.url));
    return spawn(process.execPath, [script, file, name, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  }
});

/** The whole lines that a child printed until it ended; `enough` is called once at `count` lines. */
async function lines(child: ChildProcess, count: number, enough: () => void): Promise<string[]> {
  let text = '';
  let told = false;
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!told && text.split('\n').length > count) {
      told = true;
      enough();
    }
  });
  await once(child, 'close');
  return text.split('\n').slice(0, -1);
}
