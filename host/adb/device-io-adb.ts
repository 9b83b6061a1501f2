import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import type { DeviceIo, ShellOptions, ShellResult, ShellStream } from './device-io.ts';
import { planRange } from './range-plan.ts';
import { collect, withLimit } from './service-limits.ts';
import { encodeShellPacket, ShellPacketId, ShellPacketReader } from './shell-packets.ts';
import { quoteShellCommand, quoteShellWord } from './shell-quote.ts';
import { ShellV2Stream } from './shell-stream.ts';
import { syncPush } from './sync-push.ts';
import type { AdbServerConnection, ServiceStream } from './transport.ts';

const SHELL_MS = 15_000;
const SHELL_BYTES = 8 * 1024 * 1024;
const READ_MS = 60_000;
const READ_BYTES = 64 * 1024 * 1024;
const PUSH_MS = 120_000;
/** `sun_path` less its leading NUL. */
const SOCKET_NAME_MAX = 107;

export interface DeviceIoOptions {
  readonly connection: Pick<AdbServerConnection, 'openService' | 'features'>;
  readonly serial: string;
  readonly deviceKey: string;
  /** Read each time, so that it may become known later. */
  readonly sdk: number | null;
}

/** `DeviceIo` over adb services, one connection a command. Every failure is a `ProblemError`. */
export function createDeviceIo(options: DeviceIoOptions): DeviceIo {
  const { connection, serial } = options;
  let shellV2: Promise<boolean> | null = null;
  const hasShellV2 = (): Promise<boolean> => {
    if (shellV2 !== null) return shellV2;
    const asked = connection.features(serial).then((features) => features.includes('shell_v2'));
    shellV2 = asked;
    asked.catch(() => {
      shellV2 = null;
    });
    return asked;
  };

  const shell = async (args: readonly string[], shellOptions: ShellOptions = {}): Promise<ShellResult> => {
    const command = quoteShellCommand(args);
    const limit = {
      timeoutMs: shellOptions.timeoutMs ?? SHELL_MS,
      what: command.slice(0, 200),
      code: 'shell-timeout',
      ...(shellOptions.signal === undefined ? {} : { signal: shellOptions.signal }),
    };
    const maxBytes = shellOptions.maxBytes ?? SHELL_BYTES;
    return withLimit(limit, async (signal) => {
      if (await hasShellV2()) {
        const service = await connection.openService(serial, `shell,v2,raw:${command}`, signal);
        return runShellV2(service, command, maxBytes);
      }
      const service = await connection.openService(serial, `shell:${withMarker(command)}`, signal);
      return readShellV1(await collect(service, maxBytes, command), command);
    });
  };

  const fileSize = async (path: string, signal?: AbortSignal): Promise<number> => {
    // No `-L`: the `stat` of Android 8 may lack it, and the files read here (APKs, our own) are no links.
    const result = await shell(['stat', '-c', '%s', path], signal === undefined ? {} : { signal });
    const text = result.stdout.trim();
    if (result.exitCode !== 0 || !/^\d{1,15}$/.test(text)) {
      const raw = [result.stdout.trim(), result.stderr.trim()].filter(Boolean).join('\n');
      throw new ProblemError(problem('file-unreadable', { path }, raw));
    }
    return Number(text);
  };

  return {
    deviceKey: options.deviceKey,
    get sdk() {
      return options.sdk;
    },
    shell,
    fileSize,

    async shellStream(args, signal): Promise<ShellStream> {
      const command = quoteShellCommand(args);
      if (!(await hasShellV2())) return connection.openService(serial, `exec:${command}`, signal);
      const service = await connection.openService(serial, `shell,v2,raw:${command}`, signal);
      return new ShellV2Stream(service, command);
    },

    async readRange(path, offset, length, signal) {
      if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0) {
        throw new RangeError(`Not a byte range: ${offset} + ${length}`);
      }
      if (length > READ_BYTES) throw new ProblemError(problem('read-too-large', { path, length, limit: READ_BYTES }));
      if (length === 0) return new Uint8Array(0);
      const plan = planRange(offset, length);
      const command = `dd if=${quoteShellWord(path)} bs=${plan.blockSize} skip=${plan.skip} count=${plan.count} 2>/dev/null`;
      const limit = {
        timeoutMs: READ_MS,
        what: path,
        code: 'read-timeout',
        ...(signal === undefined ? {} : { signal }),
      };
      const bytes = await withLimit(limit, async (inner) => {
        const service = await connection.openService(serial, `exec:${command}`, inner);
        return collect(service, plan.count * plan.blockSize, command);
      });
      const part = bytes.subarray(plan.lead, plan.lead + length);
      if (part.length < length) {
        // `exec:` has no status: a missing file and a lost cable read like the end of the file.
        const size = await fileSize(path, signal);
        const expected = Math.max(0, Math.min(length, size - offset));
        if (part.length !== expected) {
          throw new ProblemError(problem('file-read-short', { path, expected, got: part.length }));
        }
      }
      return part;
    },

    async push(path, data, signal) {
      const limit = {
        timeoutMs: PUSH_MS,
        what: path,
        code: 'push-timeout',
        ...(signal === undefined ? {} : { signal }),
      };
      await withLimit(limit, async (inner) => {
        const service = await connection.openService(serial, 'sync:', inner);
        try {
          await syncPush(service, path, data, Date.now());
        } finally {
          if (!service.writableEnded) service.destroy();
        }
      });
    },

    async openLocalAbstract(name, signal): Promise<ServiceStream> {
      const length = Buffer.byteLength(name, 'utf8');
      if (length === 0 || length > SOCKET_NAME_MAX) {
        throw new ProblemError(problem('socket-name-invalid', { length, limit: SOCKET_NAME_MAX }));
      }
      return connection.openService(serial, `localabstract:${name}`, signal);
    },
  };
}

