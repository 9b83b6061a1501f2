import { MessageChannelMain, type UtilityProcess, utilityProcess, type WebContents } from 'electron';
import type { HostMessage } from '../../host/electron-entry.ts';

export interface HostProcessOptions {
  /** The bundled host entry. */
  readonly entry: string;
  readonly host: Extract<HostMessage, { type: 'start' }>['options'];
}

/** Longest wait before a crashed host is started again, in ms. */
const MAX_RESTART_DELAY_MS = 10_000;

/**
 * The engine in a process of its own. A crash does not take the window along:
 * the host is started again, and each page gets a new port to it.
 */
export class HostProcess {
  readonly #options: HostProcessOptions;
  readonly #readyListeners = new Set<() => void>();
  /** Pages that hold a port to the running host. */
  readonly #pages = new Set<WebContents>();
  #child: UtilityProcess | null = null;
  #stopped = false;
  #crashes = 0;

  constructor(options: HostProcessOptions) {
    this.#options = options;
  }

  start(): void {
    const child = utilityProcess.fork(this.#options.entry, [], { serviceName: 'cetp-host' });
    this.#child = child;
    child.postMessage({ type: 'start', options: this.#options.host } satisfies HostMessage);
    child.once('spawn', () => {
      for (const listener of this.#readyListeners) listener();
    });
    child.on('message', () => {
      // The host says that it came up whole: later crashes count anew.
      this.#crashes = 0;
    });
    child.once('exit', () => {
      this.#child = null;
      for (const page of this.#pages) {
        if (!page.isDestroyed()) page.postMessage('cetp:lost', null);
      }
      this.#pages.clear();
      if (this.#stopped) return;
      this.#crashes++;
      setTimeout(() => this.start(), Math.min(250 * 2 ** this.#crashes, MAX_RESTART_DELAY_MS));
    });
  }

  /** Gives a page a fresh port to the host. Without a running host the page gets one when it is back. */
  connect(page: WebContents): void {
    if (this.#child === null || page.isDestroyed()) return;
    const { port1, port2 } = new MessageChannelMain();
    this.#child.postMessage({ type: 'connect' } satisfies HostMessage, [port1]);
    page.postMessage('cetp:port', null, [port2]);
    this.#pages.add(page);
  }

  /** Calls `listener` at each start of the host; returns the way to stop. */
  onReady(listener: () => void): () => void {
    this.#readyListeners.add(listener);
    return () => this.#readyListeners.delete(listener);
  }

  stop(): void {
    this.#stopped = true;
    this.#child?.kill();
  }
}
