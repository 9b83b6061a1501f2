import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPriceAlerts, type PriceAlerts } from './price-alerts.ts';
import { launchResolution, TestCaller } from './test-caller.ts';
import type { UserDecision, UserPrompt, V2Options } from './v2/definition.ts';

let now: number;
let decision: UserDecision;
let prompts: UserPrompt[];

beforeEach(() => {
  now = 1_790_000_000_000;
  decision = 'approve';
  prompts = [];
});

function build(options: V2Options = {}): PriceAlerts & { caller: TestCaller } {
  const alerts = createPriceAlerts({
    now: () => now,
    user: (prompt) => {
      prompts.push(prompt);
      return decision;
    },
    ...options,
  });
  return { ...alerts, caller: new TestCaller(alerts.app) };
}

async function ready(options: V2Options = {}) {
  const built = build(options);
  await built.caller.negotiate();
  return built;
}

const ORDER = { symbol: 'NWND', side: 'buy', quantity: 2 };

describe('negotiation', () => {
  it('selects 2, with limits at least the minimum, an opaque token and a zoned expiry', async () => {
    const { data, values } = await build().caller.negotiate();
    expect(values['status']).toBe('success');
    expect(data).toMatchObject({
      selected_version: 2,
      provider_id: 'org.example.pricealerts',
      capabilities: ['async_operations', 'cancellation', 'large_results'],
      limits: {
        max_request_bytes: 65_536,
        max_inline_result_bytes: 262_144,
        max_concurrent_requests: 4,
        idempotency_window_seconds: 86_400,
      },
    });
    expect(Buffer.byteLength(String(data['session_token']))).toBeLessThanOrEqual(256);
    expect(Date.parse(String(data['expires_at']))).toBe(now + 3_600_000);
  });

  it('returns only capabilities that both sides name', async () => {
    const { data } = await build({ capabilities: ['cancellation'] }).caller.negotiate(['cancellation', 'x']);
    expect(data['capabilities']).toEqual(['cancellation']);
  });

  it('refuses no common version and a malformed request', async () => {
    const { caller } = build();
    expect((await caller.negotiate([], [3])).values['error_code']).toBe('UNSUPPORTED_VERSION');
    expect((await caller.negotiate([], [1])).data).toMatchObject({ selected_version: 1 });
    expect((await caller.call('list_tools')).values['error_code']).toBe('NEGOTIATION_REQUIRED');
    const answer = await caller.call('negotiate');
    expect(answer.values['error_code']).toBe('INVALID_REQUEST');
  });

  it('binds the token to the UID, the process and its expiry', async () => {
    const { caller, app } = await ready();
    const stranger = new TestCaller(app, 10_999);
    stranger.token = caller.token;
    expect((await stranger.call('list_tools')).values).toMatchObject({
      error_code: 'NEGOTIATION_REQUIRED',
      retryable: true,
    });
    expect((await caller.call('list_tools')).values['status']).toBe('success');
    now += 3_600_000;
    expect((await caller.call('list_tools')).values['error_code']).toBe('NEGOTIATION_REQUIRED');
    await caller.negotiate();
    app.restart?.();
    expect((await caller.call('list_tools')).values['error_code']).toBe('NEGOTIATION_REQUIRED');
  });
});

describe('descriptors', () => {
  it('lists tools of every effect and risk, and obeys 3.4', async () => {
    const { caller } = await ready();
    const { data } = await caller.call('list_tools');
    const tools = data['tools'] as { name: string; annotations: Record<string, unknown>; scopes: string[] }[];
    expect(new Set(tools.map((tool) => tool.annotations['effect']))).toEqual(
      new Set(['read', 'create', 'update', 'delete', 'transaction']),
    );
    expect(new Set(tools.map((tool) => tool.annotations['risk']))).toEqual(new Set(['low', 'moderate', 'high']));
    for (const { name, annotations } of tools) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      const strict =
        annotations['effect'] === 'delete' ||
        annotations['effect'] === 'transaction' ||
        annotations['destructive'] === true ||
        annotations['risk'] === 'high';
      if (strict) expect(annotations['confirmation']).toBe('always');
    }
    const info = await caller.call('get_provider_info');
    const scopes = info.data['scopes'] as { name: string; sensitivity: string }[];
    expect(new Set(scopes.map((scope) => scope.sensitivity))).toEqual(
      new Set(['public', 'financial', 'personal', 'health']),
    );
    const known = scopes.map((scope) => scope.name);
    for (const tool of tools) expect(known).toEqual(expect.arrayContaining(tool.scopes));
  });

  it('echoes protocol_version and request_id, in successes and errors', async () => {
    const { caller } = await ready();
    const requestId = randomUUID();
    const good = await caller.execute('get_quote', { symbol: 'NWND' }, { requestId });
    const wrong = await caller.execute('nothing', {}, { requestId });
    for (const { values } of [good, wrong])
      expect(values).toMatchObject({ protocol_version: 2, request_id: requestId });
    expect(wrong.values['error_code']).toBe('TOOL_NOT_FOUND');
    expect((await caller.call('drop_everything')).values['error_code']).toBe('METHOD_NOT_FOUND');
  });

  it('keeps every digit of a 64-bit integer and of a decimal', async () => {
    const { caller } = await ready();
    const { values } = await caller.execute('get_quote', { symbol: 'NWND' });
    expect(values['data']).toContain('"price":42.10,"volume":9223372036854775807');
  });
});

