/**
 * Hostile text made harmless to look at: control characters (C0, C1, DEL),
 * bidirectional controls, invisible format characters and lone surrogates are
 * replaced by a visible name. Newline and tab may stay.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\p{Surrogate}/gu;

export interface VisibleOptions {
  readonly keepNewlines?: boolean;
}

/** `⟦U+202E⟧` for each hidden character. */
export function visibleText(text: string, options: VisibleOptions = {}): string {
  return text.replace(HIDDEN, (character) =>
    options.keepNewlines === true && (character === '\n' || character === '\t') ? character : nameOf(character),
  );
}

/** Pieces of a text: plain runs, and names of hidden characters, for a UI that marks them. */
export function visibleSegments(text: string, options: VisibleOptions = {}): { hidden: boolean; text: string }[] {
  const segments: { hidden: boolean; text: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[0];
    if (options.keepNewlines === true && (character === '\n' || character === '\t')) continue;
    if (match.index > end) segments.push({ hidden: false, text: text.slice(end, match.index) });
    segments.push({ hidden: true, text: nameOf(character) });
    end = match.index + character.length;
  }
  if (end < text.length) segments.push({ hidden: false, text: text.slice(end) });
  return segments;
}

function nameOf(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
