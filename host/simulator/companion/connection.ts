import type { Duplex } from 'node:stream';
import type { PackageEvent } from '../virtual-device.ts';
import { type Frame, FrameReader, isRecord, MAX_LINE_BYTES, own } from './frames.ts';
import { helloOp } from './hello.ts';
import { launchOp, startForResultOp } from './op-activity.ts';
import { callOp } from './op-call.ts';
import { discoverOp } from './op-discover.ts';
import { streamDescriptor } from './op-read.ts';
import { isRequestId, Params } from './params.ts';
import { type CompanionProcess, EMPTY_RESULT, type OpResult } from './process.ts';
import { ProtocolError } from './protocol-error.ts';
import { TRIGGER_STATUSES, type TriggerStatus } from './triggers.ts';

const MAX_IN_FLIGHT = 16;
const HELLO_LIMIT_MS = 10_000;
/** Never counted as in flight, so that they work when a connection is busy. */
const UNCOUNTED: ReadonlySet<string> = new Set(['cancel', 'release', 'ping']);

export interface ConnectionHooks {
  readonly token: string;
  readonly onAuthenticated: (connection: Connection) => void;
  readonly onClosed: (connection: Connection) => void;
  readonly onTriggerAck: (id: string, status: TriggerStatus) => void;
}

interface InFlight {
  readonly counted: boolean;
  readonly abort: AbortController;
}

type State = 'new' | 'ready' | 'streaming' | 'closed';

/** One connection to the companion: framing, authentication, the requests in flight. */
export class Connection {
  watchesPackages = false;
  watchesTriggers = false;
  private readonly process: CompanionProcess;
  private readonly stream: Duplex;
  private readonly hooks: ConnectionHooks;
  private readonly reader = new FrameReader();
  private readonly received: Buffer[] = [];
  private readonly inFlight = new Map<number, InFlight>();
  private readonly cancelHelloTimer: () => void;
  private state: State = 'new';

  constructor(process: CompanionProcess, stream: Duplex, hooks: ConnectionHooks) {
    this.process = process;
    this.stream = stream;
    this.hooks = hooks;
    this.cancelHelloTimer = process.host.clock.after(HELLO_LIMIT_MS, () => this.close());
    stream.on('data', (chunk: Buffer) => this.receive(chunk));
    stream.on('end', () => this.close());
    stream.on('close', () => this.close());
    stream.on('error', () => this.close());
  }

  /** Ends the connection: what it asked for is abandoned, what it held is closed. */
  close(): void {
    if (this.state === 'closed') return;
    // A descriptor that was sent to its end still has bytes on the way; one that was left is cut.
    const cut = this.state === 'streaming' && !this.stream.writableEnded;
    this.state = 'closed';
    this.cancelHelloTimer();
    for (const request of this.inFlight.values()) request.abort.abort();
    this.process.handles.releaseOwnedBy(this);
    if (cut) this.stream.destroy();
    else this.stream.end();
    this.hooks.onClosed(this);
  }

  sendEvent(event: string, dataText: string): void {
    if (this.state !== 'ready') return;
    this.stream.write(`{"event":${JSON.stringify(event)},"data":${dataText}}\n`);
  }

  sendPackageEvent(event: PackageEvent): void {
    if (this.watchesPackages) this.sendEvent('package', JSON.stringify(event));
  }

  /** In memory a reply can bring the next request before this returns: chunks wait for their turn. */
  private receive(chunk: Buffer): void {
    this.received.push(chunk);
    if (this.received.length > 1) return;
    for (let next = this.received[0]; next !== undefined; next = this.received[0]) {
      this.decode(next);
      this.received.shift();
    }
  }

  private decode(chunk: Buffer): void {
    if (this.state === 'streaming' || this.state === 'closed') return;
    try {
      this.reader.push(chunk, (frame) => {
        if (this.state === 'new' || this.state === 'ready') this.accept(frame);
      });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.refuse(null, error);
      this.close();
    }
  }

  private accept(frame: Frame): void {
    const id = own(frame, 'id');
    if (!isRequestId(id)) {
      this.refuse(null, new ProtocolError('BAD_PARAMS', 'id must be an integer from 0 to 2^53-1'));
      return;
    }
    if (this.inFlight.has(id)) {
      this.refuse(null, new ProtocolError('BAD_PARAMS', `id ${id} is in flight already`));
      return;
    }
    const op = own(frame, 'op');
    if ((op === 'hello') === (this.state === 'ready')) {
      this.refuse(id, new ProtocolError('UNAUTHENTICATED', 'hello must be the first request, once'));
      this.close();
      return;
    }
    void this.serve(id, typeof op === 'string' ? op : '', own(frame, 'params') ?? {});
  }

