import { type JsonNode, type JsonPath, type JsonSpan, nodeAt, readJsonTree } from './json-tree.ts';

/** One replacement in a text; everything outside the span stays to the letter. */
export interface TextEdit extends JsonSpan {
  readonly text: string;
}

/** What a form does to a JSON text. Every `valueText` and every path is of JSON; a path leads from the root. */
export type JsonOperation =
  /**
   * A member that is not there yet is added at the end of its object. Lines of a
   * value are indented to its place; `verbatim` takes it to the letter.
   */
  | { readonly kind: 'set'; readonly path: JsonPath; readonly valueText: string; readonly verbatim?: boolean }
  | { readonly kind: 'add-item'; readonly path: JsonPath; readonly valueText: string }
  | { readonly kind: 'remove'; readonly path: JsonPath }
  /** An item changes places with its neighbour; the space between them stays where it is. */
  | { readonly kind: 'swap'; readonly path: JsonPath; readonly index: number }
  | { readonly kind: 'rename'; readonly path: JsonPath; readonly key: string };

/**
 * The edit that does this and nothing else. Null where the text is no JSON, the
 * path leads nowhere, an object on it repeats a name, or a new name is taken.
 */
export function editFor(text: string, operation: JsonOperation): TextEdit | null {
  const tree = readJsonTree(text);
  if (!tree.ok || repeatsOnPath(tree.value, operation.path)) return null;
  const root = tree.value;
  const { path } = operation;
  const node = nodeAt(root, path);
  switch (operation.kind) {
    case 'set':
      if (node === null) return addMember(text, root, path, operation.valueText);
      return {
        start: node.start,
        end: node.end,
        text: operation.verbatim ? operation.valueText : indented(operation.valueText, lineIndent(text, node.start)),
      };
    case 'add-item':
      return node?.kind === 'array' ? append(text, root, node, operation.valueText) : null;
    case 'remove':
      return node === null ? null : remove(root, path);
    case 'swap':
      return node?.kind === 'array' ? swap(text, node.items, operation.index) : null;
    case 'rename':
      return node === null ? null : rename(root, path, operation.key);
  }
}

export function applyEdit(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** The one replacement that turns one text into another, as short as a common head and tail make it. */
export function differenceOf(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  // A pair of surrogates, or the two of a line end, is never taken apart.
  if (head > 0 && isFirstOfTwo(before.charCodeAt(head - 1))) head--;
  if (tail > 0 && isLastOfTwo(before.charCodeAt(before.length - tail))) tail--;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}

function isFirstOfTwo(code: number): boolean {
  return code === 0x0d || (code >= 0xd800 && code <= 0xdbff);
}

function isLastOfTwo(code: number): boolean {
  return code === 0x0a || (code >= 0xdc00 && code <= 0xdfff);
}

function repeatsOnPath(root: JsonNode, path: JsonPath): boolean {
  for (let length = 0; length <= path.length; length++) {
    const node = nodeAt(root, path.slice(0, length));
    // The last one may repeat names inside: it is only moved, removed or replaced as a whole.
    if (node?.kind === 'object' && node.repeats && length < path.length) return true;
  }
  return false;
}

function addMember(text: string, root: JsonNode, path: JsonPath, valueText: string): TextEdit | null {
  const key = path.at(-1);
  const parent = nodeAt(root, path.slice(0, -1));
  if (parent?.kind !== 'object' || typeof key !== 'string') return null;
  const last = parent.members.at(-1);
  const colon = last === undefined ? ': ' : text.slice(last.name.end, last.value.start);
  return append(text, root, parent, JSON.stringify(key) + colon + valueText);
}

/** Adds an entry at the end, set as its neighbours are. */
function append(text: string, root: JsonNode, parent: JsonNode, entry: string): TextEdit {
  const spans = entriesOf(parent);
  const last = spans.at(-1);
  if (last === undefined) return first(text, root, parent, entry);
  const lead = spaceBefore(text, last.start);
  const single = spans.length === 1 && !lead.includes('\n');
  const gap = single ? (/[:,]\s/.test(text.slice(parent.start, parent.end)) ? ' ' : '') : lead;
  const indent = gap.includes('\n') ? gap.slice(gap.lastIndexOf('\n') + 1) : lineIndent(text, last.start);
  return { start: last.end, end: last.end, text: `,${gap}${indented(entry, indent)}` };
}

/** The first entry: on a line of its own, unless the rest of the text is on one line. */
function first(text: string, root: JsonNode, parent: JsonNode, entry: string): TextEdit {
  const inside = { start: parent.start + 1, end: parent.end - 1 };
  if (parent !== root && !text.slice(root.start, root.end).includes('\n')) return { ...inside, text: entry };
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = lineIndent(text, parent.start);
  const inner = outer + indentUnit(text, root);
  return { ...inside, text: `${line}${inner}${indented(entry, inner)}${line}${outer}` };
}

function remove(root: JsonNode, path: JsonPath): TextEdit | null {
  const parent = path.length === 0 ? null : nodeAt(root, path.slice(0, -1));
  const place = path.at(-1);
  if (parent === null || (parent.kind !== 'object' && parent.kind !== 'array')) return null;
  const index = parent.kind === 'object' ? parent.members.findIndex(({ key }) => key === place) : Number(place);
  const spans = entriesOf(parent);
  const [before, at, after] = [spans[index - 1], spans[index], spans[index + 1]];
  if (at === undefined) return null;
  if (before !== undefined) return { start: before.end, end: at.end, text: '' };
  if (after !== undefined) return { start: at.start, end: after.start, text: '' };
  return { start: parent.start + 1, end: parent.end - 1, text: '' };
}

function swap(text: string, items: readonly JsonNode[], index: number): TextEdit | null {
  const [a, b] = [items[index], items[index + 1]];
  if (a === undefined || b === undefined) return null;
  const between = text.slice(a.end, b.start);
  return { start: a.start, end: b.end, text: text.slice(b.start, b.end) + between + text.slice(a.start, a.end) };
}

function rename(root: JsonNode, path: JsonPath, key: string): TextEdit | null {
  const parent = path.length === 0 ? null : nodeAt(root, path.slice(0, -1));
  if (parent?.kind !== 'object' || parent.members.some((member) => member.key === key)) return null;
  const member = parent.members.find((each) => each.key === path.at(-1));
  return member === undefined ? null : { ...member.name, text: JSON.stringify(key) };
}

function entriesOf(node: JsonNode): readonly JsonSpan[] {
  if (node.kind === 'array') return node.items;
  if (node.kind !== 'object') return [];
  return node.members.map(({ name, value }) => ({ start: name.start, end: value.end }));
}

function spaceBefore(text: string, at: number): string {
  return /[ \t\r\n]*$/.exec(text.slice(Math.max(0, at - 4096), at))?.[0] ?? '';
}

/** The white space that the line of this offset begins with. */
function lineIndent(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? '';
}

function indentUnit(text: string, root: JsonNode): string {
  const entry = entriesOf(root)[0];
  if (entry === undefined) return '  ';
  const lead = spaceBefore(text, entry.start);
  return (lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : '') || '  ';
}

/** JSON has no line break inside a token, so that each one may be followed by an indent. */
function indented(valueText: string, indent: string): string {
  return indent === '' ? valueText : valueText.replaceAll('\n', `\n${indent}`);
}
