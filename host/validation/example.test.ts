import { afterAll, describe, expect, test } from 'vitest';
import { samplePattern } from './pattern-sample.ts';
import { createSchemaService } from './schema-service.ts';

const service = createSchemaService({ timeLimitMs: 20_000 });
afterAll(() => service.close());

async function example(schema: unknown): Promise<unknown> {
  const schemaText = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const result = await service.example(schemaText, 'minimal');
  if (!result.ok) return result.error.code;
  const verdict = await service.validate({ schemaText, dialect: null, valueText: result.value });
  expect(verdict.state).toBe('valid');
  return JSON.parse(result.value);
}

describe('a minimal example', () => {
  test.each<[string, unknown, unknown]>([
    [
      'only required members',
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      { a: '' },
    ],
    ['const', { const: { a: [1] } }, { a: [1] }],
    ['enum', { enum: ['x', 'y'] }, 'x'],
    ['default', { type: 'string', default: 'd' }, 'd'],
    ['a default that is wrong is passed over', { type: 'string', default: 5 }, ''],
    ['examples', { type: 'integer', examples: [12] }, 12],
    ['integer bounds', { type: 'integer', minimum: 3 }, 3],
    ['exclusive bounds', { type: 'number', exclusiveMinimum: 0 }, 1],
    ['between two bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ['multipleOf', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
    ['negative bounds', { type: 'integer', maximum: -3 }, -3],
    ['minLength', { type: 'string', minLength: 3 }, 'xxx'],
    ['format', { type: 'string', format: 'date' }, '2026-01-01'],
    ['pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{2,4}$' }, 'AAA-00'],
    ['pattern and minLength', { type: 'string', pattern: '^x+$', minLength: 4 }, 'xxxxx'],
    ['boolean', { type: 'boolean' }, false],
    ['null', { type: 'null' }, null],
    ['array', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [0, 0]],
    ['unique items', { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }, [0, 1, 2]],
    ['tuple', { type: 'array', prefixItems: [{ const: 1 }, { const: 'b' }], minItems: 2 }, [1, 'b']],
    ['contains', { type: 'array', contains: { const: 9 } }, [9]],
    [
      '$ref',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', required: ['x'], properties: { x: { const: 1 } } } } },
      { x: 1 },
    ],
    ['anchor', { $ref: '#it', $defs: { a: { $anchor: 'it', const: 4 } } }, 4],
    ['allOf', { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'integer' } } }] }, { a: 0 }],
    ['anyOf by a second way', { anyOf: [false, { const: 2 }] }, 2],
    ['oneOf', { oneOf: [{ type: 'string' }, { type: 'string' }, { const: 5 }] }, 5],
    [
      'if and then',
      // biome-ignore lint/suspicious/noThenProperty: it is the JSON Schema keyword.
      { if: { required: ['k'] }, then: { required: ['v'] }, type: 'object', required: ['k'] },
      { k: null, v: null },
    ],
    ['minProperties', { type: 'object', minProperties: 2 }, { key1: null, key2: null }],
    ['dependentRequired', { type: 'object', required: ['a'], dependentRequired: { a: ['b'] } }, { a: null, b: null }],
    ['recursion that ends', { type: 'object', properties: { next: { $ref: '#' } } }, {}],
    ['not', { type: 'string', not: { const: '' }, enum: ['', 'a'] }, 'a'],
    ['anything', {}, null],
  ])('%s', async (_name, schema, expected) => {
    expect(await example(schema)).toEqual(expected);
  });

  test('keeps the digits of a bound that a double cannot hold', async () => {
    const result = await service.example('{"type":"integer","minimum":9007199254740993}', 'minimal');
    expect(result).toEqual({ ok: true, value: '9007199254740993' });
  });

  test.each<[string, unknown, string]>([
    ['impossible', { type: 'string', minLength: 3, maxLength: 1 }, 'example-not-found'],
    ['endless', { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } }, 'example-not-found'],
    ['remote', { $ref: 'https://example.com/x' }, 'example-not-made'],
    ['no schema', '{', 'example-not-made'],
  ])('none: %s', async (_name, schema, code) => {
    expect(await example(schema)).toBe(code);
  });
});

test.each([
  ['^abc$', 'abc'],
  ['a|b', 'a'],
  ['(?:x|y){2}z?', 'xx'],
  ['^[^a-z]+$', '0'],
  ['\\u0041\\.\\x42', 'A.B'],
  ['(?<year>\\d{4})-\\d\\d', '0000-00'],
])('samplePattern %s', (pattern, expected) => {
  expect(samplePattern(pattern)).toBe(expected);
  expect(new RegExp(pattern).test(expected)).toBe(true);
});

test.each(['(?=a)b', '\\p{L}', '(', '[a', 'a{5000}', '('.repeat(60)])('samplePattern gives up on %s', (pattern) => {
  expect(samplePattern(pattern)).toBeNull();
});
