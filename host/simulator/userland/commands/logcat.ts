import { type Command, orAbort, type Process } from '../process.ts';

interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly pid: number;
  readonly tid: number;
  readonly uid: number;
  readonly priority: 'V' | 'D' | 'I' | 'W' | 'E' | 'F';
  readonly tag: string;
  readonly message: string;
}

/** Header of a binary entry with the sender's uid (`logger_entry_v4`), in bytes. */
const HEADER_BYTES = 28;
const PRIORITIES = 'xxVDIWEF';

/**
 * `logcat [-d] [-B] [-v FORMAT] [-T N | -t N] [--pid=N] [-b BUFFERS] [FILTER…]`: a few lines about what is installed. Without
 * `-d` or `-t` it stays open until its stream is closed. Formats: threadtime and binary (android-facts 7).
 */
export const logcat: Command = async (process) => {
  const args = process.argv.slice(1);
  const optionValue = (option: string): string | undefined =>
    args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
  const format = optionValue('-v') ?? 'threadtime';
  if (args.includes('-c')) return 0;
  if (format !== 'threadtime') {
    await process.stderr.write(`logcat: Invalid parameter "${format}" to -v\n`);
    return 1;
  }
  const pid = args.find((arg) => arg.startsWith('--pid='))?.slice('--pid='.length);
  const all = lines(process).filter((line) => pid === undefined || String(line.pid) === pid);
  const count = Number(optionValue('-t') ?? optionValue('-T') ?? all.length);
  const shown = Number.isInteger(count) ? all.slice(Math.max(0, all.length - count)) : all;
  const binary = args.includes('-B');
  if (!binary && shown.length > 0) await process.stdout.write('--------- beginning of main\n');
  for (const line of shown) await process.stdout.write(binary ? binaryEntry(line) : textLine(line));
  if (!args.includes('-d') && !args.includes('-t')) await orAbort(new Promise<never>(() => undefined), process.signal);
  return 0;
};

function lines({ device }: Process): readonly LogLine[] {
  const start = device.now() - 60_000;
  const system = { pid: 1454, tid: 2366, uid: 1000 };
  return [
    { ...system, at: start, priority: 'I', tag: 'SystemServer', message: 'Entered the Android system server!' },
    ...device.android.packages().map(
      (installed, index): LogLine => ({
        ...system,
        at: start + 1 + index,
        priority: 'D',
        tag: 'PackageManager',
        message: `Scanned ${installed.spec.package} versionCode=${installed.spec.versionCode}`,
      }),
    ),
  ];
}

function textLine(line: LogLine): string {
  const time = new Date(line.at).toISOString().slice(5, 23).replace('T', ' ');
  const numbers = `${String(line.pid).padStart(5)} ${String(line.tid).padStart(5)}`;
  return `${time} ${numbers} ${line.priority} ${line.tag.padEnd(8)}: ${line.message}\n`;
}

function binaryEntry(line: LogLine): Buffer {
  const payload = Buffer.concat([
    Buffer.of(PRIORITIES.indexOf(line.priority)),
    Buffer.from(`${line.tag}\0${line.message}\0`, 'utf8'),
  ]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16LE(payload.length, 0);
  header.writeUInt16LE(HEADER_BYTES, 2);
  header.writeInt32LE(line.pid, 4);
  header.writeUInt32LE(line.tid, 8);
  header.writeUInt32LE(Math.floor(line.at / 1000), 12);
  header.writeUInt32LE((line.at % 1000) * 1_000_000, 16);
  header.writeUInt32LE(0, 20);
  header.writeUInt32LE(line.uid, 24);
  return Buffer.concat([header, payload]);
}
