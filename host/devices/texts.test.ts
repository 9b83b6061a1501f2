import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { translateIfKnown } from '../../shared/i18n/translate.ts';
import { DeviceState } from '../../shared/model/device.ts';

const sources = ['../adb/', './'].flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(folder + name, import.meta.url), 'utf8')),
);

describe('texts', () => {
  const codes = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/(?:problem\(|[, ]code: )'([a-z0-9]+(?:-[a-z0-9]+)+)'/g)].map((m) => m[1]),
    ),
  );

  it('exist for each problem, with what to do', () => {
    expect(codes.size).toBeGreaterThan(20);
    for (const code of codes) {
      for (const locale of ['en', 'zh-CN'] as const) {
        expect(translateIfKnown(locale, `problem.${code}`), `problem.${code}`).toBeTruthy();
        expect(translateIfKnown(locale, `remedy.${code}`), `remedy.${code}`).toBeTruthy();
      }
    }
  });

  it.each(DeviceState.options)('exist for the state %s', (state) => {
    for (const locale of ['en', 'zh-CN'] as const) {
      expect(translateIfKnown(locale, `deviceState.${state}`)).toBeTruthy();
      expect(translateIfKnown(locale, `deviceHelp.${state}`)).toBeTruthy();
    }
  });

  it.each(DeviceState.options.filter((state) => state !== 'device'))(
    'say what to do about %s in the doctor',
    (state) => {
      expect(translateIfKnown('en', `remedy.device-${state}`)).toBeTruthy();
    },
  );

  it('have the same places in both languages', () => {
    const places = (text: string | null) => [...(text ?? '').matchAll(/\{\w+\}/g)].map((m) => m[0]).sort();
    for (const code of codes) {
      const key = `problem.${code}`;
      expect(places(translateIfKnown('zh-CN', key)), key).toEqual(places(translateIfKnown('en', key)));
    }
  });
});
