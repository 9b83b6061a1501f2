import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { translateIfKnown } from '../../shared/i18n/translate.ts';
import type { CallOutcome, CallRecord, PreparedCall } from '../../shared/model/call.ts';
import type { CommandContext } from '../context.ts';
import { type Copy, copiesOf } from '../copies.ts';
import { EXIT, type ExitCode, exitOfOutcome } from '../exit-codes.ts';
import { Interrupted, unlessInterrupted } from '../interrupt.ts';
import { UsageError } from '../options.ts';
import { checkOut, fileFacts, writeOut } from '../result-out.ts';
import { asks, ofRequest, resume } from '../resume.ts';
import { attemptUnderWay, repeat } from '../retry.ts';
import { selectDevice, selectProvider } from '../select.ts';
import { followToEnd, withoutResult } from '../wait.ts';

/** Longest arguments read from a file or standard input, in bytes. */
const MAX_ARGS_BYTES = 8 * 1024 * 1024;

/** Between two requests to cancel, in ms: the first may overtake the call itself. */
const CANCEL_AGAIN_MS = 50;

export async function call(context: CommandContext): Promise<ExitCode> {
  const { client, options, signal } = context;
  checkOut(context);
  const prepared = await unlessInterrupted(signal, prepare(context));
  const refusal = refuse(context, prepared);
  if (refusal !== null) return refusal;

  // Nothing was sent so far, and nothing is after an interrupt.
  if (signal.aborted) throw new Interrupted();
  const ended = new AbortController();
  const cancel = () => void cancelUntil(context, prepared, ended.signal);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const record = await client.calls.run({ preparedId: prepared.id, confirmed: options.yes, force: options.force });
    const copies = await copiesOf(context, record);
    return await end(context, await resume(context, await repeat(context, record)), copies);
  } finally {
    ended.abort();
    signal.removeEventListener('abort', cancel);
  }
}

/** `--wait`: the end of the operation stands for that of the call. */
async function end(context: CommandContext, record: CallRecord, copies: readonly Copy[] | null): Promise<ExitCode> {
  if (!context.options.wait || record.outcome?.kind !== 'accepted') return report(context, record, copies);
  context.terminal.findings(record.outcome.findings);
  const operation = await followToEnd(context, record);
  if (operation === null) return report(context, record, copies);
  if (operation.outcome === null) return withoutResult(context, operation);
  return report(context, { ...record, id: operation.callId, outcome: operation.outcome }, copies);
}

async function prepare(context: CommandContext): Promise<PreparedCall> {
  const { client, terminal, options, signal } = context;
  const [name, tool] = options.positionals;
  if (name === undefined || tool === undefined) throw new UsageError(terminal.t('cli.needsProviderAndTool'));
  const argsText = await readArgs(context);
  const device = await selectDevice(context);
  const provider = await selectProvider(context, device, name);
  const target = { deviceKey: device.key, userId: options.user, providerKey: provider.key };
  // The catalog tells the schema and the effect; without it the call is refused below, with the reason.
  await client.catalog.get({ ...target, refresh: false }, { signal });
  return client.calls.prepare({
    ...target,
    tool,
    argsText,
    timeoutMs: options.timeoutMs,
    deadlineAtMs: options.deadlineAtMs,
    requestId: options.requestId ?? (provider.protocol === 'v1' ? null : randomUUID()),
    deliberate: ofRequest(options.breaks),
    times: options.times,
  });
}

async function cancelUntil(context: CommandContext, prepared: PreparedCall, ended: AbortSignal): Promise<void> {
  try {
    while (!ended.aborted) {
      const callId = context.options.retry === 0 ? prepared.id : await attemptUnderWay(context, prepared);
      const { cancelled } = await context.client.calls.cancel({ callId });
      if (cancelled) return;
      await delay(CANCEL_AGAIN_MS, undefined, { signal: ended });
    }
  } catch {
    // The call ended, or the host is gone: its own end tells which.
  }
}

/** What this command line refuses to send; warnings are told and do not stop. */
function refuse({ terminal, options }: CommandContext, prepared: PreparedCall): ExitCode | null {
  for (const warning of prepared.warnings) terminal.problem(warning);
  const invalid = prepared.argsVerdict.state === 'invalid';
  if (invalid) {
    terminal.notice(terminal.t('cli.argsInvalid'));
    for (const issue of prepared.argsVerdict.issues) terminal.notice(`  ${issue.pointer || '/'}: ${issue.message}`);
  }
  for (const problem of prepared.refusals) terminal.problem(problem);
  if (prepared.hasEffect && !options.yes) {
    terminal.notice(terminal.t('cli.needsYes', { tool: prepared.draft.tool }));
    return finish(terminal, options.json, prepared, 'needs-yes');
  }
  if ((invalid || prepared.refusals.length > 0) && !options.force) {
    terminal.notice(terminal.t('cli.forceHint'));
    return finish(terminal, options.json, prepared, 'refused');
  }
  return null;
}

function finish(terminal: CommandContext['terminal'], json: boolean, prepared: PreparedCall, reason: string): ExitCode {
  if (json) {
    const { argsVerdict, refusals, hasEffect } = prepared;
    terminal.json(JSON.stringify({ status: 'refused', reason, hasEffect, argsVerdict, refusals }, null, 2));
  }
  return EXIT.refused;
}

