import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { assertNever } from '../../../shared/base/assert-never.ts';
import type { AttachedDevice, DeviceTable } from './device-table.ts';
import { type HostRequest, parseHostRequest } from './host-request.ts';

/** The protocol number of adb 1.0.41. */
const SERVER_VERSION = 41;
const HOST_FEATURES = 'shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir';

const hex4 = (value: number): string => value.toString(16).padStart(4, '0');

/** A length-prefixed text. The length is cut to what four digits can say, as adb does. */
function framed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8').subarray(0, 0xffff);
  return Buffer.concat([Buffer.from(hex4(bytes.length), 'latin1'), bytes]);
}

/** One client of the server: a request, perhaps a second one after `transport`, then a raw stream. */
export class HostClient {
  readonly #socket: Socket;
  readonly #table: DeviceTable;
  #buffer = Buffer.alloc(0);
  #device: AttachedDevice | null = null;
  #untrack: (() => void) | null = null;
  #tracking = false;

  constructor(socket: Socket, table: DeviceTable) {
    this.#socket = socket;
    this.#table = table;
    socket.setNoDelay(true);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#untrack?.());
  }

  #onEnd = (): void => {
    this.#socket.destroy();
  };

  #onData = (chunk: Buffer): void => {
    // A client that tracks devices has nothing more to say: adb closes when it does.
    if (this.#tracking) {
      this.#socket.destroy();
      return;
    }
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 4 && !this.#socket.destroyed) {
      const digits = this.#buffer.toString('latin1', 0, 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.#fail('invalid length');
        return;
      }
      const end = 4 + Number.parseInt(digits, 16);
      if (this.#buffer.length < end) return;
      const request = this.#buffer.toString('utf8', 4, end);
      this.#buffer = this.#buffer.subarray(end);
      if (this.#handle(parseHostRequest(request)) === 'taken') return;
    }
  };

  /** `taken`: the socket carries no further request. */
  #handle(request: HostRequest): 'more' | 'taken' {
    switch (request.kind) {
      case 'version':
        return this.#answer(hex4(SERVER_VERSION));
      case 'host-features':
        return this.#answer(HOST_FEATURES);
      case 'devices':
        return this.#answer(this.#table.list(request.long));
      case 'track-devices':
        return this.#track(request.long);
      case 'transport':
        return this.#choose(request);
      case 'get':
        return this.#get(request);
      case 'wait-for':
        return this.#waitFor(request);
      case 'connect':
        return this.#connect(request.address);
      case 'disconnect':
        return this.#disconnect(request.address);
      case 'pair':
        return this.#answer('Failed: the demo server has built-in devices only and cannot pair.');
      case 'list-forward':
        return this.#answer('');
      case 'unsupported':
        return this.#fail(`the demo server does not support: ${request.what}`);
      case 'unknown':
        return this.#fail(`unknown host service '${request.service}'`);
      case 'device-service':
        return this.#openService(request.service);
      default:
        return assertNever(request);
    }
  }

  #answer(text: string): 'taken' {
    this.#socket.end(Buffer.concat([Buffer.from('OKAY', 'latin1'), framed(text)]));
    return 'taken';
  }

  #fail(text: string): 'taken' {
    this.#socket.end(Buffer.concat([Buffer.from('FAIL', 'latin1'), framed(text)]));
    return 'taken';
  }

  #track(long: boolean): 'taken' {
    const send = (): void => {
      this.#socket.write(framed(this.#table.list(long)));
    };
    this.#tracking = true;
    this.#socket.write('OKAY');
    send();
    this.#untrack = this.#table.onChange(send);
    return 'taken';
  }

  #choose(request: Extract<HostRequest, { kind: 'transport' }>): 'more' | 'taken' {
    const selection = this.#table.selectOnline(request.selector);
    if (!selection.ok) return this.#fail(selection.text);
    this.#device = selection.device;
    const id = Buffer.alloc(request.tellId ? 8 : 0);
    if (request.tellId) id.writeBigUInt64LE(BigInt(selection.device.transportId));
    this.#socket.write(Buffer.concat([Buffer.from('OKAY', 'latin1'), id]));
    return 'more';
  }

  #get(request: Extract<HostRequest, { kind: 'get' }>): 'taken' {
    const selection = this.#table.select(request.selector);
    if (!selection.ok) return this.#fail(selection.text);
    const { services, state } = selection.device;
    switch (request.what) {
      case 'state':
        return this.#answer(state);
      case 'serialno':
        return this.#answer(services.serial);
      case 'devpath':
        return this.#answer('unknown');
      case 'features':
        return this.#answer(services.features.join(','));
      default:
        return assertNever(request.what);
    }
  }

  /** OKAY at once, and another OKAY as soon as the device is in that state. */
  #waitFor({ selector, state }: Extract<HostRequest, { kind: 'wait-for' }>): 'taken' {
    const check = (): void => {
      const selection = this.#table.select(selector);
      const there = selection.ok ? state === 'any' || selection.device.state === state : state === 'disconnect';
      if (!there) return;
      this.#untrack?.();
      this.#socket.end('OKAY');
    };
    this.#socket.write('OKAY');
    this.#untrack = this.#table.onChange(check);
    check();
    return 'taken';
  }

  #connect(address: string): 'taken' {
    const known = this.#table.devices.some((device) => device.services.serial === address);
    return this.#answer(
      known
        ? `already connected to ${address}`
        : `failed to connect to '${address}': the demo server has built-in devices only`,
    );
  }

  #disconnect(address: string): 'taken' {
    const known = this.#table.devices.some((device) => device.services.serial === address);
    return this.#fail(
      known ? `'${address}' is a built-in demo device and stays connected` : `no such device '${address}'`,
    );
  }

  #openService(service: string): 'taken' {
    const device = this.#device;
    // Without a device chosen before, adb looks in vain for a service of the server's own.
    if (device === null) return this.#fail(`unknown host service '${service}'`);
    if (!this.#table.isOnline(device)) return this.#fail('closed');
    const stream = device.services.open(service);
    if (stream === null) return this.#fail('closed');
    this.#untrack = this.#table.onChange(() => {
      if (!this.#table.isOnline(device)) this.#socket.destroy();
    });
    this.#carry(stream);
    return 'taken';
  }

  /** From here on the socket is the service's byte stream. */
  #carry(stream: Duplex): void {
    const socket = this.#socket;
    socket.pause();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    if (this.#buffer.length > 0) socket.unshift(this.#buffer);
    socket.write('OKAY');
    stream.on('error', () => socket.destroy());
    stream.on('close', () => {
      if (!socket.writableEnded) socket.destroy();
    });
    socket.on('close', () => stream.destroy());
    // A client that closes its side wants no more answers, but what it sent is still delivered.
    stream.on('finish', () => stream.destroy());
    stream.pipe(socket);
    socket.pipe(stream);
  }
}
