import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Json, type JsonObject, toPlainJson } from '../../../../shared/base/json.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });

/** Violations of a kit's own schema, as `path message`; empty when there are none. */
export function violations(schema: JsonObject, value: Json): readonly string[] {
  const validate = ajv.compile(toPlainJson(schema) as object);
  if (validate(toPlainJson(value))) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? error.keyword}`);
}
