/**
 * A short text that a simple pattern matches, or null where the pattern uses
 * more than literals, classes, groups, alternatives and counts. The caller
 * checks the result against the schema, so a wrong guess costs nothing.
 * `extra` is added to each count that has no upper end.
 */
export function samplePattern(pattern: string, extra = 0): string | null {
  try {
    const sampler = new Sampler(pattern, extra);
    return sampler.whole();
  } catch (error) {
    if (error instanceof NotSimple) return null;
    throw error;
  }
}

class NotSimple extends Error {}

const MAX_COUNT = 1000;
const MAX_DEPTH = 50;
const CANDIDATES = [
  ...'a0A_-. @/:+',
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...'é中\n\t',
];
const ESCAPED: Readonly<Record<string, string>> = {
  d: '0',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  n: '\n',
  t: '\t',
  r: '\r',
};

class Sampler {
  readonly #pattern: string;
  readonly #extra: number;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, extra: number) {
    this.#pattern = pattern;
    this.#extra = extra;
  }

  whole(): string {
    const sample = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new NotSimple();
    return sample;
  }

  /** The first alternative; the others are read and dropped. */
  #alternatives(): string {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw new NotSimple();
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    this.#depth--;
    return first;
  }

  #sequence(): string {
    let sample = '';
    while (this.#at < this.#pattern.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const atom = this.#atom();
      sample += atom.repeat(this.#count());
      if (sample.length > 100_000) throw new NotSimple();
    }
    return sample;
  }

  #atom(): string {
    const char = this.#next();
    switch (char) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '[':
        return this.#class();
      case '(':
        return this.#group();
      case '\\':
        return this.#escape();
      default:
        return char;
    }
  }

  #group(): string {
    if (this.#take('?') && !this.#take(':')) {
      const name = /^<[A-Za-z_]\w*>/.exec(this.#pattern.slice(this.#at))?.[0];
      if (name === undefined) throw new NotSimple();
      this.#at += name.length;
    }
    const sample = this.#alternatives();
    if (!this.#take(')')) throw new NotSimple();
    return sample;
  }

  #class(): string {
    const start = this.#at - 1;
    while (this.#peek() !== ']') if (this.#next() === '\\') this.#next();
    this.#at++;
    const matcher = new RegExp(`^${this.#pattern.slice(start, this.#at)}$`);
    const found = CANDIDATES.find((candidate) => matcher.test(candidate));
    if (found === undefined) throw new NotSimple();
    return found;
  }

  #escape(): string {
    const letter = this.#next();
    if (letter === 'b') return '';
    if (Object.hasOwn(ESCAPED, letter)) return ESCAPED[letter] as string;
    const hex = letter === 'u' ? /^[0-9a-fA-F]{4}/ : letter === 'x' ? /^[0-9a-fA-F]{2}/ : null;
    if (hex !== null) {
      const digits = hex.exec(this.#pattern.slice(this.#at))?.[0];
      if (digits === undefined) throw new NotSimple();
      this.#at += digits.length;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (/[A-Za-z0-9]/.test(letter)) throw new NotSimple();
    return letter;
  }

  #count(): number {
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#pattern.slice(this.#at, this.#at + 24));
    let count = 1;
    if (this.#take('*')) count = this.#extra;
    else if (this.#take('+')) count = 1 + this.#extra;
    else if (this.#take('?')) count = 0;
    else if (counted !== null) {
      this.#at += counted[0].length;
      count = Number(counted[1]);
      if (counted[2] === ',') {
        const most = counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3]);
        count = Math.min(count + this.#extra, most);
      }
    }
    this.#take('?');
    if (count > MAX_COUNT) throw new NotSimple();
    return count;
  }

  #peek(): string {
    const char = this.#pattern[this.#at];
    if (char === undefined) throw new NotSimple();
    return char;
  }

  #next(): string {
    const char = this.#peek();
    this.#at++;
    return char;
  }

  #take(char: string): boolean {
    if (this.#pattern[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}
