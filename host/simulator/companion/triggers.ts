import type { DeviceBundle } from '../virtual-device.ts';
import type { Clock } from './clock.ts';

export const TRIGGER_STATUSES = ['accepted', 'queued', 'rejected', 'error'] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** A background trigger that another app submits to the companion. */
export interface Trigger {
  readonly callerUid: number;
  readonly callerPackages: readonly string[];
  readonly signingCertSha256: readonly string[];
  readonly extras: DeviceBundle;
}

const ANSWER_LIMIT_MS = 2_000;

/** Triggers that wait for their first `triggerAck`. */
export class PendingTriggers {
  private readonly pending = new Map<string, (status: TriggerStatus | 'host_unavailable') => void>();
  private readonly clock: Clock;
  private count = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The answer of the first acknowledgement, or `host_unavailable` after 2 s. */
  open(): { readonly id: string; readonly answer: Promise<TriggerStatus | 'host_unavailable'> } {
    const id = `t-${++this.count}`;
    const { promise, resolve } = Promise.withResolvers<TriggerStatus | 'host_unavailable'>();
    const cancel = this.clock.after(ANSWER_LIMIT_MS, () => this.settle(id, 'host_unavailable'));
    this.pending.set(id, (status) => {
      cancel();
      resolve(status);
    });
    return { id, answer: promise };
  }

  /** Late and unknown ids are ignored. */
  settle(id: string, status: TriggerStatus | 'host_unavailable'): void {
    const resolve = this.pending.get(id);
    this.pending.delete(id);
    resolve?.(status);
  }
}
