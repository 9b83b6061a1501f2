/** Time as the simulated device sees it, so that tests move it by hand. */
export interface Clock {
  /** Wall clock, ms since the Unix epoch. */
  now(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    // A waiting simulator must not keep a finished program alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  private time: number;
  private tasks: { at: number; task: () => void }[] = [];

  constructor(time = 1_790_000_000_000) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, task: () => void): () => void {
    const entry = { at: this.time + ms, task };
    this.tasks.push(entry);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== entry);
    };
  }

  /** Moves time forward by `ms` and runs what falls due, in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.tasks.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.tasks = this.tasks.filter((entry) => entry !== next);
      this.time = next.at;
      next.task();
    }
    this.time = end;
  }
}
