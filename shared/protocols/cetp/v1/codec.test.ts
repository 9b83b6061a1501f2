import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { string, V1_CONTEXT, v1Success } from '../testing/answers.ts';
import { V1_ERROR_CODES, v1Codec } from './codec.ts';

describe('requests (2.3)', () => {
  test('lists go without extras', () => {
    expect(v1Codec.listTools(V1_CONTEXT)).toEqual({ method: 'list_tools', extras: null });
    expect(v1Codec.providerInfo(V1_CONTEXT)).toEqual({ method: 'get_provider_info', extras: null });
  });

  test('an execution carries tool, arguments as typed and the request ID, and nothing of v2', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (args) => {
        expect(v1Codec.executeTool(V1_CONTEXT, 'getData', args)).toEqual({
          method: 'execute_tool',
          extras: [string('tool_name', 'getData'), string('args', args), string('request_id', V1_CONTEXT.requestId)],
        });
      }),
    );
  });
});

test('data of an execution is any JSON, kept as it was written', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', ' '), (json, space) => {
      expect(v1Codec.readExecute(v1Success(json + space), V1_CONTEXT)).toEqual({
        kind: 'value',
        valueText: json + space,
        findings: [],
      });
    }),
  );
  expect(v1Codec.readExecute(v1Success('{"n":1.000000000000000000001}'), V1_CONTEXT)).toMatchObject({
    valueText: '{"n":1.000000000000000000001}',
  });
});

test('an error shows its hints and follows none', () => {
  const answer = [
    string('status', 'error'),
    string('error_code', 'AUTH_REQUIRED'),
    string('error_message', 'm'),
    string('resolution_hint', 'open the app'),
    string('authorize_intent', 'com.example.AUTH'),
  ];
  expect(v1Codec.readExecute(answer, V1_CONTEXT)).toEqual({
    kind: 'outcome',
    outcome: {
      kind: 'provider-error',
      findings: [],
      bundle: answer,
      errorCode: 'AUTH_REQUIRED',
      known: true,
      errorMessage: 'm',
      retryable: null,
      retryAfterMs: null,
      detailsText: null,
      resolutionHint: 'open the app',
      authorizeIntent: 'com.example.AUTH',
      hasResolution: false,
    },
  });
});

test('what a v1 Provider need not have is told from what failed (2.3, 2.5)', () => {
  const error = (code: string) => [string('status', 'error'), string('error_code', code), string('error_message', 'm')];
  const codeOf = (code: string) => v1Codec.readProviderInfo(error(code), V1_CONTEXT).problem?.code;
  expect(codeOf('TOOL_NOT_FOUND')).toBe('provider-info-optional');
  for (const code of V1_ERROR_CODES)
    if (code !== 'TOOL_NOT_FOUND') expect(codeOf(code)).toBe('provider-answered-error');
  expect(v1Codec.readTools(error('TOOL_NOT_FOUND'), V1_CONTEXT).problem?.code).toBe('provider-answered-error');
});

test('tools carry no annotations, by design', () => {
  const tools = [{ name: 'get data!', description: 'd', parameters: {} }];
  expect(v1Codec.readTools(v1Success({ tools }), V1_CONTEXT).tools[0]?.row).toMatchObject({
    name: 'get data!',
    state: 'ok',
    annotations: null,
    scopes: [],
    findings: [],
  });
});

test('an answer that the shell bridge could not take apart is not called an answer without a status', () => {
  const text = 'Bundle[{data=a, status=b, status=c}]';
  const reading = v1Codec.readExecute([{ key: 'Result', t: 'text', v: text }], V1_CONTEXT);
  expect(reading).toMatchObject({
    outcome: { kind: 'malformed', findings: [], problem: { code: 'shell-answer-unsplit', raw: text } },
  });
  const own = v1Codec.readExecute([{ key: 'Result', t: 'text', v: 'fine' }], V1_CONTEXT);
  expect(own).toMatchObject({ outcome: { problem: { code: 'answer-no-status' } } });
});
