import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/tools.ts';

/** A real Chromium, headless, that never talks to its maker. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('No Chromium found; "npm test" installs or names it.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