describe('the request', () => {
  it.each([
    ['request_id', 'x'],
    ['deadline_at_ms', null],
    ['protocol_version', null],
  ])('refuses a bad %s', async (key, value) => {
    const { caller, app } = await ready();
    const good = await caller.executeRaw('list_alerts');
    expect(good.kind).toBe('bundle');
    const sent = app.received.at(-1)!.extras!.entries;
    const bad = sent.map((entry) => (entry.key === key ? { key, t: 'string' as const, v: String(value) } : entry));
    const outcome = await caller.raw('execute_tool', bad);
    expect(outcome).toMatchObject({
      bundle: { entries: expect.arrayContaining([{ key: 'error_code', t: 'string', v: 'INVALID_REQUEST' }]) },
    });
  });

  it('checks arguments against the schema and names the violations', async () => {
    const { caller, app } = await ready();
    const { values } = await caller.execute('create_alert', { symbol: 'nwnd', price: 0, extra: 1 });
    expect(values['error_code']).toBe('INVALID_ARGS');
    expect(JSON.parse(String(values['error_details'])).violations).toHaveLength(3);
    expect((await caller.execute('create_alert', {}, { argsText: '[' })).values['error_code']).toBe('INVALID_ARGS');
    expect(app.ran).toEqual([]);
  });

  it('refuses arguments above max_request_bytes, counted in UTF-8', async () => {
    const { caller } = await ready();
    const argsText = `{"symbol":"NWND"${' '.repeat(65_536 - 17)}}`;
    expect(Buffer.byteLength(argsText)).toBe(65_536);
    expect((await caller.execute('get_quote', {}, { argsText })).values['status']).toBe('success');
    const longer = await caller.execute('get_quote', {}, { argsText: `${argsText} ` });
    expect(longer.values['error_code']).toBe('INVALID_REQUEST');
  });

  it('does nothing after the deadline, and the same id may come again with a later one', async () => {
    const { caller, app } = await ready();
    const requestId = randomUUID();
    const args = { symbol: 'NWND', price: 5 };
    const late = await caller.execute('create_alert', args, { requestId, deadlineAtMs: now });
    expect(late.values['error_code']).toBe('DEADLINE_EXCEEDED');
    expect(app.ran).toEqual([]);
    const again = await caller.execute('create_alert', args, { requestId, deadlineAtMs: now + 1 });
    expect(again.values['status']).toBe('success');
    expect(app.ran).toHaveLength(1);
  });
});

