import { MessageChannelMain, type UtilityProcess, utilityProcess, type WebContents } from 'electron';
import type { HostMessage, HostReport } from '../../host/electron-entry.ts';
import type { Problem } from '../../shared/model/problem.ts';

export interface HostProcessOptions {
  /** The bundled host entry. */
  readonly entry: string;
  readonly host: Extract<HostMessage, { type: 'start' }>['options'];
  /** The host cannot start, and says why; it is tried again all the same. Told once for each reason in a row. */
  readonly onFailed: (problem: Problem) => void;
}

/** Longest wait before a crashed host is started again, in ms. */
const MAX_RESTART_DELAY_MS = 10_000;

/**
 * The engine in a process of its own. A crash does not take the window along:
 * the host is started again, and each page gets a new port to it.
 */
export class HostProcess {
  readonly #options: HostProcessOptions;
  /** Every page that asked for a port, and whether it holds one to the running host. */
  readonly #pages = new Map<WebContents, { connected: boolean }>();
  #child: UtilityProcess | null = null;
  #restart: NodeJS.Timeout | null = null;
  #stopped = false;
  #crashes = 0;
  #demo: boolean;
  #toldFailure = '';

  constructor(options: HostProcessOptions) {
    this.#options = options;
    this.#demo = options.host.demo;
  }

  start(): void {
    const child = utilityProcess.fork(this.#options.entry, [], { serviceName: 'cetp-host' });
    this.#child = child;
    child.postMessage({ type: 'start', options: { ...this.#options.host, demo: this.#demo } } satisfies HostMessage);
    child.once('spawn', () => {
      for (const [page, { connected }] of [...this.#pages]) if (!connected) this.#offer(page);
    });
    child.on('message', (report: HostReport) => {
      if (report.type === 'failed') return this.#failed(report.problem);
      // The host says that it came up whole: later crashes count anew.
      this.#crashes = 0;
      this.#toldFailure = '';
    });
    // A fatal error of the engine's V8; without a listener it would end this process too. `exit` follows.
    child.on('error', () => {});
    child.once('exit', () => {
      this.#child = null;
      for (const [page, state] of this.#pages) {
        if (state.connected && !page.isDestroyed()) page.postMessage('cetp:lost', null);
        state.connected = false;
      }
      if (this.#stopped) return;
      this.#crashes++;
      this.#restart = setTimeout(() => this.start(), Math.min(250 * 2 ** this.#crashes, MAX_RESTART_DELAY_MS));
    });
  }

  /** Gives a page that has loaded a fresh port to the host, and another one after each restart of it. */
  connect(page: WebContents): void {
    this.#pages.set(page, { connected: false });
    this.#offer(page);
  }

  /** Starts the demo devices, in this host and in those that follow a crash. */
  startDemo(): void {
    this.#demo = true;
    this.#child?.postMessage({ type: 'demo' } satisfies HostMessage);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    this.#child?.kill();
  }

  #offer(page: WebContents): void {
    if (page.isDestroyed()) {
      this.#pages.delete(page);
      return;
    }
    if (this.#child === null) return;
    const { port1, port2 } = new MessageChannelMain();
    this.#child.postMessage({ type: 'connect' } satisfies HostMessage, [port1]);
    page.postMessage('cetp:port', null, [port2]);
    this.#pages.set(page, { connected: true });
  }

  #failed(failure: Problem): void {
    const now = JSON.stringify(failure);
    if (now === this.#toldFailure) return;
    this.#toldFailure = now;
    this.#options.onFailed(failure);
  }
}
