/** A piece of hostile text: plain text, or a character that would hide or reorder and is shown by its code point. */
export type SafeSegment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly label: string; readonly count: number };

export interface SafeSegments {
  readonly segments: readonly SafeSegment[];
  /** UTF-16 units of the source that the segments cover. */
  readonly shown: number;
}

const MAX_MARKS = 6;
const MARK = /\p{M}/u;
const JOINABLE = /[\p{L}\p{M}\p{Emoji_Presentation}\p{Extended_Pictographic}]/u;

/** Whether a code point draws nothing, or changes the order or the look of what is around it. */
export function isInvisible(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0x2800 ||
    code === 0x3164 ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff0 && code <= 0xfffb) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0xe0000 && code <= 0xe0fff) ||
    (code >= 0x1d173 && code <= 0x1d17a)
  );
}

/**
 * Splits the first `limit` UTF-16 units of device text. Line feeds and tabs stay
 * text when `multiline`. A joiner (ZWJ, ZWNJ) stays where a script or an emoji
 * needs it; a pile of combining marks is cut. Nothing is dropped without a mark.
 */
export function segmentText(text: string, limit: number, multiline: boolean): SafeSegments {
  const segments: SafeSegment[] = [];
  let plain = '';
  let marks = 0;
  let index = 0;
  const flush = () => {
    if (plain !== '') segments.push({ kind: 'text', text: plain });
    plain = '';
  };
  const code = (label: string) => {
    flush();
    const last = segments.at(-1);
    if (last?.kind === 'code' && last.label === label) {
      segments[segments.length - 1] = { kind: 'code', label, count: last.count + 1 };
    } else segments.push({ kind: 'code', label, count: 1 });
  };
  while (index < text.length && index < limit) {
    const point = text.codePointAt(index) ?? 0;
    const char = String.fromCodePoint(point);
    const isMark = point > 0x2ff && MARK.test(char);
    marks = isMark ? marks + 1 : 0;
    if (multiline && (point === 0x0a || point === 0x09)) plain += char;
    else if (isInvisible(point) && !joins(text, index, point)) code(hex(point));
    else if (marks > MAX_MARKS) code(hex(point));
    else plain += char;
    index += char.length;
  }
  flush();
  return { segments, shown: Math.min(index, text.length) };
}

function joins(text: string, index: number, point: number): boolean {
  if (point !== 0x200c && point !== 0x200d) return false;
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + 1, index + 3);
  const isAscii = /[ -~]$/.test(before) || /^[ -~]/.test(after);
  return !isAscii && JOINABLE.test(before) && JOINABLE.test(after);
}

function hex(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
