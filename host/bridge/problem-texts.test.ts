import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bridge as en } from '../../shared/i18n/en/bridge.ts';
import { bridge as zh } from '../../shared/i18n/zh-CN/bridge.ts';

/** Every code that the sources here name. */
function codesInSource(): string[] {
  const here = new URL('./', import.meta.url);
  const shared = new URL('../../shared/protocols/companion/', import.meta.url);
  const files = [here, new URL('shell/', here), new URL('companion/', here), shared].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  );
  const source = files.join('\n');
  const named = [
    ...source.matchAll(/problem\(\s*'([^']+)'/g),
    ...source.matchAll(/'((?:install-|companion\.)[a-z-]+)'/g),
  ];
  const wire = [...source.matchAll(/^ {2}'([A-Z_]+)',$/gm)].map((match) => match[1] ?? '');
  return [
    ...named.map((match) => match[1] ?? ''),
    ...wire.map((code) => `companion.${code.toLowerCase().replaceAll('_', '-')}`),
  ];
}

test('every code has a text and a remedy, in both languages', () => {
  const codes = codesInSource();
  expect(codes.length).toBeGreaterThan(90);
  const missing = codes.filter((code) => !(`problem.${code}` in en) || !(`remedy.${code}` in en));
  expect(missing).toEqual([]);
});

test('every text is of a code', () => {
  const codes = new Set(codesInSource());
  const unused = Object.keys(en).filter((key) => !codes.has(key.replace(/^(problem|remedy)\./, '')));
  expect(unused).toEqual([]);
});

test('both languages fill the same places', () => {
  const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  for (const [key, text] of Object.entries(en))
    expect([key, places(zh[key as keyof typeof zh])]).toEqual([key, places(text)]);
});
