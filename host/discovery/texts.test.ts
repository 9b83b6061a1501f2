import { describe, expect, it } from 'vitest';
import { providers } from '../../shared/i18n/en/providers.ts';
import { translateIfKnown } from '../../shared/i18n/translate.ts';
import type { ApkFaultCode } from './apk/fault.ts';

const faults: Readonly<Record<ApkFaultCode, true>> = {
  'not-a-zip': true,
  zip64: true,
  'no-manifest': true,
  'duplicate-entry': true,
  'entry-encrypted': true,
  'entry-method': true,
  'entry-corrupt': true,
  'entry-too-large': true,
  'manifest-invalid': true,
  'manifest-too-large': true,
  'resources-invalid': true,
  'signing-block-invalid': true,
  truncated: true,
  'too-much-read': true,
};

describe('texts of discovery', () => {
  it('has a remedy for each problem', () => {
    const codes = Object.keys(providers).flatMap((key) => /^problem\.(.+)$/.exec(key)?.[1] ?? []);
    expect(codes.length).toBeGreaterThan(20);
    for (const code of codes) expect(translateIfKnown('zh-CN', `remedy.${code}`), code).not.toBeNull();
  });

  it('has words for each fault of an APK', () => {
    for (const code of Object.keys(faults)) expect(translateIfKnown('en', `apkFault.${code}`), code).not.toBeNull();
  });

  it('uses the same places in both languages', () => {
    const places = (text: string | null) => (text?.match(/\{\w+\}/g) ?? []).sort();
    for (const [key, text] of Object.entries(providers)) {
      expect(places(translateIfKnown('zh-CN', key)), key).toEqual(places(text));
    }
  });
});