describe('deduplication', () => {
  const args = { symbol: 'NWND', price: 5 };

  it('gives a repeated id the same outcome and one effect, also after a restart', async () => {
    const { caller, app, store } = await ready();
    const requestId = randomUUID();
    const first = await caller.execute('create_alert', args, { requestId });
    const second = await caller.execute('create_alert', args, { requestId });
    app.restart?.();
    await caller.negotiate();
    const third = await caller.execute('create_alert', args, { requestId });
    expect(second.data).toEqual(first.data);
    expect(third.data).toEqual(first.data);
    expect(app.ran).toHaveLength(1);
    expect(store.list()).toHaveLength(3);
  });

  it('lets one of several concurrent arrivals execute', async () => {
    const { caller, app } = await ready();
    const requestId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => caller.execute('create_alert', args, { requestId })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.data))).size).toBe(1);
    expect(app.ran).toHaveLength(1);
  });

  it('refuses the id for other arguments, even if they mean the same, and for another tool', async () => {
    const { caller, app } = await ready();
    const requestId = randomUUID();
    await caller.execute('create_alert', args, { requestId });
    const spaced = { requestId, argsText: '{"symbol": "NWND", "price": 5}' };
    expect((await caller.execute('create_alert', {}, spaced)).values['error_code']).toBe('INVALID_REQUEST');
    const update = await caller.execute('update_alert', { alert_id: 'al-1', price: 5 }, { requestId });
    expect(update.values['error_code']).toBe('INVALID_REQUEST');
    expect(app.ran).toHaveLength(1);
  });

  it('binds the id at its first arrival, before anything ran', async () => {
    const { caller, app } = await ready();
    const requestId = randomUUID();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' }, { requestId });
    expect(asked.values['error_code']).toBe('USER_ACTION_REQUIRED');
    const other = await caller.execute('delete_alert', { alert_id: 'al-2' }, { requestId });
    expect(other.values['error_code']).toBe('INVALID_REQUEST');
    expect(app.ran).toEqual([]);
  });

  it('keeps callers apart', async () => {
    const { caller, app } = await ready();
    const other = new TestCaller(app, 10_201);
    await other.negotiate();
    const requestId = randomUUID();
    await caller.execute('create_alert', args, { requestId });
    await other.execute('create_alert', args, { requestId });
    expect(app.ran.map((run) => run.uid)).toEqual([10_200, 10_201]);
  });

  it('keeps an error outcome too, and forgets after the window', async () => {
    const { caller, app } = await ready({ sessionTtlMs: 200_000_000 });
    const requestId = randomUUID();
    const gone = { alert_id: 'al-0', price: 1 };
    for (const _ of [1, 2]) {
      expect((await caller.execute('update_alert', gone, { requestId })).values['error_code']).toBe('CONFLICT');
    }
    expect(app.ran).toHaveLength(1);
    now += 86_400_000;
    await caller.execute('update_alert', gone, { requestId });
    expect(app.ran).toHaveLength(2);
  });
});

