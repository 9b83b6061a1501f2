import type { OfProvider, OnDevice } from '../connection/streams.ts';

/** Addresses of pages. View state lives in the URL, so every view can be linked. `-` is the current user. */
const user = (userId: number | null) => (userId === null ? '-' : String(userId));
const part = (text: string) => encodeURIComponent(text);

export const links = {
  home: () => '/',
  history: () => '/history',
  activity: () => '/activity',
  settings: () => '/settings',
  saved: () => '/saved',
  device: (on: OnDevice, tab?: 'doctor') =>
    `/d/${part(on.deviceKey)}/${user(on.userId)}${tab === undefined ? '' : `/${tab}`}`,
  provider: (of: OfProvider, tab?: 'session' | 'tools') =>
    `${links.device(of)}/p/${part(of.providerKey)}${tab === undefined ? '' : `/${tab}`}`,
  tool: (of: OfProvider, index: number) => `${links.provider(of, 'tools')}/${index}`,
  call: (of: OfProvider, index: number) => `${links.tool(of, index)}/call`,
};

/** The reverse of `user` in a path; null for a place that names none. */
export function userOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Decodes a path segment; text that is no valid escape stays as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
