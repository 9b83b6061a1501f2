import { expect, test } from 'vitest';
import { parseHash } from './location.ts';

test('splits path and query, and takes an empty hash as home', () => {
  expect(parseHash('')).toEqual({ path: '/', query: '' });
  expect(parseHash('#/a/b?q=x%3Fy')).toEqual({ path: '/a/b', query: 'q=x%3Fy' });
  expect(parseHash('#history')).toEqual({ path: '/history', query: '' });
});
