import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, printJson } from './json.ts';
import { applyEdit, differenceOf, editFor, type JsonOperation } from './json-edit.ts';
import { type JsonNode, nodeAt, readJsonTree } from './json-tree.ts';

/** A value as its tokens: what a lossless edit must keep to the letter. */
type Tokens = string | { readonly items: Tokens[] } | { readonly members: [string, Tokens][] };

function tokensOf(text: string, node: JsonNode): Tokens {
  if (node.kind === 'array') return { items: node.items.map((item) => tokensOf(text, item)) };
  if (node.kind !== 'object') return text.slice(node.start, node.end);
  return {
    members: node.members.map(({ name, value }) => [text.slice(name.start, name.end), tokensOf(text, value)]),
  };
}

function read(text: string): Tokens {
  const tree = readJsonTree(text);
  if (!tree.ok) throw new Error(`no JSON: ${JSON.stringify(text)}`);
  return tokensOf(text, tree.value);
}

const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n    ');
const lexeme = fc.constantFrom(
  ...['1.10', '9007199254740993', '-0', '0.0e-0', '1E400', 'true', 'false', 'null', '""', '"\\u0041\\/"', '"a,]}:{["'],
);
const name = fc.constantFrom('"a"', '"b"', '"\\u0063"', '"__proto__"', '"x\\n"', '""', '"0"', '"d~/"');
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    lexeme,
    fc
      .array(fc.tuple(space, tie('json'), space), { maxLength: 4 })
      .chain((items) =>
        space.map((inner) => `[${items.length === 0 ? inner : items.map((i) => i.join('')).join(',')}]`),
      ),
    fc
      .uniqueArray(fc.tuple(space, name, space, space, tie('json'), space), { maxLength: 4, selector: (m) => m[1] })
      .chain((members) =>
        space.map(
          (inner) =>
            `{${members.length === 0 ? inner : members.map(([a, n, b, c, v, d]) => `${a}${n}${b}:${c}${v}${d}`).join(',')}}`,
        ),
      ),
  ),
}));
const document = fc.tuple(space, json, space).map((parts) => parts.join(''));

/** Every path of a text. */
function pathsOf(text: string): (string | number)[][] {
  const tree = readJsonTree(text);
  if (!tree.ok) throw new Error('no JSON');
  const paths: (string | number)[][] = [];
  const walk = (node: JsonNode, path: (string | number)[]) => {
    paths.push(path);
    if (node.kind === 'array') for (const [index, item] of node.items.entries()) walk(item, [...path, index]);
    if (node.kind === 'object') for (const { key, value } of node.members) walk(value, [...path, key]);
  };
  walk(tree.value, []);
  return paths;
}

/** The same operation on tokens: the oracle. Null where it does nothing. */
function expected(text: string, operation: JsonOperation): Tokens | null {
  const root = { items: [read(text)] };
  let parent: Tokens = root;
  let place: number | null = 0;
  for (const part of operation.path) {
    if (place === null) return null;
    const at: Tokens = childOf(parent, place);
    parent = at;
    place =
      typeof at === 'string'
        ? null
        : 'items' in at
          ? at.items[Number(part)] === undefined
            ? null
            : Number(part)
          : indexOf(at.members, String(part));
    if (place === null && operation.kind === 'set' && typeof at !== 'string' && 'members' in at) {
      at.members.push([JSON.stringify(part), read(operation.valueText)]);
      return root.items[0] as Tokens;
    }
  }
  if (place === null || typeof parent === 'string') return null;
  const node = childOf(parent, place);
  switch (operation.kind) {
    case 'set':
      if ('items' in parent) parent.items[place] = read(operation.valueText);
      else parent.members[place]![1] = read(operation.valueText);
      break;
    case 'remove':
      if (parent === root) return null;
      ('items' in parent ? parent.items : parent.members).splice(place, 1);
      break;
    case 'add-item':
      if (typeof node === 'string' || !('items' in node)) return null;
      node.items.push(read(operation.valueText));
      break;
    case 'swap': {
      if (typeof node === 'string' || !('items' in node) || node.items[operation.index + 1] === undefined) return null;
      const [a, b] = node.items.splice(operation.index, 2);
      node.items.splice(operation.index, 0, b!, a!);
      break;
    }
    case 'rename':
      if (!('members' in parent) || indexOf(parent.members, operation.key) !== null) return null;
      parent.members[place]![0] = JSON.stringify(operation.key);
  }
  return root.items[0] as Tokens;
}

function childOf(parent: Tokens, place: number): Tokens {
  if (typeof parent === 'string') throw new Error('a leaf has no children');
  return 'items' in parent ? parent.items[place]! : parent.members[place]![1];
}

function indexOf(members: [string, Tokens][], key: string): number | null {
  const index = members.findIndex(([text]) => JSON.parse(text) === key);
  return index < 0 ? null : index;
}

