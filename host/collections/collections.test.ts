import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { printCallFile } from '../../shared/collections/call-file.ts';
import type { HostClient } from '../../shared/contract/client.ts';
import type { RunEvent, SavedCall, SavedCallResult } from '../../shared/model/collection.ts';
import { createHost, type Host } from '../host.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'examples', 'saved-calls');
const DEVICE = { deviceKey: 'demo/DEMO34PHONE01', userId: null };
const SECRET = 'correct-horse-"battery"';

let data: string;
let host: Host;
let client: HostClient;
let folder: string;
beforeAll(async () => {
  data = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cetp-collections-')));
  host = await createHost({
    journalFile: path.join(data, 'journal.sqlite'),
    assetsRoot: null,
    version: '0',
    demo: true,
    env: {},
    watchLocal: false,
  });
  client = createRouterClient(host.router, { context: {} });
});
afterAll(async () => {
  await host.close();
  rmSync(data, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = mkdtempSync(path.join(data, 'folder-'));
  await client.collections.open({ path: folder, remember: false });
});
afterEach(() => client.collections.close({ folder }));

const call = (over: Partial<SavedCall> = {}): SavedCall => ({
  name: null,
  provider: 'org.example.pricealerts',
  tool: 'get_quote',
  device: null,
  argsText: '{"symbol":"ACME"}',
  variables: true,
  timeoutMs: null,
  allowEffects: false,
  force: false,
  ...over,
  expect: {
    outcome: null,
    errorCode: null,
    value: [],
    outputSchema: false,
    schemaText: null,
    maxDurationMs: null,
    ...over.expect,
  },
});
const put = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};
const putCall = (file: string, over: Partial<SavedCall> = {}) => put(file, printCallFile(call(over)));
const environment = (name: string, content: object) =>
  put(`environments/${name}.json`, JSON.stringify({ v: 1, ...content }));
type RunInput = Parameters<HostClient['collections']['run']>[0];
const input = (over: Partial<RunInput> = {}): RunInput => ({
  folder,
  files: null,
  environment: null,
  vars: {},
  device: DEVICE,
  confirmed: false,
  bail: false,
  ...over,
});
async function run(over: Partial<RunInput> = {}, onEvent: (event: RunEvent) => void = () => {}) {
  const events: RunEvent[] = [];
  for await (const event of await client.collections.run(input(over))) {
    events.push(event);
    onEvent(event);
  }
  const results = events.flatMap((event) => (event.kind === 'call-ended' ? [event.result] : []));
  return { events, results, end: events.at(-1) };
}
const brief = (results: readonly SavedCallResult[]) =>
  results.map(({ file, state, problem }) => [file, state, problem?.code ?? null]);
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.data?.code ?? String(error),
  );
/** How many executions of a tool, or of any, the journal has. */
const sent = async (tool: string | null = null) => {
  const { rows } = await client.history.list({ search: 'execute_tool', beforeSeq: null, limit: 500 });
  return rows.filter((row) => row.method === 'execute_tool' && (tool === null || row.tool === tool)).length;
};

test('the example of the documentation passes on the demo, in order of file name', async () => {
  cpSync(EXAMPLE, folder, { recursive: true });
  const { results, end } = await run({ environment: 'demo', confirmed: true });
  expect(brief(results)).toEqual([
    ['01-quote.cetp.json', 'passed', null],
    ['02-quote-lower-case.cetp.json', 'passed', null],
    ['03-weather.cetp.json', 'passed', null],
    ['alerts/01-create.cetp.json', 'passed', null],
    ['alerts/02-list.cetp.json', 'passed', null],
  ]);
  expect(end).toMatchObject({
    kind: 'ended',
    totals: { passed: 5, failed: 0, errors: 0, skipped: 0 },
    cancelled: false,
  });
  const [quote] = results;
  expect(quote?.checks.map(({ state }) => state)).toEqual([
    'passed',
    'passed',
    'passed',
    'passed',
    'passed',
    'passed',
    'info',
  ]);
  expect(quote?.answer?.valueText).toContain('9223372036854775807');
});