async function report(
  context: CommandContext,
  record: CallRecord,
  copies: readonly Copy[] | null = null,
): Promise<ExitCode> {
  const { terminal, options } = context;
  const { outcome } = record;
  if (outcome === null) throw new Error('A finished call has no outcome.');
  terminal.findings(outcome.findings);
  const out = await writeOut(context, record);
  if (options.json) terminal.json(jsonOf(record, outcome, out, copies));
  else if (out !== null && outcome.kind === 'success' && outcome.file === null) verdictOf(terminal, outcome);
  else print(terminal, outcome);
  if (!options.json && !options.resume && asks(record)) terminal.notice(terminal.t('cli.resumeHint'));
  if (out !== null) terminal.notice(terminal.t('cli.outWritten', { file: out.path, bytes: out.bytes }));
  else if (options.out !== null && outcome.kind === 'accepted') {
    terminal.notice(terminal.t('cli.outNotYet', { file: options.out }));
  }
  return exitOfOutcome(outcome);
}

/** The value goes in as its own text, so that every digit stays. */
function jsonOf(
  record: CallRecord,
  outcome: CallOutcome,
  out: { path: string; bytes: number } | null,
  copies: readonly Copy[] | null,
): string {
  const head = {
    status: outcome.kind,
    requestId: record.prepared.requestId,
    attempt: record.attempt,
    durationMs: record.durationMs,
    wireSha256: record.prepared.wireSha256,
    ...(record.prepared.resumes === null ? {} : { resumes: record.prepared.resumes }),
    ...(record.prepared.deliberate.length === 0 ? {} : { deliberate: record.prepared.deliberate }),
    ...(copies === null ? {} : { copies }),
  };
  if (outcome.kind === 'success' && outcome.file !== null) {
    return JSON.stringify({ ...head, ...fileFacts(outcome), findings: outcome.findings, out }, null, 2);
  }
  if (outcome.kind !== 'success' || outcome.valueText === null) {
    return JSON.stringify({ ...head, outcome }, null, 2);
  }
  const { valueText, valueTruncated, outputVerdict, findings } = outcome;
  const rest = JSON.stringify({ ...head, outputVerdict, findings, valueTruncated, ...(out === null ? {} : { out }) });
  return `${rest.slice(0, -1)},"value":${valueTruncated ? JSON.stringify(valueText) : valueText}}`;
}

function verdictOf(terminal: CommandContext['terminal'], { outputVerdict }: CallOutcome & { kind: 'success' }): void {
  if (outputVerdict.state !== 'invalid') return;
  terminal.notice(terminal.t('cli.outputInvalid'));
  for (const issue of outputVerdict.issues) terminal.notice(`  ${issue.pointer || '/'}: ${issue.message}`);
}

function print(terminal: CommandContext['terminal'], outcome: CallOutcome): void {
  switch (outcome.kind) {
    case 'success':
      verdictOf(terminal, outcome);
      if (outcome.valueTruncated) terminal.notice(terminal.t('cli.valueCut', { length: outcome.valueLength }));
      if (outcome.valueText !== null) terminal.json(outcome.valueText);
      else if (outcome.file !== null) {
        const { problem: stopped = null, state = 'unread' } = outcome.file.received ?? {};
        terminal.notice(terminal.t('cli.fileState', { state: terminal.t(`fileState.${state}`) }));
        if (stopped !== null) terminal.problem(stopped);
        terminal.json(JSON.stringify(fileFacts(outcome), null, 2));
      }
      return;
    case 'accepted':
      terminal.notice(terminal.t('cli.accepted'));
      terminal.notice(terminal.t('cli.acceptedHint'));
      terminal.json(JSON.stringify({ operation_id: outcome.operationId, poll_after_ms: outcome.pollAfterMs }));
      return;
    case 'provider-error': {
      const meaning = translateIfKnown(terminal.locale, `errorCode.${outcome.errorCode}`);
      terminal.notice(
        terminal.t('cli.providerError', { code: outcome.errorCode, message: outcome.errorMessage ?? '' }),
      );
      if (meaning !== null) terminal.notice(`  ${meaning}`);
      if (outcome.retryable !== null)
        terminal.notice(`  retryable=${outcome.retryable} retry_after_ms=${outcome.retryAfterMs ?? '–'}`);
      if (outcome.detailsText !== null) terminal.notice(`  | ${outcome.detailsText}`);
      if (outcome.resolutionHint !== null) terminal.notice(`  | ${outcome.resolutionHint}`);
      return;
    }
    default:
      terminal.problem(outcome.problem);
  }
}

/** `JSON`, `@FILE`, or `-` for standard input; `{}` without. Files and input are taken byte for byte. */
async function readArgs({ options: { args }, terminal }: CommandContext): Promise<string> {
  if (args === null) return '{}';
  if (args !== '-' && !args.startsWith('@')) {
    // Bytes of the command line that are no UTF-8 have become U+FFFD before we saw them.
    if (args.includes('\ufffd')) terminal.notice(terminal.t('cli.replacedBytes'));
    return args;
  }
  let bytes: Buffer;
  try {
    bytes = await readAll(args === '-' ? process.stdin : createReadStream(args.slice(1)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--args ${args}: ${error instanceof Error ? error.message : String(error)}`);
  }
  // Decoding would put U+FFFD in its place: something else than what was asked for.
  if (!isUtf8(bytes)) throw new UsageError(`--args ${args}: ${terminal.t('cli.notUtf8')}`);
  return bytes.toString('utf8');
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > MAX_ARGS_BYTES) throw new UsageError(`--args: > ${MAX_ARGS_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
