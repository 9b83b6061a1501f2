import { createHash } from 'node:crypto';
import { type ExecutionOutcome, type ExecutionRecord, INTERRUPTED, restored, stored } from './durable.ts';
import { V2Error } from './envelope.ts';

/** One logical execution, as its caller named it. */
export interface ExecutionKey {
  readonly uid: number;
  readonly requestId: string;
  readonly tool: string;
  readonly argsText: string;
}

/** What `claim` found under an id. */
export interface Claim {
  /** The recorded outcome, or the one that a running executor comes to; null: nobody executes it yet. */
  readonly known: Promise<ExecutionOutcome> | null;
  readonly isRunning: boolean;
}

/**
 * The durable record of executions, by caller, Provider and request id
 * (section 6): one executor an id, and the same outcome ever after.
 */
export class Executions {
  private readonly records: Map<string, ExecutionRecord>;
  /** Executors of this process. */
  private running = new Map<string, Promise<ExecutionOutcome>>();
  private readonly providerId: string;
  private readonly windowMs: number;
  private readonly now: () => number;

  constructor(providerId: string, windowMs: number, now: () => number, records: readonly ExecutionRecord[] = []) {
    this.providerId = providerId;
    this.windowMs = windowMs;
    this.now = now;
    this.records = new Map(records.map((record) => [this.keyOf(record), { ...record }]));
    this.recover();
  }

  /**
   * Binds an id to its call at the first arrival. Throws INVALID_REQUEST where the
   * id stands for another call; with `rebind` the other call takes its place instead.
   */
  claim(call: ExecutionKey, rebind = false): Claim {
    const key = this.keyOf(call);
    const record = this.records.get(key);
    const contentSha256 = digest(call);
    const isOther = record !== undefined && record.contentSha256 !== contentSha256;
    if (!record || record.startedAtMs + this.windowMs <= this.now() || (isOther && rebind)) {
      const { uid, requestId, tool } = call;
      const startedAtMs = this.now();
      const { providerId } = this;
      this.running.delete(key);
      this.records.set(key, { uid, providerId, requestId, tool, contentSha256, startedAtMs, begun: false, end: null });
      return { known: null, isRunning: false };
    }
    if (isOther) throw new V2Error('INVALID_REQUEST', 'request_id was used for another tool or other arguments');
    if (record.end !== null) return { known: Promise.resolve(restored(record.end)), isRunning: false };
    const running = this.running.get(key);
    return { known: running ?? null, isRunning: running !== undefined };
  }

  /**
   * Makes this call the executor of its id. `execute` gets `begin`, to call before an effect that it
   * awaits, and `commit`, to call in one step with an effect that it made.
   */
  run(call: ExecutionKey, execute: (mark: Marks) => Promise<ExecutionOutcome>): Promise<ExecutionOutcome> {
    const key = this.keyOf(call);
    const record = this.records.get(key);
    const marks: Marks = {
      begin: () => {
        if (record) record.begun = true;
      },
      commit: (outcome) => {
        if (!record) return;
        // An error that may be retried is no end: the same id may still come to one (5, 6).
        if (outcome.kind === 'error' && outcome.retryable) record.begun = false;
        else record.end ??= stored(outcome);
      },
    };
    const outcome = execute(marks);
    this.running.set(key, outcome);
    const over = (): void => {
      if (this.running.get(key) === outcome) this.running.delete(key);
    };
    outcome.then(over, over);
    return outcome;
  }

  /** The process died; `isForgotten` names the records that a broken Provider loses with it. */
  restart(isForgotten: (tool: string) => boolean): void {
    this.running = new Map();
    for (const [key, record] of this.records) if (isForgotten(record.tool)) this.records.delete(key);
    this.recover();
  }

  snapshot(): readonly ExecutionRecord[] {
    return [...this.records.values()].map((record) => ({ ...record }));
  }

  /** Work that had begun and has no end failed truthfully; work that had not may run again. */
  private recover(): void {
    for (const record of this.records.values()) {
      if (record.begun && record.end === null) record.end = stored(INTERRUPTED);
    }
  }

  private keyOf(call: { readonly uid: number; readonly requestId: string }): string {
    return JSON.stringify([call.uid, this.providerId, call.requestId.toLowerCase()]);
  }
}

export interface Marks {
  begin(): void;
  commit(outcome: ExecutionOutcome): void;
}

function digest(call: ExecutionKey): string {
  return createHash('sha256')
    .update(JSON.stringify([call.tool, call.argsText]))
    .digest('hex');
}
