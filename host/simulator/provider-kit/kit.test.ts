import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../../../shared/base/json.ts';
import { createVirtualAndroid } from '../android/virtual-android.ts';
import { buildApk, readPackageName } from '../apk/apk.ts';
import { ManualClock } from '../companion/clock.ts';
import type { BinderOutcome, PackageSpec } from '../virtual-device.ts';
import { bigCatalogPackage, createBigCatalog } from './big-catalog.ts';
import { createErrorLab, ERROR_CODES } from './error-lab.ts';
import { createInvalidNegotiationProvider, createUnsupportedProvider } from './failing-negotiation.ts';
import { misbehavingPackages, wellBehavedPackages } from './kit.ts';
import { createMalformedProvider, malformedEntries } from './malformed-catalog.ts';
import { createNotesProvider } from './notes-weather.ts';
import { oddManifestPackages } from './odd-manifests.ts';
import { SPLIT_PROVIDER_PACKAGE, splitPackages } from './split-packages.ts';
import { type Answer, answerOf, launchResolution, TestCaller } from './test-caller.ts';
import { createUnprotectedProvider } from './unprotected.ts';

const all = [...wellBehavedPackages(), ...misbehavingPackages()];

describe('the kit', () => {
  it('installs together on every supported release, and every package is a real APK', () => {
    for (const sdk of [26, 30, 36]) createVirtualAndroid({ sdk, packages: all });
    expect(all.map((spec) => readPackageName(buildApk(spec)))).toEqual(all.map((spec) => spec.package));
  });

  it('has a Chinese label and an English one', () => {
    expect(all.map((spec) => spec.label)).toEqual(expect.arrayContaining(['公交时刻', 'Field Notes']));
  });
});

describe('v1 Providers', () => {
  const caller = new TestCaller(createNotesProvider());
  const execute = async (tool: string, args: string) =>
    answerOf(
      await caller.raw('execute_tool', [
        { key: 'tool_name', t: 'string', v: tool },
        { key: 'args', t: 'string', v: args },
      ]),
    );

  it('list their tools without extras, each with a schema', async () => {
    const list = answerOf(await caller.raw('list_tools', null));
    const tools = list.data['tools'] as { name: string; parameters: object }[];
    expect(tools.map((tool) => tool.name)).toEqual(['search_notes', 'get_weather', 'get_private_notes']);
    expect(answerOf(await caller.raw('get_provider_info', null)).data).toMatchObject({ provider_name: 'Field Notes' });
  });

  it('answer the errors of 2.4', async () => {
    expect((await execute('search_notes', '{"query":"LOCK"}')).data['notes']).toHaveLength(0);
    expect((await execute('search_notes', '{"query":"water"}')).data['notes']).toHaveLength(1);
    expect((await execute('nothing', '{}')).values['error_code']).toBe('TOOL_NOT_FOUND');
    expect((await execute('search_notes', '{}')).values['error_code']).toBe('INVALID_ARGS');
    expect((await execute('search_notes', '[')).values['error_code']).toBe('INVALID_ARGS');
    expect((await execute('get_private_notes', '{}')).values).toMatchObject({
      error_code: 'AUTH_REQUIRED',
      authorize_intent: 'org.example.notes.ACTION_UNLOCK',
      resolution_hint: expect.any(String),
    });
    expect(answerOf(await caller.raw('nonsense', null)).values['error_code']).toBe('TOOL_NOT_FOUND');
  });

  it('the unprotected one answers the shell', async () => {
    const app = createUnprotectedProvider();
    const shell = new TestCaller(app, 2000);
    expect(answerOf(await shell.raw('list_tools', null)).values['status']).toBe('success');
    expect(app.received[0]).toMatchObject({ caller: { uid: 2000 }, method: 'list_tools', extras: null });
  });
});

