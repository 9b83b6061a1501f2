import { utf8Length } from '../base/json.ts';
import { type EscapedView, sourceOf, unescapeJson, unescapeView } from './escaped-view.ts';
import { ASSIGNMENT_END, HELLO_OP, HELLO_TOKEN, SECRET_ASSIGNMENT, SECRET_MEMBER } from './secret-keys.ts';

/** Rounds of unescaping; each level of JSON in JSON doubles the backslashes, so 16 MiB end before this. */
const MAX_LEVELS = 26;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

export interface MaskTextOptions {
  /** Known secrets, to be found anywhere. */
  readonly pattern: RegExp | null;
  /** Told each secret found under its key. Null: keys are not looked at. */
  readonly learn: ((secret: string) => void) | null;
}

export interface MaskedText {
  readonly text: string;
  readonly redactions: number;
}

/** What stands in a text for a secret; safe inside a JSON string. `bytes` is the secret's length in UTF-8. */
export function mark(bytes: number): string {
  return `⟦masked:${bytes}⟧`;
}

/**
 * Masks secrets in a text that may hold JSON, JSON in JSON (to any depth of
 * escaping), or neither. Only the characters of a secret are replaced; all
 * else stays as it is.
 */
export function maskText(text: string, options: MaskTextOptions): MaskedText {
  const spans: Span[] = [];
  let view: EscapedView | null = { text, starts: null };
  for (let level = 0; level < MAX_LEVELS && view !== null; level++) {
    if (options.learn !== null) addByKey(view, spans, options.learn);
    findKnown(view, spans, options.pattern);
    view = unescapeView(view);
  }
  return spans.length === 0 ? { text, redactions: 0 } : replace(text, spans);
}

function addByKey(view: EscapedView, spans: Span[], learn: (secret: string) => void): void {
  const covered = merge(spans);
  for (const { span, secret } of findByKey(view)) {
    // A deeper level reads a part of what a shallower one has found whole.
    if (isCovered(covered, span)) continue;
    spans.push(span);
    learn(secret);
  }
}

interface Found {
  readonly span: Span;
  readonly secret: string;
}

function findByKey(view: EscapedView): Found[] {
  const { text } = view;
  const found: Found[] = [];
  const add = (start: number, end: number, secret: string): void => {
    if (end === start || secret.startsWith('⟦masked:')) return;
    found.push({
      span: { start: sourceOf(view, start), end: sourceOf(view, end), bytes: utf8Length(secret) },
      secret,
    });
  };
  for (const pattern of HELLO_OP.test(text) ? [SECRET_MEMBER, HELLO_TOKEN] : [SECRET_MEMBER]) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index + match[0].length;
      const end = endOfString(text, start);
      add(start, end, unescapeJson(text.slice(start, end)));
    }
  }
  for (const match of text.matchAll(SECRET_ASSIGNMENT)) {
    const start = match.index + match[0].length;
    ASSIGNMENT_END.lastIndex = start;
    const end = ASSIGNMENT_END.exec(text)?.index ?? text.length;
    add(start, end, text.slice(start, end));
  }
  return found;
}

/** The same places as disjoint ranges in order. */
function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start <= last.end) {
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else merged.push(span);
  }
  return merged;
}

function isCovered(ranges: readonly Span[], span: Span): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) <= span.start) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range !== undefined && span.end <= range.end;
}

function findKnown(view: EscapedView, spans: Span[], pattern: RegExp | null): void {
  if (pattern === null) return;
  for (const match of view.text.matchAll(pattern)) {
    spans.push({
      start: sourceOf(view, match.index),
      end: sourceOf(view, match.index + match[0].length),
      bytes: utf8Length(match[0]),
    });
  }
}

function endOfString(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i++;
    else if (code === 0x22) return i;
  }
  return text.length;
}

function replace(text: string, spans: Span[]): MaskedText {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: string[] = [];
  let at = 0;
  let redactions = 0;
  for (const span of spans) {
    if (span.end <= at) continue;
    if (span.start >= at) {
      parts.push(text.slice(at, span.start), mark(span.bytes));
      redactions++;
    }
    at = span.end;
  }
  parts.push(text.slice(at));
  return { text: parts.join(''), redactions };
}
