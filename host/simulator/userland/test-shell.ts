import type { Duplex } from 'node:stream';
import type { DeviceServices } from '../virtual-device.ts';

export interface ShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Null: the stream ended without an exit packet. */
  readonly code: number | null;
}

/** Everything that a stream says until it ends. */
export async function drain(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Opens a service that must be there. */
export function open(services: DeviceServices, service: string): Duplex {
  const stream = services.open(service);
  if (stream === null) throw new Error(`refused: ${service}`);
  return stream;
}

/** Runs a script by `shell,v2,raw:` and takes its packets apart. */
export async function shell(services: DeviceServices, script: string): Promise<ShellOutput> {
  const bytes = await drain(open(services, `shell,v2,raw:${script}`));
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let code: number | null = null;
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 1);
    const payload = bytes.subarray(at + 5, at + 5 + length);
    if (bytes[at] === 1) out.push(payload);
    else if (bytes[at] === 2) err.push(payload);
    else if (bytes[at] === 3) code = payload[0] ?? null;
    at += 5 + length;
  }
  return { stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), code };
}
