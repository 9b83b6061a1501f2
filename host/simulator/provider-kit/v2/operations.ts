import type { DeviceObject } from '../../virtual-device.ts';
import { jsonText, NO_OBJECTS } from '../bundles.ts';
import type { ToolOutcome } from './definition.ts';
import { errorObject, V2Error } from './envelope.ts';

/** A JSON text of `data`, and the objects that stand beside it in the Bundle. */
export interface Delivery {
  readonly text: string;
  readonly objects: Readonly<Record<string, DeviceObject>>;
}

type State = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

interface Operation {
  readonly id: string;
  readonly uid: number;
  readonly requestId: string;
  readonly work: () => Promise<ToolOutcome>;
  state: State;
  step: number;
  cancelRequested: boolean;
  /** The effect is being made, or was. */
  committing: boolean;
  outcome: ToolOutcome | null;
}

export const POLL_AFTER_MS = 250;

/**
 * Background operations. They survive a process restart. One moves a step with
 * each status query, so that a run is the same however fast it is polled; its
 * effect happens in the last step.
 */
export class Operations {
  private readonly operations = new Map<string, Operation>();
  private readonly steps: number;

  constructor(steps: number) {
    this.steps = Math.max(1, steps);
  }

  start(uid: number, requestId: string, work: () => Promise<ToolOutcome>): string {
    const id = `op_${this.operations.size + 1}`;
    this.operations.set(id, {
      id,
      uid,
      requestId,
      work,
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
    deliver: (outcome: Exclude<ToolOutcome, { kind: 'error' }>) => Delivery,
  ): Promise<Delivery> {
    const operation = this.require(uid, requestId, id);
    await this.advance(operation);
    const head = `"operation_id":${jsonText(operation.id)},"state":${jsonText(operation.state)}`;
    const { outcome } = operation;
    if (operation.state === 'succeeded' && outcome && outcome.kind !== 'error') {
      const { text, objects } = deliver(outcome);
      return { text: `{${head},"result":${text}}`, objects };
    }
    if (operation.state === 'failed' && outcome?.kind === 'error') {
      return { text: `{${head},"error":${errorObject(V2Error.of(outcome))}}`, objects: NO_OBJECTS };
    }
    if (operation.state === 'cancelled') return { text: `{${head}}`, objects: NO_OBJECTS };
    const progress = { current: operation.step, total: this.steps, message: 'Working' };
    return {
      text: `{${head},"progress":${jsonText(progress)},"poll_after_ms":${POLL_AFTER_MS}}`,
      objects: NO_OBJECTS,
    };
  }

  /** `cancel_operation`: an acknowledgement only. Throws CONFLICT when the effect is done. */
  cancel(uid: number, requestId: string, id: string | null): string {
    const operation = this.require(uid, requestId, id);
    if (operation.committing) {
      throw new V2Error('CONFLICT', 'The effect is committed already');
    }
    operation.cancelRequested = true;
    return jsonText({ operation_id: operation.id, state: 'cancellation_requested' });
  }

  private async advance(operation: Operation): Promise<void> {
    if (operation.state !== 'queued' && operation.state !== 'running') return;
    if (operation.committing) return;
    if (operation.cancelRequested) {
      operation.state = 'cancelled';
      return;
    }
    if (operation.step < this.steps) {
      operation.state = operation.step === 0 ? 'queued' : 'running';
      operation.step++;
      return;
    }
    // Set before the work starts: a concurrent query must not run it twice, a cancel comes too late.
    operation.committing = true;
    operation.state = 'running';
    operation.outcome = await operation.work();
    operation.state = operation.outcome.kind === 'error' ? 'failed' : 'succeeded';
  }

  /** Another caller's operation is as unknown as one that never was (4.4). */
  private require(uid: number, requestId: string, id: string | null): Operation {
    const operation = id === null ? undefined : this.operations.get(id);
    if (!operation || operation.uid !== uid) throw new V2Error('INVALID_REQUEST', 'No such operation');
    if (operation.requestId !== requestId) {
      throw new V2Error('INVALID_REQUEST', 'request_id is not the one that created the operation');
    }
    return operation;
  }
}
