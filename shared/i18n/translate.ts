import { en } from './en/index.ts';
import { zhCN } from './zh-CN/index.ts';

export type Locale = 'en' | 'zh-CN';
export type MessageKey = keyof typeof en;
export type Params = Readonly<Record<string, string | number>>;

const catalogs: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { en, 'zh-CN': zhCN };

/** A text with its `{name}` places filled. A place without a value stays visible. */
export function translate(locale: Locale, key: MessageKey, params: Params = {}): string {
  return catalogs[locale][key].replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : place,
  );
}

/** A text for a key made from data (`problem.<code>`), or null where there is none. */
export function translateIfKnown(locale: Locale, key: string, params: Params = {}): string | null {
  return Object.hasOwn(en, key) ? translate(locale, key as MessageKey, params) : null;
}

/** The locale for a list of preferred language tags, such as `navigator.languages`. */
export function pickLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const lower = tag.toLowerCase();
    if (lower.startsWith('zh')) return 'zh-CN';
    if (lower.startsWith('en')) return 'en';
  }
  return 'en';
}
