import { expect, test } from 'vitest';
import { isStale, isUuid, parseTimeout, rollAfterMs } from './rolling.ts';

test('a preparation never uses up more than a third of its wait', () => {
  expect([100, 3000, 30_000, 600_000].map(rollAfterMs)).toEqual([50, 1000, 10_000, 10_000]);
  expect(isStale(0, 3000, 999)).toBe(false);
  expect(isStale(0, 3000, 1000)).toBe(true);
});

test('takes seconds within the limits of the contract', () => {
  expect(['30', '0.1', '600', ' 2.5 '].map(parseTimeout)).toEqual([30_000, 100, 600_000, 2500]);
  expect(['', '0', '0.05', '601', '-1', '1e2', 'x'].map(parseTimeout)).toEqual(Array(7).fill(null));
});

test('knows a UUID', () => {
  expect(isUuid('3F2504E0-4f89-41d3-9a0c-0305e82c3301')).toBe(true);
  expect(isUuid('3f2504e0-4f89-41d3-9a0c-0305e82c330')).toBe(false);
});
