import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVirtualAndroid } from '../../android/virtual-android.ts';
import type { BinderOutcome } from '../../virtual-device.ts';
import { createErrorLab } from '../error-lab.ts';
import { authorityOf } from '../package-builder.ts';
import { createPriceAlerts, PRICE_ALERTS_PACKAGE, type PriceAlertsState, priceAlertsPackage } from '../price-alerts.ts';
import { type Answer, launchResolution, TestCaller } from '../test-caller.ts';
import type { V2Definition, V2Options, V2Tool } from './definition.ts';
import { createV2Provider } from './provider.ts';

let now: number;
beforeEach(() => {
  now = 1_790_000_000_000;
});

const WINDOW_MS = 86_400_000;

/** One Provider whose phone can be switched off and on: only JSON text goes over. */
function phone(options: V2Options = {}) {
  let saved: string | null = null;
  const boot = async () => {
    const state = saved === null ? null : (JSON.parse(saved) as PriceAlertsState);
    const alerts = createPriceAlerts({ now: () => now, ...options }, state);
    const android = createVirtualAndroid({ packages: [priceAlertsPackage(alerts.app)], companionInstalled: false });
    const acquired = android.acquire(0, authorityOf(PRICE_ALERTS_PACKAGE));
    if (acquired.kind !== 'ok') throw new Error(acquired.kind);
    const caller = new TestCaller(acquired.app);
    await caller.negotiate();
    return { ...alerts, android, caller };
  };
  return {
    boot,
    reboot: async (running: Awaited<ReturnType<typeof boot>>) => {
      saved = JSON.stringify(running.snapshot());
      return boot();
    },
  };
}

const byId = (id: unknown) => [{ key: 'operation_id', t: 'string' as const, v: String(id) }];
const ALERT = { symbol: 'NWND', price: 5 };

describe('a switched-off phone', () => {
  it('gives the same terminal outcome for the id, with no second effect, and refuses other content (6)', async () => {
    const { boot, reboot } = phone();
    const first = await boot();
    const requestId = randomUUID();
    const before = await first.caller.execute('create_alert', ALERT, { requestId });
    const second = await reboot(first);
    const after = await second.caller.execute('create_alert', ALERT, { requestId });
    expect(after.values['data']).toBe(before.values['data']);
    expect(second.app.ran).toEqual([]);
    expect(second.store.list()).toHaveLength(3);
    const other = await second.caller.execute('create_alert', { ...ALERT, price: 6 }, { requestId });
    expect(other.values['error_code']).toBe('INVALID_REQUEST');
    const tool = await second.caller.execute('update_alert', { alert_id: 'al-1', price: 5 }, { requestId });
    expect(tool.values['error_code']).toBe('INVALID_REQUEST');
  });

  it('goes on with its operation, keeps its grants, and never gives an operation id twice (4.4)', async () => {
    const { boot, reboot } = phone();
    const first = await boot();
    const requestId = randomUUID();
    const accepted = await first.caller.execute('import_watchlist', { symbols: ['AA'] }, { requestId });
    const id = accepted.data['operation_id'];
    await first.caller.call('get_operation', byId(id), { requestId });
    const order = { symbol: 'NWND', side: 'buy', quantity: 1 };
    await launchResolution(await first.caller.execute('place_order', order));
    const second = await reboot(first);
    const states: unknown[] = [];
    for (let i = 0; i < 2; i++) {
      states.push((await second.caller.call('get_operation', byId(id), { requestId })).data['state']);
    }
    expect(states).toEqual(['running', 'succeeded']);
    expect(second.app.ran).toHaveLength(1);
    expect((await second.caller.execute('place_order', order)).values['error_code']).toBe('USER_ACTION_REQUIRED');
    const next = await second.caller.execute('import_watchlist', { symbols: ['AA'] });
    expect(next.data['operation_id']).not.toBe(id);
  });

  it('keeps a failed operation with its error, digits and all', async () => {
    const { boot, reboot } = phone({ operationSteps: 1 });
    const first = await boot();
    const requestId = randomUUID();
    const accepted = await first.caller.execute('import_watchlist', { symbols: ['FAIL'] }, { requestId });
    const query = (from: typeof first) =>
      from.caller.call('get_operation', byId(accepted.data['operation_id']), { requestId });
    await query(first);
    const before = await query(first);
    expect(before.data['state']).toBe('failed');
    expect((await query(await reboot(first))).data).toEqual(before.data);
  });
});

