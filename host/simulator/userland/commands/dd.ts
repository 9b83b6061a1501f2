import { FileError } from '../../files/file-store.ts';
import { type ByteSink, readAll, toBytes } from '../channel.ts';
import type { Command } from '../process.ts';

/** Bytes that `dd` reads from standard input or writes to a file. */
const MAX = 1024 * 1024 * 1024;
/** Largest block, as memory of a phone would have it. */
const MAX_BLOCK = 256 * 1024 * 1024;

/** Bytes of one write: a stream does not show block sizes. */
const WRITE_CHUNK = 256 * 1024;

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  c: 1,
  w: 2,
  b: 512,
  k: 1024,
  K: 1024,
  kB: 1000,
  m: 1024 ** 2,
  M: 1024 ** 2,
  MB: 1000 ** 2,
  g: 1024 ** 3,
  G: 1024 ** 3,
  GB: 1000 ** 3,
};

function size(text: string): number | null {
  const match = /^(?<digits>\d{1,15})(?<unit>[A-Za-z]*)$/.exec(text)?.groups;
  const unit = UNITS[match?.['unit'] ?? '?'];
  const value = Number(match?.['digits']) * (unit ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : null;
}

const KNOWN = ['if', 'of', 'bs', 'ibs', 'obs', 'skip', 'count', 'iflag', 'oflag', 'conv', 'status'];

/**
 * `dd [if=] [of=] [bs=] [skip=] [count=] [iflag=skip_bytes,count_bytes,fullblock] [status=none]`.
 * `skip` and `count` are blocks of `bs` (default 512) unless the flags say bytes. The summary goes to standard error.
 */
export const dd: Command = async (process) => {
  const fail = async (text: string): Promise<number> => {
    await process.stderr.write(`dd: ${text}\n`);
    return 1;
  };
  const options = new Map<string, string>();
  for (const arg of process.argv.slice(1)) {
    const at = arg.indexOf('=');
    if (at < 0 || !KNOWN.includes(arg.slice(0, at))) return fail(`bad operand '${arg}'`);
    options.set(arg.slice(0, at), arg.slice(at + 1));
  }
  const flags = (options.get('iflag') ?? '').split(',');
  const block = size(options.get('bs') ?? options.get('ibs') ?? '512');
  const skip = size(options.get('skip') ?? '0');
  const count = options.has('count') ? size(options.get('count') ?? '') : Number.POSITIVE_INFINITY;
  if (block === null || skip === null || count === null) return fail('invalid number');
  if (block < 1 || block > MAX_BLOCK) return fail(`bad bs=${options.get('bs') ?? ''}`);
  const start = flags.includes('skip_bytes') ? skip : skip * block;
  const length = flags.includes('count_bytes') ? count : count * block;

  const path = options.get('if');
  let input: Uint8Array;
  try {
    input = path === undefined ? await readAll(process.stdin, MAX) : process.device.files.read(path);
  } catch (error) {
    if (error instanceof FileError) return fail(`${path}: ${error.message}`);
    throw error;
  }
  const bytes = input.subarray(Math.min(start, input.length), Math.min(start + length, input.length));

  const target = options.get('of');
  let sink: ByteSink = process.stdout;
  let commit = (): void => undefined;
  try {
    if (target !== undefined && target !== '/dev/null') {
      const writer = process.device.files.open(target);
      sink = { write: async (data) => writer.write(toBytes(data)) };
      commit = () => writer.commit(0o660, Math.floor(process.device.now() / 1000));
    } else if (target !== undefined) {
      sink = { write: () => Promise.resolve() };
    }
  } catch (error) {
    if (error instanceof FileError) return fail(`${target}: ${error.message}`);
    throw error;
  }
  for (let offset = 0; offset < bytes.length; offset += WRITE_CHUNK) {
    await sink.write(bytes.subarray(offset, offset + WRITE_CHUNK));
  }
  commit();
  if (options.get('status') !== 'none') {
    const full = Math.floor(bytes.length / block);
    const records = `${full}+${bytes.length % block === 0 ? 0 : 1} records`;
    await process.stderr.write(`${records} in\n${records} out\n${bytes.length} bytes copied, 0.001 s\n`);
  }
  return 0;
};
