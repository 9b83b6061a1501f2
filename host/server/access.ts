import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { RPC_PROTOCOL_PREFIX } from '../../shared/contract/security.ts';

/** Who may talk to the server of one run: loopback names, our own origin, and the run's token. */
export class Access {
  readonly #token: Buffer;
  readonly #port: number;

  constructor(token: string, port: number) {
    this.#token = Buffer.from(token);
    this.#port = port;
  }

  get cookieName(): string {
    // Cookies ignore ports; the name keeps two runs on one machine apart.
    return `cetp-${this.#port}`;
  }

  /** Refuses DNS rebinding: only literal loopback names with our port. */
  hostAllowed(request: IncomingMessage): boolean {
    return this.#hosts().includes(request.headers.host ?? '');
  }

  /** A browser always sends Origin on a WebSocket; a terminal client sends none. */
  originAllowed(request: IncomingMessage): boolean {
    const { origin } = request.headers;
    return origin === undefined || this.#hosts().some((host) => origin === `http://${host}`);
  }

  /**
   * A cookie goes along from every page of this machine, whatever its port: the browser's word on who asks keeps those
   * out. A terminal client sends neither header.
   */
  isOwnPage(request: IncomingMessage): boolean {
    const site = request.headers['sec-fetch-site'];
    return this.originAllowed(request) && (site === undefined || site === 'same-origin' || site === 'none');
  }

  tokenMatches(candidate: string | null | undefined): boolean {
    if (candidate === null || candidate === undefined) return false;
    const bytes = Buffer.from(candidate);
    return bytes.length === this.#token.length && timingSafeEqual(bytes, this.#token);
  }

  cookieMatches(request: IncomingMessage): boolean {
    const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
    const own = cookies.find((part) => part.startsWith(`${this.cookieName}=`));
    return this.tokenMatches(own?.slice(this.cookieName.length + 1));
  }

  /** The subprotocol that carries the right token, or null. */
  protocolWithToken(protocols: Iterable<string>): string | null {
    for (const protocol of protocols) {
      if (protocol.startsWith(RPC_PROTOCOL_PREFIX) && this.tokenMatches(protocol.slice(RPC_PROTOCOL_PREFIX.length))) {
        return protocol;
      }
    }
    return null;
  }

  #hosts(): string[] {
    return [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`];
  }
}
