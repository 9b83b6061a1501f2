import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, parseJson, printJson } from '../../shared/base/json.ts';
import { ShapeReader } from './shape.ts';
import { startText } from './values.ts';

function read(schema: unknown) {
  const parsed = parseJson(typeof schema === 'string' ? schema : JSON.stringify(schema));
  if (!parsed.ok) throw new Error('not JSON');
  const reader = new ShapeReader(parsed.value.value);
  return { reader, root: parsed.value.value, shape: reader.shape(parsed.value.value) };
}

const shapeOf = (schema: unknown) => read(schema).shape;

describe('the kinds of a place', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['one type', { type: 'integer' }, ['number']],
    ['nullable', { type: ['string', 'null'] }, ['string', 'null']],
    ['by anyOf', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, ['string', 'number']],
    ['an object or null', { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'null' }] }, ['object', 'null']],
    ['both of allOf', { type: ['string', 'number'], allOf: [{ type: 'integer' }] }, ['number']],
    ['by reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'boolean' } } }, ['boolean']],
  ])('%s', (_name, schema, kinds) => {
    const shape = shapeOf(schema);
    expect(shape.unshown).toBeNull();
    expect([...shape.kinds].sort()).toEqual([...kinds].sort());
  });

  test('a schema without a type allows every kind, the one that it speaks of first', () => {
    const shape = shapeOf({ properties: { a: {} } });
    expect(shape.kinds).toHaveLength(6);
    expect([shape.kinds[0], shape.typed]).toEqual(['object', false]);
  });

  test('a type that JSON Schema does not know is named and not guessed at', () => {
    const shape = shapeOf({ type: 'String' });
    expect([shape.kinds.length, shape.further]).toEqual([6, ['type']]);
  });

  test('integer is told from number', () => {
    expect(shapeOf({ type: 'integer' }).integer).toBe(true);
    expect(shapeOf({ type: ['integer', 'number'] }).integer).toBe(false);
  });
});

describe('a closed list', () => {
  const texts = (schema: unknown) => shapeOf(schema).choices?.map(({ text }) => text);
  test('of enum, const, and oneOf of const with titles', () => {
    expect(texts({ enum: ['a', 1, null] })).toEqual(['"a"', '1', 'null']);
    expect(texts({ const: { a: 1 } })).toEqual(['{"a":1}']);
    expect(texts({ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] })).toEqual(['"a"', '"b"', 'null']);
    expect(shapeOf({ oneOf: [{ const: 1, title: 'one' }, { const: 2 }] }).choices).toEqual([
      { text: '1', title: 'one' },
      { text: '2', title: null },
    ]);
  });
  test('keeps every digit', () => {
    expect(texts('{"enum":[9007199254740993,1.10]}')).toEqual(['9007199254740993', '1.10']);
  });
  test('that is too long is a rule and no list', () => {
    const shape = shapeOf({ type: 'integer', enum: Array.from({ length: 900 }, (_, i) => i) });
    expect([shape.choices, shape.further]).toEqual([null, ['enum']]);
  });
});

describe('what the form cannot show says why', () => {
  test.each<[string, unknown, string]>([
    ['two objects', { oneOf: [{ type: 'object' }, { type: 'object' }] }, 'alternatives'],
    ['alternatives beside properties', { properties: { a: {} }, oneOf: [{ type: 'object' }] }, 'alternatives'],
    ['a remote reference', { $ref: 'https://example.com/x' }, 'reference'],
    ['a reference to nothing', { $ref: '#/$defs/x' }, 'reference'],
    ['a reference in a circle', { $ref: '#' }, 'reference'],
    [
      'two in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      'reference',
    ],
    ['below an $id', { $ref: '#/$defs/a/$defs/b', $defs: { a: { $id: 'x', $defs: { b: {} } } } }, 'reference'],
    ['a dynamic reference', { $dynamicRef: '#x' }, 'reference'],
    ['false', false, 'never'],
    ['no schema', 7, 'no-schema'],
  ])('%s', (_name, schema, reason) => {
    expect(shapeOf(schema).unshown).toBe(reason);
  });

  test('a recursion that goes on through properties is shown level by level', () => {
    const { reader, shape } = read({ type: 'object', properties: { next: { $ref: '#' } } });
    const next = reader.shape(shape.properties.get('next') as Json);
    expect([next.unshown, next.properties.has('next')]).toEqual([null, true]);
  });

  test('rules that are no form are named', () => {
    const shape = shapeOf({
      type: 'object',
      properties: { a: {} },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      not: {},
      patternProperties: { x: {} },
    });
    expect(shape.unshown).toBeNull();
    expect(shape.further).toEqual(['not', 'patternProperties', 'anyOf']);
  });
});

