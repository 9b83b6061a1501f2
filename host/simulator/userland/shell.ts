import { FileError, type FileWriter } from '../files/file-store.ts';
import { type ByteSink, type ByteSource, ClosedError, EMPTY_SOURCE, NULL_SINK, Pipe, toBytes } from './channel.ts';
import { COMMANDS } from './commands/registry.ts';
import type { Command, Process, UserlandDevice } from './process.ts';
import {
  type Pipeline,
  parseScript,
  type Redirect,
  ShellSyntaxError,
  type SimpleCommand,
  type Word,
} from './shell-syntax.ts';

const SH = '/system/bin/sh';

export interface ShellIo {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly signal: AbortSignal;
}

/** A running `sh`: variables and the last exit code live from one `run` to the next. */
export class Shell {
  readonly #device: UserlandDevice;
  readonly #io: ShellIo;
  readonly #variables = new Map<string, string>([
    ['PATH', '/system/bin'],
    ['ANDROID_DATA', '/data'],
    ['EXTERNAL_STORAGE', '/sdcard'],
    ['TMPDIR', '/data/local/tmp'],
    ['HOME', '/'],
    ['USER', 'shell'],
  ]);
  #status = 0;
  #exited = false;

  constructor(device: UserlandDevice, io: ShellIo) {
    this.#device = device;
    this.#io = io;
  }

  get exited(): boolean {
    return this.#exited;
  }

  get status(): number {
    return this.#status;
  }

  /** Runs a script and returns its exit code. */
  async run(script: string): Promise<number> {
    try {
      for (const pipeline of parseScript(script)) {
        if (this.#exited || this.#io.signal.aborted) break;
        if (pipeline.when === 'success' && this.#status !== 0) continue;
        if (pipeline.when === 'failure' && this.#status === 0) continue;
        this.#status = await this.#pipeline(pipeline);
      }
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      await this.#io.stderr.write(`${SH}: ${error.message}\n`);
      this.#status = 1;
    }
    return this.#status;
  }

  async #pipeline({ commands }: Pipeline): Promise<number> {
    const pipes = commands.slice(1).map(() => new Pipe());
    const codes = await Promise.all(
      commands.map(async (command, index) => {
        const input = pipes[index - 1];
        const output = pipes[index];
        try {
          return await this.#simple(command, input ?? this.#io.stdin, output ?? this.#io.stdout, commands.length === 1);
        } catch (error) {
          // 128 + SIGPIPE: nobody reads what it writes.
          if (error instanceof ClosedError) return 141;
          throw error;
        } finally {
          input?.abandon();
          output?.end();
        }
      }),
    );
    return codes.at(-1) ?? 0;
  }

  async #simple(command: SimpleCommand, stdin: ByteSource, stdout: ByteSink, inThisShell: boolean): Promise<number> {
    const words = [...command.words];
    while (words.length > 0) {
      const assigned = /^(?<name>[A-Za-z_][A-Za-z0-9_]*)=/.exec(plainStart(words[0] as Word));
      if (assigned === null) break;
      const value = this.#expandOne(words.shift() as Word);
      if (inThisShell) this.#variables.set(assigned.groups?.['name'] ?? '', value.slice(assigned[0].length));
    }
    const files: Sinks = { in: stdin, out: stdout, err: this.#io.stderr, commits: [] };
    try {
      for (const redirect of command.redirects) this.#redirect(redirect, files);
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error;
      await this.#io.stderr.write(`${SH}: ${error.message}\n`);
      return 1;
    }
    const argv = words.flatMap((word) => this.#expand(word));
    try {
      return await this.#execute(argv, files, inThisShell);
    } finally {
      for (const commit of files.commits) commit();
    }
  }

  async #execute(argv: readonly string[], files: Sinks, inThisShell: boolean): Promise<number> {
    const [name, ...rest] = argv;
    if (name === undefined) return 0;
    if (name === 'exec' || name === 'command') return rest.length === 0 ? 0 : this.#execute(rest, files, inThisShell);
    if (name === 'exit') {
      if (inThisShell) this.#exited = true;
      return rest[0] === undefined ? this.#status : Number(rest[0]) & 0xff;
    }
    const command = COMMANDS.get(name) ?? commandByPath(name);
    if (command === undefined) {
      await files.err.write(`${SH}: ${name}: inaccessible or not found\n`);
      return 127;
    }
    const process: Process = {
      device: this.#device,
      argv,
      stdin: files.in,
      stdout: files.out,
      stderr: files.err,
      signal: this.#io.signal,
    };
    return command(process);
  }

  #redirect(redirect: Redirect, files: Sinks): void {
    if (redirect.kind === 'duplicate') {
      const source = redirect.source === 2 ? files.err : files.out;
      if (redirect.fd === 1) files.out = source;
      else if (redirect.fd === 2) files.err = source;
      return;
    }
    const path = this.#expandOne(redirect.target);
    if (redirect.mode === 'read') {
      files.in = path === '/dev/null' ? EMPTY_SOURCE : this.#openToRead(path);
      return;
    }
    const sink = path === '/dev/null' ? NULL_SINK : this.#openToWrite(path, redirect.mode === 'append', files);
    if (redirect.fd === 1) files.out = sink;
    else if (redirect.fd === 2) files.err = sink;
  }

  #openToRead(path: string): ByteSource {
    let bytes: Uint8Array | null = orRedirectError(path, 'open', () => this.#device.files.read(path));
    return {
      read: () => {
        const all = bytes;
        bytes = null;
        return Promise.resolve(all === null || all.length === 0 ? null : all);
      },
    };
  }

  #openToWrite(path: string, append: boolean, files: Sinks): ByteSink {
    const writer: FileWriter = orRedirectError(path, 'create', () => this.#device.files.open(path));
    if (append) {
      try {
        writer.write(this.#device.files.read(path));
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
      }
    }
    files.commits.push(() => writer.commit(0o660, Math.floor(this.#device.now() / 1000)));
    return {
      write: async (data) => writer.write(toBytes(data)),
    };
  }

  #value(name: string): string {
    if (name === '?') return String(this.#status);
    if (name === '$') return '4242';
    return this.#variables.get(name) ?? '';
  }

  #expandOne(word: Word): string {
    return word.map((part) => (part.kind === 'text' ? part.text : this.#value(part.name))).join('');
  }

  /** Unquoted variables are split at white space; an unquoted word of nothing disappears. */
  #expand(word: Word): readonly string[] {
    const fields: string[] = [];
    let current: string | null = null;
    for (const part of word) {
      if (part.kind === 'text' || part.quoted) {
        current = (current ?? '') + (part.kind === 'text' ? part.text : this.#value(part.name));
        continue;
      }
      const [first = '', ...others] = this.#value(part.name).split(/[ \t\n]+/);
      if (first !== '') current = (current ?? '') + first;
      for (const other of others) {
        if (current !== null) fields.push(current);
        current = other === '' ? null : other;
      }
    }
    if (current !== null) fields.push(current);
    return fields;
  }
}

interface Sinks {
  in: ByteSource;
  out: ByteSink;
  err: ByteSink;
  /** Makes written files visible. */
  commits: (() => void)[];
}

class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

function orRedirectError<T>(path: string, verb: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof FileError) throw new RedirectError(`can't ${verb} ${path}: ${error.message}`);
    throw error;
  }
}

const plainStart = (word: Word): string => {
  const [first] = word;
  return first?.kind === 'text' && !first.quoted ? first.text : '';
};

const commandByPath = (name: string): Command | undefined =>
  name.startsWith('/system/bin/') ? COMMANDS.get(name.slice('/system/bin/'.length)) : undefined;
