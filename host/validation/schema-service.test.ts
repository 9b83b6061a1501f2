import { afterAll, describe, expect, test } from 'vitest';
import { createSchemaService } from './schema-service.ts';

const service = createSchemaService({ timeLimitMs: 10_000 });
afterAll(() => service.close());

function validate(schema: unknown, valueText: string, dialect: string | null = null) {
  const schemaText = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return service.validate({ schemaText, dialect, valueText });
}

describe('verdicts', () => {
  test('a valid value', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    expect(await validate(schema, '{"a":1}')).toEqual({ state: 'valid', issues: [], reason: null });
    expect(await validate(schema, '{"a":1.0}')).toEqual({ state: 'valid', issues: [], reason: null });
  });

  test('every violation with its pointer and a readable message', async () => {
    const schema = {
      type: 'object',
      properties: { 'a/b': { enum: ['x', 'y'] }, n: { multipleOf: 0.01 } },
      required: ['c'],
      additionalProperties: false,
    };
    const { state, issues } = await validate(schema, '{"a/b":"z","n":19.999,"more":1}');
    expect(state).toBe('invalid');
    expect(issues).toEqual([
      { pointer: '', keyword: 'required', message: "must have required property 'c'" },
      { pointer: '', keyword: 'additionalProperties', message: 'must NOT have additional properties: "more"' },
      { pointer: '/a~1b', keyword: 'enum', message: 'must be equal to one of the allowed values: "x", "y"' },
      { pointer: '/n', keyword: 'multipleOf', message: 'must be multiple of 0.01' },
    ]);
  });

  test('multipleOf counts in decimal', async () => {
    expect((await validate({ multipleOf: 0.01 }, '19.99')).state).toBe('valid');
    expect((await validate({ multipleOf: 1e-300 }, '1e300')).state).toBe('valid');
  });

  test('a value that is no JSON is invalid, not unchecked', async () => {
    expect(await validate({}, '{"a":')).toMatchObject({ state: 'invalid', issues: [{ keyword: 'syntax' }] });
  });

  test('at most 100 issues, and the list says how many more there are', async () => {
    const { issues } = await validate({ items: { type: 'string' } }, JSON.stringify(Array(500).fill(1)));
    expect(issues).toHaveLength(100);
    expect(issues.at(-1)).toEqual({ pointer: '', keyword: 'limit', message: '401 more issues are not shown' });
  });

  test('formats are annotations, and the verdict says so', async () => {
    expect(await validate({ format: 'email' }, '"no address"')).toEqual({
      state: 'valid',
      issues: [],
      reason: 'formats-ignored',
    });
  });

  test('inherited names are members like any other', async () => {
    expect((await validate({ required: ['toString'] }, '{}')).state).toBe('invalid');
    expect((await validate({ properties: { constructor: { type: 'string' } } }, '{}')).state).toBe('valid');
    expect((await validate({ additionalProperties: false }, '{"__proto__":1}')).state).toBe('invalid');
    const proto = '{"properties":{"__proto__":{"type":"string"}}}';
    expect(await validate(proto, '{"__proto__":1}')).toMatchObject({ reason: 'schema-proto-member' });
  });

  test('keywords of ajv and OpenAPI change nothing', async () => {
    expect((await validate({ type: 'string', nullable: true }, 'null')).state).toBe('invalid');
    expect((await validate({ $async: true, type: 'string' }, '1')).state).toBe('invalid');
    expect((await validate({ id: 'x', type: 'string' }, '"a"')).state).toBe('valid');
    expect((await validate({ properties: { nullable: { type: 'string' } } }, '{"nullable":1}')).state).toBe('invalid');
  });

  test('a pattern that only the older grammar accepts still runs', async () => {
    expect((await validate({ pattern: '^[\\w-.]+$' }, '"a-b.c"')).state).toBe('valid');
    expect((await validate({ pattern: '^[\\w-.]+$' }, '"a b"')).state).toBe('invalid');
  });
});