describe('only what a person opened', () => {
  test('no folder is touched before, none after it was closed', async () => {
    const other = mkdtempSync(path.join(data, 'other-'));
    writeFileSync(path.join(other, 'a.cetp.json'), printCallFile(call()));
    expect(await code(client.collections.read({ folder: other }))).toBe('collection-not-open');
    expect(
      await code(client.collections.save({ folder: other, file: 'b.cetp.json', call: call(), before: null })),
    ).toBe('collection-not-open');
    expect(await code(run({ folder: other }))).toBe('collection-not-open');
    await client.collections.open({ path: other, remember: true });
    expect((await client.collections.list()).map((one) => one.folder)).toEqual([other]);
    await client.collections.close({ folder: other });
    expect(await code(client.collections.read({ folder: other }))).toBe('collection-not-open');
    expect(readdirSync(other)).toEqual(['a.cetp.json']);
  });

  test('a file outside, hidden or of another kind is neither read nor written', async () => {
    for (const file of [
      '../x.cetp.json',
      'a/../../x.cetp.json',
      '/tmp/x.cetp.json',
      '.x/y.cetp.json',
      'x.json',
      'environments/demo.json',
    ]) {
      expect(await code(client.collections.save({ folder, file, call: call(), before: null }))).toBe('saved-call-name');
      expect(await code(client.collections.remove({ folder, file, before: '0'.repeat(64) }))).toBe('saved-call-name');
      expect(brief((await run({ files: [file] })).results)).toEqual([[file, 'error', 'saved-call-name']]);
    }
  });
});

describe('files', () => {
  test('saved, read again, changed on disk, removed', async () => {
    const saved = await client.collections.save({
      folder,
      file: 'a/q.cetp.json',
      call: call({ name: 'Q' }),
      before: null,
    });
    expect(saved).toMatchObject({ file: 'a/q.cetp.json', call: { name: 'Q' }, problem: null });
    const { entries } = await client.collections.read({ folder });
    expect(entries).toEqual([saved]);
    expect(await code(client.collections.save({ folder, file: 'a/q.cetp.json', call: call(), before: null }))).toBe(
      'saved-call-exists',
    );
    putCall('a/q.cetp.json', { name: 'somebody else' });
    const before = saved.sha256 ?? '';
    expect(await code(client.collections.save({ folder, file: 'a/q.cetp.json', call: call(), before }))).toBe(
      'saved-call-changed',
    );
    expect(await code(client.collections.remove({ folder, file: 'a/q.cetp.json', before }))).toBe('saved-call-changed');
    expect(readFileSync(path.join(folder, 'a', 'q.cetp.json'), 'utf8')).toContain('somebody else');
  });

  test('a file that is none stands in the list with its reason, and is an error of the run', async () => {
    putCall('1.cetp.json');
    put('2.cetp.json', '{"v":1');
    put('3.cetp.json', '{"v":1,"provider":"p","tool":"t","run":"rm -rf /"}');
    const { entries } = await client.collections.read({ folder });
    expect(entries.map(({ file, problem }) => [file, problem?.code ?? null])).toEqual([
      ['1.cetp.json', null],
      ['2.cetp.json', 'saved-call-invalid'],
      ['3.cetp.json', 'saved-call-invalid'],
    ]);
    const { results } = await run();
    expect(results.map(({ state }) => state)).toEqual(['passed', 'error', 'error']);
  });

  test('the arguments arrive as they are in the file, byte for byte', async () => {
    const argsText = '{ "symbol" :\n\t"ACME"  }\n\n';
    putCall('q.cetp.json', { argsText });
    const { results } = await run();
    const events = await client.history.events({ exchangeId: results[0]?.answer?.exchangeId ?? '' });
    expect(JSON.stringify(events)).toContain(JSON.stringify(JSON.stringify(argsText)).slice(3, -3));
  });
});

