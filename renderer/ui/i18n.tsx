import { createContext, type ReactNode, use, useMemo } from 'react';
import { type Locale, type MessageKey, type Params, translate, translateIfKnown } from '../../shared/i18n/translate.ts';

export type { Locale, MessageKey, Params };

export interface I18n {
  readonly locale: Locale;
  t(key: MessageKey, params?: Params): string;
  /** The text of a key made from data, or null where this build has none. */
  known(key: string, params?: Params): string | null;
}

const Context = createContext<I18n | null>(null);

export function I18nProvider({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const value = useMemo<I18n>(
    () => ({
      locale,
      t: (key, params) => translate(locale, key, params),
      known: (key, params) => translateIfKnown(locale, key, params),
    }),
    [locale],
  );
  return <Context value={value}>{children}</Context>;
}

export function useI18n(): I18n {
  const value = use(Context);
  if (value === null) throw new Error('no I18nProvider above');
  return value;
}
