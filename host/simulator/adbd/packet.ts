/**
 * Packets of the adb device protocol: a 24-byte little-endian header
 * (command, arg0, arg1, length, checksum, magic) and a payload.
 * Source: `protocol.txt` and `types.h` of AOSP adb.
 */

const tag = (text: string): number => Buffer.from(text, 'latin1').readUInt32LE(0);

export const COMMAND = {
  CNXN: tag('CNXN'),
  AUTH: tag('AUTH'),
  OPEN: tag('OPEN'),
  OKAY: tag('OKAY'),
  WRTE: tag('WRTE'),
  CLSE: tag('CLSE'),
} as const;

export const AUTH_TYPE = { TOKEN: 1, SIGNATURE: 2, PUBLIC_KEY: 3 } as const;

/** The first protocol version; its packets carry a checksum. */
export const VERSION_MIN = 0x01000000;
/** From this version on, checksums are neither written nor looked at. */
export const VERSION_SKIP_CHECKSUM = 0x01000001;

/** Bytes of payload that this side takes in one packet. */
export const MAX_PAYLOAD = 1024 * 1024;

const HEADER_BYTES = 24;

export interface Packet {
  readonly command: number;
  readonly arg0: number;
  readonly arg1: number;
  readonly payload: Buffer;
}

/** The sum of all payload bytes, modulo 2^32. */
export function checksum(payload: Uint8Array): number {
  let sum = 0;
  for (const byte of payload) sum = (sum + byte) >>> 0;
  return sum;
}

/** Header and payload as two buffers, so that a large payload is not copied. */
export function encodePacket(packet: Packet, withChecksum: boolean): readonly [Buffer, Buffer] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(packet.command, 0);
  header.writeUInt32LE(packet.arg0 >>> 0, 4);
  header.writeUInt32LE(packet.arg1 >>> 0, 8);
  header.writeUInt32LE(packet.payload.length, 12);
  header.writeUInt32LE(withChecksum ? checksum(packet.payload) : 0, 16);
  header.writeUInt32LE((packet.command ^ 0xffffffff) >>> 0, 20);
  return [header, packet.payload];
}

/** A peer that does not speak the protocol; the connection is closed. */
export class PacketError extends Error {
  override readonly name = 'PacketError';
}

/**
 * Cuts a byte stream into packets. Throws `PacketError` for a wrong magic, a
 * payload above `MAX_PAYLOAD`, or (while `verifyChecksum`) a wrong checksum.
 */
export class PacketReader {
  verifyChecksum = true;
  #chunks: Buffer[] = [];
  #length = 0;

  /** Takes bytes and returns the packets that they complete. */
  push(chunk: Buffer): Packet[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const packets: Packet[] = [];
    for (let packet = this.#next(); packet !== null; packet = this.#next()) packets.push(packet);
    return packets;
  }

  #next(): Packet | null {
    if (this.#length < HEADER_BYTES) return null;
    const header = this.#peekHeader();
    const command = header.readUInt32LE(0);
    if (header.readUInt32LE(20) !== (command ^ 0xffffffff) >>> 0) throw new PacketError('wrong magic');
    const size = header.readUInt32LE(12);
    if (size > MAX_PAYLOAD) throw new PacketError(`payload of ${size} bytes`);
    if (this.#length < HEADER_BYTES + size) return null;
    const all = this.#joined();
    const payload = all.subarray(HEADER_BYTES, HEADER_BYTES + size);
    const rest = all.subarray(HEADER_BYTES + size);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    if (this.verifyChecksum && checksum(payload) !== header.readUInt32LE(16)) throw new PacketError('wrong checksum');
    return { command, arg0: header.readUInt32LE(4), arg1: header.readUInt32LE(8), payload };
  }

  #peekHeader(): Buffer {
    const [first] = this.#chunks;
    return first !== undefined && first.length >= HEADER_BYTES ? first : this.#joined();
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const all = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
