import { ProblemError, problem } from '../../shared/model/problem.ts';

/** Packet ids of the shell protocol (adb `shell_protocol.h`): u8 id, u32 little-endian length, payload. */
export const ShellPacketId = { stdin: 0, stdout: 1, stderr: 2, exit: 3, closeStdin: 3 } as const;

export interface ShellPacket {
  readonly id: number;
  readonly data: Buffer;
}

const HEADER = 5;
/** adbd sends at most its payload limit, 1 MiB; more is not the shell protocol. */
const MAX_PACKET = 16 * 1024 * 1024;

export function encodeShellPacket(id: number, data: Uint8Array): Buffer {
  const packet = Buffer.allocUnsafe(HEADER + data.length);
  packet.writeUInt8(id, 0);
  packet.writeUInt32LE(data.length, 1);
  packet.set(data, HEADER);
  return packet;
}

/** Puts packets together again however the stream was cut. */
export class ShellPacketReader {
  #chunks: Buffer[] = [];
  #size = 0;

  /** The packets that are complete now. A length beyond 16 MiB throws `shell-protocol`. */
  push(chunk: Buffer): ShellPacket[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const packets: ShellPacket[] = [];
    while (this.#size >= HEADER) {
      const header = this.#peekHeader();
      const length = header.readUInt32LE(1);
      if (length > MAX_PACKET) {
        throw new ProblemError(problem('shell-protocol', { length }, header.toString('hex')));
      }
      if (this.#size < HEADER + length) break;
      const whole = this.#join();
      packets.push({ id: whole.readUInt8(0), data: whole.subarray(HEADER, HEADER + length) });
      const rest = whole.subarray(HEADER + length);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#size = rest.length;
    }
    return packets;
  }

  /** Whether a packet was cut off. */
  get pending(): boolean {
    return this.#size > 0;
  }

  #peekHeader(): Buffer {
    const first = this.#chunks[0];
    return first !== undefined && first.length >= HEADER ? first : this.#join();
  }

  #join(): Buffer {
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const whole = Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [whole];
    return whole;
  }
}
