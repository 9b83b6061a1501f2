import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bundle } from '../../../shared/model/bundle.ts';
import { ProblemError } from '../../../shared/model/problem.ts';
import { quoteShellCommand } from '../../adb/shell-quote.ts';
import { contentCallArgs } from './content-args.ts';

const of = (extras: Bundle | null, sdk: number | null, userId: number | null = null) =>
  contentCallArgs({ authority: 'org.sample.garden', method: 'execute_tool', arg: null, extras }, sdk, userId);

function codeOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
  return 'carried';
}

test('the whole command', () => {
  const args = contentCallArgs(
    { authority: 'org.sample.garden', method: 'list_tools', arg: 'x y', extras: null },
    34,
    11,
  );
  expect(args).toEqual(
    ['content', 'call', '--user', '11', '--uri', 'content://org.sample.garden'].concat([
      '--method',
      'list_tools',
      '--arg',
      'x y',
    ]),
  );
});

test('from API 30 on every type keeps its letter, and colons and backslashes are escaped', () => {
  const extras: Bundle = [
    { key: 'a:b', t: 'string', v: 'C:\\x' },
    { key: 'i', t: 'int', v: -2 },
    { key: 'l', t: 'long', v: '9007199254740993' },
    { key: 'b', t: 'boolean', v: false },
    { key: 'f', t: 'float', v: 0.5 },
    { key: 'd', t: 'double', v: '-Infinity' },
    { key: 'n', t: 'null' },
    { key: 'e', t: 'string', v: '' },
  ];
  expect(
    of(extras, 30)
      .filter((arg) => arg !== '--extra')
      .slice(6),
  ).toEqual([
    'a\\:b:s:C\\:\\\\x',
    'i:i:-2',
    'l:l:9007199254740993',
    'b:b:false',
    'f:f:0.5',
    'd:d:-Infinity',
    'n:n:',
    'e:s:',
  ]);
});

test.each([26, 28, 29])('on API %i a value stays as it is, after the first two colons', (sdk) => {
  expect(of([{ key: 'k', t: 'string', v: 'a:b\\c' }], sdk).at(-1)).toBe('k:s:a:b\\c');
});

test.each<[string, Bundle[number], number | null, string]>([
  ['int', { key: 'k', t: 'int', v: 1 }, 29, 'shell-cannot-carry'],
  ['int', { key: 'k', t: 'int', v: 1 }, 30, 'carried'],
  ['int', { key: 'k', t: 'int', v: 1 }, null, 'shell-cannot-carry'],
  ['float', { key: 'k', t: 'float', v: 1 }, 28, 'shell-cannot-carry'],
  ['null', { key: 'k', t: 'null' }, 29, 'shell-cannot-carry'],
  ['int[]', { key: 'k', t: 'int[]', v: [2, 1] }, 36, 'shell-cannot-carry'],
  ['bundle', { key: 'k', t: 'bundle', v: [] }, 36, 'shell-cannot-carry'],
  ['a key with a colon', { key: 'a:b', t: 'string', v: '' }, 29, 'shell-cannot-carry-key'],
  ['a key like an option', { key: '--arg', t: 'string', v: '' }, 34, 'shell-cannot-carry-key'],
  ['NUL', { key: 'k', t: 'string', v: 'a\0b' }, 34, 'shell-cannot-carry-value'],
  ['half a pair', { key: 'k', t: 'string', v: '\udc00' }, 34, 'shell-cannot-carry-value'],
  ['a colon on an unknown Android', { key: 'k', t: 'string', v: 'a:b' }, null, 'shell-cannot-carry-value'],
  ['a long out of range', { key: 'k', t: 'long', v: '9223372036854775808' }, 34, 'bundle-bad-value'],
])('%s', (_, entry, sdk, code) => {
  expect(codeOf(() => of([entry], sdk))).toBe(code);
});

test('names the key and the type that the shell cannot carry', () => {
  expect(() => of([{ key: 'consumer_versions', t: 'int[]', v: [2, 1] }], 33)).toThrow(
    expect.objectContaining({
      problem: { code: 'shell-cannot-carry', params: { key: 'consumer_versions', type: 'int[]', api: 33 }, raw: null },
    }) as unknown as ProblemError,
  );
});

test.each(['', '--user', 'a\0'])('an arg that `content` would not take is refused: %j', (arg) => {
  const parts = { authority: 'a', method: 'm', arg, extras: null };
  expect(codeOf(() => contentCallArgs(parts, 34, null))).toBe('shell-cannot-carry-arg');
});

/** How `Content.java` of API 30 to 34 splits a binding. */
function splitLikeAndroid30(binding: string): string[] {
  const parts = [''];
  for (let i = 0; i < binding.length; i++) {
    const char = binding[i];
    if (char === '\\') parts[parts.length - 1] += binding[++i] ?? '<invalid>';
    else if (char === ':') parts.push('');
    else parts[parts.length - 1] += char ?? '';
  }
  return parts;
}

test('every text arrives as it is, through a real sh and the splitting of API 30', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !value.includes('\0'));
  fc.assert(
    fc.property(
      text.filter((value) => !value.startsWith('--')),
      text,
      (key, value) => {
        const command = quoteShellCommand(['printf', '%s', ...of([{ key, t: 'string', v: value }], 31).slice(-1)]);
        const binding = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
        expect(splitLikeAndroid30(binding)).toEqual([key, 's', value]);
      },
    ),
    { numRuns: 60 },
  );
});
