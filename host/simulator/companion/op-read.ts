import type { Duplex } from 'node:stream';
import type { DeviceObject } from '../virtual-device.ts';

/** The largest chunk of a `read` (section 6). */
const MAX_CHUNK_BYTES = 64 * 1024;
/** Handed to the socket at once: with its counts it fills one packet of adb, as what other services send does. */
const WRITE_BYTES = 15 * MAX_CHUNK_BYTES;
const ERROR_MARK = 0xffffffff;

/**
 * Sends a descriptor's bytes in counted chunks, an end or an error, and closes both sides. Where the other side goes, the
 * descriptor is closed at once, also while its own bytes are still waited for: a reader in the kernel ends as well.
 */
export async function streamDescriptor(stream: Duplex, fd: Extract<DeviceObject, { t: 'fd' }>): Promise<void> {
  const gone = Promise.withResolvers<null>();
  const onClose = () => gone.resolve(null);
  stream.once('close', onClose);
  const bytes = fd.read()[Symbol.asyncIterator]();
  try {
    if (stream.destroyed) return;
    try {
      for (;;) {
        const next = await Promise.race([bytes.next(), gone.promise]);
        if (next === null) return;
        if (next.done === true) break;
        for (let at = 0; at < next.value.byteLength; at += WRITE_BYTES) {
          if (!(await write(stream, inChunks(next.value.subarray(at, at + WRITE_BYTES))))) return;
        }
      }
      await write(stream, header(0));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const failure = { code: 'PROVIDER_EXCEPTION', message, detail: { class: 'java.io.IOException' } };
      await write(stream, header(ERROR_MARK));
      await write(stream, Buffer.from(`${JSON.stringify({ error: failure })}\n`));
    }
    stream.end();
  } finally {
    stream.off('close', onClose);
    // It may wait for its next bytes for ever.
    bytes.return?.()?.catch(() => {});
    fd.close();
  }
}

/** Bytes as counted chunks, in one buffer: the socket of a phone takes many at once, too. */
function inChunks(bytes: Uint8Array): Buffer {
  const count = Math.ceil(bytes.byteLength / MAX_CHUNK_BYTES);
  const out = Buffer.allocUnsafe(bytes.byteLength + 4 * count);
  for (let at = 0, to = 0; at < bytes.byteLength; at += MAX_CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + MAX_CHUNK_BYTES);
    to = out.writeUInt32BE(chunk.byteLength, to);
    out.set(chunk, to);
    to += chunk.byteLength;
  }
  return out;
}

function header(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
}

/** False when the other side has gone. */
function write(stream: Duplex, bytes: Buffer): Promise<boolean> | boolean {
  if (stream.destroyed) return false;
  if (bytes.length === 0 || stream.write(bytes)) return true;
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('drain', settle);
      stream.off('close', settle);
      resolve(!stream.destroyed);
    };
    stream.on('drain', settle);
    stream.on('close', settle);
  });
}
