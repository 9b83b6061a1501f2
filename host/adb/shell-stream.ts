import { Duplex } from 'node:stream';
import { ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import { encodeShellPacket, ShellPacketId, ShellPacketReader } from './shell-packets.ts';

const STDERR_KEPT = 64 * 1024;
const STDIN_CHUNK = 64 * 1024;

/**
 * A shell v2 service as the command's stdin and stdout. Stderr is kept aside,
 * its last 64 KiB. Without an exit packet the command's end was not seen: the
 * stream is destroyed with `device-connection-lost`, so that a cut output
 * never looks whole.
 */
export class ShellV2Stream extends Duplex {
  exitCode: number | null = null;
  readonly #service: Duplex;
  readonly #reader = new ShellPacketReader();
  readonly #command: string;
  #stderr: Buffer = Buffer.alloc(0);

  constructor(service: Duplex, command: string) {
    super({ allowHalfOpen: true });
    this.#service = service;
    this.#command = command;
    service.on('data', (chunk: Buffer) => this.#take(chunk));
    service.on('error', (error) => this.destroy(lost(command, error)));
    service.once('close', () => {
      if (this.exitCode === null) this.destroy(lost(command, null));
    });
    service.once('end', () => {
      if (this.exitCode === null) this.destroy(lost(command, null));
    });
  }

  get stderrText(): string {
    return this.#stderr.toString('utf8');
  }

  #take(chunk: Buffer): void {
    try {
      for (const packet of this.#reader.push(chunk)) {
        if (packet.id === ShellPacketId.stdout) {
          if (!this.push(packet.data)) this.#service.pause();
        } else if (packet.id === ShellPacketId.stderr) {
          this.#stderr = Buffer.concat([this.#stderr, packet.data]).subarray(-STDERR_KEPT);
          this.emit('stderr', packet.data);
        } else if (packet.id === ShellPacketId.exit) {
          this.exitCode = packet.data[0] ?? null;
          if (this.exitCode === null) throw new ProblemError(problem('shell-protocol', { length: 0 }));
          this.push(null);
          this.#service.destroy();
          return;
        }
      }
    } catch (error) {
      this.destroy(new ProblemError(toProblem(error)));
    }
  }

  override _read(): void {
    if (!this.#service.destroyed) this.#service.resume();
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    if (this.exitCode !== null || this.#service.destroyed) {
      callback(lost(this.#command, null));
      return;
    }
    const packets: Buffer[] = [];
    for (let at = 0; at < chunk.length; at += STDIN_CHUNK) {
      packets.push(encodeShellPacket(ShellPacketId.stdin, chunk.subarray(at, at + STDIN_CHUNK)));
    }
    this.#service.write(Buffer.concat(packets), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    if (this.exitCode !== null || this.#service.destroyed) callback();
    else this.#service.write(encodeShellPacket(ShellPacketId.closeStdin, new Uint8Array(0)), () => callback());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#service.destroy();
    callback(error);
  }
}

function lost(command: string, cause: Error | null): ProblemError {
  if (cause instanceof ProblemError) return cause;
  return new ProblemError(
    problem('device-connection-lost', { command: command.slice(0, 200) }, cause === null ? null : cause.message),
  );
}
