import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CallOutcome, CallRecord } from '../shared/model/call.ts';
import { MAX_RESULT_PART } from '../shared/model/file-state.ts';
import { ProblemError, problem } from '../shared/model/problem.ts';
import type { CommandContext } from './context.ts';
import { UsageError } from './options.ts';

/** Before anything is sent: a file that is there stays as it is, unless `--force`. Throws `UsageError`. */
export function checkOut({ options, terminal }: CommandContext): void {
  const { out, force } = options;
  if (out === null) return;
  if (!force && existsSync(out)) throw new UsageError(terminal.t('cli.outExists', { file: out }));
  if (!existsSync(path.dirname(path.resolve(out)))) throw new UsageError(terminal.t('cli.outNoFolder', { file: out }));
}

/**
 * Writes what a call brought to `--out`: the bytes of its file as they came, also where they are not as declared, or its
 * whole value. Null: it brought neither. Throws `ProblemError` (`out-failed`) and leaves no half of a file then.
 */
export async function writeOut(
  context: CommandContext,
  record: CallRecord,
): Promise<{ path: string; bytes: number } | null> {
  const { out, force } = context.options;
  const { outcome } = record;
  if (out === null || outcome?.kind !== 'success') return null;
  const isFile = outcome.file !== null && (outcome.file.received?.sha256 ?? null) !== null;
  if (!isFile && (outcome.valueText === null || outcome.valueTruncated)) return null;
  let file: FileHandle | null = null;
  try {
    file = await open(out, force ? 'w' : 'wx', 0o600);
    const bytes = isFile
      ? await copyResult(context, record.id, file)
      : (await file.write(outcome.valueText ?? '')).bytesWritten;
    await file.close();
    return { path: out, bytes };
  } catch (error) {
    await file?.close().catch(() => {});
    if (file !== null) await rm(out, { force: true });
    if (error instanceof ProblemError || !(error instanceof Error)) throw error;
    throw new ProblemError(problem('out-failed', { file: out }, error.message));
  }
}

async function copyResult({ client, signal }: CommandContext, callId: string, file: FileHandle): Promise<number> {
  let offset = 0;
  for (;;) {
    const part = await client.results.read({ callId, offset, length: MAX_RESULT_PART, as: 'base64' }, { signal });
    const bytes = Buffer.from(part.base64 ?? '', 'base64');
    for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
    offset += bytes.length;
    if (bytes.length === 0 || offset >= part.totalBytes) return offset;
  }
}

/** The facts of a file result for `--json`, and for a terminal without `--out`. */
export function fileFacts(outcome: Extract<CallOutcome, { kind: 'success' }>) {
  const { file, outputVerdict } = outcome;
  if (file === null) throw new Error('The result is no file.');
  const { received, ...declared } = file;
  return { kind: 'file', verified: received?.state === 'verified', declared, received, outputVerdict };
}
