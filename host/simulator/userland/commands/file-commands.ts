import { type DirEntry, FileError, type FileStat, S_IFDIR } from '../../files/file-store.ts';
import { type ByteSource, readAll } from '../channel.ts';
import type { Command, Process } from '../process.ts';

/** Bytes that a file command takes from its standard input. */
const STDIN_MAX = 256 * 1024 * 1024;
/** Bytes of one write, so that a reader can stop a long one. */
const WRITE_CHUNK = 256 * 1024;

/** Runs for each file; failures are printed as toybox does and make the exit code 1. */
async function forEachFile(
  process: Process,
  paths: readonly string[],
  action: (path: string) => Promise<void> | void,
): Promise<number> {
  let code = 0;
  for (const path of paths) {
    try {
      await action(path);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await process.stderr.write(`${process.argv[0]}: ${path}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
}

async function writeChunked(process: Process, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; offset += WRITE_CHUNK) {
    await process.stdout.write(bytes.subarray(offset, offset + WRITE_CHUNK));
  }
}

async function usage(process: Process, text: string): Promise<number> {
  await process.stderr.write(`${process.argv[0]}: ${text}\n`);
  return 1;
}

async function copyThrough(source: ByteSource, process: Process): Promise<void> {
  for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) await process.stdout.write(chunk);
}

/** `cat [FILE…]`. */
export const cat: Command = async (process) => {
  const paths = process.argv.slice(1);
  if (paths.length === 0) {
    await copyThrough(process.stdin, process);
    return 0;
  }
  return forEachFile(process, paths, (path) =>
    path === '-' ? copyThrough(process.stdin, process) : writeChunked(process, process.device.files.read(path)),
  );
};

/** `stat [-L] [-c FORMAT] FILE…` with `%n %s %a %f %Y %%`. */
export const stat: Command = async (process) => {
  // There are no links here, so that following them (`-L`) changes nothing.
  const args = process.argv.slice(1).filter((arg) => arg !== '-L');
  const at = args.indexOf('-c');
  const format = at < 0 ? null : args[at + 1];
  const paths = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  if (format === undefined || paths.length === 0) return usage(process, 'Needs 1 argument');
  let code = 0;
  for (const path of paths) {
    try {
      const facts = process.device.files.stat(path);
      await process.stdout.write(`${format === null ? longStat(path, facts) : formatStat(format, path, facts)}\n`);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await process.stderr.write(`stat: '${path}': ${error.message}\n`);
      code = 1;
    }
  }
  return code;
};

const longStat = (path: string, facts: FileStat): string =>
  `  File: ${path}\n  Size: ${facts.size}\n  Mode: ${(facts.mode & 0o7777).toString(8)}`;

function formatStat(format: string, path: string, facts: FileStat): string {
  const fields: Readonly<Record<string, string>> = {
    n: path,
    s: String(facts.size),
    a: (facts.mode & 0o7777).toString(8),
    f: facts.mode.toString(16),
    Y: String(facts.mtime),
    '%': '%',
  };
  return format.replace(/%(.)/g, (whole, letter: string) => fields[letter] ?? whole);
}

/** `head|tail [-c N | -n N] [FILE…]`; for tail a leading `+` counts from the start. */
const cutter = (end: 'head' | 'tail'): Command => {
  return async (process) => {
    const args = process.argv.slice(1);
    let unit: 'c' | 'n' = 'n';
    let count = '10';
    const paths: string[] = [];
    for (let index = 0; index < args.length; index++) {
      const arg = args[index] as string;
      const option = /^-(?<unit>[cn])(?<count>.*)$/.exec(arg)?.groups;
      if (option === undefined) {
        paths.push(arg);
        continue;
      }
      unit = option['unit'] === 'c' ? 'c' : 'n';
      count = option['count'] === '' ? (args[++index] ?? '') : (option['count'] ?? '');
    }
    if (!/^\+?\d{1,15}$/.test(count)) return usage(process, `bad number '${count}'`);
    const fromStart = end === 'tail' && count.startsWith('+');
    const amount = Number(count);
    const cut = (bytes: Uint8Array): Promise<void> =>
      writeChunked(
        process,
        unit === 'c' ? cutBytes(bytes, amount, end, fromStart) : cutLines(bytes, amount, end, fromStart),
      );
    if (paths.length === 0) {
      await cut(await readAll(process.stdin, STDIN_MAX));
      return 0;
    }
    return forEachFile(process, paths, (path) => cut(process.device.files.read(path)));
  };
};

function cutBytes(bytes: Uint8Array, amount: number, end: 'head' | 'tail', fromStart: boolean): Uint8Array {
  if (end === 'head') return bytes.subarray(0, amount);
  return bytes.subarray(fromStart ? Math.max(0, amount - 1) : Math.max(0, bytes.length - amount));
}

function cutLines(bytes: Uint8Array, amount: number, end: 'head' | 'tail', fromStart: boolean): Uint8Array {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1))
    starts.push(at + 1);
  if (end === 'head') return bytes.subarray(0, starts[amount] ?? bytes.length);
  const first = fromStart ? Math.max(0, amount - 1) : Math.max(0, starts.length - amount);
  return bytes.subarray(starts[first] ?? bytes.length);
}

export const head = cutter('head');
export const tail = cutter('tail');

/** `ls [-1ald] [PATH…]`. */
export const ls: Command = async (process) => {
  const options = process.argv.slice(1).filter((arg) => /^-[1ald]+$/.test(arg));
  const letters = options.join('');
  const paths = process.argv.slice(1).filter((arg) => !options.includes(arg));
  const { files } = process.device;
  const line = (entry: DirEntry): string => {
    if (!letters.includes('l')) return entry.name;
    const time = new Date(entry.mtime * 1000).toISOString().slice(0, 16).replace('T', ' ');
    return `${modeText(entry.mode)} 1 shell shell ${String(entry.size).padStart(8)} ${time} ${entry.name}`;
  };
  return forEachFile(process, paths.length === 0 ? ['/'] : paths, async (path) => {
    const facts = files.stat(path);
    const isDir = (facts.mode & S_IFDIR) !== 0;
    const entries = isDir && !letters.includes('d') ? files.list(path) : [{ name: path, ...facts }];
    const shown = entries.filter((entry) => letters.includes('a') || !isDir || !entry.name.startsWith('.'));
    await process.stdout.write(shown.map((entry) => `${line(entry)}\n`).join(''));
  });
};

function modeText(mode: number): string {
  const bits = [...'rwxrwxrwx'].map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-')).join('');
  return `${(mode & S_IFDIR) !== 0 ? 'd' : '-'}${bits}`;
}

/** `rm [-rf] FILE…`. */
export const rm: Command = (process) => {
  const options = process.argv.slice(1).filter((arg) => /^-[rRf]+$/.test(arg));
  const letters = options.join('');
  const paths = process.argv.slice(1).filter((arg) => !options.includes(arg));
  return forEachFile(process, paths, (path) => {
    try {
      process.device.files.remove(path, /r/i.test(letters));
    } catch (error) {
      if (!(error instanceof FileError && error.errno === 'ENOENT' && letters.includes('f'))) throw error;
    }
  });
};

/** `mkdir [-p] DIR…`. */
export const mkdir: Command = (process) =>
  forEachFile(
    process,
    process.argv.slice(1).filter((arg) => arg !== '-p'),
    (path) => process.device.files.makeDir(path),
  );
