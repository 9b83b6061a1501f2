import { isJsonObject, type Json, type JsonObject, member } from '../../shared/base/json.ts';

/** Why a part of the arguments is shown as its JSON text. Each has a text `uiForm.reason.<reason>`. */
export type TextReason = 'alternatives' | 'reference' | 'never' | 'no-schema' | 'repeated' | 'too-deep';

const MAX_PARTS = 40;

/** Every schema that holds at once at one place: the schema, what it refers to, and its `allOf`. */
export type Parts =
  | { readonly ok: true; readonly parts: readonly JsonObject[] }
  | { readonly ok: false; readonly reason: TextReason };

/** Follows references inside the document only, and no circle of them; bounded. */
export function partsOf(schema: Json, root: Json): Parts {
  const parts: JsonObject[] = [];
  const open = new Set<Json>();
  const add = (part: Json): TextReason | null => {
    if (part === true) return null;
    if (part === false) return 'never';
    if (!isJsonObject(part)) return 'no-schema';
    if (open.has(part) || parts.length >= MAX_PARTS) return 'reference';
    open.add(part);
    parts.push(part);
    for (const key of ['$dynamicRef', '$recursiveRef']) if (member(part, key) !== undefined) return 'reference';
    const ref = member(part, '$ref');
    if (ref !== undefined) {
      const target = typeof ref === 'string' ? targetOf(ref, root) : undefined;
      const fault = target === undefined ? 'reference' : add(target);
      if (fault !== null) return fault;
    }
    for (const each of listOf(member(part, 'allOf'))) {
      const fault = add(each);
      if (fault !== null) return fault;
    }
    open.delete(part);
    return null;
  };
  const reason = add(schema);
  return reason === null ? { ok: true, parts } : { ok: false, reason };
}

/** What a reference by JSON pointer into the same document leads to. */
function targetOf(ref: string, root: Json): Json | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  // Below an `$id` the pointer would count from there.
  let at: Json | undefined = root;
  for (const [index, part] of ref.split('/').slice(1).entries()) {
    if (index > 0 && isJsonObject(at) && member(at, '$id') !== undefined) return undefined;
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d{1,9}$/.test(key) ? (at as readonly Json[])[Number(key)] : undefined;
    else at = isJsonObject(at) ? member(at, key) : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
