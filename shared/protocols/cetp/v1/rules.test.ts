import { describe, expect, test } from 'vitest';
import { translateIfKnown } from '../../../i18n/translate.ts';
import type { Bundle } from '../../../model/bundle.ts';
import type { Finding } from '../../../model/finding.ts';
import { string, V1_CONTEXT, v1Success, withKey } from '../testing/answers.ts';
import { v1Codec } from './codec.ts';
import { V1_RULES, type V1Rule } from './rules.ts';

/** Each v1 rule with its clause: an answer that breaks it and nothing else. */

const seen = new Set<string>();

function note(findings: readonly Finding[]): readonly Finding[] {
  for (const finding of findings) {
    seen.add(finding.rule);
    for (const locale of ['en', 'zh-CN'] as const) {
      const text = translateIfKnown(locale, `finding.${finding.rule}`, finding.params);
      expect(text, finding.rule).not.toBeNull();
      expect(text, `${locale} ${finding.rule}`).not.toMatch(/\{\w+\}/);
    }
  }
  return findings;
}

const TOOL = { name: 'getData', description: 'Gets data.', parameters: { type: 'object' } };
const INFO = { provider_name: 'Data', description: 'Some data.', scopes: [{ name: 's', description: 'd' }] };

const tools = (entries: unknown) => {
  const { findings, tools: read } = v1Codec.readTools(v1Success({ tools: entries }), V1_CONTEXT);
  return note([...findings, ...read.flatMap((tool) => tool.row.findings)]);
};
const tool = (over: object) => tools([{ ...TOOL, ...over }]);
const info = (over: object) => note(v1Codec.readProviderInfo(v1Success({ ...INFO, ...over }), V1_CONTEXT).findings);
const execute = (answer: Bundle) => {
  const reading = v1Codec.readExecute(answer, V1_CONTEXT);
  return note(reading.kind === 'outcome' ? reading.outcome.findings : reading.findings);
};
const error = (code: string, more: Bundle = []): Bundle => [
  string('status', 'error'),
  string('error_code', code),
  string('error_message', 'No.'),
  ...more,
];

test('clean answers have no finding', () => {
  expect(tools([TOOL])).toEqual([]);
  expect(info({})).toEqual([]);
  expect(execute(v1Success('[1,2]'))).toEqual([]);
  expect(execute(error('RATE_LIMITED'))).toEqual([]);
  expect(execute(error('AUTH_REQUIRED', [string('resolution_hint', 'h'), string('authorize_intent', 'a.B')]))).toEqual(
    [],
  );
});

const cases: readonly (readonly [V1Rule, string, () => readonly Finding[]])[] = [
  ['bundle-key-missing', 'v1 2.3', () => execute(withKey(error('RATE_LIMITED'), 'error_message', null))],
  ['bundle-key-type', 'v1 2.3', () => execute(withKey(v1Success('1'), 'data', { key: 'data', t: 'int', v: 1 }))],
  ['bundle-key-extra', 'v1 2.3', () => execute([...v1Success('1'), string('more', '')])],
  [
    'bundle-key-unreadable',
    'v1 2.3',
    () => execute(withKey(v1Success('1'), 'data', { key: 'data', t: 'unreadable', v: { class: 'c', error: 'e' } })),
  ],
  ['status-unknown', 'v1 2.3', () => execute(withKey(v1Success('1'), 'status', string('status', 'accepted')))],
  ['data-not-json', 'v1 2.3', () => execute(v1Success('nope'))],
  ['data-not-object', 'v1 2.3', () => note(v1Codec.readTools(v1Success('[]'), V1_CONTEXT).findings)],
  ['data-duplicate-member', 'v1 2.3', () => execute(v1Success('{"a":1,"a":2}'))],
  ['error-code-empty', 'v1 2.4', () => execute(error(''))],
  ['error-code-unknown', 'v1 2.4', () => execute(error('CONFLICT'))],
  ['v1-hint-misplaced', 'v1 2.3', () => execute(error('RATE_LIMITED', [string('resolution_hint', 'h')]))],
  [
    'tool-over-limit',
    'v1 2.3',
    () => {
      const text = `{"tools":[${'['.repeat(250)}${']'.repeat(250)}]}`;
      return note(v1Codec.readTools(v1Success(text), V1_CONTEXT).tools.flatMap((one) => one.row.findings));
    },
  ],
  ['tools-not-array', 'v1 2.3', () => tools({})],
  ['tool-not-object', 'v1 2.3', () => tools([null])],
  ['tool-name-missing', 'v1 2.3', () => tool({ name: 4 })],
  ['tool-member-missing', 'v1 2.3', () => tool({ parameters: undefined })],
  ['tool-member-type', 'v1 2.3', () => tool({ description: 4 })],
  ['tool-description-empty', 'v1 2.3', () => tool({ description: '' })],
  ['v1-tool-annotated', 'v1 2.3', () => tool({ annotations: {} })],
  ['v1-tool-annotated', 'v1 2.3', () => tool({ annotations: { effect: 'read' } })],
  ['v1-tool-with-effect', 'v1 2.3', () => tool({ annotations: { effect: 'create' } })],
  ['v1-tool-with-effect', 'v1 2.3', () => tool({ annotations: { destructive: true } })],
  [
    'tools-over-limit',
    'v1 2.3',
    () => note(v1Codec.readTools(v1Success({ tools: Array(20_001).fill(0) }), V1_CONTEXT).findings),
  ],
  ['data-over-limit', 'v1 2.3', () => execute(v1Success(`${'['.repeat(250)}${']'.repeat(250)}`))],
  ['schema-remote-ref', 'v1 2.3', () => tool({ parameters: { $ref: 'https://example.com/s' } })],
  ['schema-ref-unresolved', 'v1 2.3', () => tool({ parameters: { $ref: '#/x' } })],
  ['schema-part-invalid', 'v1 2.3', () => tool({ parameters: { items: 4 } })],
  ['schema-dialect-unsupported', 'v1 2.3', () => tool({ parameters: { $schema: 'https://example.com/d' } })],
  ['schema-not-inspected', 'v1 2.3', () => tool({ parameters: { allOf: Array(20_001).fill(true) } })],
  ['info-member-missing', 'v1 2.3', () => info({ description: undefined })],
  ['info-member-type', 'v1 2.3', () => info({ provider_name: 1 })],
  ['scopes-not-array', 'v1 2.3', () => info({ scopes: undefined })],
  ['scope-not-object', 'v1 2.3', () => info({ scopes: [1] })],
  ['scope-member-missing', 'v1 2.3', () => info({ scopes: [{ name: 's' }] })],
  ['scope-member-type', 'v1 2.3', () => info({ scopes: [{ name: 1, description: 'd' }] })],
];

describe('each rule alone', () => {
  test.each(cases)('%s (%s)', (rule, clause, find) => {
    expect(find().map((finding) => [finding.rule, finding.clause])).toEqual([[rule, clause]]);
  });

  test('a repeated name is flagged on each of its tools', () => {
    expect(tools([TOOL, TOOL]).map((finding) => [finding.rule, finding.where])).toEqual([
      ['tool-name-repeated', '/tools/0/name'],
      ['tool-name-repeated', '/tools/1/name'],
    ]);
  });

  test('every rule of the table was seen broken above', () => {
    expect(Object.keys(V1_RULES).filter((rule) => !seen.has(rule))).toEqual([]);
  });
});
