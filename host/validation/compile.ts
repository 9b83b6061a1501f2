import { createHash } from 'node:crypto';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type Json, member, parseJson } from '../../shared/base/json.ts';
import type { ValueIssue } from '../../shared/model/call.ts';
import { type Dialect, dialectOf } from '../../shared/validation/dialect.ts';
import { inspectSchema } from '../../shared/validation/schema-walk.ts';
import { multipleOfKeyword } from './multiple-of.ts';
import { normalizeSchema, type SchemaTraits } from './normalize-schema.ts';

/** A schema ready to use, or why it cannot be: a `notChecked.<reason>` with what was found. */
export type Compiled =
  | { readonly ok: true; readonly schema: Json; readonly validate: ValidateFunction; readonly traits: SchemaTraits }
  | { readonly ok: false; readonly reason: string; readonly issues: readonly ValueIssue[] };

const SCHEMA_LIMITS = { maxLength: 4 * 1024 * 1024, maxDepth: 100 };
/** ajv keeps what it compiled for ever, so all of it is dropped together after so many schemas or characters. */
const MAX_SCHEMAS = 300;
const MAX_TEXT = 16 * 1024 * 1024;

const OPTIONS: Options = {
  allErrors: true,
  // A hostile `toString` or `constructor` is a member like any other.
  ownProperties: true,
  strict: false,
  logger: false,
  // `format` is an annotation by default in 2020-12; asserting it could call a valid value invalid.
  validateFormats: false,
  code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
};

/** Many schemas carry patterns that only the older grammar accepts, such as `[\w-.]`. */
function compilePattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

export class SchemaCompiler {
  #ajv = new Map<Dialect, Ajv>();
  #cache = new Map<string, Compiled>();
  #textHeld = 0;

  /** Compiles without any network and remembers by digest. */
  compile(schemaText: string, dialect: string | null): Compiled {
    const digest = createHash('sha256').update(`${dialect}\n`).update(schemaText).digest('hex');
    const known = this.#cache.get(digest);
    if (known !== undefined) return known;
    if (this.#cache.size >= MAX_SCHEMAS || this.#textHeld > MAX_TEXT) this.#forget();
    const compiled = this.#compile(schemaText, dialect);
    this.#cache.set(digest, compiled);
    this.#textHeld += schemaText.length;
    return compiled;
  }

  #compile(schemaText: string, sessionDialect: string | null): Compiled {
    const parsed = parseJson(schemaText, SCHEMA_LIMITS);
    if (!parsed.ok) {
      if (parsed.error.code !== 'syntax') return refuse('schema-too-large');
      return refuse('schema-not-json', 'syntax', parsed.error.message);
    }
    const schema = parsed.value.value;
    if (!isJsonObject(schema) && typeof schema !== 'boolean') return refuse('schema-not-object');
    const inspection = inspectSchema(schema);
    if (!inspection.complete) return refuse('schema-too-large');
    const remote = inspection.remoteRefs[0];
    if (remote !== undefined) return refuse('schema-remote-ref', '$ref', remote);
    const unresolved = inspection.unresolvedRefs[0];
    if (unresolved !== undefined) return refuse('schema-invalid', '$ref', `nothing stands at ${unresolved}`);
    const declared = isJsonObject(schema) ? member(schema, '$schema') : undefined;
    const uri = typeof declared === 'string' ? declared : sessionDialect;
    const dialect = uri === null ? '2020-12' : dialectOf(uri);
    if (dialect === null) return refuse('schema-dialect-unsupported', '$schema', (uri ?? '').slice(0, 200));
    const normal = normalizeSchema(schema, dialect);
    if (normal.traits.namesProto) return refuse('schema-proto-member');
    try {
      return {
        ok: true,
        schema,
        traits: normal.traits,
        validate: this.#instance(dialect, normal.traits).compile(normal.plain),
      };
    } catch (error) {
      if (error instanceof RangeError) return refuse('schema-too-large');
      return refuse(
        'schema-invalid',
        'schema',
        (error instanceof Error ? error.message : String(error)).slice(0, 1000),
      );
    }
  }

  /** ajv remembers each `$id` and anchor of all its schemas together: one that has any gets an instance of its own. */
  #instance(dialect: Dialect, traits: SchemaTraits): Ajv {
    if (traits.hasNames) return create(dialect);
    const ajv = this.#ajv.get(dialect) ?? create(dialect);
    this.#ajv.set(dialect, ajv);
    return ajv;
  }

  #forget(): void {
    this.#ajv = new Map();
    this.#cache = new Map();
    this.#textHeld = 0;
  }
}

function create(dialect: Dialect): Ajv {
  const ajv = construct(dialect);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword(multipleOfKeyword);
  return ajv;
}

function construct(dialect: Dialect): Ajv {
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(OPTIONS) as unknown as Ajv;
    case '2019-09':
      return new Ajv2019(OPTIONS) as unknown as Ajv;
    case 'draft-07':
      return new Ajv(OPTIONS);
  }
}

function refuse(reason: string, keyword?: string, message?: string): Compiled {
  const issues = keyword === undefined || message === undefined ? [] : [{ pointer: '', keyword, message }];
  return { ok: false, reason, issues };
}
