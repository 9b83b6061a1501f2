import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import { problemOf } from './problem-of.ts';

test('a Problem of the host comes through as it is', () => {
  const data = { code: 'device-offline', params: { serial: 'x' }, raw: 'device offline' };
  expect(problemOf(new ORPCError('PROBLEM', { data }))).toEqual(data);
});

test('another error of the host is unexpected, with its words', () => {
  expect(problemOf(new ORPCError('INTERNAL_SERVER_ERROR', { message: 'boom' }))).toEqual({
    code: 'unexpected',
    params: {},
    raw: 'boom',
  });
});

test('an error that no host sent is a lost connection', () => {
  expect(problemOf(new Error('not open')).code).toBe('ui-connection-lost');
});