describe('variables', () => {
  test('without a value nothing is sent', async () => {
    const before = await sent();
    putCall('q.cetp.json', { argsText: '{"symbol":"{{symbol}}{{other}}"}' });
    const { results } = await run({ vars: { symbol: 'ACME' } });
    expect(results[0]).toMatchObject({
      state: 'error',
      problem: { code: 'saved-call-unresolved', params: { names: 'other' } },
      answer: null,
    });
    expect(await sent()).toBe(before);
  });

  test('stand in provider, tool, device and arguments; those of the run go first', async () => {
    environment('e', { variables: { app: 'org.example', what: 'quote', phone: 'DEMO34PHONE01', symbol: 'WRONG' } });
    putCall('q.cetp.json', {
      provider: '{{app}}.pricealerts',
      tool: 'get_{{what}}',
      device: '{{phone}}',
      argsText: '{"symbol":"{{symbol}}"}',
      expect: { ...call().expect, value: [{ at: '/symbol', op: 'equals', expected: '"ACME"' }] },
    });
    const { results } = await run({ environment: 'e', vars: { symbol: 'ACME' }, device: null });
    expect(brief(results)).toEqual([['q.cetp.json', 'passed', null]]);
    expect(results[0]).toMatchObject({
      provider: 'org.example.pricealerts',
      tool: 'get_quote',
      device: DEVICE.deviceKey,
    });
  });

  test('switched off, braces are text', async () => {
    putCall('q.cetp.json', {
      provider: 'org.example.notes',
      tool: 'get_weather',
      argsText: '{"place":"{{x}}"}',
      variables: false,
    });
    const { results } = await run();
    expect(results[0]?.answer?.valueText).toContain('{{x}}');
  });
});

describe('secrets', () => {
  const weather = { provider: 'org.example.notes', tool: 'get_weather', argsText: '{"place":"{{place}}"}' };

  test('reach the Provider and nothing else: no result, no record, no journal, no environment', async () => {
    environment('e', { secrets: ['place'] });
    putCall('w.cetp.json', {
      ...weather,
      expect: { ...call().expect, value: [{ at: '/unit', op: 'equals', expected: '"celsius"' }] },
    });
    expect(brief((await run({ environment: 'e' })).results)).toEqual([
      ['w.cetp.json', 'error', 'saved-call-unresolved'],
    ]);
    await client.collections.putSecret({ folder, environment: 'e', name: 'place', value: SECRET });
    const { events, results } = await run({ environment: 'e' });
    expect(brief(results)).toEqual([['w.cetp.json', 'passed', null]]);
    // The Provider gives back the place that it was asked for: it had the value itself.
    expect(results[0]?.answer?.valueText).toMatch(/"place":"⟦masked:\d+⟧"/);
    const target = { ...DEVICE, providerKey: 'org.example.notes/org.example.notes.cetp.ToolProviderService' };
    let records = '';
    for await (const list of await client.calls.watch(target)) {
      records = JSON.stringify(list);
      break;
    }
    expect(records).toContain('"secretsHidden":true');
    const collection = JSON.stringify(await client.collections.read({ folder }));
    expect(collection).toContain('"isSet":true');
    const journal = readdirSync(data)
      .filter((name) => name.startsWith('journal'))
      .map((name) => readFileSync(path.join(data, name), 'latin1'));
    for (const text of [JSON.stringify(events), records, collection, ...journal])
      expect(text).not.toMatch(/correct-horse|battery/);
    // Sending the marks under the same id would be another execution.
    const callId = results[0]?.answer?.exchangeId ?? '';
    expect(await code(client.calls.retry({ callId, confirmed: false, deliberate: true }))).toMatch(/^retry-/);
  });

  test('are kept in a file that git leaves out and others cannot read', async () => {
    environment('e', { secrets: ['place', 'key'] });
    put('environments/.gitignore', '*.bak');
    await client.collections.putSecret({ folder, environment: 'e', name: 'place', value: SECRET });
    await client.collections.putSecret({ folder, environment: 'e', name: 'key', value: 'another-secret' });
    await client.collections.putSecret({ folder, environment: 'e', name: 'place', value: null });
    expect(readFileSync(path.join(folder, 'environments', '.gitignore'), 'utf8')).toBe('*.bak\n*.secrets.json\n');
    expect(JSON.parse(readFileSync(path.join(folder, 'environments', 'e.secrets.json'), 'utf8'))).toEqual({
      v: 1,
      secrets: { key: 'another-secret' },
    });
    expect(await code(client.collections.putSecret({ folder, environment: 'e', name: 'other', value: SECRET }))).toBe(
      'environment-no-secret',
    );
    expect(await code(client.collections.putSecret({ folder, environment: '../e', name: 'key', value: SECRET }))).toBe(
      'environment-unknown',
    );
    expect((await client.collections.read({ folder })).environments.map(({ name }) => name)).toEqual(['e']);
  });

  test('one that is too short to be masked is not sent', async () => {
    environment('e', { secrets: ['place'] });
    putCall('w.cetp.json', weather);
    const { results } = await run({ environment: 'e', vars: { place: 'short' } });
    expect(brief(results)).toEqual([['w.cetp.json', 'error', 'saved-call-secret-short']]);
    expect(await code(client.collections.putSecret({ folder, environment: 'e', name: 'place', value: 'short' }))).toBe(
      'saved-call-secret-short',
    );
  });

  test('are not put into the draft that the composer opens', async () => {
    environment('e', { secrets: ['place'], variables: { unit: 'celsius' } });
    await client.collections.putSecret({ folder, environment: 'e', name: 'place', value: SECRET });
    putCall('w.cetp.json', { ...weather, argsText: '{"place":"{{place}}","unit":"{{unit}}"}' });
    const located = await client.collections.locate({ folder, file: 'w.cetp.json', environment: 'e', device: DEVICE });
    expect(located).toMatchObject({
      tool: 'get_weather',
      toolIndex: 1,
      argsText: '{"place":"{{place}}","unit":"celsius"}',
    });
  });
});

