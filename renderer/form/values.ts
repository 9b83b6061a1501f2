import type { Json } from '../../shared/base/json.ts';
import { isJsonObject, member, numberOf, printJson } from '../../shared/base/json.ts';
import type { JsonKind } from '../../shared/base/json-tree.ts';
import { isInvisible } from '../ui/safe-segments.ts';
import type { ShapeReader } from './shape.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** How deep required members are filled in when their object is added. */
const START_DEPTH = 4;
/** How many members are filled in at most: references that are used again multiply. */
const START_MEMBERS = 300;

/** Whether a text is a JSON number as it stands: nothing is converted. */
export function isNumberToken(text: string): boolean {
  return NUMBER.test(text);
}

/**
 * Whether a text box holds this text unchanged and a person can see all of it.
 * A box turns a carriage return into a line feed, and hides what draws nothing.
 */
export function isPlainText(text: string): boolean {
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code !== 0x0a && code !== 0x09 && isInvisible(code)) return false;
  }
  return true;
}

/** The string as a JSON token in which each character that hides is an escape. */
export function visibleToken(value: string): string {
  return JSON.stringify(value).replace(/[^ -~]/gsu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (!isInvisible(code)) return char;
    return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
      '',
    );
  });
}

/** What a new value begins as: the author's default, else the emptiest that the schema speaks of. */
export function startText(
  reader: ShapeReader,
  schema: Json,
  kind?: JsonKind,
  depth = 0,
  budget = { left: START_MEMBERS },
): string {
  const shape = reader.shape(schema);
  const wanted = kind ?? shape.kinds[0] ?? 'null';
  if (kind === undefined && shape.defaultText !== null) return shape.defaultText;
  const choice = shape.choices?.[0];
  if (kind === undefined && choice !== undefined) return choice.text;
  switch (wanted) {
    case 'string':
      return '""';
    case 'number':
      return startNumber(schema);
    case 'boolean':
      return 'false';
    case 'null':
      return 'null';
    case 'array':
      return '[]';
    case 'object': {
      if (shape.unshown !== null || depth >= START_DEPTH) return '{}';
      const members = [...shape.properties].filter(([name]) => shape.required.has(name)).slice(0, budget.left);
      budget.left -= members.length;
      if (members.length === 0) return '{}';
      const lines = members.map(
        ([name, part]) =>
          `  ${JSON.stringify(name)}: ${startText(reader, part, undefined, depth + 1, budget).replaceAll('\n', '\n  ')}`,
      );
      return `{\n${lines.join(',\n')}\n}`;
    }
  }
}

function startNumber(schema: Json): string {
  const least = isJsonObject(schema) ? member(schema, 'minimum') : undefined;
  return least !== undefined && (numberOf(least) ?? 0) > 0 ? printJson(least) : '0';
}

/** RFC 6901, one step. */
export function childPointer(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
