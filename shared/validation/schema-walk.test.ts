import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { dialectOf } from './dialect.ts';
import { inspectSchema } from './schema-walk.ts';

describe('inspectSchema', () => {
  test('a $ref counts only where a schema stands', () => {
    const schema: Json = {
      properties: { $ref: { type: 'string' }, a: { const: { $ref: 'https://example.com/1' } } },
      examples: [{ $ref: 'https://example.com/2' }],
      enum: [{ $ref: 'https://example.com/3' }],
    };
    expect(inspectSchema(schema)).toEqual({ remoteRefs: [], unresolvedRefs: [], invalidParts: [], complete: true });
  });

  test('finds remote references in every place of a schema', () => {
    const ref = (n: number): Json => ({ $ref: `https://example.com/${n}` });
    const schema: Json = {
      $defs: { a: ref(1) },
      items: [ref(2)],
      dependencies: { a: ['x'], b: ref(3) },
      patternProperties: { '^x': ref(4) },
      allOf: [{ not: ref(5) }],
      additionalProperties: ref(6),
      prefixItems: [ref(7)],
      if: ref(8),
    };
    expect([...inspectSchema(schema).remoteRefs].sort()).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `https://example.com/${n}`),
    );
  });

  test('resolves pointers, anchors and $id inside the document', () => {
    const schema: Json = {
      $id: 'https://example.com/base/root.json',
      $defs: {
        'a/b%': { $anchor: 'here' },
        sub: { $id: 'sub.json', $defs: { x: true }, allOf: [{ $ref: '#/$defs/x' }] },
      },
      allOf: [
        { $ref: '#' },
        { $ref: '#/$defs/a~1b%25' },
        { $ref: '#here' },
        { $ref: 'sub.json#/$defs/x' },
        { $ref: 'https://example.com/base/sub.json' },
        { $ref: '/base/root.json#here' },
      ],
    };
    expect(inspectSchema(schema)).toMatchObject({ remoteRefs: [], unresolvedRefs: [] });
  });

  test('tells what points to nothing from what leaves the document', () => {
    const schema: Json = {
      allOf: [{ $ref: '#/$defs/none' }, { $ref: '#gone' }, { $ref: 'file.json' }, { $dynamicRef: '#no' }],
    };
    expect(inspectSchema(schema)).toMatchObject({
      remoteRefs: ['file.json'],
      unresolvedRefs: ['#/$defs/none', '#gone', '#no'],
    });
  });

  test('names places where no schema stands', () => {
    expect(inspectSchema({ properties: { a: 5, b: null }, items: 'x' }).invalidParts).toEqual([
      '/properties/a',
      '/properties/b',
      '/items',
    ]);
  });

  test('stops at its budget and says so, with no claim about what it did not read', () => {
    const wide: Json = {
      properties: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { $ref: '#late' }])),
    };
    expect(inspectSchema(wide, { left: 10 })).toMatchObject({ complete: false, unresolvedRefs: [] });
  });
});

test('dialectOf takes the spellings in use and nothing else', () => {
  expect(dialectOf('https://json-schema.org/draft/2020-12/schema')).toBe('2020-12');
  expect(dialectOf('http://json-schema.org/draft-07/schema#')).toBe('draft-07');
  expect(dialectOf('https://json-schema.org/draft/2019-09/schema#')).toBe('2019-09');
  expect(dialectOf('http://json-schema.org/draft-04/schema#')).toBeNull();
  expect(dialectOf('constructor')).toBeNull();
});
