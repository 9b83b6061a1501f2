import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { DeviceServices } from '../virtual-device.ts';
import {
  AUTH_TYPE,
  COMMAND,
  encodePacket,
  MAX_PAYLOAD,
  type Packet,
  PacketReader,
  VERSION_MIN,
  VERSION_SKIP_CHECKSUM,
} from './packet.ts';

/** More open streams than this on one connection are refused. */
const MAX_STREAMS = 1024;
/** Payload that the oldest peers take. */
const MIN_MAX_PAYLOAD = 4096;

const EMPTY = Buffer.alloc(0);

interface Stream {
  readonly localId: number;
  readonly remoteId: number;
  readonly service: Duplex;
  /** One WRTE is in flight until the peer's OKAY. */
  awaitingOkay: boolean;
  /** Writes that the service has not taken yet; a server that closes sends its last ones without waiting. */
  untaken: number;
  ended: boolean;
}

/** One adb server's connection to the device: handshake, then streams. */
export class AdbdConnection {
  readonly #socket: Socket;
  readonly #services: DeviceServices;
  readonly #authorized: boolean;
  readonly #reader = new PacketReader();
  readonly #streams = new Map<number, Stream>();
  /** Closed by the peer, and still taking what it sent before. */
  readonly #leaving = new Set<Duplex>();
  #nextId = 1;
  #online = false;
  #withChecksum = true;
  #maxPayload = MIN_MAX_PAYLOAD;

