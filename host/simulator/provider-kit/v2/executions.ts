import { createHash } from 'node:crypto';
import type { ToolOutcome } from './definition.ts';
import { V2Error } from './envelope.ts';

/** How an execution came out: a result, a background operation, or an error that is final for its id. */
export type ExecutionOutcome = ToolOutcome | { readonly kind: 'accepted'; readonly operationId: string };

/** One logical execution, as its caller named it. */
export interface ExecutionKey {
  readonly uid: number;
  readonly requestId: string;
  readonly tool: string;
  readonly argsText: string;
}

interface Entry {
  readonly content: string;
  readonly startedAtMs: number;
  outcome: Promise<ExecutionOutcome> | null;
}

/**
 * The durable record of executions with effects, by caller and request id
 * (section 6): one executor an id, and the same outcome ever after.
 */
export class Executions {
  private readonly entries = new Map<string, Entry>();
  private readonly windowMs: number;
  private readonly now: () => number;

  constructor(windowMs: number, now: () => number) {
    this.windowMs = windowMs;
    this.now = now;
  }

  /**
   * Binds an id to its call at the first arrival, and gives the outcome that was
   * recorded since, or null. Throws INVALID_REQUEST where the id stood for another call.
   */
  claim(call: ExecutionKey): Promise<ExecutionOutcome> | null {
    const key = entryKey(call);
    const known = this.entries.get(key);
    if (!known || known.startedAtMs + this.windowMs <= this.now()) {
      this.entries.set(key, { content: content(call), startedAtMs: this.now(), outcome: null });
      return null;
    }
    if (known.content !== content(call)) {
      throw new V2Error('INVALID_REQUEST', 'request_id was used for another tool or other arguments');
    }
    return known.outcome;
  }

  /** Records what `execute` comes to, from its start on. */
  run(call: ExecutionKey, execute: () => Promise<ExecutionOutcome>): Promise<ExecutionOutcome> {
    const outcome = execute();
    const entry = this.entries.get(entryKey(call));
    if (entry) entry.outcome = outcome;
    return outcome;
  }
}

function entryKey(call: ExecutionKey): string {
  return `${call.uid}|${call.requestId}`;
}

function content(call: ExecutionKey): string {
  return createHash('sha256')
    .update(JSON.stringify([call.tool, call.argsText]))
    .digest('hex');
}
