import { StringDecoder } from 'node:string_decoder';
import { type ByteSink, type ByteSource, EMPTY_SOURCE, Pipe, type ServiceChannel, toBytes } from './channel.ts';
import type { UserlandDevice } from './process.ts';
import { Shell } from './shell.ts';

/** Packet ids of the shell protocol, `shell,v2`. Source: `shell_protocol.h` of AOSP adb. */
const ID = { STDIN: 0, STDOUT: 1, STDERR: 2, EXIT: 3, CLOSE_STDIN: 4 } as const;
/** Payload of one output packet. */
const CHUNK = 64 * 1024;
/** A larger input packet is no shell protocol. */
const MAX_INPUT = 16 * 1024 * 1024;
/** Longest line that an interactive shell takes, in UTF-16 units. */
const MAX_LINE = 1024 * 1024;

/** `shell:CMD`: standard error is merged into the output, and the exit code is lost. */
export async function serveShellV1(channel: ServiceChannel, device: UserlandDevice, script: string): Promise<void> {
  await runShell(device, script, { stdin: channel, stdout: channel, stderr: channel, signal: channel.signal });
  channel.end();
}

/** `exec:CMD`: the command's standard output and input as they are; standard error goes the same way, as adbd does it. */
export async function serveExec(channel: ServiceChannel, device: UserlandDevice, script: string): Promise<void> {
  await serveShellV1(channel, device, script);
}

/** `shell,v2,…:CMD`: packets, standard error apart, and the exit code as the last packet. */
export async function serveShellV2(
  channel: ServiceChannel,
  device: UserlandDevice,
  script: string,
  terminal: boolean,
): Promise<void> {
  const stdin = new Pipe();
  // The input ends with the stream; how the reader ends is the shell's to see, not ours.
  void readPackets(channel, stdin).catch(() => stdin.end());
  const stdout = packetSink(channel, ID.STDOUT, terminal);
  const code = await runShell(device, script, {
    stdin,
    stdout,
    stderr: terminal ? stdout : packetSink(channel, ID.STDERR, false),
    signal: channel.signal,
  });
  stdin.abandon();
  if (channel.signal.aborted) return;
  await channel.write(encodePacket(ID.EXIT, Uint8Array.of(code & 0xff)));
  channel.end();
}

interface Io {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly signal: AbortSignal;
}

async function runShell(device: UserlandDevice, script: string, io: Io): Promise<number> {
  if (script !== '') return new Shell(device, io).run(script);
  // Each line is a script of its own; its commands do not read the lines that follow.
  const shell = new Shell(device, { ...io, stdin: EMPTY_SOURCE });
  for await (const line of linesOf(io.stdin)) {
    await shell.run(line);
    if (shell.exited || io.signal.aborted) break;
  }
  return shell.status;
}

async function* linesOf(source: ByteSource): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) {
    text += decoder.write(Buffer.from(chunk));
    if (text.length > MAX_LINE) return;
    const lines = text.split(/\r\n|\n|\r/);
    text = lines.pop() ?? '';
    yield* lines;
  }
  if (text !== '') yield text;
}

function encodePacket(id: number, payload: Uint8Array): Buffer {
  const packet = Buffer.alloc(5 + payload.length);
  packet.writeUInt8(id, 0);
  packet.writeUInt32LE(payload.length, 1);
  packet.set(payload, 5);
  return packet;
}

const packetSink = (channel: ServiceChannel, id: number, terminal: boolean): ByteSink => ({
  write: async (data) => {
    const bytes = terminal
      ? toBytes(Buffer.from(toBytes(data)).toString('utf8').replace(/\n/g, '\r\n'))
      : toBytes(data);
    for (let offset = 0; offset < bytes.length; offset += CHUNK) {
      await channel.write(encodePacket(id, bytes.subarray(offset, offset + CHUNK)));
    }
  },
});

/** Moves STDIN packets into the pipe until CLOSE_STDIN or the end; window sizes and unknown ids are passed over. */
async function readPackets(channel: ServiceChannel, stdin: Pipe): Promise<void> {
  let buffer: Buffer = Buffer.alloc(0);
  for (let chunk = await channel.read(); chunk !== null; chunk = await channel.read()) {
    buffer = buffer.length === 0 ? Buffer.from(chunk) : Buffer.concat([buffer, chunk]);
    while (buffer.length >= 5) {
      const length = buffer.readUInt32LE(1);
      if (length > MAX_INPUT) {
        channel.peer.destroy();
        return;
      }
      if (buffer.length < 5 + length) break;
      const id = buffer.readUInt8(0);
      const payload = buffer.subarray(5, 5 + length);
      buffer = buffer.subarray(5 + length);
      if (id === ID.STDIN) await stdin.write(payload);
      else if (id === ID.CLOSE_STDIN) stdin.end();
    }
  }
  stdin.end();
}