  constructor(socket: Socket, services: DeviceServices, authorized: boolean) {
    this.#socket = socket;
    this.#services = services;
    this.#authorized = authorized;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#pumpAll());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closeStreams());
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const packet of this.#reader.push(chunk)) this.#handle(packet);
    } catch {
      this.#socket.destroy();
    }
  }

  #handle(packet: Packet): void {
    if (packet.command === COMMAND.CNXN) this.#connect(packet);
    else if (packet.command === COMMAND.AUTH) this.#authenticate(packet);
    else if (!this.#online) return;
    else if (packet.command === COMMAND.OPEN) this.#open(packet);
    else if (packet.command === COMMAND.OKAY) this.#acknowledged(packet);
    else if (packet.command === COMMAND.WRTE) this.#written(packet);
    else if (packet.command === COMMAND.CLSE) this.#closedByPeer(packet);
  }

  #connect(packet: Packet): void {
    this.#closeStreams();
    this.#online = false;
    this.#maxPayload = Math.max(MIN_MAX_PAYLOAD, Math.min(packet.arg1, MAX_PAYLOAD));
    this.#reader.verifyChecksum = packet.arg0 < VERSION_SKIP_CHECKSUM;
    if (!this.#authorized) {
      this.#sendToken();
      return;
    }
    this.#online = true;
    // The banner always carries its checksum: the peer does not know our version yet.
    this.#withChecksum = true;
    this.#send(COMMAND.CNXN, VERSION_SKIP_CHECKSUM, MAX_PAYLOAD, Buffer.from(this.#services.banner, 'utf8'));
    this.#withChecksum = Math.min(packet.arg0, VERSION_SKIP_CHECKSUM) <= VERSION_MIN;
  }

  /** Each signature is refused with another token; after the public key the device waits for its owner. */
  #authenticate(packet: Packet): void {
    if (!this.#authorized && packet.arg0 === AUTH_TYPE.SIGNATURE) this.#sendToken();
  }

  #sendToken(): void {
    this.#withChecksum = true;
    this.#send(COMMAND.AUTH, AUTH_TYPE.TOKEN, 0, randomBytes(20));
  }

  #open(packet: Packet): void {
    const remoteId = packet.arg0;
    const name = packet.payload.toString('utf8').replace(/\0+$/, '');
    const service = this.#streams.size >= MAX_STREAMS ? null : this.#services.open(name);
    if (service === null) {
      this.#send(COMMAND.CLSE, 0, remoteId, EMPTY);
      return;
    }
    const stream: Stream = {
      localId: this.#nextId++,
      remoteId,
      service,
      awaitingOkay: false,
      untaken: 0,
      ended: false,
    };
    this.#streams.set(stream.localId, stream);
    service.on('readable', () => this.#pump(stream));
    service.on('end', () => {
      stream.ended = true;
      this.#pump(stream);
    });
    service.on('error', () => this.#end(stream));
    service.on('close', () => {
      stream.ended = true;
      this.#pump(stream);
    });
    this.#send(COMMAND.OKAY, stream.localId, remoteId, EMPTY);
    this.#pump(stream);
  }

  /** Sends the next chunk, when the peer has taken the last one and the socket is not full. */
  #pump(stream: Stream): void {
    if (this.#streams.get(stream.localId) !== stream || stream.awaitingOkay) return;
    if (this.#socket.writableNeedDrain) return;
    const chunk = readUpTo(stream.service, this.#maxPayload);
    if (chunk !== null) {
      stream.awaitingOkay = true;
      this.#send(COMMAND.WRTE, stream.localId, stream.remoteId, chunk);
    } else if (stream.ended) {
      this.#end(stream);
    }
  }

  #pumpAll(): void {
    for (const stream of this.#streams.values()) this.#pump(stream);
  }

  #acknowledged(packet: Packet): void {
    const stream = this.#streamOf(packet);
    if (stream === undefined) return;
    stream.awaitingOkay = false;
    this.#pump(stream);
  }

  #written(packet: Packet): void {
    const stream = this.#streamOf(packet);
    if (stream === undefined) {
      this.#send(COMMAND.CLSE, 0, packet.arg0, EMPTY);
      return;
    }
    if (!stream.service.writable) {
      // The service reads no more: what is sent to it goes nowhere, as with a closed pipe.
      this.#send(COMMAND.OKAY, stream.localId, stream.remoteId, EMPTY);
      return;
    }
    stream.untaken++;
    stream.service.write(packet.payload, (error) => {
      stream.untaken--;
      if (error != null || this.#streams.get(stream.localId) !== stream) return;
      this.#send(COMMAND.OKAY, stream.localId, stream.remoteId, EMPTY);
    });
  }

  #closedByPeer(packet: Packet): void {
    const stream = this.#streamOf(packet);
    if (stream === undefined) return;
    this.#streams.delete(stream.localId);
    const { service } = stream;
    // A service keeps the one write that it was given; what is queued behind it would be lost.
    if (stream.untaken <= 1) {
      service.destroy();
      return;
    }
    this.#leaving.add(service);
    service.once('finish', () => service.destroy());
    service.once('close', () => this.#leaving.delete(service));
    // Nobody takes its output any more.
    service.resume();
    service.end();
  }

  #streamOf(packet: Packet): Stream | undefined {
    const stream = this.#streams.get(packet.arg1);
    return stream !== undefined && stream.remoteId === packet.arg0 ? stream : undefined;
  }

  #end(stream: Stream): void {
    if (!this.#streams.delete(stream.localId)) return;
    this.#send(COMMAND.CLSE, stream.localId, stream.remoteId, EMPTY);
    stream.service.destroy();
  }

  #closeStreams(): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.service.destroy();
    for (const service of [...this.#leaving]) service.destroy();
  }

  #send(command: number, arg0: number, arg1: number, payload: Buffer): void {
    if (this.#socket.destroyed) return;
    const [header, body] = encodePacket({ command, arg0, arg1, payload }, this.#withChecksum);
    this.#socket.write(header);
    if (body.length > 0) this.#socket.write(body);
  }
}

/** What the stream holds, at most `limit` bytes; null when there is nothing now. */
function readUpTo(service: Duplex, limit: number): Buffer | null {
  if (service.destroyed && service.readableLength === 0) return null;
  const size = Math.min(service.readableLength, limit);
  const chunk: unknown = size > 0 ? service.read(size) : service.read();
  if (chunk === null) return null;
  const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk), 'utf8');
  if (bytes.length <= limit) return bytes;
  service.unshift(bytes.subarray(limit));
  return bytes.subarray(0, limit);
}
