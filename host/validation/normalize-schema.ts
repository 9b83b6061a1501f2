import { isJsonObject, type Json, member, toPlainJson } from '../../shared/base/json.ts';
import type { Dialect } from '../../shared/validation/dialect.ts';
import { visitSchemas } from '../../shared/validation/schema-walk.ts';
import { type Interval, lostIntervals } from './precision.ts';

/** What the precision check must know of a schema. */
export interface SchemaTraits {
  /** Has `multipleOf` or `uniqueItems`, where no neighbouring double tells the truth. */
  readonly needsExactNumbers: boolean;
  /** Ranges around bounds and constants that a double cannot hold. */
  readonly lostNumbers: readonly Interval[];
  /** A `multipleOf` itself lost digits. */
  readonly lostDivisor: boolean;
  /** `format` or content keywords stand in it, which are not asserted. */
  readonly hasFormats: boolean;
  /** Has a `$id` or an anchor. */
  readonly hasNames: boolean;
  /** `properties` names `__proto__`, which ajv leaves out. */
  readonly namesProto: boolean;
}

/** Keywords that are ajv's or OpenAPI's own and would change the verdict or stop the compiler. */
const FOREIGN = ['$async', 'nullable', 'id', 'discriminator', '$data'];
/** Draft-07 8.3: everything beside `$ref` is ignored. Containers stay, since pointers lead into them. */
const BESIDE_REF = new Set(['$ref', '$schema', 'definitions', '$defs']);
const NAMES = ['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'];
const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const', 'enum'];

export function normalizeSchema(schema: Json, dialect: Dialect): { plain: object | boolean; traits: SchemaTraits } {
  const lostNumbers: Interval[] = [];
  let needsExactNumbers = false;
  let lostDivisor = false;
  let hasFormats = false;
  let hasNames = false;
  let namesProto = false;
  visitSchemas(schema, unlimited(), (node) => {
    if (!isJsonObject(node)) return;
    for (const keyword of NUMBER_KEYWORDS) {
      const value = member(node, keyword);
      if (value !== undefined) lostNumbers.push(...lostIntervals(value));
    }
    const divisor = member(node, 'multipleOf');
    if (divisor !== undefined) {
      needsExactNumbers = true;
      lostDivisor ||= lostIntervals(divisor).length > 0;
    }
    needsExactNumbers ||= member(node, 'uniqueItems') === true;
    hasFormats ||= member(node, 'format') !== undefined;
    hasNames ||= NAMES.some((keyword) => member(node, keyword) !== undefined);
    const properties = member(node, 'properties');
    namesProto ||= isJsonObject(properties) && Object.hasOwn(properties, '__proto__');
  });
  const plain = toPlainJson(schema) as object | boolean;
  visitSchemas(plain as Json, unlimited(), (node) => {
    if (!isJsonObject(node)) return;
    const mutable = node as Record<string, unknown>;
    for (const keyword of FOREIGN) delete mutable[keyword];
    if (dialect !== 'draft-07' || typeof mutable['$ref'] !== 'string') return;
    for (const keyword of Object.keys(mutable)) if (!BESIDE_REF.has(keyword)) delete mutable[keyword];
  });
  return { plain, traits: { needsExactNumbers, lostNumbers, lostDivisor, hasFormats, hasNames, namesProto } };
}

/** The schema was walked within its budget before. */
function unlimited() {
  return { left: Number.POSITIVE_INFINITY };
}
