/**
 * A text as it reads after one or more rounds of JSON unescaping, with the way
 * back: character `i` comes from the source's `[starts[i], starts[i + 1])`.
 */
export interface EscapedView {
  readonly text: string;
  /** Null: the text is the source itself. */
  readonly starts: Uint32Array | null;
}

const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const UNICODE = /^[0-9a-fA-F]{4}$/;

/** One more round of unescaping over the whole text, or null where nothing is escaped. */
export function unescapeView(view: EscapedView): EscapedView | null {
  const { text } = view;
  let next = text.indexOf('\\');
  if (next === -1) return null;
  const starts = new Uint32Array(text.length + 1);
  const parts: string[] = [];
  let length = 0;
  let at = 0;
  let decoded = false;
  const copyTo = (end: number): void => {
    for (let i = at; i < end; i++) starts[length++] = sourceOf(view, i);
    parts.push(text.slice(at, end));
    at = end;
  };
  while (next !== -1) {
    copyTo(next);
    const found = escapeAt(text, next);
    if (found === null) {
      copyTo(next + 1);
    } else {
      starts[length++] = sourceOf(view, next);
      parts.push(found.char);
      at = next + found.length;
      decoded = true;
    }
    next = text.indexOf('\\', at);
  }
  copyTo(text.length);
  if (!decoded) return null;
  starts[length] = sourceOf(view, text.length);
  return { text: parts.join(''), starts: starts.subarray(0, length + 1) };
}

/** Where character `i` of the view (or its end) is in the source. */
export function sourceOf(view: EscapedView, i: number): number {
  return view.starts === null ? i : (view.starts[i] ?? 0);
}

/** A JSON string's inner text, unescaped. Broken escapes stay as they are. */
export function unescapeJson(inner: string): string {
  return unescapeView({ text: inner, starts: null })?.text ?? inner;
}

function escapeAt(text: string, at: number): { char: string; length: number } | null {
  const letter = text[at + 1];
  if (letter === undefined) return null;
  if (letter === 'u') {
    const hex = text.slice(at + 2, at + 6);
    return UNICODE.test(hex) ? { char: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 } : null;
  }
  const char = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  return char === undefined ? null : { char, length: 2 };
}
