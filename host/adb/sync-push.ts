import type { Duplex } from 'node:stream';
import { ProblemError, problem } from '../../shared/model/problem.ts';

/** Limits of adbd's sync service (adb `file_sync_protocol.h`): SYNC_DATA_MAX and the path. */
const CHUNK = 64 * 1024;
const PATH_MAX = 1024;
/** A regular file, `rw-r--r--`. */
const MODE = 0o100644;

/**
 * Writes one file through an open `sync:` service: SEND `path,mode`, DATA
 * chunks, DONE with the time. Resolves after the device's OKAY; its FAIL is
 * the problem `push-failed` with its text.
 */
export async function syncPush(service: Duplex, path: string, data: Uint8Array, nowMs: number): Promise<void> {
  const target = Buffer.from(`${path},${MODE}`, 'utf8');
  if (target.length > PATH_MAX) throw new ProblemError(problem('push-path-too-long', { path: path.slice(0, 200) }));
  const answer = readAnswer(service, path);
  answer.catch(() => {});
  await write(service, Buffer.concat([syncHeader('SEND', target.length), target]), answer);
  for (let at = 0; at < data.length; at += CHUNK) {
    const part = data.subarray(at, at + CHUNK);
    await write(service, Buffer.concat([syncHeader('DATA', part.length), part]), answer);
  }
  await write(service, syncHeader('DONE', Math.floor(nowMs / 1000) >>> 0), answer);
  await answer;
  service.write(syncHeader('QUIT', 0));
  service.end();
}

function syncHeader(id: string, value: number): Buffer {
  const header = Buffer.alloc(8);
  header.write(id, 0, 'ascii');
  header.writeUInt32LE(value >>> 0, 4);
  return header;
}

/** Waits until the stream takes more, or until the device has answered before it was asked. */
async function write(service: Duplex, bytes: Buffer, answer: Promise<void>): Promise<void> {
  if (service.destroyed) return answer;
  if (service.write(bytes)) return;
  let drained: () => void = () => {};
  const drain = new Promise<void>((resolve) => {
    drained = resolve;
    service.once('drain', drained);
  });
  try {
    await Promise.race([drain, answer]);
  } finally {
    service.removeListener('drain', drained);
  }
}

function readAnswer(service: Duplex, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0);
    const fail = (code: string, raw: string | null) => reject(new ProblemError(problem(code, { path }, raw)));
    service.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
      if (got.length < 8) return;
      const id = got.toString('ascii', 0, 4);
      if (id === 'OKAY') return resolve();
      const length = got.readUInt32LE(4);
      if (id !== 'FAIL' || length > 64 * 1024) return fail('push-protocol', got.subarray(0, 8).toString('hex'));
      if (got.length >= 8 + length) fail('push-failed', got.toString('utf8', 8, 8 + length));
    });
    service.once('error', (error) =>
      error instanceof ProblemError ? reject(error) : fail('device-connection-lost', error.message),
    );
    service.once('close', () => fail('device-connection-lost', null));
  });
}