describe('dialects', () => {
  test('each draft by its own rules', async () => {
    const tuple = { prefixItems: [{ type: 'string' }] };
    expect((await validate(tuple, '[1]')).state).toBe('invalid');
    expect((await validate(tuple, '[1]', 'http://json-schema.org/draft-07/schema#')).state).toBe('valid');
    expect((await validate(tuple, '[1]', 'https://json-schema.org/draft/2019-09/schema')).state).toBe('valid');
    const declared = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect((await validate(declared, '[1]')).state).toBe('invalid');
  });

  test('draft-07 ignores what stands beside a $ref', async () => {
    const schema = {
      properties: { a: { $ref: '#/definitions/s', maxLength: 1 } },
      definitions: { s: { type: 'string' } },
    };
    expect((await validate(schema, '{"a":"xyz"}', 'http://json-schema.org/draft-07/schema#')).state).toBe('valid');
    expect((await validate(schema, '{"a":"xyz"}')).state).toBe('invalid');
  });

  test('another dialect is not checked', async () => {
    expect(await validate({}, '1', 'https://example.com/own-dialect')).toMatchObject({
      state: 'not-checked',
      reason: 'schema-dialect-unsupported',
    });
  });
});

describe('untrusted schemas', () => {
  test('v2 3.2: a reference that leaves the document is never followed', async () => {
    for (const $ref of [
      'https://example.com/a.json',
      'other.json#/x',
      'https://json-schema.org/draft/2020-12/schema',
    ]) {
      expect(await validate({ $ref }, '1')).toMatchObject({ state: 'not-checked', reason: 'schema-remote-ref' });
    }
  });

  test('references inside the document hold, by pointer, anchor and $id', async () => {
    const schema = {
      $id: 'https://example.com/root.json',
      $defs: { s: { $anchor: 'str', type: 'string' }, n: { $id: 'n.json', type: 'number' } },
      prefixItems: [{ $ref: '#/$defs/s' }, { $ref: '#str' }, { $ref: 'n.json' }],
    };
    expect((await validate(schema, '["a","b",1]')).state).toBe('valid');
    expect((await validate(schema, '[1,2,"c"]')).issues.map((issue) => issue.pointer)).toEqual(['/0', '/1', '/2']);
  });

  test('two schemas may carry the same $id', async () => {
    expect((await validate({ $id: 'https://example.com/x', type: 'string' }, '"a"')).state).toBe('valid');
    expect((await validate({ $id: 'https://example.com/x', type: 'number' }, '"a"')).state).toBe('invalid');
  });

  test('names inside one schema mean nothing in another', async () => {
    const named = (type: string) => ({
      $defs: { x: { $id: 'https://example.com/n', type } },
      $ref: 'https://example.com/n',
    });
    expect((await validate(named('string'), '"a"')).state).toBe('valid');
    expect((await validate(named('number'), '"a"')).state).toBe('invalid');
    expect((await validate({ $ref: 'https://example.com/n' }, '"a"')).reason).toBe('schema-remote-ref');
  });

  test('a schema that is none is not-checked with the reason', async () => {
    expect(await validate('{"type":', '1')).toMatchObject({ state: 'not-checked', reason: 'schema-not-json' });
    expect(await validate('[]', '1')).toMatchObject({ state: 'not-checked', reason: 'schema-not-object' });
    expect(await validate({ type: 'strnig' }, '1')).toMatchObject({ state: 'not-checked', reason: 'schema-invalid' });
    expect(await validate({ $ref: '#/nowhere' }, '1')).toMatchObject({ reason: 'schema-invalid' });
    expect(await service.checkSchema('{"type":"strnig"}', null)).toMatchObject({ reason: 'schema-invalid' });
    expect(await service.checkSchema('{"type":"string"}', null)).toMatchObject({ state: 'valid' });
  });

  test('a schema that refers to itself without an end is not-checked', async () => {
    expect(await validate({ allOf: [{ $ref: '#' }] }, '1')).toMatchObject({ state: 'not-checked' });
    const deep = `${'['.repeat(150)}${']'.repeat(150)}`;
    expect((await validate({ items: { $ref: '#' } }, deep)).state).toBe('valid');
  });

  test('too much is refused with what was too much', async () => {
    expect(await validate('['.repeat(1000), '1')).toMatchObject({ reason: 'schema-too-large' });
    expect(await validate({}, '['.repeat(1000))).toMatchObject({ state: 'not-checked', reason: 'value-too-deep' });
  });
});