describe('the window', () => {
  it('ends deduplication only after idempotency_window_seconds (6)', async () => {
    const { app, caller } = await phone({ sessionTtlMs: 10 * WINDOW_MS }).boot();
    const requestId = randomUUID();
    await caller.execute('create_alert', ALERT, { requestId });
    now += WINDOW_MS - 1;
    await caller.execute('create_alert', ALERT, { requestId });
    expect(app.ran).toHaveLength(1);
    now += 1;
    await caller.execute('create_alert', ALERT, { requestId });
    expect(app.ran).toHaveLength(2);
  });

  it('keeps an operation to its end, then it is RESULT_EXPIRED; a shorter TTL is not possible (4.4, 5)', async () => {
    const { caller } = await phone({ sessionTtlMs: 10 * WINDOW_MS, operationTtlMs: 1 }).boot();
    const requestId = randomUUID();
    const accepted = await caller.execute('import_watchlist', { symbols: ['AA'] }, { requestId });
    const query = () => caller.call('get_operation', byId(accepted.data['operation_id']), { requestId });
    now += WINDOW_MS - 1;
    expect((await query()).data['state']).toBe('queued');
    now += 1;
    expect((await query()).values).toMatchObject({ error_code: 'RESULT_EXPIRED', retryable: false });
  });
});

/** A Provider of one tool whose slow work and effect the test holds in its hands. */
function gated(change: Partial<V2Tool> = {}) {
  const gate = Promise.withResolvers<void>();
  const effects: string[] = [];
  const tool: V2Tool = {
    name: 'gated',
    title: 'Gated',
    description: '',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    scopes: [],
    annotations: {
      effect: 'create',
      risk: 'low',
      destructive: false,
      idempotent: false,
      open_world: false,
      confirmation: 'never',
      execution: 'sync',
    },
    run: (_args, requestId) => {
      effects.push(requestId);
      return { kind: 'value', value: {} };
    },
    ...change,
  };
  const definition: V2Definition = {
    package: 'org.example.gated',
    providerName: 'Gated',
    description: '',
    revision: '1',
    scopes: [],
    tools: [tool],
  };
  const app = createV2Provider(definition, { now: () => now });
  return { app, gate, effects, definition, caller: new TestCaller(app) };
}

const died = (outcome: BinderOutcome) => outcome.kind === 'died';

describe('a death in the middle', () => {
  it('of slow work leaves no effect: the same id runs once, in the next process (4.4, 6)', async () => {
    const gate = Promise.withResolvers<void>();
    const { app, caller, effects } = gated({ work: () => gate.promise });
    await caller.negotiate();
    const requestId = randomUUID();
    const cut = caller.executeRaw('gated', {}, { requestId });
    app.restart();
    gate.resolve();
    expect(died(await cut)).toBe(true);
    expect(effects).toEqual([]);
    await caller.negotiate();
    expect((await caller.execute('gated', {}, { requestId })).values['status']).toBe('success');
    expect(effects).toEqual([requestId]);
  });

  it('of an effect that takes time is told truthfully, never run again (4.4, 6)', async () => {
    const gate = Promise.withResolvers<void>();
    const run = async () => {
      await gate.promise;
      return { kind: 'value' as const, value: {} };
    };
    const { app, caller, definition } = gated({ run });
    await caller.negotiate();
    const requestId = randomUUID();
    const cut = caller.executeRaw('gated', {}, { requestId });
    const switchedOff = JSON.parse(JSON.stringify(app.snapshot()));
    app.restart();
    gate.resolve();
    expect(died(await cut)).toBe(true);
    const next = createV2Provider(definition, { now: () => now, durable: switchedOff });
    for (const [provider, runs] of [[app, 1] as const, [next, 0] as const]) {
      const again = new TestCaller(provider);
      await again.negotiate();
      const { values } = await again.execute('gated', {}, { requestId });
      expect(values).toMatchObject({ error_code: 'INTERNAL_ERROR', retryable: false });
      expect(provider.ran).toHaveLength(runs);
    }
  });

  it('gives the places of its calls back (2.2)', async () => {
    const { app, caller } = gated({ work: () => new Promise(() => {}) });
    await caller.negotiate();
    for (let i = 0; i < 4; i++) void caller.executeRaw('gated');
    expect((await caller.execute('gated')).values['error_code']).toBe('RATE_LIMITED');
    app.restart();
    await caller.negotiate();
    const waiting = caller.executeRaw('gated');
    const first = await Promise.race([waiting, Promise.resolve('still at work')]);
    expect(first).toBe('still at work');
  });
});

