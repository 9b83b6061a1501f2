import { setTimeout as delay } from 'node:timers/promises';
import type { CallRecord, PreparedCall } from '../shared/model/call.ts';
import type { CommandContext } from './context.ts';

/** A longer wait is left to a person, in ms. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

/**
 * `--retry N`: the same execution again while the Provider's error lets a Consumer repeat it by itself (v2 5), after
 * the wait that it names. Each attempt is told. An interrupt ends the wait, with the record so far.
 */
export async function repeat(context: CommandContext, first: CallRecord): Promise<CallRecord> {
  const { client, terminal, options, signal } = context;
  let record = first;
  for (let left = options.retry; left > 0 && record.outcome?.kind === 'provider-error'; left--) {
    const { retry, outcome } = record;
    if (retry === null || !retry.automatic || signal.aborted) return record;
    // An error that names no wait is not answered by a storm.
    const waitMs = Math.max(retry.notBeforeMs - Date.now(), outcome.retryAfterMs === null ? 1000 : 0, 0);
    if (waitMs > LONGEST_WAIT_MS) {
      terminal.notice(terminal.t('cli.retryStops', { reason: `retry_after_ms=${outcome.retryAfterMs ?? ''}` }));
      return record;
    }
    const seconds = (waitMs / 1000).toFixed(1);
    terminal.notice(terminal.t('cli.retryWaits', { attempt: record.attempt, code: outcome.errorCode, seconds }));
    // A timer may be a moment early, and the host refuses what is.
    const waited = await delay(waitMs + 2, true, { signal }).catch(() => false);
    if (!waited) return record;
    record = await client.calls.retry({ callId: record.id, confirmed: options.yes, deliberate: false });
  }
  return record;
}

/** The id of the attempt that is under way; of the first where none is known. */
export async function attemptUnderWay({ client }: CommandContext, prepared: PreparedCall): Promise<string> {
  const { deviceKey, userId, providerKey } = prepared.draft;
  const stop = new AbortController();
  try {
    for await (const calls of await client.calls.watch({ deviceKey, userId, providerKey }, { signal: stop.signal })) {
      const running = calls.find((one) => one.endedAtMs === null && one.prepared.requestId === prepared.requestId);
      return running?.id ?? prepared.id;
    }
  } finally {
    stop.abort();
  }
  return prepared.id;
}