describe('effects', () => {
  const create = { tool: 'create_alert', argsText: '{"symbol":"ACME","price":5}' };

  test.each([
    [false, false, 'error', 'saved-call-effects'],
    [false, true, 'error', 'saved-call-effects'],
    [true, false, 'error', 'saved-call-unconfirmed'],
    [true, true, 'passed', null],
  ])('file allows: %s, run confirmed: %s → %s', async (allowEffects, confirmed, state, reason) => {
    const before = await sent('create_alert');
    putCall('c.cetp.json', { ...create, allowEffects });
    expect(brief((await run({ confirmed })).results)).toEqual([['c.cetp.json', state, reason]]);
    expect((await sent('create_alert')) - before).toBe(state === 'passed' ? 1 : 0);
  });
});

describe('what is no pass', () => {
  test('another end, another value, another error: failed; nothing to check: error', async () => {
    const wrong = { ...call().expect, value: [{ at: '/price', op: 'equals' as const, expected: '43' }] };
    putCall('1-value.cetp.json', { expect: wrong });
    putCall('2-error.cetp.json', { argsText: '{"symbol":"acme"}', force: true });
    putCall('3-args.cetp.json', { argsText: '{"symbol":"acme"}' });
    putCall('4-tool.cetp.json', { tool: 'no_such_tool' });
    putCall('5-provider.cetp.json', { provider: 'org.example.nobody' });
    putCall('6-device.cetp.json', { device: 'NOPE' });
    putCall('7-session.cetp.json', { provider: 'org.example.ledger', tool: 'x' });
    putCall('8-expected.cetp.json', {
      tool: 'no_such_tool',
      expect: { ...call().expect, outcome: 'refused' },
      allowEffects: true,
    });
    const { results, end } = await run({ confirmed: true });
    expect(results.map(({ state, problem }) => [state, problem?.code ?? null])).toEqual([
      ['failed', null],
      ['failed', null],
      ['error', 'saved-call-args-invalid'],
      ['error', 'saved-call-effects'],
      ['error', 'no-such-provider'],
      ['error', 'no-such-device'],
      ['error', expect.stringMatching(/^negotiation-/)],
      ['passed', null],
    ]);
    expect(results[0]?.checks[1]).toMatchObject({ state: 'failed', expected: '43', actual: '42.10' });
    expect(end).toMatchObject({ totals: { passed: 1, failed: 2, errors: 5, skipped: 0 } });
  });

  test('an own schema is checked in the worker, a broken one is not passed', async () => {
    const own = (schemaText: string) => ({ expect: { ...call().expect, schemaText } });
    putCall('1.cetp.json', own('{"type":"object","required":["price"]}'));
    putCall('2.cetp.json', own('{"type":"array"}'));
    putCall('3.cetp.json', own('{"type":"no-type"}'));
    const { results } = await run();
    expect(results.map(({ state, checks }) => [state, checks[1]?.state])).toEqual([
      ['passed', 'passed'],
      ['failed', 'failed'],
      ['failed', 'not-checked'],
    ]);
  });

  test('bail skips what follows', async () => {
    putCall('1.cetp.json', { expect: { ...call().expect, outcome: 'accepted' } });
    putCall('2.cetp.json');
    const { results, end } = await run({ bail: true });
    expect(results.map(({ state }) => state)).toEqual(['failed', 'skipped']);
    expect(end).toMatchObject({ totals: { failed: 1, skipped: 1 } });
  });
});

