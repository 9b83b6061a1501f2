import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type IndexEntry, isBeingWritten, prune, readEntry, writeEntry } from './result-index.ts';
import { resultSettings } from './result-settings.ts';
import { NOTHING_CAME } from './result-state.ts';

const NOW = Date.UTC(2026, 8, 1);
const HOUR = 3_600_000;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-index-'));
});
afterEach(() => rm(folder, { recursive: true }));

function entry(callId: string, endedAtMs: number | null, pid = process.pid): IndexEntry {
  const file = { mediaType: null, sizeBytes: null, sha256: null, received: NOTHING_CAME };
  const outputVerdict = { state: 'not-checked' as const, issues: [], reason: 'test' };
  const at = { startedAtMs: NOW, endedAtMs };
  return {
    version: 1,
    callId,
    deviceKey: 'd',
    providerKey: 'p',
    tool: 't',
    ...at,
    pid,
    file,
    findings: [],
    outputVerdict,
  };
}

/** A kept result of so many bytes that ended so long ago. */
async function kept(bytes: number, ageMs: number): Promise<string> {
  const callId = randomUUID();
  await writeFile(path.join(folder, `${callId}.result`), Buffer.alloc(bytes));
  await writeEntry(folder, entry(callId, NOW - ageMs));
  return callId;
}

async function left(): Promise<readonly string[]> {
  return [...new Set((await readdir(folder)).map((name) => name.replace(/\.(json|result)$/, '')))].sort();
}

const run = (maxAgeMs: number, maxTotalBytes: number, inUse: (callId: string) => boolean = () => false) =>
  prune(folder, { maxAgeMs, maxTotalBytes }, { nowMs: NOW, inUse });

test('what ended too long ago goes, also where it is the newest', async () => {
  await kept(10, 25 * HOUR);
  await run(24 * HOUR, 1e9);
  expect(await left()).toEqual([]);
});

test('the oldest go until the rest fits; the newest stays, however large', async () => {
  const old = await kept(40, 3 * HOUR);
  const middle = await kept(40, 2 * HOUR);
  const newest = await kept(40, HOUR);
  await run(1e12, 80);
  expect(await left()).toEqual([middle, newest].sort());
  await run(1e12, 1);
  expect(await left()).toEqual([newest]);
  expect(await readEntry(folder, old)).toBe(null);
});

test('one in use, and files that are not ours, stay', async () => {
  const used = await kept(10, 25 * HOUR);
  await writeFile(path.join(folder, 'notes.json'), '{}');
  await run(HOUR, 1, (callId) => callId === used);
  expect(await left()).toEqual([used, 'notes'].sort());
});

test('half of a pair that a crash left goes once nobody can be making the other half', async () => {
  const callId = randomUUID();
  const lone = path.join(folder, `${callId}.result`);
  await writeFile(lone, 'x');
  await utimes(lone, NOW / 1000 - 10, NOW / 1000 - 10);
  await run(1e12, 1e9);
  expect(await left()).toEqual([callId]);
  await utimes(lone, NOW / 1000 - 120, NOW / 1000 - 120);
  await run(1e12, 1e9);
  expect(await left()).toEqual([]);
});

test('another process that lives and writes is left alone; a dead one, an old file and an ended one are not', () => {
  const other = process.ppid;
  expect(isBeingWritten(entry('c', null, other), NOW, NOW)).toBe(true);
  expect(isBeingWritten(entry('c', null, 2 ** 30), NOW, NOW)).toBe(false);
  expect(isBeingWritten(entry('c', null, other), NOW - 61_000, NOW)).toBe(false);
  expect(isBeingWritten(entry('c', NOW, other), NOW, NOW)).toBe(false);
});

test('an entry that is damaged, of another call or of no call counts as none', async () => {
  const callId = randomUUID();
  await writeFile(path.join(folder, `${callId}.json`), '{"version":2}');
  expect(await readEntry(folder, callId)).toBe(null);
  await writeFile(path.join(folder, `${callId}.json`), JSON.stringify(entry(randomUUID(), NOW)));
  expect(await readEntry(folder, callId)).toBe(null);
  expect(await readEntry(folder, '../journal')).toBe(null);
});

test.each([null, '', '0', '-1', '1.5', 'many', '9999999999'])('a setting of %j counts as not set', (text) => {
  const { maxFileBytes, maxAgeMs, maxTotalBytes } = resultSettings(() => text);
  expect([maxFileBytes, maxAgeMs, maxTotalBytes]).toEqual([2 * 1024 ** 3, 7 * 24 * HOUR, 8 * 1024 ** 3]);
});
