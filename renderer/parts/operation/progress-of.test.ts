import { expect, test } from 'vitest';
import { progressMessage, progressOf } from './progress-of.ts';

test('v2 4.4: a bar only where current and total are numbers that make one', () => {
  expect(progressOf('{"current":40,"total":100,"message":"x"}')).toEqual({ current: 40, total: 100 });
  for (const text of [
    null,
    'no JSON',
    '[1,2]',
    '{"current":"40","total":100}',
    '{"current":40}',
    '{"current":1e999,"total":100}',
    '{"current":101,"total":100}',
    '{"current":-1,"total":100}',
    '{"current":0,"total":0}',
  ]) {
    expect(progressOf(text)).toBeNull();
  }
  expect([progressMessage('{"message":"Synchronizing"}'), progressMessage('{"message":7}')]).toEqual([
    'Synchronizing',
    null,
  ]);
});