describe('cancel', () => {
  const slow = {
    provider: 'org.example.errorlab',
    tool: 'slow',
    argsText: '{"ms":600000}',
    allowEffects: true,
    force: true,
  };

  test('ends the call under way and skips the rest, and the stream tells both', async () => {
    putCall('1.cetp.json', slow);
    putCall('2.cetp.json');
    let runId = '';
    const before = await sent('slow');
    const running = run({ confirmed: true }, (event) => {
      if (event.kind === 'started') runId = event.runId;
    });
    await expect.poll(() => sent('slow'), { timeout: 20_000 }).toBe(before + 1);
    expect(await client.collections.cancel({ runId })).toEqual({ cancelled: true });
    const { results, end } = await running;
    expect(brief(results)).toEqual([
      ['1.cetp.json', 'error', 'call-cancelled'],
      ['2.cetp.json', 'skipped', null],
    ]);
    expect(end).toMatchObject({ cancelled: true, totals: { errors: 1, skipped: 1 } });
    expect(await client.collections.cancel({ runId })).toEqual({ cancelled: false });
  });

  test('a reader that goes away ends the run: nothing more is sent unseen', async () => {
    putCall('1.cetp.json');
    putCall('2.cetp.json');
    const before = await sent();
    for await (const event of await client.collections.run(input())) if (event.kind === 'call-ended') break;
    await expect.poll(() => sent(), { timeout: 20_000 }).toBe(before + 1);
    expect(brief((await run()).results).map(([, state]) => state)).toEqual(['passed', 'passed']);
  });
});

test('an environment is chosen for the folder, and one that is gone is none', async () => {
  environment('e', { variables: { a: '1' } });
  expect(await code(client.collections.selectEnvironment({ folder, environment: 'x' }))).toBe('environment-unknown');
  await client.collections.selectEnvironment({ folder, environment: 'e' });
  expect(await client.collections.read({ folder })).toMatchObject({
    environment: 'e',
    environments: [{ name: 'e', variables: { a: '1' }, secrets: [], problem: null }],
  });
  rmSync(path.join(folder, 'environments'), { recursive: true });
  expect(await client.collections.read({ folder })).toMatchObject({ environment: null, environments: [] });
  expect(existsSync(path.join(folder, 'environments'))).toBe(false);
});
