import { itemTexts, memberText } from '../../../base/json-text.ts';
import { type Bundle, stringOf } from '../../../model/bundle.ts';
import type { ToolReading } from '../codec.ts';

/**
 * Gives each reading the entry's own characters: parsing loses repeated
 * members and the order of integer-like ones, and an inspector shows both. An
 * `unread` entry has none: indenting what nests without end would never end.
 */
export function withSourceTexts(
  tools: readonly ToolReading[],
  answer: Bundle | null,
  unread: ReadonlyMap<number, string>,
): readonly ToolReading[] {
  const items = entryTexts(answer === null ? undefined : stringOf(answer, 'data'));
  if (items === null) return tools;
  return tools.map((tool) => (unread.has(tool.row.index) ? tool : { ...tool, text: items[tool.row.index] ?? null }));
}

function entryTexts(data: string | undefined): readonly string[] | null {
  if (data === undefined) return null;
  try {
    // A list inside the inline envelope of v2 4.2 is read too.
    const envelope = memberText(data, 'value');
    const tools = memberText(data, 'tools') ?? (envelope === null ? null : memberText(envelope, 'tools'));
    return tools === null ? null : itemTexts(tools);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
