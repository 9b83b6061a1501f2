import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { en } from './en/index.ts';
import { translate } from './translate.ts';
import { zhCN } from './zh-CN/index.ts';

const areas = readdirSync(path.join(import.meta.dirname, 'en')).filter((name) => name !== 'index.ts');

test('no key is defined in two areas: the later would win in silence', async () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const file of areas) {
    const module = (await import(path.join(import.meta.dirname, 'en', file))) as Record<string, object>;
    for (const key of Object.values(module).flatMap((area) => Object.keys(area))) {
      const before = seen.get(key);
      if (before !== undefined) twice.push(`${key}: ${before}, ${file}`);
      seen.set(key, file);
    }
  }
  expect(twice).toEqual([]);
});

test('both languages have the same keys and the same places', () => {
  expect(Object.keys(zhCN).sort()).toEqual(Object.keys(en).sort());
  const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  const differing = Object.keys(en).filter((key) => {
    const name = key as keyof typeof en;
    return JSON.stringify(places(en[name])) !== JSON.stringify(places(zhCN[name]));
  });
  expect(differing).toEqual([]);
});

test('no text is empty, and none was left in English by accident', () => {
  const suspicious = Object.entries(zhCN).filter(
    ([key, text]) =>
      text.trim() === '' || (text === en[key as keyof typeof en] && /[a-z]{3,} [a-z]{3,} [a-z]{3,}/i.test(text)),
  );
  expect(suspicious).toEqual([]);
});

test('a place without a value stays visible', () => {
  expect(translate('en', 'cli.unknownCommand', {})).toContain('{command}');
});
