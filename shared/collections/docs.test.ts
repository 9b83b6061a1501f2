import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { printCallFile, readCallFile } from './call-file.ts';
import { readEnvironmentFile } from './environment-file.ts';
import { FILE_SCHEMAS } from './json-schema.ts';

const DOCS = path.resolve(import.meta.dirname, '..', '..', 'docs');
const EXAMPLE = path.join(DOCS, 'examples', 'saved-calls');
const text = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');
const calls = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.cetp.json'));

describe('docs/formats.md', () => {
  test.each([
    ['saved-call', FILE_SCHEMAS.call],
    ['environment', FILE_SCHEMAS.environment],
    ['secrets', FILE_SCHEMAS.secrets],
  ] as const)('the JSON Schema of %s is what is read', (name, print) => {
    expect(JSON.parse(text(DOCS, 'schemas', `${name}.v1.json`))).toEqual(JSON.parse(print()));
    expect(text(DOCS, 'formats.md')).toContain(`schemas/${name}.v1.json`);
  });

  test.each(calls)('the example %s is a call, by the schema and by the reader', (file) => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(FILE_SCHEMAS.call()));
    expect(validate(JSON.parse(text(EXAMPLE, file)))).toBe(true);
    const read = readCallFile(text(EXAMPLE, file));
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    expect(readCallFile(printCallFile(read.value))).toMatchObject({
      ok: true,
      value: { argsText: read.value.argsText },
    });
  });

  test('the example of an environment', () => {
    expect(readEnvironmentFile(text(EXAMPLE, 'environments', 'demo.json')).ok).toBe(true);
  });
});
