import type { Result } from '../../shared/base/result.ts';
import type { GeneratedArgs, GenerateMode, SchemaVerdict } from '../../shared/model/call.ts';
import type { DeviceClock } from '../../shared/model/device-clock.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { Provider } from '../../shared/model/provider.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Journal } from '../journal/journal.ts';
import type { ResultStore } from '../results/result-store.ts';

/** One Provider for one user of one device. */
export interface Target {
  readonly deviceKey: string;
  /** Null is the current user. */
  readonly userId: number | null;
  readonly providerKey: string;
}

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Ms that only grow; for durations. */
  monotonic(): number;
  /** Runs once after some ms (at most 2^31 - 1); returns the way to call it off. */
  after(ms: number, run: () => void): () => void;
}

/** The Provider as it is now, and the way to it. */
export interface ProviderAccess {
  readonly provider: Provider;
  readonly deviceLabel: string;
  readonly bridge: Bridge;
  /** The device's clock against this computer's; absent or null: not measured. */
  readonly clock?: DeviceClock | null;
}

/** The part of the schema service that sessions use. */
export interface SchemaChecks {
  validate(input: {
    readonly schemaText: string;
    readonly dialect: string | null;
    readonly valueText: string;
  }): Promise<SchemaVerdict>;
  /** The minimal one, only where it is valid. */
  example(schemaText: string, mode: 'minimal', dialect: string | null): Promise<Result<string, Problem>>;
  /** Any of the three, with the verdict on it. */
  generate(schemaText: string, mode: GenerateMode, dialect: string | null): Promise<Result<GeneratedArgs, Problem>>;
}

export interface SessionsDeps {
  readonly journal: Journal;
  readonly schemas: SchemaChecks;
  readonly clock: Clock;
  /** A new UUID v4. */
  readonly uuid: () => string;
  /** Throws `ProblemError` where the device, the Provider or every way to it is missing. */
  readonly access: (target: Target) => Promise<ProviderAccess>;
  /** Names this host among those that use the journal. */
  readonly owner: string;
  /** Whether another host that follows an operation is still at work. */
  readonly isAlive: (owner: string) => boolean;
  /** The user that null stands for; 0 where it is not known. */
  readonly currentUser: (deviceKey: string) => number;
  /** Where files of results go; without one they are shown as not read, and their descriptors closed. */
  readonly results?: Pick<ResultStore, 'take' | 'cancel' | 'deviceGone'>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
