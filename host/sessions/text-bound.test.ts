import { expect, test } from 'vitest';
import { TextBound } from './text-bound.ts';

const one = (endedAtMs: number | null, length: number) => ({ endedAtMs, nested: { texts: ['x'.repeat(length)] } });

test('what has ended leaves beyond the count, oldest first; what is under way never does', () => {
  const [newest, older, running, oldest] = [one(4, 1), one(3, 1), one(null, 1_000), one(1, 1)];
  expect(new TextBound(2, 1_000).keep([newest, older, running, oldest])).toEqual([newest, older, running]);
});

test('it leaves beyond so much text together, but for the very newest', () => {
  const [newest, older] = [one(2, 5_000), one(1, 10)];
  expect(new TextBound(10, 1_000).keep([newest, older])).toEqual([newest]);
  expect(new TextBound(10, 6_000).keep([newest, older])).toEqual([newest, older]);
});