describe('objects', () => {
  test('properties in order, of all parts, and required names without a property', () => {
    const { reader, shape } = read({
      properties: { b: { type: 'string' }, a: {} },
      required: ['ghost', 'b'],
      allOf: [{ properties: { a: { type: 'integer' }, c: {} } }],
    });
    expect([...shape.properties.keys()]).toEqual(['b', 'a', 'c', 'ghost']);
    expect(reader.shape(shape.properties.get('a') as Json).kinds).toEqual(['number']);
    expect([...shape.required]).toEqual(['ghost', 'b']);
  });
  test('names that an object lends are members like any other', () => {
    expect([...shapeOf('{"properties":{"__proto__":{},"constructor":{}}}').properties.keys()]).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

test('a start value holds the required members and the digits of a default', () => {
  const { reader, root } = read(
    '{"type":"object","required":["n","o"],"properties":{"n":{"default":1.10},"o":{"type":"object","required":["s"],' +
      '"properties":{"s":{"enum":["a"]},"t":{"type":"string"}}},"p":{"type":"string"}}}',
  );
  expect(startText(reader, root)).toBe('{\n  "n": 1.10,\n  "o": {\n    "s": "a"\n  }\n}');
});

test('alternatives and members that multiply by references cost little', () => {
  const level = (key: string, next: string) => ({
    [key]: Array.from({ length: 60 }, () => ({ $ref: `#/$defs/${next}` })),
  });
  const many = {
    $defs: { ...Object.fromEntries(['a', 'b', 'c', 'd'].map((n, i) => [n, level('anyOf', 'bcde'[i]!)])), e: {} },
  };
  expect(shapeOf({ ...many, $ref: '#/$defs/a' }).unshown).toBe('alternatives');
  const names = Array.from({ length: 60 }, (_, i) => `m${i}`);
  const object = (next: string) => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${next}` }])),
  });
  const { reader, root } = read({ ...object('a'), $defs: { a: object('b'), b: object('c'), c: object('d'), d: {} } });
  expect(startText(reader, root).length).toBeLessThan(100_000);
});

test('a list of nothing is a rule, and the value can still be changed', () => {
  const shape = shapeOf({ type: 'string', enum: [] });
  expect([shape.choices, shape.further]).toEqual([null, ['enum']]);
});

test('a list that repeats itself is shown once', () => {
  expect(shapeOf({ enum: ['a', 'a', 1] }).choices).toHaveLength(2);
  expect(shapeOf({ oneOf: [{ const: 1 }, { const: 1 }] }).choices).toHaveLength(1);
  expect(shapeOf({ minimum: 1, allOf: [{ minimum: 1 }] }).limits).toEqual(['minimum: 1']);
});

test('whatever the schema is, reading it ends, and a start value is JSON', () => {
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(
        true,
        false,
        7,
        null,
        [],
        { $ref: '#' },
        { $ref: '#/properties/a' },
        { $ref: '#/allOf/0' },
      ),
      fc.record(
        {
          type: fc.constantFrom<unknown>('object', 'array', 'string', 'integer', ['null', 'object'], 'odd', 3, []),
          properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
          required: fc.constantFrom<unknown>(['a'], ['z', 1], 'a', {}),
          items: tie('schema'),
          prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { maxLength: 2 }),
          enum: fc.constantFrom<unknown>([], ['x', 2], {}, [[1]]),
          default: fc.json().map((text) => JSON.parse(text) as unknown),
          additionalProperties: tie('schema'),
          minimum: fc.constantFrom<unknown>(3, 'x', 1e300),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  fc.assert(
    fc.property(schema, (given) => {
      const { reader, root } = read(JSON.stringify(given));
      const walk = (part: Json, depth: number) => {
        expect(parseJson(startText(reader, part)).ok).toBe(true);
        if (depth === 0) return;
        const shape = reader.shape(part);
        for (const below of [...shape.properties.values(), shape.items, ...shape.tuple, shape.additional])
          walk(below, depth - 1);
      };
      walk(root, 3);
      expect(printJson(root)).toBe(printJson(reader.root));
    }),
    { numRuns: 300 },
  );
});
