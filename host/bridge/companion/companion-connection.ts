import type { Duplex } from 'node:stream';
import { type Json, type JsonObject, member } from '../../../shared/base/json.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/model/problem.ts';
import {
  type CompanionHello,
  type CompanionOp,
  countsInFlight,
  type PackageEvent,
  parseFrame,
  readHello,
  readPackageEvent,
  requestLine,
  type WireError,
} from '../../../shared/protocols/companion/frames.ts';
import { COMPANION_PROTOCOL, MAX_IN_FLIGHT, MAX_LINE_BYTES } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { wireErrorProblem } from './companion-problems.ts';
import { LineReader } from './line-reader.ts';

/** Where a companion process listens, and what it asks of a caller. The token is secret. */
export interface CompanionAddress {
  readonly socket: string;
  readonly token: string;
}

export type CompanionReply =
  | { readonly kind: 'ok'; readonly value: JsonObject }
  | { readonly kind: 'error'; readonly error: WireError }
  /** No answer: cancelled, never sent, lost, or too late. */
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the answer may take before the connection counts as dead, in ms. */
  readonly replyWithinMs: number;
  /** Runs once, when the line is handed to the stream. */
  readonly onSent?: (() => void) | undefined;
}

interface Pending {
  readonly id: number;
  readonly op: CompanionOp;
  readonly line: string;
  readonly options: RequestOptions;
  readonly settle: (reply: CompanionReply) => void;
  sent: boolean;
  cancelRequested: boolean;
  timer: NodeJS.Timeout | null;
}

/** How long `hello`, and the answer to an abandoned request, may take, in ms. */
export const ANSWER_GRACE_MS = 15_000;

/**
 * One authenticated connection. Requests beyond 16 in flight wait here and are sent as places fall free; replies find
 * their request by id, in any order. Whatever ends the connection answers every open request, and says of each whether
 * its bytes had been sent.
 */
