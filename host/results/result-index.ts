import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { KeptResult } from '../../shared/model/result-file.ts';
import { resultPath } from './receive-file.ts';

/** What is known of a result on disk, beside it as JSON, so that it outlives the app. */
export const IndexEntry = KeptResult.omit({ keptBytes: true }).extend({
  version: z.literal(1),
  deviceKey: z.string(),
  providerKey: z.string(),
  /** Of the process that reads it, while it comes. */
  pid: z.number(),
});
export type IndexEntry = z.infer<typeof IndexEntry>;

/** What may stay: results that ended longer ago go, then the oldest until the rest fits. The newest always stays. */
export interface KeepPolicy {
  readonly maxAgeMs: number;
  readonly maxTotalBytes: number;
}

/** Of one that is being written by some process right now, at most this old, in ms. */
const FRESH_MS = 60_000;

export function entryPath(folder: string, callId: string): string | null {
  const target = resultPath(folder, callId);
  return target === null ? null : target.replace(/\.result$/, '.json');
}

export async function writeEntry(folder: string, entry: IndexEntry): Promise<void> {
  const target = entryPath(folder, entry.callId);
  if (target === null) throw new Error(`Not the id of a call: ${entry.callId}`);
  await writeFile(target, JSON.stringify(entry), { mode: 0o600 });
}

/** Null: there is none, or it cannot be read as one. */
export async function readEntry(folder: string, callId: string): Promise<IndexEntry | null> {
  const target = entryPath(folder, callId);
  if (target === null) return null;
  try {
    const parsed = IndexEntry.safeParse(JSON.parse(await readFile(target, 'utf8')));
    return parsed.success && parsed.data.callId === callId ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Whether some process still writes the file. */
export function isBeingWritten(entry: IndexEntry, changedAtMs: number, nowMs: number): boolean {
  if (entry.endedAtMs !== null || nowMs - changedAtMs > FRESH_MS || entry.pid === process.pid) return false;
  try {
    process.kill(entry.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Deletes what the policy does not keep, and what a crash left behind. Nothing but our own files is touched. */
export async function prune(
  folder: string,
  policy: KeepPolicy,
  { nowMs, inUse }: { readonly nowMs: number; readonly inUse: (callId: string) => boolean },
): Promise<void> {
  const found: { readonly callId: string; readonly bytes: number; readonly atMs: number }[] = [];
  for (const name of await names(folder)) {
    const callId = name.replace(/\.(result|json)$/, '');
    const target = resultPath(folder, callId);
    if (target === null || callId === name || inUse(callId)) continue;
    const facts = await stat(path.join(folder, name)).catch(() => null);
    if (facts === null || (name.endsWith('.json') && (await stat(target).catch(() => null)) !== null)) continue;
    const entry = await readEntry(folder, callId);
    if (entry !== null && isBeingWritten(entry, facts.mtimeMs, nowMs)) continue;
    // One without the other half is of no use; a process may just be making the second.
    const isWhole = entry !== null && name.endsWith('.result');
    if (isWhole) found.push({ callId, bytes: facts.size, atMs: entry.endedAtMs ?? facts.mtimeMs });
    else if (nowMs - facts.mtimeMs > FRESH_MS) await removeResult(folder, callId);
  }
  found.sort((a, b) => b.atMs - a.atMs);
  let total = 0;
  for (const [place, { callId, bytes, atMs }] of found.entries()) {
    total += bytes;
    const stays = nowMs - atMs <= policy.maxAgeMs && (place === 0 || total <= policy.maxTotalBytes);
    if (!stays) await removeResult(folder, callId);
  }
}

/** Removes a result with its entry; whether they were there does not matter. */
export async function removeResult(folder: string, callId: string): Promise<void> {
  const target = resultPath(folder, callId);
  const entry = entryPath(folder, callId);
  if (target === null || entry === null) return;
  await rm(target, { force: true });
  await rm(entry, { force: true });
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
