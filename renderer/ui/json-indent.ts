/**
 * Puts line breaks and two-space indents into JSON text without parsing it:
 * every token stays as it was sent, repeated members and long digits too.
 * Text that is no JSON comes out with the same tokens as well.
 */
export function indentJson(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let index = 0;
  const newline = () => out.push(`\n${'  '.repeat(Math.min(depth, 100))}`);
  while (index < text.length) {
    const char = text[index] ?? '';
    if (char === '"') {
      const end = endOfString(text, index);
      out.push(text.slice(index, end));
      index = end;
      continue;
    }
    index++;
    if (char === '{' || char === '[') {
      const close = char === '{' ? '}' : ']';
      const next = skipSpace(text, index);
      if (text[next] === close) {
        out.push(char + close);
        index = next + 1;
      } else {
        depth++;
        out.push(char);
        newline();
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      newline();
      out.push(char);
    } else if (char === ',') {
      out.push(char);
      newline();
    } else if (char === ':') out.push(': ');
    else if (!isSpace(char)) out.push(char);
  }
  return out.join('');
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text[index] ?? '')) index++;
  return index;
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
