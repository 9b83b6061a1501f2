import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { GenerateMode } from '../../shared/model/call.ts';
import { createSchemaService } from './schema-service.ts';

const service = createSchemaService({ timeLimitMs: 20_000 });
afterAll(() => service.close());

async function generate(schema: unknown, mode: GenerateMode) {
  const result = await service.generate(JSON.stringify(schema), mode);
  if (!result.ok) throw new Error(result.error.code);
  return { ...result.value, value: JSON.parse(result.value.text) as unknown };
}

const order = {
  type: 'object',
  required: ['symbol'],
  properties: {
    symbol: { type: 'string', examples: ['ACME'], default: 'X' },
    side: { enum: ['buy', 'sell'] },
    note: { type: 'string' },
    limit: { type: 'object', properties: { price: { type: 'number', default: 9.5 }, day: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, default: [] },
  },
};

describe('the three generators', () => {
  test('minimal: only what is required', async () => {
    const { value, verdict, leftOut } = await generate(order, 'minimal');
    expect(value).toEqual({ symbol: 'X' });
    expect([verdict.state, leftOut]).toEqual(['valid', []]);
  });

  test('all: every property, also inside what an empty default would leave empty', async () => {
    const { value, verdict, leftOut } = await generate(order, 'all');
    expect(value).toEqual({ symbol: 'ACME', side: 'buy', note: '', limit: { price: 9.5, day: '' }, tags: ['x'] });
    expect([verdict.state, leftOut]).toEqual(['valid', []]);
  });

  test('example: what the author offers, and nothing that nobody asked for', async () => {
    const { value, verdict } = await generate(order, 'example');
    expect(value).toEqual({ symbol: 'ACME', side: 'buy', limit: { price: 9.5 }, tags: [] });
    expect(verdict.state).toBe('valid');
  });

  test('example: one of the whole goes before those of its parts', async () => {
    const whole = { ...order, examples: [{ symbol: 'WHOLE', note: 'n' }] };
    expect((await generate(whole, 'example')).value).toEqual({ symbol: 'WHOLE', note: 'n' });
  });

  test('what refers to itself is filled in once, and named as left out', async () => {
    const node = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        next: { $ref: '#/$defs/node' },
        kids: { items: { $ref: '#/$defs/node' } },
      },
    };
    const { value, leftOut, verdict } = await generate({ $ref: '#/$defs/node', $defs: { node } }, 'all');
    expect(value).toEqual({ name: '', kids: [] });
    expect(leftOut).toEqual(['/next', '/kids/0']);
    expect(verdict.state).toBe('valid');
  });

  test('what would break the schema is never called valid', async () => {
    const torn = { type: 'object', properties: { a: { type: 'string' } }, not: {} };
    const { verdict } = await generate(torn, 'all');
    expect(verdict).toMatchObject({ state: 'invalid', issues: [{ pointer: '', keyword: 'not' }] });
  });

  test('an optional property that no value fits is left out', async () => {
    const { value, leftOut } = await generate(
      { type: 'object', properties: { a: false, b: { type: 'string', pattern: '(?=x)y' }, c: { const: 1 } } },
      'all',
    );
    expect(value).toEqual({ c: 1 });
    expect(leftOut).toEqual(['/b']);
  });

  test('keeps within maxProperties and maxItems', async () => {
    const { value, verdict } = await generate(
      {
        type: 'object',
        maxProperties: 1,
        properties: { a: { type: 'array', maxItems: 0, items: { type: 'string' } }, b: {} },
      },
      'all',
    );
    expect(value).toEqual({ a: [] });
    expect(verdict.state).toBe('valid');
  });

  test.each<[string, unknown]>([
    ['wide', { type: 'object', properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, {}])) }],
    ['deep', nested(30)],
    ['branching', branching(12)],
  ])('stays small for a schema that is %s', async (_name, schema) => {
    const { text, leftOut } = await generate(schema, 'all');
    expect(text.length).toBeLessThan(256 * 1024);
    expect(leftOut.length).toBeGreaterThan(0);
    expect(leftOut.length).toBeLessThanOrEqual(20);
  });

  test('no mode calls valid what the check does not', async () => {
    const leaf = fc.constantFrom<unknown>(
      { type: 'string', minLength: 2 },
      { type: 'integer', minimum: 3, maximum: 2 },
      { type: 'number', default: 'wrong' },
      { enum: [1, 'b'] },
      { const: null },
      true,
      false,
    );
    const schema = fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf),
      required: fc.subarray(['a', 'b', 'd']),
    });
    await fc.assert(
      fc.asyncProperty(schema, fc.constantFrom<GenerateMode>('minimal', 'all', 'example'), async (given, mode) => {
        const schemaText = JSON.stringify(given);
        const result = await service.generate(schemaText, mode);
        if (!result.ok) return;
        const valueText = result.value.text;
        expect(result.value.verdict).toEqual(await service.validate({ schemaText, dialect: null, valueText }));
      }),
      { numRuns: 60 },
    );
  });

  test('a schema that cannot be used is a Problem', async () => {
    const result = await service.generate('{"$ref":"https://example.com/x"}', 'all');
    expect(result).toMatchObject({ ok: false, error: { code: 'example-not-made' } });
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? { type: 'string' } : { type: 'object', properties: { in: nested(depth - 1) } };
}

/** Each definition holds four of the next: 4^n values if all were made. */
function branching(levels: number): unknown {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, i) => [
      `d${i}`,
      {
        type: 'object',
        properties: Object.fromEntries(['a', 'b', 'c', 'd'].map((k) => [k, { $ref: `#/$defs/d${i + 1}` }])),
      },
    ]),
  );
  return { $ref: '#/$defs/d0', $defs: { ...$defs, [`d${levels}`]: { type: 'string' } } };
}
