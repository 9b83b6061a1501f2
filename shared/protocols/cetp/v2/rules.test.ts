import { describe, expect, test } from 'vitest';
import { translateIfKnown } from '../../../i18n/translate.ts';
import type { Bundle, BundleEntry } from '../../../model/bundle.ts';
import type { Finding } from '../../../model/finding.ts';
import {
  ANNOTATIONS,
  accepted,
  FILE,
  fd,
  INFO,
  NEGOTIATION,
  NOW_MS,
  PACKAGE,
  pendingIntent,
  string,
  success,
  TOOL,
  v2Context,
  v2Error,
  withKey,
} from '../testing/answers.ts';
import { v2Codec } from './codec.ts';
import { readNegotiation } from './negotiate.ts';
import { type OperationMethod, readOperation } from './operations.ts';
import { V2_RULES, type V2Rule } from './rules.ts';
import { checkRevision, checkScopes } from './tools.ts';

/** Each rule with its clause: an answer that breaks it and nothing else. Every reader's clean answer finds nothing. */

const seen = new Set<string>();

function operation(data: object, previous: string | null = null, method?: OperationMethod): readonly Finding[] {
  return note(readOperation(success({ operation_id: 'op1', ...data }), v2Context(), 'op1', previous, method).findings);
}

function note(findings: readonly Finding[]): readonly Finding[] {
  for (const finding of findings) {
    seen.add(finding.rule);
    for (const locale of ['en', 'zh-CN'] as const) {
      const text = translateIfKnown(locale, `finding.${finding.rule}`, finding.params);
      expect(text, finding.rule).not.toBeNull();
      expect(text?.replace('{0,63}', ''), `${locale} ${finding.rule}`).not.toMatch(/\{\w+\}/);
    }
  }
  return findings;
}

const negotiate = (over: object, drop: string[] = []) =>
  negotiated(success(without({ ...NEGOTIATION, ...over }, drop)));
function negotiated(answer: Bundle | null) {
  const reading = readNegotiation(answer, NOW_MS, PACKAGE);
  note(reading.findings);
  return reading;
}

function execute(answer: Bundle, capabilities?: string[]) {
  const reading = v2Codec.readExecute(answer, v2Context(capabilities));
  return note(reading.kind === 'outcome' ? reading.outcome.findings : reading.findings);
}

function tools(list: unknown, capabilities?: string[]) {
  const document = Array.isArray(list) ? { revision: 'r1', tools: list } : list;
  const reading = v2Codec.readTools(success(document), v2Context(capabilities));
  return note([...reading.findings, ...reading.tools.flatMap((tool) => tool.row.findings)]);
}
const tool = (over: object, drop: string[] = []) => tools([without({ ...TOOL, ...over }, drop)]);
const annotated = (over: object, drop: string[] = []) =>
  tool({ annotations: without({ ...ANNOTATIONS, ...over }, drop) });

function info(over: object, drop: string[] = []) {
  return note(v2Codec.readProviderInfo(success(without({ ...INFO, ...over }, drop)), v2Context()).findings);
}
const scope = (over: object, drop: string[] = []) => info({ scopes: [without({ ...INFO.scopes[0], ...over }, drop)] });

