import { utf8Length } from '../../shared/base/json.ts';

export interface Row {
  /** Of its first character, in bytes of the file. */
  readonly offset: number;
  readonly text: string;
  /** Whether a line of the file starts here, as against the next piece of a long one. */
  readonly startsLine: boolean;
}

/** A part's text as rows of at most `columns` UTF-16 units; no character is cut in two. Line ends are not part of a row. */
export function splitRows(text: string, offset: number, columns: number): Row[] {
  const rows: Row[] = [];
  let at = offset;
  for (const [place, line] of text.split('\n').entries()) {
    if (place > 0) at += 1;
    for (let from = 0; from === 0 || from < line.length; ) {
      let to = Math.min(line.length, from + columns);
      if (to < line.length && isHighSurrogate(line.charCodeAt(to - 1))) to--;
      const piece = line.slice(from, Math.max(to, from + 1));
      rows.push({ offset: at, text: piece, startsLine: from === 0 });
      at += utf8Length(piece);
      from += Math.max(1, piece.length);
    }
  }
  // The part ends with the end of a line: what follows it is the next part's.
  if (text.endsWith('\n')) rows.pop();
  return rows;
}

/** The row that holds an offset. */
export function rowAt(rows: readonly Row[], offset: number): number {
  let found = 0;
  for (const [index, row] of rows.entries()) {
    if (row.offset > offset) break;
    found = index;
  }
  return found;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
