import type { WebFrameMain } from 'electron';
import { APP_ORIGIN } from './app-protocol.ts';

/** Only the top frame of our own page may speak to the main process. */
export function isTrustedFrame(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(`${APP_ORIGIN}/`);
}
