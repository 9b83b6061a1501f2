/**
 * The part of the POSIX shell language that the virtual device understands:
 * simple commands with quotes, `$NAME`, `$?`, assignments and redirections,
 * joined by `|`, `&&`, `||`, `;` and newlines. Anything else is a syntax
 * error, never run half.
 */

/** A word's parts; a word is their concatenation. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean };
export type Word = readonly WordPart[];

export type Redirect =
  | { readonly kind: 'file'; readonly fd: number; readonly mode: 'read' | 'write' | 'append'; readonly target: Word }
  | { readonly kind: 'duplicate'; readonly fd: number; readonly source: number };

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export interface Pipeline {
  readonly commands: readonly SimpleCommand[];
  /** Under which outcome of the one before it runs. */
  readonly when: 'always' | 'success' | 'failure';
}

export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}

type Token =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'redirect'; readonly fd: number; readonly operator: string };

const OPERATORS = ['&&', '||', ';', '|', '\n'];

/** Parses a script; throws `ShellSyntaxError`. */
export function parseScript(script: string): readonly Pipeline[] {
  const tokens = tokenize(script);
  const pipelines: Pipeline[] = [];
  let when: Pipeline['when'] = 'always';
  let commands: SimpleCommand[] = [];
  let words: Word[] = [];
  let redirects: Redirect[] = [];
  let needed: string | null = null;
  const closeCommand = (operator: string): void => {
    if (words.length === 0 && redirects.length === 0) throw unexpected(operator);
    commands.push({ words, redirects });
    words = [];
    redirects = [];
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.kind === 'word') {
      words.push(token.word);
      needed = null;
    } else if (token.kind === 'redirect') {
      const target = tokens[++index];
      if (target?.kind !== 'word') throw unexpected(target?.kind === 'operator' ? target.text : 'newline');
      redirects.push(redirectOf(token.fd, token.operator, target.word));
      needed = null;
    } else if (token.text === '|') {
      closeCommand(token.text);
      needed = token.text;
    } else {
      const blank = words.length === 0 && redirects.length === 0;
      if (blank && token.text === '\n' && (needed !== null || commands.length === 0)) continue;
      closeCommand(token.text);
      pipelines.push({ commands, when });
      commands = [];
      when = token.text === '&&' ? 'success' : token.text === '||' ? 'failure' : 'always';
      needed = when === 'always' ? null : token.text;
    }
  }
  if (words.length > 0 || redirects.length > 0) {
    closeCommand('newline');
    pipelines.push({ commands, when });
  } else if (needed !== null) {
    throw unexpected('newline');
  }
  return pipelines;
}

function redirectOf(fd: number, operator: string, target: Word): Redirect {
  if (operator === '>&') {
    const [part] = target;
    const source = part?.kind === 'text' ? Number(part.text) : Number.NaN;
    if (target.length !== 1 || !(source === 0 || source === 1 || source === 2)) throw unexpected('>&');
    return { kind: 'duplicate', fd, source };
  }
  return { kind: 'file', fd, mode: operator === '<' ? 'read' : operator === '>>' ? 'append' : 'write', target };
}

const unexpected = (what: string): ShellSyntaxError =>
  new ShellSyntaxError(`syntax error: unexpected '${what === '\n' ? 'newline' : what}'`);

function tokenize(script: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < script.length) {
    const rest = script.slice(at, at + 2);
    const char = rest.charAt(0);
    if (char === ' ' || char === '\t' || char === '\r') {
      at++;
    } else if (rest === '\\\n') {
      at += 2;
    } else if (char === '#') {
      while (at < script.length && script[at] !== '\n') at++;
    } else if (operatorAt(script, at) !== null) {
      const text = operatorAt(script, at) as string;
      tokens.push({ kind: 'operator', text });
      at += text.length;
    } else {
      const redirect = /^(?<fd>[0-9]?)(?<operator>>>|>&|>|<)/.exec(script.slice(at, at + 3))?.groups;
      if (redirect?.['operator'] !== undefined) {
        const operator = redirect['operator'];
        if (operator === '<' && script[at + (redirect['fd'] ?? '').length + 1] === '<') throw unexpected('<<');
        const fd = redirect['fd'] === '' ? (operator === '<' ? 0 : 1) : Number(redirect['fd']);
        tokens.push({ kind: 'redirect', fd, operator });
        at += (redirect['fd'] ?? '').length + operator.length;
      } else {
        if ('&()`'.includes(char)) throw unexpected(char);
        const { word, end } = readWord(script, at);
        tokens.push({ kind: 'word', word });
        at = end;
      }
    }
  }
  return tokens;
}

const operatorAt = (script: string, at: number): string | null =>
  OPERATORS.find((operator) => script.startsWith(operator, at)) ?? null;

function readWord(script: string, start: number): { readonly word: Word; readonly end: number } {
  const parts: WordPart[] = [];
  let at = start;
  const text = (value: string, quoted: boolean): void => {
    const last = parts.at(-1);
    if (last?.kind === 'text' && last.quoted === quoted) parts[parts.length - 1] = { ...last, text: last.text + value };
    else parts.push({ kind: 'text', text: value, quoted });
  };
  const variable = (quoted: boolean): void => {
    const name = /^\$(?:(?<plain>[A-Za-z_][A-Za-z0-9_]*|[?$])|\{(?<braced>[A-Za-z_][A-Za-z0-9_]*|[?$])\})/.exec(
      script.slice(at, at + 128),
    );
    if (name === null) {
      if (script[at + 1] === '(' || script[at + 1] === '{') throw unexpected(`$${script[at + 1]}`);
      text('$', quoted);
      at++;
      return;
    }
    parts.push({ kind: 'variable', name: name.groups?.['plain'] ?? name.groups?.['braced'] ?? '', quoted });
    at += name[0].length;
  };
  while (at < script.length) {
    const char = script.charAt(at);
    if (' \t\r\n;|<>'.includes(char)) break;
    if ('&()`'.includes(char)) {
      if (char === '&' && script[at + 1] === '&') break;
      throw unexpected(char);
    }
    if (char === "'") {
      const end = script.indexOf("'", at + 1);
      if (end < 0) throw new ShellSyntaxError("no closing quote: '");
      text(script.slice(at + 1, end), true);
      at = end + 1;
    } else if (char === '"') {
      at++;
      text('', true);
      while (script[at] !== '"') {
        if (at >= script.length) throw new ShellSyntaxError('no closing quote: "');
        if (script[at] === '\\' && '$`"\\\n'.includes(script[at + 1] ?? ' ')) {
          if (script[at + 1] !== '\n') text(script.charAt(at + 1), true);
          at += 2;
        } else if (script[at] === '$') {
          variable(true);
        } else if (script[at] === '`') {
          throw unexpected('`');
        } else {
          text(script.charAt(at), true);
          at++;
        }
      }
      at++;
    } else if (char === '\\') {
      if (script[at + 1] !== '\n') text(script.charAt(at + 1), true);
      at += 2;
    } else if (char === '$') {
      variable(false);
    } else {
      text(char, false);
      at++;
    }
  }
  return { word: parts, end: at };
}
