/**
 * The documents of CETP v2 as JSON Schema 2020-12: what a well-formed Provider
 * writes. The readers report far more than "does not match", so they have rules
 * of their own; the tests hold the two against each other through ajv.
 */

/** v2 2.2. */
export const NEGOTIATION_SCHEMA = {
  type: 'object',
  required: ['selected_version', 'provider_id', 'provider_name', 'session_token', 'capabilities', 'limits'],
  properties: {
    selected_version: { const: 2 },
    provider_id: { type: 'string', minLength: 1 },
    provider_name: { type: 'string' },
    session_token: { type: 'string', minLength: 1 },
    expires_at: { type: 'string' },
    capabilities: { type: 'array', items: { enum: ['async_operations', 'cancellation', 'large_results'] } },
    limits: {
      type: 'object',
      required: [
        'max_request_bytes',
        'max_inline_result_bytes',
        'max_concurrent_requests',
        'idempotency_window_seconds',
      ],
      properties: {
        max_request_bytes: { type: 'integer', minimum: 65_536 },
        max_inline_result_bytes: { type: 'integer', minimum: 262_144 },
        max_concurrent_requests: { type: 'integer', minimum: 1 },
        idempotency_window_seconds: { type: 'integer', minimum: 86_400 },
      },
    },
  },
} as const;

/** v2 3.2. */
export const PROVIDER_INFO_SCHEMA = {
  type: 'object',
  required: ['provider_id', 'provider_name', 'description', 'scopes'],
  properties: {
    provider_id: { type: 'string' },
    provider_name: { type: 'string' },
    description: { type: 'string' },
    schema_dialect: { type: 'string' },
    scopes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description', 'access', 'sensitivity'],
        properties: {
          name: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,127}$' },
          title: { type: 'string' },
          description: { type: 'string' },
          access: { enum: ['read', 'write'] },
          sensitivity: { enum: ['public', 'personal', 'financial', 'health', 'device', 'other'] },
        },
      },
    },
  },
} as const;

const NEEDS_CONFIRMATION = [
  { required: ['effect'], properties: { effect: { enum: ['delete', 'transaction'] } } },
  { required: ['destructive'], properties: { destructive: { const: true } } },
  { required: ['risk'], properties: { risk: { const: 'high' } } },
] as const;

/** v2 3.1, 3.3 and the constraint on confirmation of 3.4. */
export const TOOL_SCHEMA = {
  type: 'object',
  required: ['name', 'description', 'input_schema', 'output_schema', 'scopes', 'annotations'],
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
    title: { type: 'string' },
    description: { type: 'string' },
    input_schema: { type: ['object', 'boolean'] },
    output_schema: { type: ['object', 'boolean'] },
    scopes: { type: 'array', items: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,127}$' } },
    annotations: {
      type: 'object',
      required: ['effect', 'risk', 'destructive', 'idempotent', 'open_world', 'confirmation', 'execution'],
      properties: {
        effect: { enum: ['read', 'create', 'update', 'delete', 'transaction'] },
        risk: { enum: ['low', 'moderate', 'high'] },
        destructive: { type: 'boolean' },
        idempotent: { type: 'boolean' },
        open_world: { type: 'boolean' },
        confirmation: { enum: ['never', 'provider_policy', 'always'] },
        execution: { enum: ['sync', 'sync_or_async'] },
      },
      if: { anyOf: NEEDS_CONFIRMATION },
      // biome-ignore lint/suspicious/noThenProperty: it is the JSON Schema keyword.
      then: { properties: { confirmation: { const: 'always' } } },
    },
  },
} as const;