describe('the deadline', () => {
  it('is checked once more right before the effect (4.1)', async () => {
    const { gate, caller, effects } = gated({
      work: async () => {
        now += 10;
      },
    });
    gate.resolve();
    await caller.negotiate();
    const requestId = randomUUID();
    const late = await caller.execute('gated', {}, { requestId, deadlineAtMs: now + 5 });
    expect(late.values['error_code']).toBe('DEADLINE_EXCEEDED');
    expect(effects).toEqual([]);
    const again = await caller.execute('gated', {}, { requestId, deadlineAtMs: now + 50 });
    expect(again.values['status']).toBe('success');
    expect(effects).toEqual([requestId]);
  });
});

describe('one executor (6)', () => {
  it('knows a UUID however it is written', async () => {
    const { caller, app } = await phone().boot();
    const requestId = randomUUID();
    const args = { symbols: ['AA'] };
    const first = await caller.execute('import_watchlist', args, { requestId });
    const again = await caller.execute('import_watchlist', args, { requestId: requestId.toUpperCase() });
    expect(again.data).toEqual(first.data);
    const query = { requestId: requestId.toUpperCase() };
    expect((await caller.call('get_operation', byId(first.data['operation_id']), query)).values['status']).toBe(
      'success',
    );
    expect(app.ran).toEqual([]);
  });

  it('serves every concurrent arrival of an id', async () => {
    const gate = Promise.withResolvers<void>();
    const { caller, effects } = gated({ work: () => gate.promise });
    await caller.negotiate();
    const requestId = randomUUID();
    const calls = Array.from({ length: 4 }, () => caller.execute('gated', {}, { requestId }));
    gate.resolve();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map((answer: Answer) => answer.values['data'])).size).toBe(1);
    expect(effects).toEqual([requestId]);
  });

  it('an error that may be retried is no terminal outcome: the same id comes to its end later (5, 6)', async () => {
    let times = 0;
    const run: V2Tool['run'] = () =>
      ++times < 3
        ? { kind: 'error', code: 'UNAVAILABLE', message: 'Later', retryable: true }
        : { kind: 'value', value: { times } };
    const { caller, app } = gated({ run });
    await caller.negotiate();
    const requestId = randomUUID();
    const codes: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const { values } = await caller.execute('gated', {}, { requestId });
      codes.push(values['error_code'] ?? values['data']);
    }
    const end = '{"kind":"inline","value":{"times":3}}';
    expect(codes).toEqual(['UNAVAILABLE', 'UNAVAILABLE', end, end]);
    expect(app.ran).toHaveLength(3);
  });
});

describe('cancel races (4.4)', () => {
  it('an acknowledged cancel that comes too late ends as it would have', async () => {
    const { caller, app } = await phone({ operationSteps: 1 }).boot();
    const requestId = randomUUID();
    const accepted = await caller.execute('import_watchlist', { symbols: ['LATE'] }, { requestId });
    const operation = byId(accepted.data['operation_id']);
    const cancel = await caller.call('cancel_operation', operation, { requestId });
    expect(cancel.data['state']).toBe('cancellation_requested');
    await caller.call('get_operation', operation, { requestId });
    expect((await caller.call('get_operation', operation, { requestId })).data['state']).toBe('succeeded');
    expect(app.ran).toHaveLength(1);
  });

  it('a read in the background is one operation an id, too', async () => {
    const { caller } = await phone().boot();
    const requestId = randomUUID();
    const args = { symbol: 'NWND', years: 1 };
    const [one, two] = [
      await caller.execute('export_history', args, { requestId }),
      await caller.execute('export_history', args, { requestId }),
    ];
    expect(one.data['operation_id']).toBe(two.data['operation_id']);
  });
});

