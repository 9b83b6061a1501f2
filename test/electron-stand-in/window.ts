import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { StandInPort } from './ports.ts';
import type { StandInSession } from './session.ts';

/** Where Chromium shows `cetp-app://app/`. */
export const SHOWN_ORIGIN = 'https://app.cetp-stand-in.test';
export const APP_ORIGIN = 'cetp-app://app';

/** What a sandboxed preload may require, and the relay of ports between this process and the page. */
const PRELOAD_HEAD = `
const __ports = new Map();
const __emitter = { listeners: {} };
const __electron = {
  ipcRenderer: {
    on: (channel, listener) => { (__emitter.listeners[channel] ??= []).push(listener); },
    send: (channel, ...args) => window.__cetpSend(channel, args),
  },
};
window.__cetpOpenPort = (channel, id) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (event) => window.__cetpPortMessage(id, event.data);
  __ports.set(id, port1);
  for (const listener of __emitter.listeners[channel] ?? []) listener({ ports: [port2] });
};
window.__cetpTell = (channel) => { for (const listener of __emitter.listeners[channel] ?? []) listener({ ports: [] }); };
window.__cetpDeliver = (id, data) => __ports.get(id)?.postMessage(data);
((require, module, exports) => {
`;
const PRELOAD_TAIL = `
})((name) => { if (name !== 'electron') throw new Error('A sandboxed preload cannot require ' + name); return __electron; }, { exports: {} }, {});
`;

export interface StandInWorld {
  readonly browser: Browser;
  readonly session: StandInSession;
  readonly ipcMain: EventEmitter;
  readonly app: EventEmitter;
  readonly windows: StandInBrowserWindow[];
}

/** The page of a window, with the members of `WebContents` that the shell uses. */
export class StandInWebContents extends EventEmitter {
  page: Page | null = null;
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  readonly #world: StandInWorld;
  readonly #ports = new Map<number, StandInPort>();
  #nextPort = 1;
  /** Keeps the order of messages into the page. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(world: StandInWorld) {
    super();
    this.#world = world;
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }

  isDestroyed(): boolean {
    return this.page?.isClosed() ?? true;
  }

  postMessage(channel: string, _message: unknown, ports: readonly StandInPort[] = []): void {
    if (ports.length === 0) this.#enqueue(`window.__cetpTell(${JSON.stringify(channel)})`);
    for (const port of ports) {
      const id = this.#nextPort++;
      this.#ports.set(id, port);
      this.#enqueue(`window.__cetpOpenPort(${JSON.stringify(channel)}, ${id})`);
      port.on('message', ({ data }) => this.#enqueue(`window.__cetpDeliver(${id}, ${JSON.stringify(data)})`));
      port.start();
    }
  }

  async open(url: string, preload: string): Promise<void> {
    const context = await this.#world.browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    this.page = page;
    await page.exposeFunction('__cetpSend', (channel: string) => {
      const frame = { url: page.url().replace(SHOWN_ORIGIN, APP_ORIGIN), parent: null };
      this.#world.ipcMain.emit(channel, { senderFrame: frame, sender: this });
    });
    await page.exposeFunction('__cetpPortMessage', (id: number, data: unknown) =>
      this.#ports.get(id)?.postMessage(data),
    );
    await page.addInitScript({ content: PRELOAD_HEAD + readFileSync(preload, 'utf8') + PRELOAD_TAIL });
    await page.route('**/*', async (route) => {
      const asked = route.request().url().replace(SHOWN_ORIGIN, APP_ORIGIN);
      const response = await this.#world.session.answer(asked);
      if (response === null) return route.abort('blockedbyclient');
      return route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      });
    });
    await page.goto(url.replace(APP_ORIGIN, SHOWN_ORIGIN));
  }

  #enqueue(script: string): void {
    this.#queue = this.#queue.then(() => this.page?.evaluate(script)).catch(() => {});
  }
}

export class StandInBrowserWindow extends EventEmitter {
  readonly options: { readonly webPreferences: Readonly<Record<string, unknown>> };
  readonly webContents: StandInWebContents;
  /** Resolves when the page has loaded, or failed to. */
  loaded: Promise<void> = Promise.resolve();
  #destroyed = false;

  constructor(world: StandInWorld, options: StandInBrowserWindow['options']) {
    super();
    this.options = options;
    this.webContents = new StandInWebContents(world);
    world.windows.push(this);
    world.app.emit('web-contents-created', {}, this.webContents);
  }

  loadURL(url: string): Promise<void> {
    this.loaded = this.webContents.open(url, String(this.options.webPreferences['preload']));
    void this.loaded.then(() => this.emit('ready-to-show'));
    return this.loaded;
  }

  show(): void {}
  focus(): void {}
  restore(): void {}
  isMinimized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  async close(): Promise<void> {
    this.#destroyed = true;
    await this.webContents.page?.context().close();
    this.emit('closed');
  }
}
