import { createHash } from 'node:crypto';
import type { ToolOutcome } from './definition.ts';
import { V2Error } from './envelope.ts';

/** How an execution came out: a result, a background operation, or an error that is final for its id. */
export type ExecutionOutcome = ToolOutcome | { readonly kind: 'accepted'; readonly operationId: string };

interface Entry {
  readonly content: string;
  readonly startedAtMs: number;
  readonly outcome: Promise<ExecutionOutcome>;
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

  /** The recorded outcome of an id, or null. Throws INVALID_REQUEST where the id stood for another call. */
  find(uid: number, requestId: string, tool: string, argsText: string): Promise<ExecutionOutcome> | null {
    const key = `${uid}|${requestId}`;
    const entry = this.entries.get(key);
    if (!entry) return null;
    if (entry.startedAtMs + this.windowMs <= this.now()) {
      this.entries.delete(key);
      return null;
    }
    if (entry.content !== content(tool, argsText)) {
      throw new V2Error('INVALID_REQUEST', 'request_id was used for another tool or other arguments');
    }
    return entry.outcome;
  }

  /** Reserves the id at once and records whatever `execute` comes to. */
  run(
    call: { readonly uid: number; readonly requestId: string; readonly tool: string; readonly argsText: string },
    execute: () => Promise<ExecutionOutcome>,
  ): Promise<ExecutionOutcome> {
    const outcome = execute();
    this.entries.set(`${call.uid}|${call.requestId}`, {
      content: content(call.tool, call.argsText),
      startedAtMs: this.now(),
      outcome,
    });
    return outcome;
  }
}

function content(tool: string, argsText: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, argsText]))
    .digest('hex');
}
