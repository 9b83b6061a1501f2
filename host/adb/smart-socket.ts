import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import { connectionProblem } from './adb-problems.ts';
import { BulkSocket } from './bulk-socket.ts';
import type { AdbServerAddress } from './server-address.ts';

/** Reads exactly so many bytes, however the stream cuts them. */
export type ByteReader = (count: number) => PromiseLike<Buffer>;

export interface ConversationOptions {
  /** What is asked, for problems. */
  readonly what: string;
  /** From the connection to the last answer, in ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly reader: (socket: Duplex) => ByteReader;
  /** For a service that streams much: its chunks' memory can be given back. */
  readonly bulk?: boolean;
}

/**
 * One connection to an adb server, from the first request to its end or to the
 * byte stream that a service becomes. Requests and blocks of text are four hex
 * digits of length and the payload; answers are OKAY or FAIL and a block
 * (adb `OVERVIEW.TXT`). Every failure is a `ProblemError`.
 */
export interface Conversation {
  send(service: string): Promise<void>;
  /** Returns on OKAY; on FAIL throws what `problemOf` makes of its text. */
  expectOkay(problemOf: (raw: string) => Problem): Promise<void>;
  readBlock(): Promise<string>;
  /** Lifts the time limit, for a connection that waits for changes. */
  waitWithoutLimit(): void;
  /** Hands over the socket. The signal goes on closing it. */
  release(): Duplex;
  close(): void;
}

export async function openConversation(address: AdbServerAddress, options: ConversationOptions): Promise<Conversation> {
  const { signal, what } = options;
  if (signal?.aborted) throw cancelled(what);
  const socket: Duplex = options.bulk
    ? new BulkSocket(address)
    : connect({ host: address.host, port: address.port, noDelay: true, keepAlive: true });
  let failure: Error | null = null;
  // Stays for the socket's whole life: a late error must not end the process.
  socket.on('error', (error) => {
    failure ??= error;
  });
  const abort = () => socket.destroy(cancelled(what));
  signal?.addEventListener('abort', abort, { once: true });
  socket.once('close', () => signal?.removeEventListener('abort', abort));
  const timer = setTimeout(() => {
    const where = { host: address.host, port: address.port, request: what, ms: options.timeoutMs };
    socket.destroy(new ProblemError(problem('adb-timeout', where)));
  }, options.timeoutMs);
  socket.once('close', () => clearTimeout(timer));

  const ended = (): ProblemError => {
    if (failure !== null) return connectionProblem(address, failure);
    return new ProblemError(problem('adb-server-gone', { host: address.host, port: address.port, request: what }));
  };
  /** Settles also when the socket closes without an event that the reader listens to. */
  const untilClosed = <T>(start: () => PromiseLike<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed || socket.readableEnded) return reject(ended());
      const closed = () => reject(ended());
      const done = (settle: () => void) => {
        socket.removeListener('close', closed);
        settle();
      };
      socket.once('close', closed);
      start().then(
        (value) => done(() => resolve(value)),
        () => done(() => reject(ended())),
      );
    });

  await untilClosed(() => new Promise<void>((resolve) => socket.once('connect', resolve)));
  const read = options.reader(socket);
  const readText = async (count: number) => (await untilClosed(() => read(count))).toString('utf8');
  const protocolError = (got: string) =>
    new ProblemError(problem('adb-protocol', { host: address.host, port: address.port }, got));

  const readBlock = async (): Promise<string> => {
    const digits = await readText(4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw protocolError(digits);
    const length = Number.parseInt(digits, 16);
    return length === 0 ? '' : readText(length);
  };

  return {
    async send(service) {
      const payload = Buffer.from(service, 'utf8');
      if (payload.length > 0xffff) {
        throw new ProblemError(problem('adb-request-too-long', { length: payload.length, limit: 0xffff }));
      }
      if (socket.destroyed) throw ended();
      const length = payload.length.toString(16).padStart(4, '0');
      socket.write(Buffer.concat([Buffer.from(length, 'ascii'), payload]));
    },
    async expectOkay(problemOf) {
      const status = await readText(4);
      if (status === 'OKAY') return;
      if (status !== 'FAIL') throw protocolError(status);
      throw new ProblemError(problemOf(await readBlock()));
    },
    readBlock,
    waitWithoutLimit: () => clearTimeout(timer),
    release() {
      clearTimeout(timer);
      return socket;
    },
    close: () => socket.destroy(),
  };
}

function cancelled(what: string): ProblemError {
  return new ProblemError(problem('adb-cancelled', { request: what }));
}
