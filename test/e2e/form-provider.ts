import { providerPackage, text, V2_INT } from '../../host/simulator/provider-kit/package-builder.ts';
import type { V2Tool } from '../../host/simulator/provider-kit/v2/definition.ts';
import { createV2Provider } from '../../host/simulator/provider-kit/v2/provider.ts';
import type { JsonObject } from '../../shared/base/json.ts';

export const FORMS_PACKAGE = 'org.example.forms';

/** A schema of every sort that a form shows. */
const rich: JsonObject = {
  type: 'object',
  required: ['title', 'quantity', 'side'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 2, maxLength: 80, description: 'What the order is called' },
    quantity: { type: 'integer', minimum: 1, description: 'Whole pieces' },
    side: { enum: ['buy', 'sell'], description: 'Which way it goes' },
    limit: { type: ['number', 'null'], description: 'The worst price; null for any' },
    express: { type: 'boolean', default: false },
    when: { type: 'string', format: 'date-time' },
    note: { type: 'string', maxLength: 4000, description: 'For the people in the warehouse' },
    venue: {
      oneOf: [
        { const: 'xnas', title: 'Nasdaq' },
        { const: 'xlon', title: 'London' },
      ],
    },
    address: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }], description: 'Where it goes to' },
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 5 },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    target: { oneOf: [{ $ref: '#/$defs/line' }, { $ref: '#/$defs/address' }] },
    version: { const: 2 },
  },
  $defs: {
    address: {
      type: 'object',
      required: ['street'],
      properties: { street: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
    },
    line: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' }, count: { type: 'integer' } } },
  },
};

const hostile: JsonObject = {
  type: 'object',
  properties: {
    'a\u202eb <img src=x>': { type: 'string', description: '\u202e evil <script>alert(1)</script> \u200b'.repeat(40) },
    __proto__x: { $ref: '#/properties/__proto__x' },
    tree: { $ref: '#/$defs/node' },
    patterns: { type: 'object', patternProperties: { '^x-': { type: 'integer' } } },
    remote: { $ref: 'https://schemas.example.org/remote.json' },
    odd: { type: 'String', enum: [] },
    choice: { enum: ['\u202egnp.exe', '\u200b', 1, null] },
    never: false,
    strange: 7,
  },
  $defs: { node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
};

const wide: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`field_${i}`, { type: i % 3 === 0 ? 'integer' : 'string' }]),
  ),
};

export function createForms() {
  const tools = Object.entries({ rich, hostile, wide }).map(([name, schema]) => tool(name, schema));
  return createV2Provider(
    {
      package: FORMS_PACKAGE,
      providerName: 'Forms',
      description: 'Schemas of every sort',
      revision: 'forms-1',
      scopes: [{ name: 'forms', title: 'Forms', description: 'Forms', access: 'read', sensitivity: 'other' }],
      tools,
    },
    { grantedScopes: ['forms'] },
  );
}

export function formsPackage(app = createForms()) {
  return providerPackage({ package: FORMS_PACKAGE, label: 'Forms', app, version: V2_INT, versions: text('2') });
}

function tool(name: string, inputSchema: JsonObject): V2Tool {
  return {
    name,
    title: name,
    description: `Takes ${name} arguments`,
    inputSchema,
    outputSchema: { type: 'object' },
    scopes: ['forms'],
    annotations: {
      effect: 'read',
      risk: 'low',
      destructive: false,
      idempotent: true,
      open_world: false,
      confirmation: 'never',
      execution: 'sync',
    },
    run: () => ({ kind: 'value', value: {} }),
  };
}