export class CompanionConnection {
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<Problem>;
  readonly #stream: Duplex;
  readonly #reader = new LineReader();
  readonly #sent = new Map<number, Pending>();
  readonly #packageListeners = new Set<(event: PackageEvent) => void>();
  #waiting: Pending[] = [];
  #nextId = 1;
  #end: Problem | null = null;
  #resolveClosed: (reason: Problem) => void = () => {};

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    stream.on('data', (chunk: Uint8Array) => this.#onData(chunk));
    stream.on('error', (error) => this.#finish(problem('companion.connection-lost', {}, toProblem(error).raw)));
    stream.on('end', () => this.#finish(problem('companion.connection-lost')));
    stream.on('close', () => this.#finish(problem('companion.connection-lost')));
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  /** Requests sent and not yet answered, and requests that wait for a place. */
  get load(): { readonly inFlight: number; readonly waiting: number } {
    return { inFlight: this.#sent.size, waiting: this.#waiting.length };
  }

  /** Sends one request; `paramsText` goes in byte for byte. Never rejects. */
  request(op: CompanionOp, paramsText: string | null, options: RequestOptions): Promise<CompanionReply> {
    const { signal } = options;
    if (signal?.aborted) return Promise.resolve(failed(problem('call-cancelled', { sent: 'no' })));
    if (this.#end !== null) return Promise.resolve(failed(lost(this.#end, false)));
    const id = this.#nextId++;
    const line = requestLine(id, op, paramsText);
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_LINE_BYTES) {
      return Promise.resolve(failed(problem('companion.line-too-long', { bytes, limit: MAX_LINE_BYTES })));
    }
    return new Promise((resolve) => {
      const onAbort = () => this.#cancel(pending);
      const pending: Pending = {
        id,
        op,
        line,
        options,
        sent: false,
        cancelRequested: false,
        timer: null,
        settle: (reply) => {
          signal?.removeEventListener('abort', onAbort);
          if (pending.timer !== null) clearTimeout(pending.timer);
          resolve(reply);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(pending);
      this.#sendWaiting();
    });
  }

  onPackageEvent(listener: (event: PackageEvent) => void): () => void {
    this.#packageListeners.add(listener);
    return () => this.#packageListeners.delete(listener);
  }

  close(reason: Problem = problem('companion.closed')): void {
    this.#finish(reason);
  }

  /** A write can bring an answer at once and so come back here: a request leaves the queue before it is sent. */
  #sendWaiting(): void {
    for (;;) {
      const inFlight = [...this.#sent.values()].filter((pending) => countsInFlight(pending.op)).length;
      const at = this.#waiting.findIndex((pending) => inFlight < MAX_IN_FLIGHT || !countsInFlight(pending.op));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#send(next);
    }
  }

  #send(pending: Pending): void {
    pending.sent = true;
    this.#sent.set(pending.id, pending);
    this.#arm(pending, pending.options.replyWithinMs);
    this.#stream.write(pending.line);
    pending.options.onSent?.();
  }

  #arm(pending: Pending, ms: number): void {
    if (pending.timer !== null) clearTimeout(pending.timer);
    pending.timer = setTimeout(() => {
      this.#sent.delete(pending.id);
      pending.settle(failed(problem('companion.no-reply', { op: pending.op, ms })));
      this.#finish(problem('companion.no-reply', { op: pending.op, ms }));
    }, ms);
  }

  /** A request that waits is dropped; one that was sent is abandoned on the device, and its answer awaited. */
  #cancel(pending: Pending): void {
    if (!pending.sent) {
      this.#waiting = this.#waiting.filter((other) => other !== pending);
      pending.settle(failed(problem('call-cancelled', { sent: 'no' })));
      return;
    }
    if (pending.cancelRequested || this.#end !== null) return;
    pending.cancelRequested = true;
    this.#arm(pending, ANSWER_GRACE_MS);
    void this.request('cancel', `{"id":${pending.id}}`, { replyWithinMs: ANSWER_GRACE_MS });
  }

  #onData(chunk: Uint8Array): void {
    if (this.#end !== null) return;
    this.#reader.push(chunk);
    for (let next = this.#reader.next(); next !== null && this.#end === null; next = this.#reader.next()) {
      const fault = next.ok ? this.#onLine(next.value) : problem('companion.bad-reply', { reason: next.error.code });
      if (fault !== null) this.#finish(fault);
    }
  }

  /** Takes one line in; the Problem is why the connection cannot be trusted any more. */
  #onLine(line: string): Problem | null {
    const parsed = parseFrame(line);
    if (!parsed.ok) return badReply(parsed.error.message, line);
    const frame = parsed.value;
    if (frame.kind === 'event') return this.#onEvent(frame.event, frame.data, line);
    if (frame.kind === 'error' && frame.id === null) {
      return problem('companion.bad-frame', { code: frame.error.code }, frame.error.message);
    }
    const pending = frame.id === null ? undefined : this.#sent.get(frame.id);
    if (pending === undefined) return badReply(`no request has the id ${frame.id}`, line);
    this.#sent.delete(pending.id);
    if (frame.kind === 'ok') pending.settle({ kind: 'ok', value: frame.value });
    else if (pending.cancelRequested && frame.error.code === 'CANCELLED') {
      pending.settle(failed(problem('call-cancelled', { sent: 'yes' })));
    } else pending.settle({ kind: 'error', error: frame.error });
    this.#sendWaiting();
    return null;
  }

  #onEvent(event: string, data: Json, line: string): Problem | null {
    if (event !== 'package') return null;
    const read = readPackageEvent(data);
    if (!read.ok) return badReply(read.error.message, line);
    for (const listener of [...this.#packageListeners]) listener(read.value);
    return null;
  }

  #finish(reason: Problem): void {
    if (this.#end !== null) return;
    this.#end = reason;
    const open = [...this.#sent.values(), ...this.#waiting];
    this.#sent.clear();
    this.#waiting = [];
    this.#packageListeners.clear();
    this.#stream.destroy();
    for (const pending of open) pending.settle(failed(lost(reason, pending.sent)));
    this.#resolveClosed(reason);
  }
}

function failed(reason: Problem): CompanionReply {
  return { kind: 'failed', problem: reason };
}

function badReply(reason: string, line: string): Problem {
  return problem('companion.bad-reply', { reason }, line.slice(0, 2_000));
}

function lost(reason: Problem, sent: boolean): Problem {
  const code = sent ? 'companion.lost-after-send' : 'companion.lost-before-send';
  return problem(code, { reason: reason.code }, reason.raw);
}

/** `hello`'s line params. */
export function helloParams(address: CompanionAddress): string {
  return JSON.stringify({ protocol: COMPANION_PROTOCOL, token: address.token });
}

/**
 * Opens and authenticates. Throws `ProblemError`: what adb says of the socket, `companion.unauthenticated`,
 * `companion.unsupported-protocol`, `companion.bad-reply`, or that the connection was lost.
 */
export async function openConnection(
  io: DeviceIo,
  address: CompanionAddress,
  signal?: AbortSignal,
): Promise<{ readonly connection: CompanionConnection; readonly hello: CompanionHello }> {
  const connection = new CompanionConnection(await io.openLocalAbstract(address.socket, signal));
  const abort = () => connection.close(problem('call-cancelled', { sent: 'yes' }));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const reply = await connection.request('hello', helloParams(address), { replyWithinMs: ANSWER_GRACE_MS });
    if (reply.kind === 'failed') throw new ProblemError(reply.problem);
    if (reply.kind === 'error') throw new ProblemError(wireErrorProblem(reply.error));
    const hello = readHello(reply.value);
    if (!hello.ok) throw new ProblemError(problem('companion.bad-reply', { reason: hello.error.message }));
    return { connection, hello: hello.value };
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** A whole number of an answer, or null. */
export function numberOf(value: JsonObject, name: string): number | null {
  const number = member(value, name);
  return typeof number === 'number' ? number : null;
}