describe('confirmation and authorization', () => {
  it('has no effect before the user approves; then exactly one', async () => {
    const { caller, app, store } = await ready();
    const requestId = randomUUID();
    const args = { alert_id: 'al-1' };
    const asked = await caller.execute('delete_alert', args, { requestId });
    expect(asked.values).toMatchObject({ status: 'error', error_code: 'USER_ACTION_REQUIRED', request_id: requestId });
    expect(asked.objects['resolution']).toMatchObject({ immutable: true, kind: 'activity' });
    const early = await caller.execute('delete_alert', args, { requestId });
    expect(early.values['error_code']).toBe('USER_ACTION_REQUIRED');
    expect(app.ran).toEqual([]);
    expect(await launchResolution(early)).toBe(-1);
    expect(app.ran).toEqual([]);
    expect(prompts[0]).toMatchObject({ kind: 'confirm', tool: 'delete_alert', argsText: '{"alert_id":"al-1"}' });
    const resumeToken = String(early.values['resume_token']);
    const done = await caller.execute('delete_alert', args, { requestId, resumeToken });
    expect(done.data).toEqual({ kind: 'inline', value: { deleted: true } });
    expect((await caller.execute('delete_alert', args, { requestId, resumeToken })).data).toEqual(done.data);
    expect(app.ran).toHaveLength(1);
    expect(store.list().map((alert) => alert.alert_id)).toEqual(['al-2']);
  });

  it('a token is good for one call: other arguments, another id, another caller, a second use all fail', async () => {
    const { caller, app } = await ready();
    const requestId = randomUUID();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' }, { requestId });
    await launchResolution(asked);
    const resumeToken = String(asked.values['resume_token']);
    const changed = await caller.execute('delete_alert', { alert_id: 'al-2' }, { requestId, resumeToken });
    const moved = await caller.execute('delete_alert', { alert_id: 'al-1' }, { resumeToken });
    const other = new TestCaller(app, 10_201);
    await other.negotiate();
    const stolen = await other.execute('delete_alert', { alert_id: 'al-1' }, { requestId, resumeToken });
    for (const { values } of [changed, moved, stolen]) expect(values['error_code']).toBe('INVALID_REQUEST');
    expect(app.ran).toEqual([]);
    now += 5 * 60_000;
    const expired = await caller.execute('delete_alert', { alert_id: 'al-1' }, { requestId, resumeToken });
    expect(expired.values['error_code']).toBe('INVALID_REQUEST');
  });

  it('a confirmation flag from the Consumer means nothing', async () => {
    const { caller, app } = await ready();
    const refused = await caller.execute('delete_alert', { alert_id: 'al-1', confirmed: true });
    expect(refused.values['error_code']).toBe('INVALID_ARGS');
    expect(app.ran).toEqual([]);
  });

  it('a denial is USER_CANCELLED, for good', async () => {
    decision = 'deny';
    const { caller, app } = await ready();
    const requestId = randomUUID();
    const args = { alert_id: 'al-1' };
    const asked = await caller.execute('delete_alert', args, { requestId });
    expect(await launchResolution(asked)).toBe(0);
    const resumeToken = String(asked.values['resume_token']);
    const denied = await caller.execute('delete_alert', args, { requestId, resumeToken });
    expect(denied.values['error_code']).toBe('USER_CANCELLED');
    expect((await caller.execute('delete_alert', args, { requestId })).values['error_code']).toBe('USER_CANCELLED');
    expect(app.ran).toEqual([]);
  });

  it('a screen that is left asks again', async () => {
    decision = 'dismiss';
    const { caller } = await ready();
    const requestId = randomUUID();
    const args = { alert_id: 'al-1' };
    const asked = await caller.execute('delete_alert', args, { requestId });
    await launchResolution(asked);
    const resumeToken = String(asked.values['resume_token']);
    const again = await caller.execute('delete_alert', args, { requestId, resumeToken });
    expect(again.values['error_code']).toBe('USER_ACTION_REQUIRED');
    expect(again.values['resume_token']).not.toBe(resumeToken);
  });

  it('an intent is sent once', async () => {
    const { caller } = await ready();
    const asked = await caller.execute('delete_alert', { alert_id: 'al-1' });
    await launchResolution(asked);
    await expect(launchResolution(asked)).rejects.toThrow('one-shot');
  });

  it('a provider_policy tool asks when the call is worth it', async () => {
    const { caller } = await ready();
    expect((await caller.execute('create_alert', { symbol: 'A', price: 10_001 })).values['error_code']).toBe(
      'USER_ACTION_REQUIRED',
    );
    expect((await caller.execute('create_alert', { symbol: 'A', price: 10_000 })).values['status']).toBe('success');
  });

  it('a missing scope is granted first, then the call is confirmed, then it runs', async () => {
    const { caller, app, store } = await ready();
    const requestId = randomUUID();
    const first = await caller.execute('place_order', ORDER, { requestId });
    expect(first.values['error_code']).toBe('AUTH_REQUIRED');
    await launchResolution(first);
    expect(prompts[0]).toMatchObject({ kind: 'authorize', scopes: [{ name: 'trading.execute' }] });
    const resume = (answer: typeof first) => ({ requestId, resumeToken: String(answer.values['resume_token']) });
    const second = await caller.execute('place_order', ORDER, resume(first));
    expect(second.values['error_code']).toBe('USER_ACTION_REQUIRED');
    expect(app.ran).toEqual([]);
    await launchResolution(second);
    const third = await caller.execute('place_order', ORDER, resume(second));
    expect(third.values['data']).toBe('{"kind":"inline","value":{"order_id":9007199254740995,"state":"filled"}}');
    expect(store.orderCount()).toBe(1);
    expect((await caller.execute('place_order', ORDER)).values['error_code']).toBe('USER_ACTION_REQUIRED');
  });

  it('a grant that is denied ends the call', async () => {
    decision = 'deny';
    const { caller } = await ready();
    const requestId = randomUUID();
    const asked = await caller.execute('get_trading_stress', {}, { requestId });
    expect(asked.values['error_code']).toBe('AUTH_REQUIRED');
    await launchResolution(asked);
    const resumeToken = String(asked.values['resume_token']);
    const denied = await caller.execute('get_trading_stress', {}, { requestId, resumeToken });
    expect(denied.values['error_code']).toBe('USER_CANCELLED');
  });
});

