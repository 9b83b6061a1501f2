import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SavedCallResult } from '../shared/model/collection.ts';
import { printJunit } from './junit.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const CHARACTERS = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#10': '\n',
  '#9': '\t',
};

/** XML 1.0, as far as these files use it: throws where a document is not well-formed. */
function parseXml(xml: string): Element {
  if (!CHARACTERS.test(xml)) throw new Error('a character that XML 1.0 does not have');
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(declaration)) throw new Error('no declaration');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const token = /<\/([a-z-]+)>|<([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<>]+)/y;
  token.lastIndex = declaration.length;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 60)}`);
    const [, closed, opened, attributes = '', empty, text] = match;
    const current = open.at(-1) as Element;
    if (text !== undefined) current.text += unescaped(text);
    else if (closed !== undefined) {
      if (closed !== current.name) throw new Error(`${closed} closes ${current.name}`);
      open.pop();
    } else {
      const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        unescaped(value),
      ]);
      if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error('an attribute twice');
      const child: Element = { name: opened ?? '', attributes: Object.fromEntries(pairs), children: [], text: '' };
      current.children.push(child);
      if (empty === '') open.push(child);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one closed root');
  return root.children[0] as Element;
}

function unescaped(text: string): string {
  return text.replace(/&([^;]{0,6});?/g, (whole, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined || !whole.endsWith(';')) throw new Error(`a bare ampersand: ${whole}`);
    return character;
  });
}

const result = (over: Partial<SavedCallResult>): SavedCallResult => ({
  file: 'a.cetp.json',
  name: null,
  provider: 'p',
  tool: 't',
  device: null,
  state: 'passed',
  problem: null,
  checks: [],
  answer: null,
  ...over,
});
const print = (results: readonly SavedCallResult[], text = 'text') =>
  printJunit(
    [
      {
        name: 'folder',
        startedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
        durationMs: 1234.5,
        results,
        properties: { environment: text },
      },
    ],
    { message: () => text, detail: () => text },
  );

describe('JUnit XML', () => {
  test('is well-formed whatever a device or a file says, and the readable text comes back', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ']]>',
        '<!--',
        '&lt;',
        '\u0000\u0008\u001b[31m',
        '\ud800',
        '\ufffe\uffff',
        '\u{1ffff}',
        '"\'<>&\n\t',
        '\u202e',
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, (text, value) => {
        const answer = { valueText: value, durationMs: 1 } as SavedCallResult['answer'];
        const xml = parseXml(
          print([result({ state: 'failed', file: text, name: text, provider: text, tool: text, answer })], text),
        );
        const shown = xml.children[0]?.children[1];
        if (/^[\u0020-\u007e\n\t]*$/.test(text)) {
          expect(shown?.attributes['name']).toBe(text);
          expect(shown?.children[0]).toMatchObject({ name: 'failure', text, attributes: { message: text } });
        }
      }),
      { numRuns: 500 },
    );
  });

  test('counts what there is: failures, errors and skipped are three things', () => {
    const states = ['passed', 'failed', 'failed', 'error', 'skipped'] as const;
    const root = parseXml(
      print(
        states.map((state) =>
          result({ state, problem: state === 'error' ? { code: 'saved-call-effects', params: {}, raw: null } : null }),
        ),
      ),
    );
    const counted = { tests: '5', failures: '2', errors: '1', skipped: '1', time: '1.234' };
    expect(root.attributes).toMatchObject(counted);
    expect(root.children[0]?.attributes).toMatchObject({ ...counted, timestamp: '2026-01-02T03:04:05' });
    const cases = root.children[0]?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(cases.map(({ children }) => children[0]?.name ?? null)).toEqual([
      null,
      'failure',
      'failure',
      'error',
      'skipped',
    ]);
    expect(cases[3]?.children[0]?.attributes['type']).toBe('saved-call-effects');
  });
});
