import type { OfProvider, OnDevice } from '../connection/streams.ts';
import { decodePart, userOf } from '../parts/links.ts';

/** Every page of the app. */
export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'history' }
  | { readonly page: 'activity' }
  | { readonly page: 'settings' }
  | { readonly page: 'saved' }
  | { readonly page: 'device'; readonly on: OnDevice; readonly tab: 'overview' | 'doctor' }
  | { readonly page: 'provider'; readonly of: OfProvider; readonly tab: 'overview' | 'session' }
  | { readonly page: 'tools'; readonly of: OfProvider; readonly index: number | null }
  | { readonly page: 'composer'; readonly of: OfProvider; readonly index: number }
  | { readonly page: 'not-found' };

const NOT_FOUND: Route = { page: 'not-found' };

/** Reads a path made by `parts/links.ts`. Anything else is `not-found`, never a guess. */
export function parseRoute(path: string): Route {
  const parts = path.split('/').slice(1);
  const [first, device, user, ...rest] = parts;
  if (first === '') return parts.length === 1 ? { page: 'home' } : NOT_FOUND;
  if (first === 'history' || first === 'activity' || first === 'saved' || first === 'settings') {
    return parts.length === 1 ? { page: first } : NOT_FOUND;
  }
  if (first !== 'd' || device === undefined || user === undefined) return NOT_FOUND;
  if (user !== '-' && userOf(user) === null) return NOT_FOUND;
  const on: OnDevice = { deviceKey: decodePart(device), userId: userOf(user) };
  const [section, provider, tab, index, leaf] = rest;
  if (section === undefined) return { page: 'device', on, tab: 'overview' };
  if (section === 'doctor') return rest.length === 1 ? { page: 'device', on, tab: 'doctor' } : NOT_FOUND;
  if (section !== 'p' || provider === undefined || rest.length > 5) return NOT_FOUND;
  const of: OfProvider = { ...on, providerKey: decodePart(provider) };
  if (tab === undefined) return { page: 'provider', of, tab: 'overview' };
  if (tab === 'session') return rest.length === 3 ? { page: 'provider', of, tab: 'session' } : NOT_FOUND;
  if (tab !== 'tools') return NOT_FOUND;
  if (index === undefined) return { page: 'tools', of, index: null };
  const number = userOf(index);
  if (number === null) return NOT_FOUND;
  if (leaf === undefined) return { page: 'tools', of, index: number };
  return leaf === 'call' ? { page: 'composer', of, index: number } : NOT_FOUND;
}

/** The device that a page belongs to, which the sidebar shows as open. */
export function deviceOf(route: Route): OnDevice | null {
  switch (route.page) {
    case 'device':
      return route.on;
    case 'provider':
    case 'tools':
    case 'composer':
      return route.of;
    case 'home':
    case 'history':
    case 'activity':
    case 'settings':
    case 'saved':
    case 'not-found':
      return null;
  }
}