describe('capabilities that change (2.3)', () => {
  it('end the session, and the next one has them', async () => {
    const { app, caller } = await phone().boot();
    app.setCapabilities(['large_results']);
    expect((await caller.call('list_tools')).values['error_code']).toBe('NEGOTIATION_REQUIRED');
    expect((await caller.negotiate()).data['capabilities']).toEqual(['large_results']);
    expect((await caller.call('get_operation', byId('op_1'))).values['error_code']).toBe('UNSUPPORTED_CAPABILITY');
  });
});

describe('a confirmation screen', () => {
  it('that has nothing to decide on any more asks nobody: forgotten, or expired (4.3)', async () => {
    let asked = 0;
    const user: V2Options['user'] = () => {
      asked++;
      return 'approve';
    };
    const { app, caller } = await phone({ user }).boot();
    const forgotten = await caller.execute('delete_alert', { alert_id: 'al-1' });
    app.restart();
    expect(await launchResolution(forgotten)).toBe(0);
    await caller.negotiate();
    const late = await caller.execute('delete_alert', { alert_id: 'al-1' });
    now += 5 * 60_000;
    expect(await launchResolution(late)).toBe(0);
    expect(asked).toBe(0);
  });

  it('goes with its process, without a decision, and its token is lost (2.2, 4.3)', async () => {
    const shown = Promise.withResolvers<AbortSignal>();
    const user: V2Options['user'] = (_prompt, signal) => {
      shown.resolve(signal);
      return new Promise(() => {});
    };
    const { app, caller } = await phone({ user }).boot();
    const requestId = randomUUID();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' }, { requestId });
    const launched = launchResolution(asked);
    const signal = await shown.promise;
    app.restart();
    expect(await launched).toBe(0);
    expect(signal.aborted).toBe(true);
    await caller.negotiate();
    const resumeToken = String(asked.values['resume_token']);
    const lost = await caller.execute('delete_alert', { alert_id: 'al-1' }, { requestId, resumeToken });
    expect(lost.values['error_code']).toBe('INVALID_REQUEST');
    expect(app.ran).toEqual([]);
  });

  it('says who asks, for what, and what cannot be undone (7.2)', async () => {
    const prompts: unknown[] = [];
    const user: V2Options['user'] = (prompt) => {
      prompts.push(prompt);
      return 'approve';
    };
    const { caller } = await phone({ user }).boot();
    await launchResolution(await caller.execute('delete_alert', { alert_id: 'al-1' }));
    expect(prompts).toEqual([
      expect.objectContaining({
        package: PRICE_ALERTS_PACKAGE,
        callerUid: 10_200,
        callerPackages: ['test.caller10200'],
        tool: 'delete_alert',
        argsText: '{"alert_id":"al-1"}',
        destructive: true,
        effect: 'delete',
        consequences: 'Alert al-1 is deleted and cannot be brought back.',
      }),
    ]);
  });
});

describe('the error lab', () => {
  it('counts what it told each id: RATE_LIMITED twice with retry_after_ms, then one effect (5)', async () => {
    const caller = new TestCaller(createErrorLab());
    await caller.negotiate();
    const requestId = randomUUID();
    const run = async () => (await caller.execute('busy_twice', { ms: 20 }, { requestId })).values;
    for (let i = 0; i < 2; i++) {
      expect(await run()).toMatchObject({ error_code: 'RATE_LIMITED', retryable: true, retry_after_ms: '20' });
    }
    expect(await run()).toMatchObject({ status: 'success' });
  });
});
