import type { DeviceObject } from '../../virtual-device.ts';
import { jsonText, NO_OBJECTS } from '../bundles.ts';
import type { ToolOutcome } from './definition.ts';
import { INTERRUPTED, type OperationRecord, restored, stored } from './durable.ts';
import { errorObject, V2Error } from './envelope.ts';
import type { ExecutionKey } from './executions.ts';

/** A JSON text of `data`, and the objects that stand beside it in the Bundle. */
export interface Delivery {
  readonly text: string;
  readonly objects: Readonly<Record<string, DeviceObject>>;
}

export const POLL_AFTER_MS = 250;

export interface OperationRules {
  /** `get_operation` answers before the terminal one. */
  readonly steps: number;
  readonly ttlMs: number;
  readonly now: () => number;
  /** Makes the effect; `commit` is called in one step with it. */
  readonly work: (record: OperationRecord, commit: (outcome: ToolOutcome) => void) => Promise<ToolOutcome>;
  /** The cancel of this operation comes too late, though it was acknowledged. */
  readonly cancelLoses: (record: OperationRecord) => boolean;
  /** A broken Provider makes the effect although it said `cancelled`. */
  readonly actsAfterCancel: (record: OperationRecord) => boolean;
}

/**
 * Background operations. They survive a process restart. One moves a step with
 * each status query, so that a run is the same however fast it is polled; its
 * effect happens in the last step.
 */
export class Operations {
  private readonly records = new Map<string, OperationRecord>();
  private readonly rules: OperationRules;
  private readonly steps: number;
  private count: number;

  constructor(rules: OperationRules, saved: { records: readonly OperationRecord[]; count: number }) {
    this.rules = rules;
    this.steps = Math.max(1, rules.steps);
    for (const record of saved.records) this.records.set(record.id, { ...record });
    this.count = saved.count;
    this.recover();
  }

  start({ uid, requestId, tool, argsText }: ExecutionKey): string {
    const id = `op_${++this.count}`;
    this.records.set(id, {
      id,
      uid,
      requestId,
      tool,
      argsText,
      createdAtMs: this.rules.now(),
      state: 'queued',
      step: 0,
      cancelRequested: false,
      committing: false,
      outcome: null,
    });
    return id;
  }

  /** `get_operation`; `deliver` makes the result envelope of a success. */
  async query(
    uid: number,
    requestId: string,
    id: string | null,
    deliver: (outcome: Exclude<ToolOutcome, { kind: 'error' }>, tool: string) => Delivery,
  ): Promise<Delivery> {
    const record = this.require(uid, requestId, id);
    await this.advance(record);
    const head = `"operation_id":${jsonText(record.id)},"state":${jsonText(record.state)}`;
    const outcome = record.outcome === null ? null : restored(record.outcome);
    if (record.state === 'succeeded' && (outcome?.kind === 'value' || outcome?.kind === 'file')) {
      const { text, objects } = deliver(outcome, record.tool);
      return { text: `{${head},"result":${text}}`, objects };
    }
    if (record.state === 'failed' && outcome?.kind === 'error') {
      return { text: `{${head},"error":${errorObject(V2Error.of(outcome))}}`, objects: NO_OBJECTS };
    }
    if (record.state === 'cancelled') return { text: `{${head}}`, objects: NO_OBJECTS };
    const progress = { current: record.step, total: this.steps, message: 'Working' };
    return {
      text: `{${head},"progress":${jsonText(progress)},"poll_after_ms":${POLL_AFTER_MS}}`,
      objects: NO_OBJECTS,
    };
  }

  /** `cancel_operation`: an acknowledgement only. Throws CONFLICT when the effect is done. */
  cancel(uid: number, requestId: string, id: string | null): string {
    const record = this.require(uid, requestId, id);
    if (record.committing) {
      throw new V2Error('CONFLICT', 'The effect is committed already');
    }
    record.cancelRequested = true;
    return jsonText({ operation_id: record.id, state: 'cancellation_requested' });
  }

  /** The tool of an operation, whoever asks; null where there is none. */
  toolOf(id: string | null): string | null {
    return id === null ? null : (this.records.get(id)?.tool ?? null);
  }

  /** The process died; `isForgotten` names the operations that a broken Provider loses with it. */
  restart(isForgotten: (tool: string) => boolean): void {
    for (const [id, record] of this.records) if (isForgotten(record.tool)) this.records.delete(id);
    this.recover();
  }

  snapshot(): { readonly records: readonly OperationRecord[]; readonly count: number } {
    return { records: [...this.records.values()].map((record) => ({ ...record })), count: this.count };
  }

  private async advance(record: OperationRecord): Promise<void> {
    if (record.state !== 'queued' && record.state !== 'running') return;
    if (record.committing) return;
    if (record.cancelRequested && !this.rules.cancelLoses(record)) {
      record.state = 'cancelled';
      if (this.rules.actsAfterCancel(record)) await this.rules.work(record, () => {});
      return;
    }
    if (record.step < this.steps) {
      record.state = record.step === 0 ? 'queued' : 'running';
      record.step++;
      return;
    }
    // Set before the work starts: a concurrent query must not run it twice, a cancel comes too late.
    record.committing = true;
    record.state = 'running';
    const end = (outcome: ToolOutcome): void => {
      if (record.outcome !== null) return;
      record.outcome = stored(outcome);
      record.state = outcome.kind === 'error' ? 'failed' : 'succeeded';
    };
    end(await this.rules.work(record, end));
  }

  /** What a death cut off in the middle of its effect failed truthfully; everything else goes on. */
  private recover(): void {
    for (const record of this.records.values()) {
      if (!record.committing || record.outcome !== null) continue;
      record.outcome = stored(INTERRUPTED);
      record.state = 'failed';
    }
  }

  /** Another caller's operation is as unknown as one that never was (4.4). */
  private require(uid: number, requestId: string, id: string | null): OperationRecord {
    const record = id === null ? undefined : this.records.get(id);
    if (!record || record.uid !== uid) throw new V2Error('INVALID_REQUEST', 'No such operation');
    // The same UUID, however it is written.
    if (record.requestId.toLowerCase() !== requestId.toLowerCase()) {
      throw new V2Error('INVALID_REQUEST', 'request_id is not the one that created the operation');
    }
    if (record.createdAtMs + this.rules.ttlMs <= this.rules.now()) {
      throw new V2Error('RESULT_EXPIRED', 'The operation is older than it is kept');
    }
    return record;
  }
}
