import { isJsonObject, type Json, parseJson, printJson } from '../../../shared/base/json.ts';

/** The arguments as the screen lists them: a name and its value as text; null where they are no JSON object. */
export function argumentRows(argsText: string): readonly { readonly name: string; readonly value: string }[] | null {
  const parsed = parseJson(argsText);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) return null;
  return Object.entries(parsed.value.value).map(([name, value]) => ({ name, value: shown(value) }));
}

/** A text without its quotes, everything else as JSON with every digit. */
function shown(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}
