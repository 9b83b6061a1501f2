import { useSyncExternalStore } from 'react';

/** The page's address is the hash: `#/path?query`, so that it works on a custom scheme and never reaches a server. */
export interface HashLocation {
  readonly path: string;
  readonly query: string;
}

export function parseHash(hash: string): HashLocation {
  const text = hash.replace(/^#/, '');
  const at = text.indexOf('?');
  const path = at < 0 ? text : text.slice(0, at);
  return { path: path.startsWith('/') ? path : `/${path}`, query: at < 0 ? '' : text.slice(at + 1) };
}

const subscribe = (listener: () => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => parseHash(window.location.hash).path);
}

/** The query part of the address as it is now, not a subscription: a page reads its first state from it. */
export function currentQuery(): URLSearchParams {
  return new URLSearchParams(parseHash(window.location.hash).query);
}

/** Goes to another page. `replace` leaves no entry in the history: for a selection that moves with the arrow keys. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (!replace) {
    window.location.hash = to;
    return;
  }
  window.history.replaceState(null, '', `#${to}`);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Writes the state of a view into the address without a new entry in the history. Empty values are left out. */
export function replaceQuery(values: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
  const { path } = parseHash(window.location.hash);
  window.history.replaceState(null, '', `#${path}${query === '' ? '' : `?${query}`}`);
}
