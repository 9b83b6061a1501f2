import { expect, it } from 'vitest';
import { argumentRows } from './arguments.ts';

it('lists every argument with all its digits, texts bare', () => {
  expect(argumentRows('{"symbol":"NWND","quantity":9007199254740993,"price":42.10,"to":["a",{"b":null}]}')).toEqual([
    { name: 'symbol', value: 'NWND' },
    { name: 'quantity', value: '9007199254740993' },
    { name: 'price', value: '42.10' },
    { name: 'to', value: '["a",{"b":null}]' },
  ]);
  expect(argumentRows('{}')).toEqual([]);
});

it('gives nothing where there is no object, so that the text itself is shown', () => {
  expect(argumentRows('[1]')).toBeNull();
  expect(argumentRows('{"a":')).toBeNull();
});
