import { describe, expect, test } from 'vitest';
import { string, success, v2Context, v2Error } from '../testing/answers.ts';
import { isTerminal, operationRequest, readOperation } from './operations.ts';

const context = v2Context();
const read = (data: object, previous: string | null = null) =>
  readOperation(success({ operation_id: 'op1', ...data }), context, 'op1', previous);

test('a query carries operation_id beside the common extras, and the request_id of the execution (v2 4.1)', () => {
  const { method, extras } = operationRequest('get_operation', context, 'op1');
  expect(method).toBe('get_operation');
  expect(extras?.map((entry) => entry.key)).toEqual([
    'protocol_version',
    'session_token',
    'request_id',
    'deadline_at_ms',
    'operation_id',
  ]);
  expect(extras?.[2]).toEqual(string('request_id', context.requestId));
});

describe('states (v2 4.4)', () => {
  test('progress is display data and keeps every digit', () => {
    const text = '{"operation_id":"op1","state":"running","progress":{"current":9007199254740993},"poll_after_ms":700}';
    const answer = success(null).map((entry) => (entry.key === 'data' ? string('data', text) : entry));
    expect(readOperation(answer, context, 'op1', 'queued')).toEqual({
      kind: 'state',
      findings: [],
      state: 'running',
      progressText: '{"current":9007199254740993}',
      pollAfterMs: 700,
      end: null,
    });
  });

  test.each([
    ['queued', 'running'],
    ['queued', 'succeeded'],
    ['running', 'cancelled'],
  ])('%s to %s is allowed', (previous, state) => {
    expect(read({ state, result: { kind: 'inline', value: 1 } }, previous).findings).toEqual([]);
  });

  test('succeeded carries the envelope of a synchronous success, its digits kept', () => {
    const text = '{"operation_id":"op1","state":"succeeded","result":{"kind":"inline","value":{"n":1.50}}}';
    const answer = success(null).map((entry) => (entry.key === 'data' ? string('data', text) : entry));
    const reading = readOperation(answer, context, 'op1', 'running');
    expect(reading).toMatchObject({ end: { kind: 'value', valueText: '{"n":1.50}' } });
  });

  test('failed carries an error with the fields of section 5', () => {
    const error = { error_code: 'UNAVAILABLE', error_message: 'down', retryable: true, retry_after_ms: 5 };
    expect(read({ state: 'failed', error }, 'running')).toMatchObject({
      findings: [],
      end: { outcome: { kind: 'provider-error', errorCode: 'UNAVAILABLE', retryable: true, retryAfterMs: '5' } },
    });
  });

  test('an unknown state is kept and is no end', () => {
    expect(read({ state: 'paused' })).toMatchObject({ kind: 'state', state: 'paused', end: null });
    expect(['succeeded', 'failed', 'cancelled', 'cancellation_requested', 'paused'].map(isTerminal)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('a failed query says nothing about the operation', () => {
    expect(readOperation(v2Error('RATE_LIMITED', true), context, 'op1', 'running')).toMatchObject({
      kind: 'error',
      errorCode: 'RATE_LIMITED',
    });
    expect(read({ state: 7 })).toMatchObject({ kind: 'malformed', problem: { code: 'operation-state-unreadable' } });
  });
});
