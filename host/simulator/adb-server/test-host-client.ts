import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A tiny client of the host protocol: frames requests, reads exact lengths. */
export class RawHostClient {
  readonly socket: Socket;
  #buffer = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    const wake = (): void => this.#wake?.();
    this.socket.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      wake();
    });
    for (const event of ['end', 'error', 'close']) {
      this.socket.on(event, () => {
        this.#ended = true;
        wake();
      });
    }
  }

  send(request: string): this {
    this.socket.write(Buffer.byteLength(request).toString(16).padStart(4, '0') + request);
    return this;
  }

  /** Exactly `length` bytes, or fewer at the end. */
  async take(length: number): Promise<Buffer> {
    while (this.#buffer.length < length && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const bytes = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(bytes.length);
    return bytes;
  }

  async text(length: number): Promise<string> {
    return (await this.take(length)).toString();
  }

  /** A length-prefixed text. */
  async framed(): Promise<string> {
    return this.text(Number.parseInt(await this.text(4), 16));
  }

  /** Everything until the server closes. */
  rest(): Promise<Buffer> {
    return this.take(Number.MAX_SAFE_INTEGER);
  }

  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    const closed = once(this.socket, 'close');
    this.socket.destroy();
    await closed;
  }
}

/** One request and the whole answer, as bytes on the wire. */
export async function ask(port: number, request: string): Promise<string> {
  const client = new RawHostClient(port).send(request);
  const answer = (await client.rest()).toString();
  await client.close();
  return answer;
}