describe('failing negotiation', () => {
  it('has no common version, and no v1 behind it', async () => {
    const caller = new TestCaller(createUnsupportedProvider());
    expect((await caller.negotiate()).values['error_code']).toBe('UNSUPPORTED_VERSION');
    expect(answerOf(await caller.raw('list_tools', null)).values['error_code']).toBe('NEGOTIATION_REQUIRED');
  });

  it('or answers what 2.2 forbids', async () => {
    const { data } = await new TestCaller(createInvalidNegotiationProvider()).negotiate();
    expect(Buffer.byteLength(String(data['session_token']))).toBeGreaterThan(256);
    expect(data['expires_at']).not.toMatch(/Z|[+-]\d\d:\d\d$/);
    expect((data['limits'] as Record<string, number>)['max_request_bytes']).toBeLessThan(65_536);
    const other = new TestCaller(createInvalidNegotiationProvider({ text: '{"selected_version":1}' }));
    expect((await other.negotiate()).data).toEqual({ selected_version: 1 });
  });
});

describe('the malformed catalog', () => {
  it('fits a Binder reply by default, and as 5 MiB arrives as a dead Provider', async () => {
    const spec = (app: ReturnType<typeof createMalformedProvider>): PackageSpec => ({
      ...all.find((item) => item.label.startsWith('Junk'))!,
      apps: { 'org.example.junkdrawer.clawseed.tools': app },
    });
    const list = async (app: ReturnType<typeof createMalformedProvider>): Promise<BinderOutcome> => {
      const acquired = createVirtualAndroid({ packages: [spec(app)] }).acquire(
        0,
        'org.example.junkdrawer.clawseed.tools',
      );
      if (acquired.kind !== 'ok') throw new Error(acquired.kind);
      const caller = new TestCaller(acquired.app);
      await caller.negotiate();
      return caller.rawCall('list_tools');
    };
    expect((await list(createMalformedProvider())).kind).toBe('bundle');
    expect(await list(createMalformedProvider({ descriptionLength: 5 * 1024 * 1024 }))).toEqual({
      kind: 'too-large',
      side: 'reply',
    });
  });

  it('is one JSON document with everything that it promises', async () => {
    const caller = new TestCaller(createMalformedProvider());
    await caller.negotiate();
    const { values } = await caller.call('list_tools');
    const parsed = parseJson(String(values['data']));
    if (!parsed.ok) throw new Error(parsed.error.code);
    expect(parsed.value.duplicateKeys).toContain('description');
    const list = (parsed.value.value as { tools: readonly Json[] }).tools;
    const named = list.filter(isJsonObject).map((tool) => tool['name']);
    expect(named.filter((name) => name === 'duplicate')).toHaveLength(2);
    expect(named).toEqual(
      expect.arrayContaining(['Bad-Name With Spaces', '', undefined, 'remote_ref', 'slow_pattern']),
    );
    expect(list.filter((tool) => !isJsonObject(tool))).toHaveLength(4);
    const text = String(values['data']);
    expect(text).toContain('"__proto__":{"polluted":true}');
    expect(text).toContain('18446744073709551615');
    expect(malformedEntries(10).length).toBe(list.length);
  });

  it('its good tools work, with 64-bit integers and hostile results kept as they are', async () => {
    const caller = new TestCaller(createMalformedProvider());
    await caller.negotiate();
    expect((await caller.execute('good_tool')).values['status']).toBe('success');
    const { values } = await caller.execute('huge_integers');
    expect(values['data']).toContain('"long_max":9223372036854775807,"above_double":9007199254740993');
    expect((await caller.execute('html_text')).values['data']).toContain('"__proto__":{"polluted":true}');
    expect((await caller.execute('silent_delete')).values['error_code']).toBe('TOOL_NOT_FOUND');
  });
});

describe('odd manifests', () => {
  it('one package is Service only, another is Provider only', () => {
    const [front, back] = splitPackages();
    expect(front.providers).toEqual([]);
    expect(back.services).toEqual([]);
    expect(back.providers[0]?.authorities[0]).toBe(`${SPLIT_PROVIDER_PACKAGE}.clawseed.tools`);
    expect(JSON.stringify(front.services[0]?.metaData)).toContain(`${SPLIT_PROVIDER_PACKAGE}.clawseed.tools`);
  });

  it('install side by side', () => {
    const odd = Object.values(oddManifestPackages());
    const installed = createVirtualAndroid({ packages: odd, companionInstalled: false }).packages();
    expect(installed).toHaveLength(odd.length);
  });
});

