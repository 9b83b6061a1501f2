import { type JsonFault, type JsonLimits, parseJson } from './json.ts';
import { ok, type Result } from './result.ts';

/** UTF-16 offsets into the text; `end` is exclusive. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

export type JsonNode = JsonSpan &
  (
    | { readonly kind: 'object'; readonly members: readonly JsonMember[]; readonly repeats: boolean }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'number' }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'null' }
  );

export type JsonKind = JsonNode['kind'];

export interface JsonMember {
  readonly key: string;
  /** The quoted name. */
  readonly name: JsonSpan;
  readonly value: JsonNode;
}

export type JsonPath = readonly (string | number)[];

/** The values of a text with the places where they stand. Nothing is converted: a number is its span. */
export function readJsonTree(text: string, limits?: JsonLimits): Result<JsonNode, JsonFault> {
  const parsed = parseJson(text, limits);
  return parsed.ok ? ok(new TreeReader(text).document()) : parsed;
}

/** What a path leads to; in an object whose names repeat, the last one, as everywhere. */
export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | null {
  let node: JsonNode | undefined = root;
  for (const part of path) {
    if (node === undefined) return null;
    if (node.kind === 'object') node = node.members.findLast(({ key }) => key === part)?.value;
    else if (node.kind === 'array' && typeof part === 'number') node = node.items[part];
    else return null;
  }
  return node ?? null;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORD = /[^\s,\]}]+/y;

/** Reads text that the strict parser accepted, so that it has no faults to look for. */
class TreeReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    this.#space();
    return this.#value();
  }

  #value(): JsonNode {
    const start = this.#at;
    switch (this.#text.charCodeAt(start)) {
      case 0x7b:
        return this.#object(start);
      case 0x5b:
        return this.#array(start);
      case 0x22: {
        const { end } = this.#token(STRING);
        return { kind: 'string', start, end, value: JSON.parse(this.#text.slice(start, end)) as string };
      }
      case 0x74:
        return { kind: 'boolean', value: true, ...this.#token(WORD) };
      case 0x66:
        return { kind: 'boolean', value: false, ...this.#token(WORD) };
      case 0x6e:
        return { kind: 'null', ...this.#token(WORD) };
      default:
        return { kind: 'number', ...this.#token(WORD) };
    }
  }

  #object(start: number): JsonNode {
    const members: JsonMember[] = [];
    const keys = new Set<string>();
    this.#entries(0x7d, () => {
      const name = this.#token(STRING);
      const key = JSON.parse(this.#text.slice(name.start, name.end)) as string;
      this.#space();
      this.#at++;
      this.#space();
      keys.add(key);
      members.push({ key, name, value: this.#value() });
    });
    return { kind: 'object', start, end: this.#at, members, repeats: keys.size < members.length };
  }

  #array(start: number): JsonNode {
    const items: JsonNode[] = [];
    this.#entries(0x5d, () => items.push(this.#value()));
    return { kind: 'array', start, end: this.#at, items };
  }

  #entries(close: number, read: () => void): void {
    this.#at++;
    this.#space();
    while (this.#text.charCodeAt(this.#at) !== close) {
      read();
      this.#space();
      if (this.#text.charCodeAt(this.#at) === 0x2c) this.#at++;
      this.#space();
    }
    this.#at++;
  }

  #token(pattern: RegExp): JsonSpan {
    const start = this.#at;
    pattern.lastIndex = start;
    pattern.test(this.#text);
    this.#at = pattern.lastIndex;
    return { start, end: this.#at };
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }
}
