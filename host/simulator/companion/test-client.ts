import type { Duplex } from 'node:stream';
import type { SimulatedAndroid } from '../android/virtual-android.ts';

type Reply = { readonly id?: number; readonly [key: string]: unknown };

/** A small desktop side for tests: numbered requests, replies by id, everything else in `events`. */
export class TestClient {
  readonly events: Reply[] = [];
  readonly stream: Duplex;
  readonly closed: Promise<void>;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private rest = '';
  private lastId = 0;

  constructor(stream: Duplex) {
    this.stream = stream;
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const lines = (this.rest + chunk).split('\n');
      this.rest = lines.pop() ?? '';
      for (const line of lines) this.receive(JSON.parse(line) as Reply);
    });
    this.closed = new Promise((resolve) => {
      stream.on('end', resolve);
      stream.on('close', resolve);
    });
  }

  request(op: string, params: object = {}): Promise<Reply> {
    const id = ++this.lastId;
    // In memory an answer can come before the write returns.
    const reply = new Promise<Reply>((resolve) => this.waiting.set(id, resolve));
    this.stream.write(`${JSON.stringify({ id, op, params })}\n`);
    return reply;
  }

  private receive(reply: Reply): void {
    const resolve = typeof reply.id === 'number' ? this.waiting.get(reply.id) : undefined;
    if (resolve) resolve(reply);
    else this.events.push(reply);
  }
}

/** Starts the companion and connects with a good hello. */
export async function connectCompanion(android: SimulatedAndroid): Promise<{ client: TestClient; hello: Reply }> {
  const run = android.instrument('com.clawseed.inspector.companion/.BridgeInstrumentation');
  const stream = run && android.connectAbstract(run.status['cetp.socket'] ?? '');
  if (!run || !stream) throw new Error('The companion did not start');
  const client = new TestClient(stream);
  const hello = await client.request('hello', { protocol: 1, token: run.status['cetp.token'] });
  return { client, hello };
}