async function runShellV2(service: Duplex, command: string, maxBytes: number): Promise<ShellResult> {
  const reader = new ShellPacketReader();
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  const sizes = { out: 0, err: 0 };
  let exitCode: number | null = null;
  service.write(encodeShellPacket(ShellPacketId.closeStdin, new Uint8Array(0)));
  try {
    for await (const chunk of service) {
      for (const packet of reader.push(chunk as Buffer)) {
        if (packet.id === ShellPacketId.stdout) {
          sizes.out += packet.data.length;
          out.push(packet.data);
        } else if (packet.id === ShellPacketId.stderr) {
          sizes.err += packet.data.length;
          errors.push(packet.data);
        } else if (packet.id === ShellPacketId.exit) {
          exitCode = packet.data[0] ?? null;
        }
        if (sizes.out > maxBytes || sizes.err > maxBytes) throw outputTooLarge(command, maxBytes);
      }
      if (exitCode !== null) break;
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw connectionLost(command, error);
  } finally {
    service.destroy();
  }
  if (exitCode === null) throw connectionLost(command, null);
  return {
    stdout: Buffer.concat(out).toString('utf8'),
    stderr: Buffer.concat(errors).toString('utf8'),
    exitCode,
  };
}

const MARKER = `cetp-end-${randomUUID()}:`;

/** Shell v1 tells neither the exit code nor a cut output; a last line of our own tells both. */
function withMarker(command: string): string {
  return `${command}; echo "${MARKER}$?"`;
}

function readShellV1(bytes: Buffer, command: string): ShellResult {
  const text = bytes.toString('utf8');
  const at = text.lastIndexOf(MARKER);
  const code = at < 0 ? null : /^(\d{1,3})\s*$/.exec(text.slice(at + MARKER.length))?.[1];
  if (code === null || code === undefined) throw connectionLost(command, null);
  return { stdout: text.slice(0, at), stderr: '', exitCode: Number(code) };
}

function outputTooLarge(command: string, limit: number): ProblemError {
  return new ProblemError(problem('shell-output-too-large', { command: command.slice(0, 200), limit }));
}

function connectionLost(command: string, cause: unknown): ProblemError {
  const raw = cause instanceof Error ? cause.message : null;
  return new ProblemError(problem('device-connection-lost', { command: command.slice(0, 200) }, raw));
}
