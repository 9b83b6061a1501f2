import type { DeviceClock } from '../../../shared/model/device-clock.ts';
import type { CompanionClient } from './companion-client.ts';

/** Round trips of one measurement: the shortest tells most. */
const PINGS = 3;

export interface ClockWatchOptions {
  /** Between two measurements, in ms. */
  readonly everyMs: number;
  readonly onMeasured: (clock: DeviceClock) => void;
}

/** Measures a device's clock, now and again while the connection is open. */
export class ClockWatch {
  readonly #client: CompanionClient;
  readonly #options: ClockWatchOptions;
  /** Ends with the first measurement; null where it could not be made. */
  readonly first: Promise<DeviceClock | null>;

  constructor(client: CompanionClient, options: ClockWatchOptions) {
    this.#client = client;
    this.#options = options;
    this.first = this.measure();
    const timer = setInterval(() => void this.measure(), options.everyMs);
    timer.unref();
    void client.closed.then(() => clearInterval(timer));
  }

  /** Null where the connection ended, or the answer is none. */
  async measure(): Promise<DeviceClock | null> {
    let best: DeviceClock | null = null;
    try {
      for (let i = 0; i < PINGS; i++) {
        const { offsetMs, roundTripMs } = await this.#client.ping();
        const reading = { offsetMs, uncertaintyMs: roundTripMs / 2, measuredAtMs: Date.now() };
        if (best === null || reading.uncertaintyMs < best.uncertaintyMs) best = reading;
      }
    } catch {
      // The connection tells its own end; a clock that was not read is unknown, not right.
    }
    if (best !== null && this.#client.isOpen) this.#options.onMeasured(best);
    return best;
  }
}
