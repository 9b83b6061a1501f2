import { type Duplex, duplexPair } from 'node:stream';
import type { DeviceIo } from '../../adb/device-io.ts';

export const TOKEN = 'ab'.repeat(32);

export const HELLO = {
  protocol: 1,
  version: '1.0.0',
  package: 'com.clawseed.inspector.companion',
  uid: 10321,
  userId: 0,
  signingCertSha256: ['00'],
  sdk: 34,
  release: '14',
  queryAllPackages: true,
  permissions: { 'com.clawseed.permission.ACCESS_TOOLS': 'granted' },
};

interface Request {
  readonly id: number;
  readonly op: string;
  readonly params?: Record<string, unknown>;
  readonly line: string;
}

/** The device's side of one socket, answered line by line by a test. */
export class ScriptedPeer {
  readonly stream: Duplex;
  readonly requests: Request[] = [];
  closed = false;
  #text = '';
  readonly #waiting: (() => void)[] = [];

  constructor(stream: Duplex, onRequest: (request: Request, peer: ScriptedPeer) => void) {
    this.stream = stream;
    stream.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('utf8');
      for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n')) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        const request: Request = { ...JSON.parse(line), line };
        this.requests.push(request);
        onRequest(request, this);
      }
      for (const wake of this.#waiting.splice(0)) wake();
    });
    const onGone = () => {
      this.closed = true;
      for (const wake of this.#waiting.splice(0)) wake();
    };
    stream.on('end', onGone);
    stream.on('close', onGone);
    stream.on('error', onGone);
  }

  /** Requests of one op, once there are at least `count`. */
  async received(op: string, count = 1): Promise<Request[]> {
    for (;;) {
      const found = this.requests.filter((request) => request.op === op);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async gone(): Promise<void> {
    while (!this.closed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  ok(id: number, value: object): void {
    this.send(JSON.stringify({ id, ok: value }));
  }

  error(id: number | null, code: string, message = '', detail?: object): void {
    this.send(JSON.stringify({ id, error: { code, message, ...(detail === undefined ? {} : { detail }) } }));
  }

  send(line: string): void {
    this.stream.write(`${line}\n`);
  }
}

/** A device whose only socket is scripted. Requests other than `hello` go to `onRequest`. */
export function scriptedDevice(onRequest: (request: Request, peer: ScriptedPeer) => void = () => {}) {
  const peers: ScriptedPeer[] = [];
  const io = {
    deviceKey: 'test/scripted',
    sdk: 34,
    openLocalAbstract: async () => {
      const [near, far] = duplexPair();
      peers.push(
        new ScriptedPeer(far, (request, peer) => {
          if (request.op === 'hello') peer.ok(request.id, HELLO);
          else onRequest(request, peer);
        }),
      );
      return near;
    },
  } as unknown as DeviceIo;
  const peer = () => peers.at(-1) as ScriptedPeer;
  return { io, peers, peer };
}