describe('the error lab', () => {
  async function lab(clock = new ManualClock()) {
    const app = createErrorLab({}, clock);
    const caller = new TestCaller(app);
    await caller.negotiate();
    return caller;
  }

  it('answers every code of section 5 with its retryable, and an unknown one', async () => {
    const caller = await lab();
    expect(Object.keys(ERROR_CODES)).toHaveLength(19);
    for (const [code, retryable] of [...Object.entries(ERROR_CODES), ['SOMETHING_NEW', true] as const]) {
      const { values } = await caller.execute(`fail_${code.toLowerCase()}`);
      expect(values).toMatchObject({ status: 'error', error_code: code, retryable });
      expect(values['retry_after_ms']).toBe(retryable ? '1500' : undefined);
      expect(values['error_details']).toContain('9007199254740993');
    }
  });

  it.each([
    ['dies', { kind: 'died' }],
    ['throws', { kind: 'exception', class: 'java.lang.IllegalStateException' }],
    ['throws_security', { kind: 'exception', class: 'java.lang.SecurityException' }],
    ['throws_uncarried', { kind: 'exception', class: 'java.lang.ClassCastException' }],
    ['answers_null', { kind: 'null' }],
    ['answers_empty', { kind: 'bundle', bundle: { entries: [] } }],
    ['null_key', { kind: 'bundle', bundle: { nullKeys: 1 } }],
    ['unreadable_key', { bundle: { entries: expect.arrayContaining([expect.objectContaining({ t: 'unreadable' })]) } }],
  ])('%s', async (tool, outcome) => {
    expect(await (await lab()).executeRaw(tool)).toMatchObject(outcome);
  });

  it('the slow tool answers when its time is over, and no more than the limit run at once', async () => {
    const clock = new ManualClock();
    const caller = await lab(clock);
    const running = [1, 2, 3, 4].map(() => caller.execute('slow', { ms: 700 }));
    const { values } = await caller.execute('slow', { ms: 700 });
    expect(values).toMatchObject({ error_code: 'RATE_LIMITED', retryable: true, retry_after_ms: '500' });
    clock.advance(700);
    const answers = await Promise.all(running);
    expect(answers.map((answer: Answer) => answer.values['status'])).toEqual(Array(4).fill('success'));
    expect(caller.uid).toBe(10_200);
  });

  it('files lie in one way each', async () => {
    const caller = await lab();
    const read = async (tool: string) => {
      const answer = await caller.execute(tool);
      const file = answer.objects['result_fd'];
      if (file?.t !== 'fd') return { answer, bytes: null };
      const parts: Uint8Array[] = [];
      for await (const part of file.read()) parts.push(part);
      return { answer, bytes: Buffer.concat(parts) };
    };
    const size = await read('file_wrong_size');
    expect(size.answer.data['size_bytes']).not.toBe(size.bytes?.length);
    expect(size.answer.data['sha256']).toBe(createHash('sha256').update(size.bytes!).digest('hex'));
    const digest = await read('file_wrong_digest');
    expect(digest.answer.data['size_bytes']).toBe(digest.bytes?.length);
    expect(digest.answer.data['sha256']).not.toBe(createHash('sha256').update(digest.bytes!).digest('hex'));
    expect((await read('file_without_descriptor')).bytes).toBeNull();
    await expect(read('file_read_fails')).rejects.toThrow('EIO');
  });

  it('confirmations lie in one way each', async () => {
    const caller = await lab();
    expect((await caller.execute('confirmation_without_intent')).objects).toEqual({});
    expect((await caller.execute('confirmation_mutable')).objects['resolution']).toMatchObject({ immutable: false });
    expect((await caller.execute('confirmation_broadcast')).objects['resolution']).toMatchObject({ kind: 'broadcast' });
    expect((await caller.execute('confirmation_foreign')).objects['resolution']).toMatchObject({ creatorUid: 10_001 });
    await expect(launchResolution(await caller.execute('confirmation_cancelled'))).rejects.toThrow();
  });
});

describe('the big catalog', () => {
  it('has as many tools as asked, of unique names, and fits a line of the companion protocol', async () => {
    const caller = new TestCaller(createBigCatalog(5_000));
    await caller.negotiate();
    const { values, data } = await caller.call('list_tools');
    const tools = data['tools'] as { name: string }[];
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(5_000);
    expect(JSON.stringify(values['data']).length).toBeLessThan(4 * 1024 * 1024 - 4096);
    expect(bigCatalogPackage().apps).toHaveProperty(['org.example.warehouse.clawseed.tools']);
  });
});