const valueText = fc.constantFrom('1.50', '"new"', '{}', '[\n  1.0\n]', '{\n  "k": [\n    null\n  ]\n}');
const operation = (path: (string | number)[]): fc.Arbitrary<JsonOperation> =>
  fc.oneof(
    valueText.map((text) => ({ kind: 'set' as const, path, valueText: text })),
    fc.tuple(fc.constantFrom('a', 'new', '__proto__', 'é"\\'), valueText).map(([key, text]) => ({
      kind: 'set' as const,
      path: [...path, key],
      valueText: text,
    })),
    valueText.map((text) => ({ kind: 'add-item' as const, path, valueText: text })),
    fc.constant({ kind: 'remove' as const, path }),
    fc.nat({ max: 3 }).map((index) => ({ kind: 'swap' as const, path, index })),
    fc.constantFrom('a', 'fresh').map((key) => ({ kind: 'rename' as const, path, key })),
  );
const edited = document.chain((text) =>
  fc.constantFrom(...pathsOf(text)).chain((path) => operation(path).map((op) => ({ text, op }))),
);

describe('an edit of JSON text', () => {
  test('changes exactly what it says, and keeps every other token to the letter', () => {
    fc.assert(
      fc.property(edited, ({ text, op }) => {
        const edit = editFor(text, op);
        const want = expected(text, op);
        if (want === null) expect(edit).toBeNull();
        else expect(read(applyEdit(text, edit!))).toEqual(want);
      }),
      { numRuns: 3000 },
    );
  });

  test('a replacement is the span of the value, and what was there brings the text back', () => {
    fc.assert(
      fc.property(edited, ({ text, op }) => {
        const edit = editFor(text, op);
        if (edit === null) return;
        const after = applyEdit(text, edit);
        const back = { start: edit.start, end: edit.start + edit.text.length, text: text.slice(edit.start, edit.end) };
        expect(applyEdit(after, back)).toBe(text);
      }),
    );
  });

  test.each<[string, string, JsonOperation, string]>([
    ['set', '{"a" : 1.10,\n "b":2}', { kind: 'set', path: ['b'], valueText: '3' }, '{"a" : 1.10,\n "b":3}'],
    ['first member', '{}', { kind: 'set', path: ['a'], valueText: '1' }, '{\n  "a": 1\n}'],
    ['first, inline', '{"a":{}}', { kind: 'set', path: ['a', 'b'], valueText: '1' }, '{"a":{"b": 1}}'],
    ['as the others', '{"a":1}', { kind: 'set', path: ['b'], valueText: '1' }, '{"a":1,"b":1}'],
    ['as the others', '{ "a": 1 }', { kind: 'set', path: ['b'], valueText: '1' }, '{ "a": 1, "b": 1 }'],
    ['on lines', '{\n\t"a": []\n}', { kind: 'add-item', path: ['a'], valueText: '1' }, '{\n\t"a": [\n\t\t1\n\t]\n}'],
    ['remove', '[1, 2, 3]', { kind: 'remove', path: [1] }, '[1, 3]'],
    ['remove first', '[1, 2]', { kind: 'remove', path: [0] }, '[2]'],
    ['remove only', '[ 1 ]', { kind: 'remove', path: [0] }, '[]'],
    ['swap', '[ 1 ,\n 2 ]', { kind: 'swap', path: [], index: 0 }, '[ 2 ,\n 1 ]'],
    ['rename', '{"\\u0061":1}', { kind: 'rename', path: ['a'], key: 'b"' }, '{"b\\"":1}'],
    [
      'lines stay CRLF',
      '{\r\n  "a": {}\r\n}',
      { kind: 'set', path: ['a', 'b'], valueText: '1' },
      '{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}',
    ],
  ])('%s: %s', (_name, text, op, after) => {
    expect(applyEdit(text, editFor(text, op)!)).toBe(after);
  });

  test.each<[string, string, JsonOperation]>([
    ['no JSON', '{"a":', { kind: 'set', path: ['a'], valueText: '1' }],
    ['nowhere', '{"a":1}', { kind: 'set', path: ['a', 'b'], valueText: '1' }],
    ['a repeated name on the way', '{"a":1,"a":2}', { kind: 'set', path: ['a'], valueText: '3' }],
    ['a taken name', '{"a":1,"b":2}', { kind: 'rename', path: ['a'], key: 'b' }],
    ['the root', '1', { kind: 'remove', path: [] }],
  ])('none: %s', (_name, text, op) => {
    expect(editFor(text, op)).toBeNull();
  });
});

test('the shortest replacement between two texts', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (a, b, c) => {
        const [before, after] = [a + b + c, a + c];
        expect(applyEdit(before, differenceOf(before, after))).toBe(after);
        expect(applyEdit(after, differenceOf(after, before))).toBe(before);
      },
    ),
  );
  expect(differenceOf('{"a":1,"b":2}', '{"a":15,"b":2}')).toEqual({ start: 6, end: 6, text: '5' });
  expect(differenceOf('"😀"', '"😁"')).toEqual({ start: 1, end: 3, text: '😁' });
});

test('the tree knows where each value stands', () => {
  fc.assert(
    fc.property(document, (text) => {
      const tree = readJsonTree(text);
      const parsed = parseJson(text);
      if (!tree.ok || !parsed.ok) throw new Error('no JSON');
      for (const path of pathsOf(text)) {
        const node = nodeAt(tree.value, path)!;
        const slice = parseJson(text.slice(node.start, node.end));
        expect(slice.ok).toBe(true);
        if (path.length === 0 && slice.ok) expect(printJson(slice.value.value)).toBe(printJson(parsed.value.value));
      }
    }),
  );
});
