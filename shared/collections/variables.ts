import { parseJson } from '../base/json.ts';
import { VARIABLE_NAME } from './file-shape.ts';

/** Gives a variable's value, or undefined where it has none. */
export type Lookup = (name: string) => string | undefined;

export interface Substituted {
  readonly text: string;
  /** Named and without a value, each once; the text still holds their `{{name}}`. */
  readonly missing: readonly string[];
  /** Outside a string of JSON, and no JSON themselves: putting them in would change the structure. */
  readonly notJson: readonly string[];
}

const pattern = () => new RegExp(`\\{\\{[ \\t]*(${VARIABLE_NAME})[ \\t]*\\}\\}`, 'g');

/** The variables that a text names, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(pattern())].map(([, name]) => name as string))];
}

/** Puts values into a plain text. A value is not looked at again. */
export function substitute(text: string, lookup: Lookup): Substituted {
  return replace(text, lookup, (value) => value);
}

/**
 * Puts values into the text of arguments, all else byte for byte. Inside a
 * string of JSON a value is escaped, so that it cannot end the string; outside
 * of one it must be JSON by itself, such as a number.
 */
export function substituteArgs(text: string, lookup: Lookup): Substituted {
  const inside = stringSpans(text);
  return replace(text, lookup, (value, at) => {
    if (inside(at)) return JSON.stringify(value).slice(1, -1);
    return parseJson(value).ok ? value : null;
  });
}

function replace(text: string, lookup: Lookup, write: (value: string, at: number) => string | null): Substituted {
  const missing = new Set<string>();
  const notJson = new Set<string>();
  const done = text.replace(pattern(), (token: string, name: string, at: number) => {
    const value = lookup(name);
    if (value === undefined) {
      missing.add(name);
      return token;
    }
    const written = write(value, at);
    if (written === null) notJson.add(name);
    return written ?? token;
  });
  return { text: done, missing: [...missing], notJson: [...notJson] };
}

/** Whether an offset lies inside a string literal. Offsets must be asked in rising order. */
function stringSpans(text: string): (at: number) => boolean {
  let inString = false;
  let read = 0;
  return (at) => {
    for (; read < at; read++) {
      const code = text.charCodeAt(read);
      if (inString && code === 0x5c) read++;
      else if (code === 0x22) inString = !inString;
    }
    return inString;
  };
}
