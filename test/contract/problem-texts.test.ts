import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { en } from '../../shared/i18n/en/index.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

function sourceOf(folder: string): string {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .filter((entry) => !entry.parentPath.includes('i18n') && !/simulator|testing/.test(entry.parentPath))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

const source = ['host', 'shared', 'cli', 'electron', 'renderer'].map(sourceOf).join('\n');

/** Every code that the sources name, also those made from the wire codes of the companion protocol. */
const codes = new Set([
  ...[...source.matchAll(/problem\(\s*'([^']+)'/g)].map((match) => match[1] ?? ''),
  ...[...source.matchAll(/'((?:install-|companion\.)[a-z-]+)'/g)]
    .map((match) => match[1] ?? '')
    .filter((code) => !['companion.apk', 'companion.watch'].includes(code)),
  ...[...source.matchAll(/^ {2}'([A-Z_]+)',$/gm)]
    .map((match) => `companion.${(match[1] ?? '').toLowerCase().replaceAll('_', '-')}`)
    .filter((code) => `problem.${code}` in en),
]);

/** Starts of codes that are made from a word, such as `device-${state}`. */
const starts = [...source.matchAll(/`([a-z-]+-)\$\{/g)].map((match) => match[1] ?? '');

test('every problem has a text and a remedy', () => {
  expect(codes.size).toBeGreaterThan(150);
  const missing = [...codes].filter((code) => !(`problem.${code}` in en));
  expect(missing).toEqual([]);
});

test('every text is of a problem that can come', () => {
  const named = (code: string) =>
    codes.has(code) || source.includes(`'${code}'`) || starts.some((start) => code.startsWith(start));
  const unused = Object.keys(en)
    .map((key) => /^(?:problem|remedy)\.(.+)$/.exec(key)?.[1] ?? null)
    .filter((code) => code !== null && !named(code));
  expect(unused).toEqual([]);
});
