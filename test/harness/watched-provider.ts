import { setTimeout as delay } from 'node:timers/promises';
import { Extras } from '../../host/simulator/provider-kit/bundles.ts';
import { createPriceAlerts, type PriceAlerts } from '../../host/simulator/provider-kit/price-alerts.ts';
import type { UserDecision } from '../../host/simulator/provider-kit/v2/definition.ts';
import type { RanTool } from '../../host/simulator/provider-kit/v2/provider.ts';
import type { BinderOutcome, DeviceObject, ProviderApp } from '../../host/simulator/virtual-device.ts';

/** One request as the device got it. */
export interface Arrival {
  readonly method: string;
  readonly requestId: string | null;
}

/** The rules that a timer of this machine may be early by, in ms. */
const EARLY_MS = 2;

/**
 * The correct Provider of the kit between two ears: what arrives, what leaves and what it did is noted
 * on the device's side, where no part of the engine can embellish it.
 */
export class WatchedProvider {
  readonly alerts: PriceAlerts;
  readonly arrivals: Arrival[] = [];
  /** Broken invariants, in words. */
  readonly violations: string[] = [];
  /** What the person in front of the phone decides next, or leaves open; then approves. */
  readonly decisions: (UserDecision | 'open')[] = [];
  /** Screens that nobody answers. */
  openScreens = 0;
  /** How long each call waits before and after the Provider, in ms, over and over. */
  delays: readonly (readonly [number, number])[] = [[0, 0]];
  private readonly approved = new Set<string>();
  private readonly asked = new Map<string, { readonly atMs: number; readonly pollAfterMs: number }>();
  private readonly open = new Set<DeviceObject>();
  private checked = 0;
  private calls = 0;

  constructor() {
    this.alerts = createPriceAlerts({
      operationSteps: 1,
      user: (prompt, signal) => {
        const decision = this.decisions.shift() ?? 'approve';
        if (decision === 'open') {
          this.openScreens++;
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve('dismiss'), { once: true }));
        }
        if (decision === 'approve' && prompt.kind === 'confirm') this.approved.add(prompt.requestId);
        return decision;
      },
    });
  }

  get openDescriptors(): number {
    return this.open.size;
  }

  /** Its code as the phone installs it. */
  get app(): ProviderApp {
    const { app } = this.alerts;
    return {
      restart: () => app.restart(),
      call: async (caller, method, arg, extras) => {
        const [before, after] = this.delays[this.calls++ % this.delays.length] ?? [0, 0];
        const read = new Extras(extras);
        this.arrivals.push({ method, requestId: read.string('request_id') });
        const operation = read.string('operation_id');
        if (method === 'get_operation' && operation !== null) this.checkPace(operation);
        if (before > 0) await delay(before);
        const outcome = await app.call(caller, method, arg, extras);
        this.checkEffects();
        if (after > 0) await delay(after);
        this.notePace(method, outcome);
        return this.counted(outcome);
      },
    };
  }

  /** Section 6: one effect an id. Each violation once. */
  checkOnce(): void {
    const seen = new Set<string>();
    for (const { uid, requestId, tool } of this.alerts.app.ran.filter(hasEffect)) {
      const key = `${uid} ${requestId}`;
      if (seen.has(key)) this.violations.push(`two effects of ${tool} for ${key}`);
      seen.add(key);
    }
  }

  /** Section 4.3: what needed a person was approved before. */
  private checkEffects(): void {
    const { ran } = this.alerts.app;
    for (; this.checked < ran.length; this.checked++) {
      const entry = ran[this.checked];
      if (!entry || !needsPerson(entry) || this.approved.has(entry.requestId)) continue;
      this.violations.push(`effect of ${entry.tool} for ${entry.requestId} before it was confirmed`);
    }
  }

  /** Section 4.4: no faster than the answer before asked for. */
  private checkPace(operation: string): void {
    const last = this.asked.get(operation);
    if (!last) return;
    const waited = performance.now() - last.atMs;
    if (waited < last.pollAfterMs - EARLY_MS) {
      this.violations.push(`${operation} polled after ${waited.toFixed(1)} ms of ${last.pollAfterMs}`);
    }
  }

  private notePace(method: string, outcome: BinderOutcome): void {
    if (outcome.kind !== 'bundle') return;
    const data = outcome.bundle.entries.find((entry) => entry.key === 'data');
    if (data?.t !== 'string') return;
    const { operation_id: id, poll_after_ms: pollAfterMs } = JSON.parse(data.v) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof pollAfterMs !== 'number') return;
    // A repeated acceptance starts no new wait.
    if (method === 'execute_tool' && this.asked.has(id)) return;
    this.asked.set(id, { atMs: performance.now(), pollAfterMs });
  }

  private counted(outcome: BinderOutcome): BinderOutcome {
    if (outcome.kind !== 'bundle') return outcome;
    const objects = Object.entries(outcome.bundle.objects).map(([key, object]) => {
      if (object.t !== 'fd') return [key, object];
      this.open.add(object);
      return [
        key,
        {
          ...object,
          close: () => {
            this.open.delete(object);
            object.close();
          },
        },
      ];
    });
    return { kind: 'bundle', bundle: { ...outcome.bundle, objects: Object.fromEntries(objects) } };
  }
}

function hasEffect({ tool }: RanTool): boolean {
  return !tool.startsWith('list_') && !tool.startsWith('get_') && !tool.startsWith('export_');
}

function needsPerson({ tool, argsText }: RanTool): boolean {
  return tool === 'delete_alert' || tool === 'place_order' || (tool === 'create_alert' && argsText.includes('20000'));
}
