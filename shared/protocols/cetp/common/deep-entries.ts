import { DEFAULT_JSON_LIMITS, nestsDeeperThan } from '../../../base/json.ts';
import { itemTexts, memberText } from '../../../base/json-text.ts';
import { type Bundle, stringOf } from '../../../model/bundle.ts';

/** An answer without the entries of its list that nest too deep to be read; their texts by place. */
export interface ShallowList {
  readonly answer: Bundle | null;
  readonly unread: ReadonlyMap<number, string>;
}

/** Nesting that one entry may have: the list itself takes two levels. */
export const MAX_ENTRY_DEPTH = DEFAULT_JSON_LIMITS.maxDepth - 2;

/**
 * One entry that nests without end must not cost the list. Only `revision` and
 * `tools` of such a document are read, with null in the place of what is too
 * deep; a document that cannot be taken apart stays as it is.
 */
export function withoutDeepEntries(answer: Bundle | null): ShallowList {
  const whole: ShallowList = { answer, unread: new Map() };
  const text = answer === null ? undefined : stringOf(answer, 'data');
  if (answer === null || text === undefined || !nestsDeeperThan(text, DEFAULT_JSON_LIMITS.maxDepth)) return whole;
  if (text.length > DEFAULT_JSON_LIMITS.maxLength) return whole;
  const parts = takeApart(text);
  if (parts === null) return whole;
  const unread = new Map<number, string>();
  const items = parts.items.map((item, index) => {
    if (!nestsDeeperThan(item, MAX_ENTRY_DEPTH)) return item;
    unread.set(index, item);
    return 'null';
  });
  const revision = parts.revision === null ? '' : `"revision":${parts.revision},`;
  const shallow = `{${revision}"tools":[${items.join(',')}]}`;
  const rest = answer.filter((entry) => entry.key !== 'data');
  return { answer: [...rest, { key: 'data', t: dataType(answer), v: shallow }], unread };
}

function dataType(answer: Bundle): 'string' | 'text' {
  return answer.some((entry) => entry.key === 'data' && entry.t === 'text') ? 'text' : 'string';
}

/** Null where the text is no such document; the text was not checked to be JSON. */
function takeApart(text: string): { revision: string | null; items: readonly string[] } | null {
  try {
    const tools = memberText(text, 'tools');
    const items = tools === null ? null : itemTexts(tools);
    return items === null ? null : { revision: memberText(text, 'revision'), items };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
