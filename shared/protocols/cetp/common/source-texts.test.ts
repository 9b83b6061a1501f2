import { expect, test } from 'vitest';
import { v1Codec } from '../v1/codec.ts';
import { v2Codec } from '../v2/codec.ts';

const context = { requestId: '3f0e4c1a-6d0e-4a56-9a50-0c4c7d7b4a11', deadlineAtMs: 1, session: null };
/** A repeated member, integer-like members out of order, an escape and digits that a double loses. */
const ENTRY = String.raw`{"name":"a","b":1,"b":1, "10":0,"2":0,"parameters":{"const":9007199254740993},"description":"\u0041"}`;
const answer = (data: string) => [
  { key: 'status', t: 'string' as const, v: 'success' },
  { key: 'data', t: 'string' as const, v: data },
];

test('an entry keeps its own characters', () => {
  expect(v1Codec.readTools(answer(`{"tools":[ 7 ,${ENTRY}]}`), context).tools.map(({ text }) => text)).toEqual([
    '7',
    ENTRY,
  ]);
});

test('also inside the inline envelope', () => {
  const data = `{"kind":"inline","value":{"revision":"1","tools":[${ENTRY}]}}`;
  expect(v2Codec.readTools(answer(data), context).tools[0]?.text).toBe(ENTRY);
});
