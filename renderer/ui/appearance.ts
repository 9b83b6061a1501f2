import { useEffect, useSyncExternalStore } from 'react';
import type { HostClient } from '../../shared/contract/client.ts';
import { type Locale, pickLocale } from '../../shared/i18n/translate.ts';

export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type Language = 'system' | Locale;
export interface Appearance {
  readonly theme: Theme;
  readonly language: Language;
}

const KEY = 'ui.appearance';
const DEFAULTS: Appearance = { theme: 'system', language: 'system' };
const darkQuery = '(prefers-color-scheme: dark)';
const contrastQuery = '(prefers-contrast: more)';

/** Reads a stored choice; anything unknown is the default. */
export function parseAppearance(text: string | null | undefined): Appearance {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return DEFAULTS;
    const theme = 'theme' in value ? value.theme : undefined;
    const language = 'language' in value ? value.language : undefined;
    return {
      theme: theme === 'light' || theme === 'dark' || theme === 'contrast' ? theme : 'system',
      language: language === 'en' || language === 'zh-CN' ? language : 'system',
    };
  } catch {
    return DEFAULTS;
  }
}

let current = parseAppearance(localStorage.getItem(KEY));
const listeners = new Set<() => void>();

function publish(next: Appearance): void {
  current = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  apply();
  for (const listener of listeners) listener();
}

function resolvedTheme(): 'light' | 'dark' | 'contrast' {
  if (current.theme !== 'system') return current.theme;
  if (matchMedia(contrastQuery).matches) return 'contrast';
  return matchMedia(darkQuery).matches ? 'dark' : 'light';
}

/** Puts theme and language on the document; called before the first render, so that nothing flashes. */
export function apply(): void {
  document.documentElement.dataset['theme'] = resolvedTheme();
  document.documentElement.lang = resolvedLocale();
}

export function resolvedLocale(): Locale {
  return current.language === 'system' ? pickLocale(navigator.languages) : current.language;
}

export function useAppearance(): Appearance {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** The choice goes to the host too: a browser's storage belongs to one port, and each run has another. */
export function setAppearance(client: HostClient, next: Appearance): void {
  publish(next);
  // Kept locally either way; the next change tries the host again.
  client.app.putSetting({ key: KEY, value: JSON.stringify(next) }).catch(() => undefined);
}

export function useStoredAppearance(client: HostClient): void {
  useEffect(() => {
    const media = [matchMedia(darkQuery), matchMedia(contrastQuery)];
    const refresh = () => publish(current);
    for (const each of media) each.addEventListener('change', refresh);
    client.app
      .getSettings()
      .then((settings) => {
        const stored = settings[KEY];
        if (stored !== undefined && stored !== JSON.stringify(current)) publish(parseAppearance(stored));
      })
      .catch(() => undefined);
    return () => {
      for (const each of media) each.removeEventListener('change', refresh);
    };
  }, [client]);
}
