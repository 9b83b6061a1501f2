import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** How long a page may take to show what it must, in ms. Nothing is measured by it: it only ends a test that hangs. */
export const PATIENCE = { timeout: 20_000, interval: 50 };

export const keyOf = (packageName: string) => `${packageName}/${packageName}.cetp.ToolProviderService`;

/** An address as a person may have bookmarked it; `-` is the current user. */
function address(...parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part === undefined ? [] : [`/${encodeURIComponent(part)}`])).join('');
}

/** One row of a Bundle as the page shows it. */
export interface ShownEntry {
  readonly key: string;
  readonly type: string;
  readonly value: string;
}

/** The app through a user's eyes: what is on the screen, by role and name. */
export class AppPage {
  readonly page: Page;
  readonly main: Locator;
  readonly sidebar: Locator;

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE.timeout);
    this.main = page.locator('main');
    this.sidebar = page.getByRole('complementary');
  }

  /** Follows a link of the app without a click. */
  async go(path: string): Promise<void> {
    await this.page.evaluate((hash) => {
      window.location.hash = hash;
    }, path);
  }

  home = () => this.go('/');
  device = (deviceKey: string, tab?: 'doctor') => this.go(address('d', deviceKey, '-', tab));
  provider = (deviceKey: string, packageName: string, tab?: 'session' | 'tools') =>
    this.go(address('d', deviceKey, '-', 'p', keyOf(packageName), tab));

  heading(name: string | RegExp): Locator {
    return this.main.getByRole('heading', { name, level: 1 });
  }

  row(text: string | RegExp): Locator {
    return this.main.getByRole('row').filter({ hasText: text });
  }

  tool(name: string): Locator {
    return this.main
      .getByRole('option')
      .filter({ has: this.page.locator('.tool-line').getByText(name, { exact: true }) })
      .first();
  }

  get search(): Locator {
    return this.main.getByRole('searchbox');
  }

  /** Opens the composer of a tool; the search finds it in a list of any length. */
  async compose(deviceKey: string, packageName: string, tool: string): Promise<void> {
    await this.provider(deviceKey, packageName, 'tools');
    await this.search.fill(tool);
    await this.tool(tool).click();
    await this.main.getByRole('link', { name: 'Compose a call' }).click();
    await this.heading(tool).waitFor();
    await this.prepared();
    await this.main.locator('.composer-editor .view-line').first().waitFor();
  }

  /** The preview is of the arguments as they stand. */
  async prepared(): Promise<void> {
    await this.main.locator('.composer-left [aria-busy="false"]').waitFor();
  }

  get editor(): Locator {
    return this.main.locator('.composer-editor').getByRole('textbox', { name: 'Arguments' });
  }

  /** Replaces the arguments as a person does: select all, paste. */
  async setArguments(text: string): Promise<void> {
    await this.paste(text);
    await this.previewShows(text);
  }

  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.editor.focus();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.press('Control+V');
  }

  async previewShows(argsText: string): Promise<void> {
    await expect
      .poll(async () => (await this.preview()).find(({ key }) => key === 'args')?.value, PATIENCE)
      .toBe(argsText);
    await this.prepared();
  }

  preview = () => bundleIn(this.main.getByRole('table', { name: 'What will be sent' }));

  get previewSha256(): Promise<string | null> {
    return this.main.locator('.composer-left dd', { hasText: /^[0-9a-f]{64}$/ }).textContent();
  }

  get runButton(): Locator {
    return this.main.getByRole('button', { name: /^Run(?!ning)/ });
  }

  get results(): Locator {
    return this.main.getByRole('region', { name: 'Results' });
  }

  /** The cards of the calls, newest first. */
  get calls(): Locator {
    return this.results.getByRole('list', { name: 'Results' }).getByRole('listitem');
  }

  async resultView(name: 'Answer' | 'Raw Bundle' | 'Sent' | RegExp): Promise<void> {
    await this.results.getByRole('group', { name: 'Views' }).getByRole('button', { name }).click();
  }

  get answer(): Locator {
    return this.results.locator('.value-editor .view-lines');
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }
}

/** The rows of a Bundle's table, texts exactly as they are in the page. */
export async function bundleIn(table: Locator): Promise<readonly ShownEntry[]> {
  return table.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      // A long JSON text has a button behind it that unfolds it.
      const [key = '', type = '', value = ''] = [...row.querySelectorAll('td')].map(
        (cell) => (cell.querySelector(':scope > bdi') ?? cell).textContent ?? '',
      );
      return { key, type, value };
    }),
  );
}

/** Fails where the page would have to be scrolled sideways, or a dialog is cut off. */
export async function expectNothingCutOff(page: Page): Promise<void> {
  const cut = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : [];
    for (const element of document.querySelectorAll('button, a, input, select, h1, h2, [role=tab], dialog')) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || getComputedStyle(element).visibility === 'hidden') continue;
      if (box.left < -1 && box.right > 1) faults.push(`left of the page: ${element.textContent}`);
      if (box.right > clientWidth + 1 && box.left < clientWidth)
        faults.push(`right of the page: ${element.textContent}`);
    }
    return faults;
  });
  expect(cut).toEqual([]);
}

/** What `role` and name the keyboard stands on. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element === null ? '' : (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
  });
}