  private async serve(id: number, op: string, rawParams: unknown): Promise<void> {
    const counted = !UNCOUNTED.has(op);
    const request: InFlight = { counted, abort: new AbortController() };
    const busy = counted && [...this.inFlight.values()].filter((other) => other.counted).length >= MAX_IN_FLIGHT;
    const alone = this.inFlight.size === 0;
    this.inFlight.set(id, request);
    try {
      if (busy) throw new ProtocolError('BUSY', `${MAX_IN_FLIGHT} requests are in flight`);
      if (!isRecord(rawParams)) throw new ProtocolError('BAD_PARAMS', 'params must be an object');
      const params = new Params(rawParams);
      if (op === 'read') {
        this.read(id, params, alone);
        return;
      }
      const result = this.run(op, params, request.abort.signal);
      this.reply(id, result instanceof Promise ? await result : result);
    } catch (error) {
      this.fail(id, error);
    } finally {
      this.inFlight.delete(id);
    }
  }

  private run(op: string, params: Params, signal: AbortSignal): OpResult | Promise<OpResult> {
    const { process } = this;
    switch (op) {
      case 'hello':
        return this.hello(params);
      case 'ping': {
        const now = process.host.clock.now();
        return { text: `{"elapsedRealtimeMs":${now - process.bootTimeMs},"wallClockMs":${now}}` };
      }
      case 'discover':
        return discoverOp(process, params);
      case 'call':
        return callOp(process, params, this, signal);
      case 'launch':
        return launchOp(process, params, this, signal);
      case 'startForResult':
        return startForResultOp(process, params, this, signal);
      case 'release':
        process.handles.release(params.strings('handles'));
        return EMPTY_RESULT;
      case 'cancel':
        return this.cancel(params.id('id'));
      case 'watch':
        this.watchesPackages = params.optionalBoolean('packages') ?? this.watchesPackages;
        this.watchesTriggers = params.optionalBoolean('triggers') ?? this.watchesTriggers;
        return EMPTY_RESULT;
      case 'triggerAck':
        this.hooks.onTriggerAck(params.string('id'), params.oneOf('status', TRIGGER_STATUSES));
        return EMPTY_RESULT;
      default:
        throw new ProtocolError('UNKNOWN_OP', 'No such operation');
    }
  }

  private hello(params: Params): OpResult {
    const result = helloOp(this.process, params, this.hooks.token);
    this.state = 'ready';
    this.cancelHelloTimer();
    this.hooks.onAuthenticated(this);
    return result;
  }

  private cancel(id: number): OpResult {
    const request = this.inFlight.get(id);
    const cancellable = request?.counted === true && !request.abort.signal.aborted;
    if (cancellable) request.abort.abort();
    return { text: `{"cancelled":${cancellable}}` };
  }

  private read(id: number, params: Params, alone: boolean): void {
    if (!alone) throw new ProtocolError('BUSY', 'read needs a connection with nothing else in flight');
    const fd = this.process.handles.takeFd(params.string('handle'));
    this.reply(id, { text: `{"size":${fd.size}}` });
    this.state = 'streaming';
    void streamDescriptor(this.stream, fd).then(() => this.close());
  }

  private fail(id: number, error: unknown): void {
    if (error instanceof ProtocolError) {
      this.refuse(id, error);
      if (error.code === 'UNAUTHENTICATED') this.close();
      return;
    }
    this.refuse(id, new ProtocolError('INTERNAL', error instanceof Error ? error.message : String(error)));
  }

  private reply(id: number, result: OpResult): void {
    const line = Buffer.from(`{"id":${id},"ok":${result.text}}\n`);
    if (line.length > MAX_LINE_BYTES) {
      this.process.handles.release(result.handles ?? []);
      throw new ProtocolError('REPLY_TOO_LARGE', `The reply has ${line.length} bytes, more than ${MAX_LINE_BYTES}`);
    }
    if (this.state === 'closed') this.process.handles.release(result.handles ?? []);
    else this.stream.write(line);
  }

  private refuse(id: number | null, error: ProtocolError): void {
    if (this.state !== 'closed') this.stream.write(`{"id":${id},"error":${error.toWire()}}\n`);
  }
}