describe('numbers that a double cannot hold', () => {
  test('only what does not depend on the lost digits is decided', async () => {
    const big = '9007199254740993';
    expect((await validate({ type: 'integer' }, big)).state).toBe('valid');
    expect((await validate({ type: 'string' }, big)).state).toBe('invalid');
    expect((await validate({ minimum: 1 }, big)).state).toBe('valid');
    expect((await validate({ maximum: 5 }, big)).state).toBe('invalid');
    expect((await validate({ const: 5 }, big)).state).toBe('invalid');
    expect((await validate('{"const":9007199254740992}', big)).state).toBe('invalid');
    for (const schema of [
      '{"maximum":9007199254740992}',
      '{"const":9007199254740993}',
      '{"enum":[9007199254740994]}',
      '{"multipleOf":2}',
      '{"uniqueItems":true}',
    ]) {
      expect(await validate(schema, big), schema).toMatchObject({ state: 'not-checked', reason: 'number-precision' });
    }
  });

  test('a bound that lost digits matters only near it', async () => {
    const int64 = '{"type":"integer","maximum":9223372036854775807}';
    expect((await validate(int64, '7')).state).toBe('valid');
    expect((await validate(int64, '9223372036854775806')).reason).toBe('number-precision');
    expect((await validate(int64, '19223372036854775807')).state).toBe('invalid');
  });

  test('a fraction and an overflow are in doubt', async () => {
    expect((await validate({ type: 'integer' }, '1.00000000000000000001')).state).toBe('invalid');
    expect((await validate({ type: 'integer' }, '9007199254740993.5')).reason).toBe('number-precision');
    expect((await validate({ type: 'number' }, '1e400')).state).toBe('valid');
    expect((await validate({ maximum: Number.MAX_VALUE }, '1e400')).reason).toBe('number-precision');
    expect((await validate({ type: 'integer' }, '1.50e1')).state).toBe('valid');
  });
});

describe('limits of the worker', () => {
  const CATASTROPHE = JSON.stringify({ pattern: '^(a+)+$' });
  const LONG = JSON.stringify(`${'a'.repeat(40)}!`);

  test('a catastrophic pattern is stopped and never valid, and the next job runs', async () => {
    const limited = createSchemaService({ timeLimitMs: 300 });
    const first = limited.validate({ schemaText: CATASTROPHE, dialect: null, valueText: LONG });
    const second = limited.validate({ schemaText: '{"type":"string"}', dialect: null, valueText: '"a"' });
    expect(await first).toEqual({ state: 'not-checked', issues: [], reason: 'schema-timeout' });
    expect((await second).state).toBe('valid');
    await limited.close();
  });

  test('an abort ends a queued job and a running one, and no other', async () => {
    const slow = createSchemaService({ timeLimitMs: 60_000 });
    const running = new AbortController();
    const queued = new AbortController();
    const input = { schemaText: CATASTROPHE, dialect: null, valueText: LONG };
    // Once a first job is answered the thread is up, so that the next one really runs.
    await slow.validate({ schemaText: 'true', dialect: null, valueText: '1' });
    const one = slow.validate(input, running.signal);
    const two = slow.validate(input, queued.signal);
    const three = slow.validate({ schemaText: 'true', dialect: null, valueText: '1' });
    queued.abort();
    expect((await two).reason).toBe('cancelled');
    running.abort();
    expect((await one).reason).toBe('cancelled');
    expect((await three).state).toBe('valid');
    await slow.close();
  });

  test('a schema that eats the memory costs only its own verdict', async () => {
    const small = createSchemaService({ timeLimitMs: 60_000, memoryLimitMb: 48 });
    const names = Array.from({ length: 15_000 }, (_, i) => [`p${i}`, { anyOf: [{ type: 'string' }] }]);
    const schemaText = JSON.stringify({ properties: Object.fromEntries(names) });
    const values = JSON.stringify(Array.from({ length: 400_000 }, (_, i) => ({ [`k${i}`]: [i, { x: String(i) }] })));
    const verdict = await small.validate({ schemaText, dialect: null, valueText: values });
    expect(verdict.state).toBe('not-checked');
    expect(verdict.reason).toBe('schema-memory');
    expect((await small.validate({ schemaText: 'true', dialect: null, valueText: '1' })).state).toBe('valid');
    await small.close();
  });

  test('a worker that cannot start fails every job instead of hanging', async () => {
    const broken = createSchemaService({ workerUrl: new URL('./no-such-worker.ts', import.meta.url) });
    const jobs = [1, 2].map(() => broken.validate({ schemaText: 'true', dialect: null, valueText: '1' }));
    expect((await Promise.all(jobs)).map((verdict) => verdict.reason)).toEqual(['worker-failed', 'worker-failed']);
    await broken.close();
  });

  test('after close nothing is checked', async () => {
    const closed = createSchemaService();
    const pending = closed.validate({ schemaText: 'true', dialect: null, valueText: '1' });
    await closed.close();
    expect((await pending).reason).toBe('closed');
    expect((await closed.validate({ schemaText: 'true', dialect: null, valueText: '1' })).reason).toBe('closed');
  });
});
