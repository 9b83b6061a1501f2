import { LosslessNumber } from 'lossless-json';
import type { Json } from './json.ts';

/** A fault of the text with the UTF-16 offset where it was seen. */
export class JsonSyntaxError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

export interface DuplicateMember {
  readonly key: string;
  /** JSON pointer of the member. */
  readonly pointer: string;
}

export interface ParseOutput {
  readonly value: Json;
  readonly duplicates: readonly DuplicateMember[];
}

const MAX_DUPLICATES = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a string.
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Strict RFC 8259 parser that keeps every digit and every repeated member.
 * Recursive: the caller bounds the depth first. Throws `JsonSyntaxError`.
 */
export function parseLossless(text: string): ParseOutput {
  const parser = new Parser(text);
  const value = parser.document();
  return { value, duplicates: parser.duplicates };
}

class Parser {
  readonly duplicates: DuplicateMember[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    const value = this.#value();
    if (this.#at < this.#text.length) this.#fail('unexpected text after the value');
    return value;
  }

  #value(): Json {
    this.#space();
    const value = this.#bare();
    this.#space();
    return value;
  }

  #bare(): Json {
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x22:
        return this.#string();
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(): Json {
    const object: Record<string, Json> = {};
    this.#at++;
    this.#space();
    if (this.#take(0x7d)) return object;
    for (;;) {
      if (this.#text.charCodeAt(this.#at) !== 0x22) this.#fail('expected a quoted member name');
      const key = this.#string();
      this.#space();
      if (!this.#take(0x3a)) this.#fail("expected ':'");
      this.#path.push(key);
      const value = this.#value();
      if (Object.hasOwn(object, key)) this.#duplicate(key);
      this.#path.pop();
      set(object, key, value);
      if (this.#take(0x7d)) return object;
      if (!this.#take(0x2c)) this.#fail("expected ',' or '}'");
      this.#space();
    }
  }

  #array(): Json {
    const array: Json[] = [];
    this.#at++;
    this.#space();
    if (this.#take(0x5d)) return array;
    for (;;) {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      if (this.#take(0x5d)) return array;
      if (!this.#take(0x2c)) this.#fail("expected ',' or ']'");
    }
  }

  #string(): string {
    this.#at++;
    let done = '';
    for (;;) {
      UNESCAPED.lastIndex = this.#at;
      UNESCAPED.test(this.#text);
      done += this.#text.slice(this.#at, UNESCAPED.lastIndex);
      this.#at = UNESCAPED.lastIndex;
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        this.#at++;
        return done;
      }
      if (code !== 0x5c) this.#fail(this.#at < this.#text.length ? 'control character in a string' : 'unclosed string');
      done += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    if (letter === 'u') {
      HEX4.lastIndex = this.#at + 2;
      if (!HEX4.test(this.#text)) this.#fail('invalid \\u escape');
      const unit = Number.parseInt(this.#text.slice(this.#at + 2, this.#at + 6), 16);
      this.#at += 6;
      return String.fromCharCode(unit);
    }
    const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (plain === undefined) this.#fail('invalid escape');
    this.#at += 2;
    return plain;
  }

  #number(): Json {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#text)) {
      this.#fail(this.#at < this.#text.length ? 'expected a value' : 'the text ends before the value');
    }
    const source = this.#text.slice(this.#at, NUMBER.lastIndex);
    this.#at = NUMBER.lastIndex;
    const number = Number(source);
    return String(number) === source ? number : new LosslessNumber(source);
  }

  #word(word: string, value: Json): Json {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('expected a value');
    this.#at += word.length;
    return value;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #duplicate(key: string): void {
    if (this.duplicates.length >= MAX_DUPLICATES) return;
    this.duplicates.push({ key, pointer: jsonPointer(this.#path) });
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#at);
  }
}

/** Plain assignment would call the setter that `__proto__` inherits. */
function set(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** RFC 6901 pointer of a path. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
