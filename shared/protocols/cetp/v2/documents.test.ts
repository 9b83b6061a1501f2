import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../../../model/finding.ts';
import { ANNOTATIONS, INFO, NEGOTIATION, NOW_MS, success, TOOL, v2Context } from '../testing/answers.ts';
import { NEGOTIATION_SCHEMA, PROVIDER_INFO_SCHEMA, TOOL_SCHEMA } from '../testing/v2-documents.ts';
import { v2Codec } from './codec.ts';
import { readNegotiation } from './negotiate.ts';

/** The hand-written rules and ajv must agree on which documents break a MUST. */

const ajv = new Ajv2020({ allErrors: true, strict: false });
const breaksMust = (findings: readonly Finding[]) => findings.some((finding) => finding.severity === 'must');

/** A clean document with some members replaced or left out, down to two levels. */
function variants(clean: object, values: readonly unknown[]): fc.Arbitrary<object> {
  const value = fc.oneof(fc.constantFrom(...values), fc.constant(undefined));
  const flat = (object: object) => fc.dictionary(fc.constantFrom(...Object.keys(object)), value, { maxKeys: 2 });
  const nested = Object.entries(clean).filter(([, item]) => typeof item === 'object' && !Array.isArray(item));
  const inner = nested.map(([key, item]) => flat(item as object).map((over) => ({ [key]: { ...item, ...over } })));
  const changes = fc.tuple(flat(clean), ...inner);
  return changes.map(([over, ...parts]) => JSON.parse(JSON.stringify(Object.assign({}, clean, ...parts, over))));
}

const ODD = [
  null,
  true,
  false,
  0,
  1,
  2,
  65_536,
  262_144.5,
  '',
  'a',
  'high',
  'delete',
  'always',
  'write',
  [],
  ['a'],
  [1],
  {},
];

test('negotiation (2.2)', () => {
  const valid = ajv.compile(NEGOTIATION_SCHEMA);
  fc.assert(
    fc.property(variants({ ...NEGOTIATION, expires_at: undefined }, [...ODD, ['cancellation']]), (document) => {
      const { findings } = readNegotiation(success(document), NOW_MS);
      const own = findings.filter((finding) => !finding.rule.startsWith('expiry'));
      expect(!breaksMust(own)).toBe(valid({ ...document, expires_at: '' }));
    }),
    { numRuns: 2000 },
  );
});

test('description (3.2)', () => {
  const valid = ajv.compile(PROVIDER_INFO_SCHEMA);
  const scopes = variants(INFO.scopes[0] ?? {}, ODD).map((scope) => ({ ...INFO, scopes: [scope] }));
  fc.assert(
    fc.property(fc.oneof(variants(INFO, ODD), scopes), (document) => {
      const { findings } = v2Codec.readProviderInfo(success(document), v2Context());
      const own = findings.filter(
        (finding) => finding.rule !== 'provider-id-differs' && finding.rule !== 'provider-id-namespace',
      );
      expect(!breaksMust(own)).toBe(valid(document));
    }),
    { numRuns: 2000 },
  );
});

test('tools (3.1, 3.3, 3.4)', () => {
  const valid = ajv.compile(TOOL_SCHEMA);
  const annotations = variants(ANNOTATIONS, ODD).map((item) => ({ ...TOOL, annotations: item }));
  fc.assert(
    fc.property(fc.oneof(variants(TOOL, ODD), annotations), (tool) => {
      const reading = v2Codec.readTools(success({ revision: 'r', tools: [tool] }), v2Context());
      const own = (reading.tools[0]?.row.findings ?? []).filter((finding) => finding.rule !== 'schema-part-invalid');
      expect(!breaksMust(own)).toBe(valid(tool));
    }),
    { numRuns: 2000 },
  );
});