describe('operations', () => {
  const args = { symbols: ['AA', 'BB'] };
  const id = (value: unknown) => [{ key: 'operation_id', t: 'string' as const, v: String(value) }];

  async function accepted(options: V2Options = {}, body: object = args) {
    const built = await ready(options);
    const requestId = randomUUID();
    const answer = await built.caller.execute('import_watchlist', body, { requestId });
    expect(answer.values['status']).toBe('accepted');
    const operation = id(answer.data['operation_id']);
    const query = () => built.caller.call('get_operation', operation, { requestId });
    return { ...built, requestId, operation, query };
  }

  it('queued, running, succeeded; the effect comes with the end and only once', async () => {
    const { query, app, store } = await accepted();
    expect((await query()).data).toMatchObject({ state: 'queued', poll_after_ms: 250 });
    expect((await query()).data).toMatchObject({ state: 'running', progress: { current: 2, total: 2 } });
    expect(app.ran).toEqual([]);
    const ends = await Promise.all([query(), query()]);
    expect(ends[0].data).toMatchObject({ state: 'succeeded', result: { kind: 'inline', value: { imported: 2 } } });
    expect((await query()).data).toEqual(ends[0].data);
    expect(app.ran).toHaveLength(1);
    expect(store.list()).toHaveLength(4);
  });

  it('the same id gives the same operation, and it survives a restart', async () => {
    const { caller, app, requestId, operation } = await accepted();
    app.restart?.();
    await caller.negotiate();
    const again = await caller.execute('import_watchlist', args, { requestId });
    expect(again.data['operation_id']).toBe(operation[0]?.v);
    expect((await caller.call('get_operation', operation, { requestId })).data['state']).toBe('queued');
  });

  it('fails with a structured error', async () => {
    const { query } = await accepted({ operationSteps: 1 }, { symbols: ['FAIL'] });
    await query();
    expect((await query()).data).toMatchObject({
      state: 'failed',
      error: { error_code: 'UNAVAILABLE', retryable: true, retry_after_ms: 60_000 },
    });
  });

  it('is cancelled before its effect; after it a cancel is a CONFLICT', async () => {
    const { caller, query, operation, requestId, app } = await accepted();
    const cancel = await caller.call('cancel_operation', operation, { requestId });
    expect(cancel.data).toEqual({ operation_id: operation[0]?.v, state: 'cancellation_requested' });
    expect((await query()).data['state']).toBe('cancelled');
    expect((await query()).data['state']).toBe('cancelled');
    expect(app.ran).toEqual([]);
    const other = await accepted({ operationSteps: 1 });
    await other.query();
    await other.query();
    const late = await other.caller.call('cancel_operation', other.operation, { requestId: other.requestId });
    expect(late.values['error_code']).toBe('CONFLICT');
    expect((await other.query()).data['state']).toBe('succeeded');
  });

  it('belongs to its caller and its request id', async () => {
    const { caller, app, operation, requestId } = await accepted();
    const stranger = new TestCaller(app, 10_999);
    await stranger.negotiate();
    const answers = [
      await stranger.call('get_operation', operation, { requestId }),
      await caller.call('get_operation', operation),
      await caller.call('get_operation', id('op_404'), { requestId }),
      await stranger.call('cancel_operation', operation, { requestId }),
    ];
    for (const { values } of answers) expect(values['error_code']).toBe('INVALID_REQUEST');
  });

  it('needs its capabilities: without them the tool is synchronous', async () => {
    const { caller } = build();
    await caller.negotiate([]);
    expect((await caller.execute('import_watchlist', args)).data).toEqual({ kind: 'inline', value: { imported: 2 } });
    for (const method of ['get_operation', 'cancel_operation']) {
      expect((await caller.call(method, id('op_1'))).values['error_code']).toBe('UNSUPPORTED_CAPABILITY');
    }
  });
});

describe('large results', () => {
  it('a result above the inline limit is a file with its size and digest', async () => {
    const { caller } = build();
    await caller.negotiate(['large_results']);
    const answer = await caller.execute('export_history', { symbol: 'NWND', years: 40 });
    const file = answer.objects['result_fd'];
    if (file?.t !== 'fd') throw new Error('no descriptor');
    const parts: Uint8Array[] = [];
    for await (const part of file.read()) parts.push(part);
    const bytes = Buffer.concat(parts);
    expect(answer.data).toEqual({
      kind: 'file',
      media_type: 'application/json',
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(bytes.length).toBeGreaterThan(262_144);
    expect(file.size).toBe(bytes.length);
    expect(JSON.parse(bytes.toString()).days).toHaveLength(14_600);
  });

  it('without the capability it is RESULT_TOO_LARGE', async () => {
    const { caller } = build();
    await caller.negotiate([]);
    const answer = await caller.execute('export_history', { symbol: 'NWND', years: 40 });
    expect(answer.values['error_code']).toBe('RESULT_TOO_LARGE');
    expect((await caller.execute('export_history', { symbol: 'NWND', years: 1 })).data['kind']).toBe('inline');
  });
});

describe('the v1 side', () => {
  it('shows reads only, whatever is asked', async () => {
    const { caller } = build();
    const list = await caller.raw('list_tools', null);
    expect(JSON.stringify(list)).toContain('get_quote');
    expect(JSON.stringify(list)).not.toMatch(/create_alert|delete_alert|place_order|update_alert|import_watchlist/);
    const write = await caller.raw('execute_tool', [
      { key: 'tool_name', t: 'string', v: 'create_alert' },
      { key: 'args', t: 'string', v: '{"symbol":"A","price":1}' },
    ]);
    expect(JSON.stringify(write)).toContain('TOOL_NOT_FOUND');
  });
});