function without(object: object, keys: string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

const inline = success({ kind: 'inline', value: 1 });
const file = (over: object, handle: BundleEntry | null = fd(20)) =>
  withKey(success({ ...FILE, ...over }), 'result_fd', handle);
const started = accepted({ operation_id: 'op1', poll_after_ms: 500 });
const confirm = v2Error('USER_ACTION_REQUIRED', true, [string('resume_token', 'r'), pendingIntent()]);

test('clean answers have no finding', () => {
  expect(negotiate({}).findings).toEqual([]);
  expect(execute(inline)).toEqual([]);
  expect(execute(file({}))).toEqual([]);
  expect(execute(started)).toEqual([]);
  expect(execute(v2Error('CONFLICT', true))).toEqual([]);
  expect(execute(confirm)).toEqual([]);
  expect(tools([TOOL])).toEqual([]);
  // 3.3 asks for JSON Schema, and `true` is one.
  expect(tool({ input_schema: true, output_schema: false })).toEqual([]);
  expect(info({})).toEqual([]);
});

const listOf = (over: object) => v2Codec.readTools(success({ revision: 'r1', tools: [TOOL], ...over }), v2Context());

test('a list with the same revision may differ in words and order, and any list with another (3.3)', () => {
  const other = { ...TOOL, name: 'other' };
  const before = listOf({ tools: [TOOL, other] });
  const reworded = { ...TOOL, title: 't', description: 'other words', scopes: [...TOOL.scopes].reverse() };
  expect(checkRevision(before, listOf({ tools: [other, reworded] })).findings).toEqual([]);
  expect(checkRevision(before, listOf({ tools: [TOOL], revision: 'r2' })).findings).toEqual([]);
  expect(checkRevision(null, before).findings).toEqual([]);
});

const DEEP = `{"name":"deep","input_schema":${'['.repeat(250)}${']'.repeat(250)}}`;

type Case = readonly [rule: V2Rule, clause: string, find: () => readonly Finding[]];

const cases: readonly Case[] = [
  // 2.2
  ['selected-version-missing', 'v2 2.2', () => negotiate({}, ['selected_version']).findings],
  ['selected-version-invalid', 'v2 2.2', () => negotiate({ selected_version: '2' }).findings],
  ['selected-version-not-offered', 'v2 2.2', () => negotiate({ selected_version: 3 }).findings],
  ['selected-version-one', 'v2 2.2', () => negotiate({ selected_version: 1 }).findings],
  ['provider-id-missing', 'v2 2.2', () => negotiate({}, ['provider_id']).findings],
  ['provider-id-namespace', 'v2 3.1', () => negotiate({ provider_id: 'com.example.notesx' }).findings],
  ['provider-name-missing', 'v2 2.2', () => negotiate({ provider_name: 5 }).findings],
  ['token-missing', 'v2 2.2', () => negotiate({ session_token: '' }).findings],
  ['token-too-long', 'v2 2.2', () => negotiate({ session_token: 'é'.repeat(129) }).findings],
  ['token-short', 'v2 2.2', () => negotiate({ session_token: '1' }).findings],
  ['expiry-absent', 'v2 2.2', () => negotiate({}, ['expires_at']).findings],
  ['expiry-invalid', 'v2 2.2', () => negotiate({ expires_at: '2026-09-01T13:00:00' }).findings],
  ['expiry-invalid', 'v2 2.2', () => negotiate({ expires_at: '2027-02-30T13:00:00Z' }).findings],
  ['expiry-past', 'v2 2.2', () => negotiate({ expires_at: '2026-09-01T12:00:00+00:00' }).findings],
  ['capabilities-invalid', 'v2 2.2', () => negotiate({ capabilities: 'cancellation' }).findings],
  ['capability-not-offered', 'v2 2.2', () => negotiate({ capabilities: ['teleport'] }).findings],
  ['capability-repeated', 'v2 2.2', () => negotiate({ capabilities: ['cancellation', 'cancellation'] }).findings],
  ['limits-missing', 'v2 2.2', () => negotiate({}, ['limits']).findings],
  [
    'limit-invalid',
    'v2 2.2',
    () => negotiate({ limits: { ...NEGOTIATION.limits, max_request_bytes: '65536' } }).findings,
  ],
  [
    'limit-too-small',
    'v2 2.2',
    () => negotiate({ limits: { ...NEGOTIATION.limits, max_request_bytes: 65_535 } }).findings,
  ],
  [
    'limit-too-small',
    'v2 2.2',
    () => negotiate({ limits: { ...NEGOTIATION.limits, max_concurrent_requests: 0 } }).findings,
  ],
  // 4.2: the Bundle
  ['bundle-key-missing', 'v2 4.2', () => execute(withKey(inline, 'request_id', null))],
  [
    'bundle-key-type',
    'v2 4.2',
    () => execute(withKey(inline, 'protocol_version', { key: 'protocol_version', t: 'long', v: '2' })),
  ],
  ['bundle-key-extra', 'v2 4.2', () => execute([...inline, string('note', 'x')])],
  [
    'bundle-key-unreadable',
    'v2 4.2',
    () =>
      execute(
        withKey(inline, 'request_id', { key: 'request_id', t: 'unreadable', v: { class: 'com.x.Y', error: 'e' } }),
      ),
  ],
  ['status-unknown', 'v2 4.2', () => execute(withKey(inline, 'status', string('status', 'ok')))],
  [
    'echo-version-differs',
    'v2 4.2',
    () => execute(withKey(inline, 'protocol_version', { key: 'protocol_version', t: 'int', v: 1 })),
  ],
  ['echo-request-id-differs', 'v2 4.2', () => execute(withKey(inline, 'request_id', string('request_id', 'other')))],
  ['data-not-json', 'v2 4.2', () => execute(success('{"kind":'))],
  [
    'data-over-limit',
    'v2 7.3',
    () => execute(success(`{"kind":"inline","value":${'['.repeat(250)}${']'.repeat(250)}}`)),
  ],
  ['data-not-object', 'v2 4.2', () => execute(success('[1]'))],
  ['data-duplicate-member', 'v2 7.3', () => execute(success('{"kind":"inline","value":1,"value":1}'))],
  ['result-kind-invalid', 'v2 4.2', () => execute(success({ value: 1 }))],
  ['result-value-missing', 'v2 4.2', () => execute(success({ kind: 'inline' }))],
  // 4.3 and 7.2
  ['bundle-key-missing', 'v2 4.3', () => execute(withKey(confirm, 'resolution', null))],
  ['bundle-key-missing', 'v2 4.3', () => execute(withKey(confirm, 'resume_token', null))],
  ['resume-token-empty', 'v2 4.3', () => execute(withKey(confirm, 'resume_token', string('resume_token', '')))],
  ['resolution-mutable', 'v2 7.2', () => execute(withKey(confirm, 'resolution', pendingIntent({ immutable: false })))],
  [
    'resolution-foreign',
    'v2 4.3',
    () => execute(withKey(confirm, 'resolution', pendingIntent({ creatorPackage: 'com.evil' }))),
  ],
  [
    'resolution-not-activity',
    'v2 4.3',
    () => execute(withKey(confirm, 'resolution', pendingIntent({ kind: 'broadcast' }))),
  ],
  ['v1-authorize-intent', 'v2 4.3', () => execute([...confirm, string('authorize_intent', 'a.b.C')])],
  // 4.4
  ['accepted-not-negotiated', 'v2 4.4', () => execute(started, [])],
  [
    'accepted-by-sync-tool',
    'v2 3.4',
    () => {
      const reading = v2Codec.readExecute(started, { ...v2Context(), execution: 'sync' });
      return note(reading.kind === 'outcome' ? reading.outcome.findings : []);
    },
  ],
  ['operation-id-missing', 'v2 4.4', () => execute(accepted({ poll_after_ms: 500 }))],
  ['poll-after-unusable', 'v2 4.4', () => execute(accepted({ operation_id: 'op1', poll_after_ms: 0 }))],
  ['operation-id-differs', 'v2 4.4', () => operation({ operation_id: 'op2', state: 'running' })],
  ['operation-state-unknown', 'v2 4.4', () => operation({ state: 'paused' })],
  ['operation-state-regressed', 'v2 4.4', () => operation({ state: 'queued' }, 'running')],
  ['operation-state-regressed', 'v2 4.4', () => operation({ state: 'running' }, 'cancelled')],
  ['operation-state-unknown', 'v2 4.4', () => operation({ state: 'cancellation_requested' }, 'running')],
  ['cancel-state-unexpected', 'v2 4.4', () => operation({ state: 'cancelled' }, 'running', 'cancel_operation')],
  ['operation-result-missing', 'v2 4.4', () => operation({ state: 'succeeded' })],
  ['operation-error-missing', 'v2 4.4', () => operation({ state: 'failed', error: 'no' })],
  // 4.5
  ['inline-too-large', 'v2 4.5', () => execute(success({ kind: 'inline', value: 'é'.repeat(131_072) }))],
  ['fd-with-inline', 'v2 4.5', () => execute([...inline, fd(1)])],
  ['file-not-negotiated', 'v2 4.5', () => execute(file({}), [])],
  ['bundle-key-missing', 'v2 4.5', () => execute(file({}, null))],
  ['file-member-invalid', 'v2 4.5', () => execute(file({ sha256: 'AB'.repeat(32) }))],
  ['file-member-invalid', 'v2 4.5', () => execute(file({ size_bytes: -1 }))],
  ['file-member-invalid', 'v2 4.5', () => execute(file({ media_type: null }))],
  ['file-media-type', 'v2 4.5', () => execute(file({ media_type: 'image/png' }))],
  ['file-size-differs', 'v2 4.5', () => execute(file({ size_bytes: 21 }))],
  // 5
  ['bundle-key-missing', 'v2 5', () => execute(withKey(v2Error('CONFLICT', true), 'retryable', null))],
  ['bundle-key-missing', 'v2 5', () => execute(withKey(v2Error('CONFLICT', true), 'error_code', null))],
  ['bundle-key-type', 'v2 5', () => execute(v2Error('CONFLICT', true, [{ key: 'retry_after_ms', t: 'int', v: 5 }]))],
  ['error-code-empty', 'v2 5', () => execute(v2Error('', true))],
  ['error-code-unknown', 'v2 5', () => execute(v2Error('OUT_OF_CHEESE', true))],
  ['retryable-contradicts-table', 'v2 5', () => execute(v2Error('RATE_LIMITED', false))],
  ['retryable-contradicts-table', 'v2 5', () => execute(v2Error('INVALID_ARGS', true))],
  [
    'retry-after-negative',
    'v2 5',
    () => execute(v2Error('UNAVAILABLE', true, [{ key: 'retry_after_ms', t: 'long', v: '-1' }])),
  ],
  ['error-details-not-json', 'v2 5', () => execute(v2Error('CONFLICT', true, [string('error_details', 'oops')]))],
  [
    'error-stack-trace',
    'v2 5',
    () => execute(v2Error('CONFLICT', true, [string('error_details', '{"at":"at a.B.c(B.java:1)"}')])),
  ],
  // 3.3
  ['document-wrapped', 'v2 3.3', () => tools({ kind: 'inline', value: { revision: 'r', tools: [] } })],
  ['revision-missing', 'v2 3.3', () => tools({ tools: [TOOL] })],
  ...(
    [
      { tools: [TOOL, { ...TOOL, name: 'more' }] },
      { tools: [{ ...TOOL, input_schema: {} }] },
      { tools: [{ ...TOOL, annotations: { ...ANNOTATIONS, open_world: true } }] },
      { tools: [{ ...TOOL, scopes: [] }] },
    ] as const
  ).map(
    (change): Case => [
      'revision-unchanged',
      'v2 3.3',
      () => note(checkRevision(listOf({ tools: [TOOL] }), listOf(change)).findings),
    ],
  ),
  [
    'tool-over-limit',
    'v2 7.3',
    () =>
      note(
        v2Codec
          .readTools(success(`{"revision":"r","tools":[${DEEP}]}`), v2Context())
          .tools.flatMap((one) => one.row.findings),
      ),
  ],
  ['tools-not-array', 'v2 3.3', () => tools({ revision: 'r', tools: {} })],
  ['tool-not-object', 'v2 3.3', () => tools(['x'])],
  ['tool-name-missing', 'v2 3.1', () => tool({}, ['name'])],
  ['tool-name-invalid', 'v2 3.1', () => tool({ name: 'Find' })],
  ['tool-name-invalid', 'v2 3.1', () => tool({ name: `a${'b'.repeat(64)}` })],
  ['tool-name-invalid', 'v2 3.1', () => tool({ name: 'find\n' })],
  ['tool-member-missing', 'v2 3.3', () => tool({}, ['description'])],
  ['tool-member-missing', 'v2 3.3', () => tool({}, ['input_schema'])],
  ['tool-member-missing', 'v2 3.3', () => tool({}, ['output_schema'])],
  ['tool-member-missing', 'v2 3.3', () => tool({}, ['scopes'])],
  ['tool-member-missing', 'v2 3.3', () => tool({}, ['annotations'])],
  ['tool-member-type', 'v2 3.3', () => tool({ input_schema: 'object' })],
  [
    'tools-over-limit',
    'v2 7.3',
    () => note(v2Codec.readTools(success({ revision: 'r', tools: Array(20_001).fill(0) }), v2Context()).findings),
  ],
  ['tool-title-missing', 'v2 3.3', () => tool({}, ['title'])],
  ['tool-description-empty', 'v2 3.3', () => tool({ description: ' ' })],
  ['scope-name-invalid', 'v2 3.2', () => tool({ scopes: ['Notes'] })],
  ['scope-repeated', 'v2 3.3', () => tool({ scopes: ['notes.read', 'notes.read'] })],
  [
    'scope-not-in-catalog',
    'v2 3.2',
    () => {
      const list = v2Codec.readTools(
        success({ revision: 'r', tools: [{ ...TOOL, scopes: ['notes.write'] }] }),
        v2Context(),
      );
      const catalog = v2Codec.readProviderInfo(success(INFO), v2Context()).info;
      return note(checkScopes(list, catalog).tools.flatMap((item) => item.row.findings));
    },
  ],
  // 3.4
  ['annotation-missing', 'v2 3.4', () => annotated({}, ['risk'])],
  ['annotation-type', 'v2 3.4', () => annotated({ idempotent: 'yes' })],
  ['annotation-unknown-value', 'v2 3.4', () => annotated({ effect: 'wipe' })],
  ['delete-without-confirmation', 'v2 3.4', () => annotated({ effect: 'delete' })],
  [
    'transaction-without-confirmation',
    'v2 3.4',
    () => annotated({ effect: 'transaction', confirmation: 'provider_policy' }),
  ],
  ['destructive-without-confirmation', 'v2 3.4', () => annotated({ effect: 'update', destructive: true })],
  ['high-risk-without-confirmation', 'v2 3.4', () => annotated({ risk: 'high' })],
  ['read-but-destructive', 'v2 3.4', () => annotated({ destructive: true, confirmation: 'always' })],
  [
    'async-not-negotiated',
    'v2 3.4',
    () => tools([{ ...TOOL, annotations: { ...ANNOTATIONS, execution: 'sync_or_async' } }], []),
  ],
  // Schemas
  ['schema-remote-ref', 'v2 3.2', () => tool({ input_schema: { $ref: 'https://example.com/s' } })],
  ['schema-ref-unresolved', 'v2 3.2', () => tool({ input_schema: { $ref: '#/$defs/x' } })],
  ['schema-part-invalid', 'v2 3.2', () => tool({ output_schema: { properties: { a: 1 } } })],
  ['schema-dialect-unsupported', 'v2 3.2', () => tool({ output_schema: { $schema: 'https://example.com/d' } })],
  ['schema-args-not-object', 'v2 4.1', () => tool({ input_schema: { type: 'string' } })],
  ['schema-args-not-object', 'v2 4.1', () => tool({ input_schema: false })],
  [
    'schema-dialect-differs',
    'v2 3.2',
    () => {
      const $schema = 'http://json-schema.org/draft-07/schema#';
      const list = v2Codec.readTools(
        success({ revision: 'r', tools: [{ ...TOOL, output_schema: { $schema } }] }),
        v2Context(),
      );
      const catalog = v2Codec.readProviderInfo(success(INFO), v2Context()).info;
      return note(checkScopes(list, catalog).tools.flatMap((item) => item.row.findings));
    },
  ],
  [
    'schema-not-inspected',
    'v2 7.3',
    () => tool({ output_schema: { allOf: Array.from({ length: 20_001 }, () => true) } }),
  ],
  // 3.2
  ['info-member-missing', 'v2 3.2', () => info({}, ['description'])],
  ['info-member-type', 'v2 3.2', () => info({ provider_name: 1 })],
  ['provider-id-differs', 'v2 3.1', () => info({ provider_id: `${PACKAGE}.other` })],
  ['dialect-absent', 'v2 3.2', () => info({}, ['schema_dialect'])],
  ['dialect-differs', 'v2 3.2', () => info({ schema_dialect: 'http://json-schema.org/draft-07/schema#' })],
  ['dialect-unsupported', 'v2 3.2', () => info({ schema_dialect: 'https://example.com/d' })],
  ['scopes-not-array', 'v2 3.2', () => info({ scopes: {} })],
  ['scope-not-object', 'v2 3.2', () => info({ scopes: ['notes.read'] })],
  ['scope-member-missing', 'v2 3.2', () => scope({}, ['access'])],
  ['scope-member-type', 'v2 3.2', () => scope({ title: 3 })],
  ['scope-unknown-value', 'v2 3.2', () => scope({ access: 'admin' })],
  ['scope-unknown-value', 'v2 3.2', () => scope({ sensitivity: 'secret' })],
  ['scope-name-invalid', 'v2 3.2', () => scope({ name: '9' })],
  ['scope-declared-twice', 'v2 3.2', () => info({ scopes: [INFO.scopes[0], INFO.scopes[0]] })],
];

describe('each rule alone', () => {
  test.each(cases)('%s (%s)', (rule, clause, find) => {
    expect(find().map((finding) => [finding.rule, finding.clause])).toEqual([[rule, clause]]);
  });

  test('a repeated name is flagged on each of its tools', () => {
    const findings = tools([TOOL, { ...TOOL, name: 'other' }, TOOL]);
    expect(findings.map((finding) => [finding.rule, finding.where])).toEqual([
      ['tool-name-repeated', '/tools/0/name'],
      ['tool-name-repeated', '/tools/2/name'],
    ]);
  });
});

describe('severity', () => {
  test('what the spec leaves open is lenient', () => {
    const missingEcho = success({ revision: 'r', tools: [TOOL] }).filter(
      (entry) => !['protocol_version', 'request_id'].includes(entry.key),
    );
    const { findings, problem } = v2Codec.readTools(missingEcho, v2Context());
    expect(findings.map((finding) => finding.severity)).toEqual(['lenient', 'lenient']);
    expect(problem).toBeNull();
  });
});

test('every rule of the table was seen broken above', () => {
  expect(Object.keys(V2_RULES).filter((rule) => !seen.has(rule))).toEqual([]);
});
