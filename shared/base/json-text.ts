/**
 * Work on JSON as text, for places where the other side's own characters must
 * stay: escapes, digits, order, repeated members. Every function here expects
 * text that `parseJson` accepted.
 */

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The source text of a member of the root object, without surrounding space:
 * the last one where the name repeats. Null where the root is no object or has
 * no such member.
 */
export function memberText(text: string, name: string): string | null {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return null;
  at = skipSpace(text, at + 1);
  let found: Span | null = null;
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    if (key === name) found = { start, end };
    at = skipSpace(text, end);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return found === null ? null : text.slice(found.start, found.end);
}

/** The source texts of the items of a root array; null where the root is no array. */
export function itemTexts(text: string): readonly string[] | null {
  let at = skipSpace(text, 0);
  if (text[at] !== '[') return null;
  const items: string[] = [];
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== ']') {
    const end = skipValue(text, at);
    items.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return items;
}

/**
 * Indents without parsing: digits, escapes, member order and repeated members
 * stay as they are; only space between tokens changes.
 */
export function indentJsonText(text: string, indent = 2): string {
  const out: string[] = [];
  let depth = 0;
  let at = skipSpace(text, 0);
  const line = () => out.push(`\n${' '.repeat(depth * indent)}`);
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '{' || char === '[') {
      const next = skipSpace(text, at + 1);
      if (text[next] === '}' || text[next] === ']') {
        out.push(char, text[next] as string);
        at = next + 1;
      } else {
        out.push(char);
        depth++;
        line();
        at++;
      }
    } else if (char === '}' || char === ']') {
      depth--;
      line();
      out.push(char);
      at++;
    } else if (char === ',') {
      out.push(char);
      line();
      at++;
    } else if (char === ':') {
      out.push(': ');
      at++;
    } else {
      const end = char === '"' ? skipString(text, at) : skipWord(text, at);
      out.push(text.slice(at, end));
      at = end;
    }
    at = skipSpace(text, at);
  }
  return out.join('');
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

const STRING_PART = /[^"\\]*/y;

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    STRING_PART.lastIndex = at;
    STRING_PART.test(text);
    at = STRING_PART.lastIndex;
    if (text.charCodeAt(at) === 0x22) return at + 1;
    at += 2;
  }
  return text.length;
}

const WORD = /[^\s,:\]}[{"]+/y;

function skipWord(text: string, from: number): number {
  WORD.lastIndex = from;
  return WORD.test(text) ? WORD.lastIndex : from + 1;
}

function skipValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return skipString(text, from);
  if (first !== '{' && first !== '[') return skipWord(text, from);
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = skipString(text, at);
      continue;
    }
    at++;
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return at;
}
