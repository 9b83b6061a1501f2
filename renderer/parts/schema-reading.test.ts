import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../shared/base/json.ts';
import { childrenOf, constraintsOf, typeOf } from './schema-reading.ts';

function read(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) throw new Error('not an object');
  return parsed.value.value;
}

test('types in words', () => {
  expect(typeOf(read('{"type":["integer","null"]}'))).toBe('integer | null');
  expect(typeOf(read('{"enum":["a",2]}'))).toBe('"a" | 2');
  expect(typeOf(read('{"$ref":"#/$defs/x"}'))).toBe('$ref #/$defs/x');
  expect(typeOf(read('{}'))).toBe('any');
});

test('keeps every digit of a limit and every keyword it does not know', () => {
  expect(constraintsOf(read('{"type":"integer","maximum":9223372036854775807,"x-own":[1]}'))).toEqual([
    'maximum: 9223372036854775807',
    'x-own: [1]',
  ]);
});

test('properties keep their order; a required name without a property is listed', () => {
  const parts = childrenOf(
    read('{"properties":{"b":{},"__proto__":{}},"required":["b","ghost"],"items":{"type":"string"},"anyOf":[{}]}'),
  );
  expect(parts.map((part) => [part.name, part.required])).toEqual([
    ['b', true],
    ['__proto__', false],
    ['ghost', true],
    ['(items)', false],
    ['(anyOf 0)', false],
  ]);
});
